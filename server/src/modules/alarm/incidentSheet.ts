import { exportMax } from '@iot/shared/contract/sheet/sheet'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { incidentStatusText } from '@iot/shared/contract/alarm/incident'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import type { incidentQueries } from './incidentQueries'
import type { Scope } from './incidentScope'

export const incidentSheet = createSheetColumns(AlarmIncident, {
  openedTime: '',
  severity: createChoiceConversion(severityText),
  title: '',
  projectName: '',
  place: '',
  subjectName: '',
  ruleName: '',
  status: createChoiceConversion(incidentStatusText),
  count: '',
  deviceCount: '',
  firstTime: '',
  lastTime: '',
  acknowledgedBy: '',
  acknowledgedTime: '',
  resolvedBy: '',
  resolvedTime: '',
  resolveReason: '',
  assigneeName: '',
})

type Queries = ReturnType<typeof incidentQueries>
/**
 * Reads the pages of one export, one after the other, from the ids that match at its beginning: an incident that is
 * resolved or deleted meanwhile would leave the list and move others to pages that were read before.
 */
export function createIncidentPages(
  { listIds, page }: Pick<Queries, 'listIds' | 'page'>,
  scope: Scope,
) {
  let matchingIds: string[] | undefined
  let position = 0
  return async ({ pageNo, pageSize, ...query }: Parameters<Queries['page']>[0]) => {
    matchingIds ??= await listIds(query, scope, exportMax.csv + 1)
    if (pageNo === 1) position = 0
    const list: Awaited<ReturnType<Queries['page']>>['list'] = []
    while (list.length < pageSize && position < matchingIds.length) {
      const ids = matchingIds.slice(position, position + pageSize - list.length)
      position += ids.length
      const slice = await page({ ids, status: 'all', pageNo: 1, pageSize: ids.length }, scope)
      const rowsById = new Map(slice.list.map((row) => [row.id, row]))
      list.push(...ids.flatMap((id) => rowsById.get(id) ?? []))
    }
    return { list, total: matchingIds.length }
  }
}
