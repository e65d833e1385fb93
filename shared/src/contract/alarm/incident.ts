import { fieldTitles } from '../fields'
import { alarmRuleRowTitles } from './alarmRule'
import type { IncidentStatus } from './incident.schema'

export const incidentTitles = {
  severity: alarmRuleRowTitles.severity,
  title: '告警',
  status: fieldTitles.status,
  openedTime: '发生时间',
  lastTime: '最近一次',
  count: '次数',
  deviceCount: '设备',
  projectName: '项目',
  place: '位置',
  assigneeName: '负责人',
  ruleName: '规则',
}

export const incidentStatusText: Record<IncidentStatus, string> = {
  open: '未确认',
  acknowledged: '已确认',
  resolved: '已恢复',
}
