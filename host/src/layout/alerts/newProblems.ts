import type { Problem, ProblemKind } from '@iot/shared/contract/device'

export type Known = { list: Problem[]; counts: Record<ProblemKind, number> }
/** `keys` identify the new incidents, so that each raises one alert. */
export type News = { kind: ProblemKind; keys: string[]; count: number; first?: Problem }

/** The `since` of these kinds advances while they last, so it cannot identify them. */
const repeated: ProblemKind[] = ['fault', 'lit']
export const nameOf = ({ kind, id, since }: Problem) =>
  [kind, id, !repeated.includes(kind) && since].filter(Boolean).join(' ')

/**
 * Returns the new incidents of the chosen kinds. The platform lists only the first ones of each kind: a complete list
 * is compared by key, an incomplete one only by its count.
 */
export function newProblems(before: Known, now: Known, kinds: ProblemKind[]): News[] {
  const known = new Set(before.list.map(nameOf))
  return kinds.flatMap((kind) => {
    const of = ({ list }: Known) => list.filter((one) => one.kind === kind)
    const isWhole = [before, now].every((one) => of(one).length === one.counts[kind])
    const fresh = of(now).filter((one) => !known.has(nameOf(one)))
    const count = isWhole ? fresh.length : now.counts[kind] - before.counts[kind]
    const named = isWhole ? fresh : of(now).slice(0, 1)
    const keys = named.map((one) => (isWhole ? nameOf(one) : `${now.counts[kind]} ${nameOf(one)}`))
    return count > 0 ? [{ kind, keys, count, first: fresh[0] }] : []
  })
}
