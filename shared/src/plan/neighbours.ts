/** Coordinates of items in parallel arrays. */
export type Places = { x: ArrayLike<number>; y: ArrayLike<number> }

/** Returns the first and the last item in reading order. */
export function endsOf({ x, y }: Places) {
  let [first, last] = [0, 0]
  const isBefore = (a: number, b: number) => y[a]! < y[b]! || (y[a]! === y[b]! && x[a]! < x[b]!)
  for (let n = 0; n < x.length; n++) {
    if (isBefore(n, first)) first = n
    if (!isBefore(n, last)) last = n
  }
  return [first, last] as const
}

const directions = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const

/** The penalty exceeds any distance in a drawing. */
const beyond = 1e9

/**
 * Returns the next item in a direction: the nearest in the quadrant ahead; if it is empty, the sideways distance of the
 * others weighs more.
 */
export function nextTo({ x, y }: Places, from: number, way: keyof typeof directions) {
  const [right, down] = directions[way]
  let found = from
  let nearest = Infinity
  for (let n = 0; n < x.length; n++) {
    const [dx, dy] = [x[n]! - x[from]!, y[n]! - y[from]!]
    const ahead = dx * right + dy * down
    const aside = Math.abs(dx * down) + Math.abs(dy * right)
    const away = aside <= ahead ? Math.hypot(ahead, aside) : beyond + ahead + aside * 3
    if (ahead < 0.01 || away >= nearest) continue
    nearest = away
    found = n
  }
  return found
}

/** Returns the next or previous item in reading order; items at the same point follow one another. */
function readFrom({ x, y }: Places, from: number, step: 1 | -1) {
  const far = (a: number, b: number) => step * (y[b]! - y[a]! || x[b]! - x[a]! || b - a)
  let found = from
  for (let n = 0; n < x.length; n++)
    if (far(from, n) > 0 && (found === from || far(n, found) > 0)) found = n
  return found
}

/**
 * Returns the item that a key leads to; undefined for any other key. Arrow keys go by position and may skip items;
 * PageDown and PageUp visit all.
 */
export function goneTo(places: Places, from: number, key: string) {
  if (key === 'Home') return endsOf(places)[0]
  if (key === 'End') return endsOf(places)[1]
  if (key === 'PageDown') return readFrom(places, from, 1)
  if (key === 'PageUp') return readFrom(places, from, -1)
  return key in directions ? nextTo(places, from, key as keyof typeof directions) : undefined
}
