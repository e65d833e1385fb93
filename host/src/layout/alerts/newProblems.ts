import type { Problem, ProblemKind } from '@iot/shared/contract/device.schema'

export type ProblemSnapshot = { list: Problem[]; counts: Record<ProblemKind, number> }
/** `keys` identify the new incidents, so that each raises one alert. */
export type NewProblemGroup = { kind: ProblemKind; keys: string[]; count: number; first?: Problem }

/** The `since` of these kinds advances while they last, so it cannot identify them. */
const kindsWithMovingSince: ProblemKind[] = ['fault', 'lit']
export const getProblemKey = ({ kind, id, since }: Problem) =>
  [kind, id, !kindsWithMovingSince.includes(kind) && since].filter(Boolean).join(' ')

/**
 * Returns the new incidents of the chosen kinds. The platform lists only the first ones of each kind: a complete list
 * is compared by key, an incomplete one only by its count.
 */
export function findNewProblems(
  previous: ProblemSnapshot,
  current: ProblemSnapshot,
  kinds: ProblemKind[],
): NewProblemGroup[] {
  const knownKeys = new Set(previous.list.map(getProblemKey))
  return kinds.flatMap((kind) => {
    const listByKind = ({ list }: ProblemSnapshot) =>
      list.filter((candidate) => candidate.kind === kind)
    const isComplete = [previous, current].every(
      (candidate) => listByKind(candidate).length === candidate.counts[kind],
    )
    const addedProblems = listByKind(current).filter(
      (candidate) => !knownKeys.has(getProblemKey(candidate)),
    )
    const count = isComplete ? addedProblems.length : current.counts[kind] - previous.counts[kind]
    const identifiedProblems = isComplete ? addedProblems : listByKind(current).slice(0, 1)
    const keys = identifiedProblems.map((problem) =>
      isComplete ? getProblemKey(problem) : `${current.counts[kind]} ${getProblemKey(problem)}`,
    )
    return count > 0 ? [{ kind, keys, count, first: addedProblems[0] }] : []
  })
}
