import { severityRank, type AlarmSeverity } from '@iot/shared/contract/alarmSeverity'
import type { Problem, ProblemKind } from '@iot/shared/contract/device.schema'
import { problemSeverity } from '../../../layout/alerts/useProblems'

export type SeverityGroup = { severity: AlarmSeverity; count: number; problems: Problem[] }

/**
 * Groups problems by severity, the most severe first. The order within a group is that of the server, which stays while
 * the problems last. `count` includes those that the server did not list.
 */
export const groupBySeverity = (
  list: Problem[],
  counts: Record<ProblemKind, number>,
): SeverityGroup[] =>
  (Object.keys(severityRank) as AlarmSeverity[])
    .sort((a, b) => severityRank[a] - severityRank[b])
    .map((severity) => ({
      severity,
      count: (Object.entries(counts) as [ProblemKind, number][])
        .filter(([kind]) => problemSeverity[kind] === severity)
        .reduce((sum, [, count]) => sum + count, 0),
      problems: list.filter(({ kind }) => problemSeverity[kind] === severity),
    }))
    .filter(({ count, problems }) => count > 0 || problems.length > 0)
