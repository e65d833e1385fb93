import type { At } from './arrangement'

export type Hung = { spaceId: string | null; at: At }
export type Room = { id: string; left: number; right: number; top: number; bottom: number }
/** A room extends beyond its outermost devices by this share of the plan. */
const margin = 0.015
/** A single device tells where a room is but not how large it is, so a room needs two. */
const fewest = 2

/** Measures rooms by the devices that already hang in them, because floor plans have no room outlines. */
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

/** Returns the room at a point of the plan, or `undefined` if there is none or several overlap. */
export function findRoom({ x, y }: At, rooms: readonly Room[]): string | undefined {
  const around = rooms.filter(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  )
  return around.length === 1 ? around[0]!.id : undefined
}
