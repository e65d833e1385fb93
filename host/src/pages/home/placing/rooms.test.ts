import { findRoom, measureRooms, type Hung } from './rooms'

const hung = (spaceId: string, ...points: [number, number][]): Hung[] =>
  points.map(([x, y]) => ({ spaceId, at: { x, y } }))
const all = [
  ...hung('hall', [0.1, 0.1], [0.4, 0.3]),
  ...hung('office', [0.35, 0.25], [0.8, 0.4]),
  ...hung('store', [0.9, 0.9]),
  ...hung('floor', [0, 0], [1, 1]),
]
const roomAt = (x: number, y: number) => findRoom({ x, y }, measureRooms(all, 'floor'))

it('is the room whose devices hang around the point', () => {
  expect(roomAt(0.2, 0.2)).toBe('hall')
  expect(roomAt(0.7, 0.3)).toBe('office')
  expect(roomAt(0.09, 0.1)).toBe('hall')
})
it('is none where two rooms reach, where a single device hangs, and in the open', () => {
  expect(roomAt(0.37, 0.28)).toBeUndefined()
  expect(roomAt(0.9, 0.9)).toBeUndefined()
  expect(roomAt(0.5, 0.8)).toBeUndefined()
})
