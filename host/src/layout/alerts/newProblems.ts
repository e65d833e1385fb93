import type { Problem, ProblemKind } from '@iot/shared/contract/device'

export type Known = { list: Problem[]; counts: Record<ProblemKind, number> }
/** `keys` name what is new, so that it is told once. */
export type News = { kind: ProblemKind; keys: string[]; count: number; first?: Problem }

/** Of these `since` moves on while they last. */
const repeated: ProblemKind[] = ['fault', 'lit']
export const nameOf = ({ kind, id, since }: Problem) =>
  [kind, id, !repeated.includes(kind) && since].filter(Boolean).join(' ')

/**
 * What went wrong since, of chosen kinds. The platform names the first of each kind only: where it named all of a kind, the
 * names tell what is new, else only that there are more.
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
