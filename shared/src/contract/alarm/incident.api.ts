import { defineApi } from '../endpoint'
import type { incidentSchemas, maintenanceWindowSchemas } from './incident.schema'
import { resource } from '../resource'

const incidents = resource('system', 'incident', '告警')

export const incidentApi = defineApi<typeof incidentSchemas>({
  /** Returns the incidents of the caller's projects; without `status` those that are not resolved. */
  page: incidents.page(),
  get: {
    method: 'GET',
    path: '/v1/incident/{id}',
    title: '查看告警',
    permission: 'system:incident:list',
  },
  values: {
    method: 'GET',
    path: '/v1/incident/{id}/values',
    title: '告警前后的值',
    permission: 'system:incident:list',
  },
  acknowledge: {
    method: 'POST',
    path: '/v1/incident/acknowledge',
    title: '确认告警',
    permission: 'system:incident:acknowledge',
  },
  resolve: {
    method: 'POST',
    path: '/v1/incident/resolve',
    title: '手动恢复告警',
    permission: 'system:incident:resolve',
  },
  snooze: {
    method: 'PUT',
    path: '/v1/incident/{id}/snooze',
    title: '暂停告警提醒',
    permission: 'system:incident:edit',
  },
  assign: {
    method: 'PUT',
    path: '/v1/incident/{id}/assignee',
    title: '指派告警',
    permission: 'system:incident:edit',
  },
  addNote: {
    method: 'POST',
    path: '/v1/incident/{id}/note',
    title: '备注告警',
    permission: 'system:incident:edit',
  },
  /** Users who see the project of the incident and may be its assignee. */
  assignees: {
    method: 'GET',
    path: '/v1/incident/{id}/assignee',
    title: '告警负责人选项',
    permission: 'system:incident:edit',
  },
  statistics: {
    method: 'POST',
    path: '/v1/incident/statistics',
    title: '告警统计',
    permission: 'system:incident:list',
    reads: true,
  },
  exportRows: incidents.exportRows(),
})

const windows = resource('system', 'maintenanceWindow', '维护窗口')

export const maintenanceWindowApi = defineApi<typeof maintenanceWindowSchemas>({
  /** Lists all windows if `status` is missing; `current` means those that have not ended. */
  page: windows.page(),
  /** Windows of a project that apply now, those that end first before the others. */
  current: {
    method: 'GET',
    path: '/v1/maintenance-window/current',
    title: '生效的维护窗口',
    permission: 'session',
  },
  create: windows.create(),
  update: windows.update(),
  remove: windows.remove(),
})
