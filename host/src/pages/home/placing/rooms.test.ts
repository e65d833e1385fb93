import { findRoom, measureRooms, type PlacedPoint } from './rooms'

const createPoints = (spaceId: string, ...points: [number, number][]): PlacedPoint[] =>
  points.map(([x, y]) => ({ spaceId, at: { x, y } }))
const placedPoints = [
  ...createPoints('hall', [0.1, 0.1], [0.4, 0.3]),
  ...createPoints('office', [0.35, 0.25], [0.8, 0.4]),
  ...createPoints('store', [0.9, 0.9]),
  ...createPoints('floor', [0, 0], [1, 1]),
]
const findRoomByPoint = (x: number, y: number) =>
  findRoom({ x, y }, measureRooms(placedPoints, 'floor'))

it('is the room whose devices surround the point', () => {
  expect(findRoomByPoint(0.2, 0.2)).toBe('hall')
  expect(findRoomByPoint(0.7, 0.3)).toBe('office')
  expect(findRoomByPoint(0.09, 0.1)).toBe('hall')
})
it('is undefined between two rooms, near a single device, and in the open', () => {
  expect(findRoomByPoint(0.37, 0.28)).toBeUndefined()
  expect(findRoomByPoint(0.9, 0.9)).toBeUndefined()
  expect(findRoomByPoint(0.5, 0.8)).toBeUndefined()
})
