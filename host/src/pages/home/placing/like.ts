import type { At, Target } from './arrangement'

type Device = { id: string; name: string; productType: string }
type Hung = Device & { at: At }

const inOrder = new Intl.Collator('zh-CN', { numeric: true })
/** Returns the last number of a name: 7 for `3F-筒灯-07`. */
const numberOf = ({ name }: Device) => /(\d+)\D*$/.exec(name)?.[1]?.replace(/^0+(?=\d)/, '')

/**
 * Assigns devices to the positions of another floor: each to a device of its type with the same number in the name, or
 * in order of name if most numbers have no counterpart. Surplus devices are left out.
 */
export function like(free: Device[], there: Hung[]): Target[] {
  const types = new Set(free.map(({ productType }) => productType))
  return [...types].flatMap((type) => {
    const of = <D extends Device>(all: D[]) =>
      all
        .filter(({ productType }) => productType === type)
        .sort((a, b) => inOrder.compare(a.name, b.name))
    return matched(of(free), of(there))
  })
}

function matched(free: Device[], there: Hung[]): Target[] {
  const [mine, theirs] = [byNumber(free), byNumber(there)]
  const pairs = [...mine].flatMap(([number, one]): [Device, Hung][] => {
    const other = theirs.get(number)
    return other ? [[one, other]] : []
  })
  const isNumbered = pairs.length * 2 > Math.min(free.length, there.length)
  const together = isNumbered
    ? pairs
    : there.flatMap((other, n): [Device, Hung][] => (free[n] ? [[free[n], other]] : []))
  return together.map(([{ id }, { at }]) => ({ id, to: at }))
}

/** Maps devices by number and leaves out numbers that occur more than once. */
function byNumber<D extends Device>(devices: D[]) {
  const all = new Map<string, D[]>()
  for (const one of devices) {
    const number = numberOf(one)
    if (number) all.set(number, [...(all.get(number) ?? []), one])
  }
  return new Map(
    [...all].flatMap(([number, [one, ...more]]) => (more.length ? [] : [[number, one!]])),
  )
}
