import { endsOf, goneTo, type Places } from './neighbours'

const places = (points: number[][]): Places => ({
  x: points.map(([x]) => x!),
  y: points.map(([, y]) => y!),
})
/** Counts the items that the keys reach from the first one. */
function reached(from: Places, keys: string[]) {
  const [first] = endsOf(from)
  const found = new Set([first])
  for (const one of found) for (const key of keys) found.add(goneTo(from, one, key)!)
  return found.size
}
const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const pages = ['PageDown', 'PageUp']

/** Lamps stand 100 apart; a few sensors stand between four of them. */
const floor = [
  ...Array.from({ length: 100 }, (_, n) => [(n % 10) * 100, Math.floor(n / 10) * 100]),
  [250, 250],
  [650, 450],
]

it('leads to a sensor between lamps by arrows', () =>
  expect(reached(places(floor), arrows)).toBe(floor.length))

it('goes along a row though something stands aside of it', () => {
  const row = places([
    [0, 0],
    [100, 0],
    [40, 60],
  ])
  expect(goneTo(row, 0, 'ArrowRight')).toBe(1)
})

it('walks all as one reads, wherever they stand', () => {
  let seed = 7
  const some = () => (seed = (seed * 16_807) % 2_147_483_647) % 1000
  const random = Array.from({ length: 300 }, () => [some(), some()])
  expect(reached(places(random), pages)).toBe(300)
  expect(reached(places(random), arrows)).toBeGreaterThan(295)
})

it('leads to the second of two that stand at one point, and back', () => {
  const two = places([
    [10, 10],
    [50, 50],
    [50, 50],
    [90, 50],
  ])
  expect(reached(two, arrows)).toBe(3)
  expect([0, 1, 2, 3].map((n) => goneTo(two, n, 'PageDown'))).toEqual([1, 2, 3, 3])
  expect([0, 1, 2, 3].map((n) => goneTo(two, n, 'PageUp'))).toEqual([0, 0, 1, 2])
})
