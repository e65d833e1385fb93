import { z } from 'zod'
import { AlarmSeverity } from './alarmRule.schema'
import { endpoint } from './endpoint'
import { Id, periodFilter, revision, RowIds, RowResults, SearchFilter } from './fields'
import {
  AlarmIncident,
  IncidentDetail,
  IncidentStatistics,
  IncidentStatus,
  MaintenanceWindowDraft,
  MaintenanceWindowRow,
  OptionalNote,
  RequiredNote,
  ResolveReason,
  Snooze,
} from './incident.schema'
import { resource } from './resource'

const projectFilter = { projectId: z.coerce.number().int().optional() }
const filters = {
  ...projectFilter,
  title: SearchFilter.optional(),
  severity: AlarmSeverity.optional(),
  /** `active` means open or acknowledged. */
  status: z.enum([...IncidentStatus.options, 'active', 'all']).optional(),
  ruleId: Id.optional(),
  deviceId: Id.optional(),
  ...periodFilter,
}
const incidents = resource('system', 'incident', '告警')

export const incidentApi = {
  /** Returns the incidents of the caller's projects; without `status` those that are not resolved. */
  page: incidents.page({ input: filters, output: AlarmIncident }),
  get: endpoint({
    method: 'GET',
    path: '/v1/incident/{id}',
    title: '查看告警',
    permission: 'system:incident:list',
    input: z.object({ id: Id }),
    output: IncidentDetail,
  }),
  acknowledge: endpoint({
    method: 'POST',
    path: '/v1/incident/acknowledge',
    title: '确认告警',
    permission: 'system:incident:acknowledge',
    input: RowIds.extend(OptionalNote.shape),
    output: RowResults,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/v1/incident/resolve',
    title: '手动恢复告警',
    permission: 'system:incident:resolve',
    input: RowIds.extend(ResolveReason.shape),
    output: RowResults,
  }),
  snooze: endpoint({
    method: 'PUT',
    path: '/v1/incident/{id}/snooze',
    title: '暂停告警提醒',
    permission: 'system:incident:edit',
    input: Snooze.extend(revision),
    output: IncidentDetail,
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/v1/incident/{id}/assignee',
    title: '指派告警',
    permission: 'system:incident:edit',
    input: z.object({ ...revision, assigneeId: Id.nullable() }),
    output: IncidentDetail,
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/v1/incident/{id}/note',
    title: '备注告警',
    permission: 'system:incident:edit',
    input: RequiredNote.extend({ id: Id }),
    output: IncidentDetail,
  }),
  /** Users who see the project of the incident and may be its assignee. */
  assignees: endpoint({
    method: 'GET',
    path: '/v1/incident/{id}/assignee',
    title: '告警负责人选项',
    permission: 'system:incident:list',
    input: z.object({ id: Id }),
    output: z.array(z.object({ id: Id, name: z.string() })),
  }),
  statistics: endpoint({
    method: 'POST',
    path: '/v1/incident/statistics',
    title: '告警统计',
    permission: 'system:incident:list',
    reads: true,
    input: z.object({ ...projectFilter, ...periodFilter }),
    output: IncidentStatistics,
  }),
  exportRows: incidents.exportRows({ input: filters }),
}

const windows = resource('system', 'maintenanceWindow', '维护窗口')
export const maintenanceWindowApi = {
  /** Without `status` all windows; `current` means those that have not ended. */
  page: windows.page({
    input: { ...projectFilter, status: z.enum(['current', 'ended']).optional() },
    output: MaintenanceWindowRow,
  }),
  create: windows.create({ input: MaintenanceWindowDraft, output: MaintenanceWindowRow }),
  update: windows.update({
    input: MaintenanceWindowDraft.extend(revision),
    output: MaintenanceWindowRow,
  }),
  remove: windows.remove(),
}
