import type { Problem, ProblemKind } from '@iot/shared/contract/device'

export type Known = { list: Problem[]; counts: Record<ProblemKind, number> }
export type News = { kind: ProblemKind; count: number; first?: Problem }

/**
 * What went wrong since, of chosen kinds. The platform names the first of each kind only: where it named all of a kind, the
 * names tell what is new, else only that there are more.
 */
export function newProblems(before: Known, now: Known, kinds: ProblemKind[]): News[] {
  const known = new Set(before.list.map(({ kind, id }) => kind + id))
  return kinds.flatMap((kind) => {
    const of = ({ list }: Known) => list.filter((one) => one.kind === kind)
    const isWhole = [before, now].every((one) => of(one).length === one.counts[kind])
    const fresh = of(now).filter(({ id }) => !known.has(kind + id))
    const count = isWhole ? fresh.length : now.counts[kind] - before.counts[kind]
    return count > 0 ? [{ kind, count, first: fresh[0] }] : []
  })
}
