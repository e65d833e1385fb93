import type { ProblemKind } from '@iot/shared/contract/device.schema'
import { useOpenIncidents } from '@iot/shared/ui/useOpenIncidents'
import type { Problems } from '../../../layout/alerts/useProblems'

/**
 * Separates the problems for which an alarm rule has opened an incident from the others, because incidents are listed
 * on their own. Whoever may not list incidents gets all problems.
 * @param isWhole false for problems of a part of the project, whose incidents are not listed
 */
export function useUnreported(
  { list, counts, incidentCounts }: Pick<Problems, 'list' | 'counts' | 'incidentCounts'>,
  projectId: number,
  isWhole = true,
) {
  const incidents = useOpenIncidents({ projectId, ready: isWhole })
  const isSeparate = isWhole && incidents.canList && incidents.list !== undefined
  const unreportedCounts = counts && {
    ...counts,
    ...(isSeparate &&
      Object.fromEntries(
        Object.entries(counts).map(([kind, count]) => [
          kind,
          count - (incidentCounts?.[kind as ProblemKind] ?? 0),
        ]),
      )),
  }
  const unreportedTotal = Object.values(unreportedCounts ?? {}).reduce(
    (sum, count) => sum + count,
    0,
  )
  return {
    incidents,
    list: isSeparate ? list?.filter(({ incidentId }) => !incidentId) : list,
    counts: unreportedCounts,
    unreportedTotal,
    incidentTotal: isSeparate ? (incidents.total ?? 0) : 0,
  }
}
