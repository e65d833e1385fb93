/** Where things stand, one after the other. */
export type Places = { x: ArrayLike<number>; y: ArrayLike<number> }

/** The first and the last as one reads. */
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

/** Beyond any drawing. */
const beyond = 1e9

/** The next one that way: the nearest of the quarter ahead; where none is there, what lies aside is further than it looks. */
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

/** The next as one reads, or the one before it; of those at one point, one after the other. */
function readFrom({ x, y }: Places, from: number, step: 1 | -1) {
  const far = (a: number, b: number) => step * (y[b]! - y[a]! || x[b]! - x[a]! || b - a)
  let found = from
  for (let n = 0; n < x.length; n++)
    if (far(from, n) > 0 && (found === from || far(n, found) > 0)) found = n
  return found
}

/**
 * Which one a key goes to; undefined for a key that goes nowhere. Arrows go by where things stand, which may leave one out;
 * PageDown and PageUp go through all.
 */
export function goneTo(places: Places, from: number, key: string) {
  if (key === 'Home') return endsOf(places)[0]
  if (key === 'End') return endsOf(places)[1]
  if (key === 'PageDown') return readFrom(places, from, 1)
  if (key === 'PageUp') return readFrom(places, from, -1)
  return key in directions ? nextTo(places, from, key as keyof typeof directions) : undefined
}
