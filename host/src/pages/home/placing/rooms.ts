import type { At } from './arrangement'

export type Hung = { spaceId: string | null; at: At }
export type Room = { id: string; left: number; right: number; top: number; bottom: number }
/** How far beyond its outermost devices a room reaches, in shares of the plan. */
const margin = 0.015
/** One device says where a room is, and not how large it is. */
const fewest = 2

/** Plans have no outlines of rooms, so a room reaches as far as what hangs in it already. */
export function measureRooms(hung: readonly Hung[], floorId: string): Room[] {
  const byRoom = new Map<string, At[]>()
  for (const { spaceId, at } of hung) {
    if (!spaceId || spaceId === floorId) continue
    const points = byRoom.get(spaceId)
    if (points) points.push(at)
    else byRoom.set(spaceId, [at])
  }
  return [...byRoom]
    .filter(([, points]) => points.length >= fewest)
    .map(([id, points]) => ({
      id,
      left: Math.min(...points.map(({ x }) => x)) - margin,
      right: Math.max(...points.map(({ x }) => x)) + margin,
      top: Math.min(...points.map(({ y }) => y)) - margin,
      bottom: Math.max(...points.map(({ y }) => y)) + margin,
    }))
}

/** The room that a point of the plan lies in; none where two reach. */
export function findRoom({ x, y }: At, rooms: readonly Room[]): string | undefined {
  const around = rooms.filter(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  )
  return around.length === 1 ? around[0]!.id : undefined
}
