import type { PlanPosition } from './arrangement'

export type PlacedPoint = { spaceId: string | null; at: PlanPosition }
export type RoomBounds = { id: string; left: number; right: number; top: number; bottom: number }
/** A room extends beyond its outermost devices by this share of the plan. */
const roomMargin = 0.015
/** A single device tells where a room is but not how large it is, so a room needs two. */
const minDevicesPerRoom = 2

/** Measures rooms by the devices that already hang in them, because floor plans have no room outlines. */
export function measureRooms(placedPoints: readonly PlacedPoint[], floorId: string): RoomBounds[] {
  const byRoom = new Map<string, PlanPosition[]>()
  for (const { spaceId, at } of placedPoints) {
    if (!spaceId || spaceId === floorId) continue
    const points = byRoom.get(spaceId)
    if (points) points.push(at)
    else byRoom.set(spaceId, [at])
  }
  return [...byRoom]
    .filter(([, points]) => points.length >= minDevicesPerRoom)
    .map(([id, points]) => ({
      id,
      left: Math.min(...points.map(({ x }) => x)) - roomMargin,
      right: Math.max(...points.map(({ x }) => x)) + roomMargin,
      top: Math.min(...points.map(({ y }) => y)) - roomMargin,
      bottom: Math.max(...points.map(({ y }) => y)) + roomMargin,
    }))
}

/** Returns the room at a point of the plan, or `undefined` if there is none or several overlap. */
export function findRoom({ x, y }: PlanPosition, rooms: readonly RoomBounds[]): string | undefined {
  const matchingRooms = rooms.filter(
    ({ left: minX, right: maxX, top: minY, bottom: maxY }) =>
      x >= minX && x <= maxX && y >= minY && y <= maxY,
  )
  return matchingRooms.length === 1 ? matchingRooms[0]!.id : undefined
}
