/** Coordinates of items in parallel arrays. */
export type ItemPositions = { x: ArrayLike<number>; y: ArrayLike<number> }

/** Returns the first and the last item in reading order. */
export function findEnds({ x, y }: ItemPositions) {
  let [first, last] = [0, 0]
  const isBefore = (a: number, b: number) => y[a]! < y[b]! || (y[a]! === y[b]! && x[a]! < x[b]!)
  for (let index = 0; index < x.length; index++) {
    if (isBefore(index, first)) first = index
    if (!isBefore(index, last)) last = index
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
const outsideQuadrantPenalty = 1e9

/**
 * Returns the next item in a direction: the nearest in the quadrant ahead; if it is empty, the sideways distance of the
 * others weighs more.
 */
export function findNeighbour(
  { x, y }: ItemPositions,
  fromIndex: number,
  direction: keyof typeof directions,
) {
  const [stepX, stepY] = directions[direction]
  let nearestItem = fromIndex
  let nearestDistance = Infinity
  for (let index = 0; index < x.length; index++) {
    const [dx, dy] = [x[index]! - x[fromIndex]!, y[index]! - y[fromIndex]!]
    const forwardDistance = dx * stepX + dy * stepY
    const sidewaysDistance = Math.abs(dx * stepY) + Math.abs(dy * stepX)
    const distance =
      sidewaysDistance <= forwardDistance
        ? Math.hypot(forwardDistance, sidewaysDistance)
        : outsideQuadrantPenalty + forwardDistance + sidewaysDistance * 3
    if (forwardDistance < 0.01 || distance >= nearestDistance) continue
    nearestDistance = distance
    nearestItem = index
  }
  return nearestItem
}

/** Returns the next or previous item in reading order; items at the same point follow one another. */
function findInReadingOrder({ x, y }: ItemPositions, fromIndex: number, step: 1 | -1) {
  const compareOrder = (a: number, b: number) => step * (y[b]! - y[a]! || x[b]! - x[a]! || b - a)
  let nextItem = fromIndex
  for (let index = 0; index < x.length; index++)
    if (
      compareOrder(fromIndex, index) > 0 &&
      (nextItem === fromIndex || compareOrder(index, nextItem) > 0)
    )
      nextItem = index
  return nextItem
}

/**
 * Returns the item that a key leads to; undefined for any other key. Arrow keys go by position and may skip items;
 * PageDown and PageUp visit all.
 */
export function findItemForKey(positions: ItemPositions, fromIndex: number, key: string) {
  if (key === 'Home') return findEnds(positions)[0]
  if (key === 'End') return findEnds(positions)[1]
  if (key === 'PageDown') return findInReadingOrder(positions, fromIndex, 1)
  if (key === 'PageUp') return findInReadingOrder(positions, fromIndex, -1)
  return key in directions
    ? findNeighbour(positions, fromIndex, key as keyof typeof directions)
    : undefined
}

/** @deprecated Use {@link findEnds}; kept for remotes that were built before. */
export const endsOf = findEnds

/** @deprecated Use {@link findNeighbour}; kept for remotes that were built before. */
export const nextTo = findNeighbour

/** @deprecated Use {@link findItemForKey}; kept for remotes that were built before. */
export const goneTo = findItemForKey

/** @deprecated Use {@link ItemPositions}; kept for remotes that were built before. */
export type Places = ItemPositions
