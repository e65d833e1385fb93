import { findEnds, findItemForKey, type ItemPositions } from './neighbours'

const toPlaces = (points: number[][]): ItemPositions => ({
  x: points.map(([x]) => x!),
  y: points.map(([, y]) => y!),
})
/** Counts the items that the keys reach from the first one. */
function countReachable(positions: ItemPositions, keys: string[]) {
  const [first] = findEnds(positions)
  const reachedItems = new Set([first])
  for (const item of reachedItems)
    for (const key of keys) reachedItems.add(findItemForKey(positions, item, key)!)
  return reachedItems.size
}
const arrowKeys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const pageKeys = ['PageDown', 'PageUp']

/** Lamps stand 100 apart; a few sensors stand between four of them. */
const floor = [
  ...Array.from({ length: 100 }, (_, n) => [(n % 10) * 100, Math.floor(n / 10) * 100]),
  [250, 250],
  [650, 450],
]

it('reaches every item by arrow keys, also a sensor between lamps', () =>
  expect(countReachable(toPlaces(floor), arrowKeys)).toBe(floor.length))

it('follows a row when another item lies beside it', () => {
  const row = toPlaces([
    [0, 0],
    [100, 0],
    [40, 60],
  ])
  expect(findItemForKey(row, 0, 'ArrowRight')).toBe(1)
})

it('reaches all items in reading order with the page keys', () => {
  let seed = 7
  const nextRandom = () => (seed = (seed * 16_807) % 2_147_483_647) % 1000
  const random = Array.from({ length: 300 }, () => [nextRandom(), nextRandom()])
  expect(countReachable(toPlaces(random), pageKeys)).toBe(300)
  expect(countReachable(toPlaces(random), arrowKeys)).toBeGreaterThan(295)
})

it('reaches both of two items at one point', () => {
  const coincidentItems = toPlaces([
    [10, 10],
    [50, 50],
    [50, 50],
    [90, 50],
  ])
  expect(countReachable(coincidentItems, arrowKeys)).toBe(3)
  expect([0, 1, 2, 3].map((n) => findItemForKey(coincidentItems, n, 'PageDown'))).toEqual([
    1, 2, 3, 3,
  ])
  expect([0, 1, 2, 3].map((n) => findItemForKey(coincidentItems, n, 'PageUp'))).toEqual([
    0, 0, 1, 2,
  ])
})
