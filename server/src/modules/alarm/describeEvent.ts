import {
  incidentEventText,
  type IncidentEventKind,
} from '@iot/shared/contract/alarm/incident.schema'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'

type EventRow = { kind: IncidentEventKind; detail: Record<string, unknown> }
const readText = (value: unknown) => (typeof value === 'string' ? value : '')
const readSeverity = (value: unknown) => severityText[value as AlarmSeverity] ?? ''

/** Says that a maintenance window has held an incident back; the name is empty if the window has been deleted. */
export const describeWindowEnd = (name: string) => `维护窗口${name && `“${name}”`}已结束，仍未恢复`

export const flappingText = '变化频繁，平静 10 分钟后才算恢复'

/** Describes an entry of the timeline; its detail was written by the platform alone. */
export function describeEvent({ kind, detail }: EventRow) {
  switch (detail.cause) {
    case 'flapping':
      return flappingText
    case 'flappingEnded':
      return '不再频繁变化，告警还在'
    case 'snoozeEnded':
      return '暂停提醒已结束，告警还在'
    case 'skippedPolicies':
      return `${detail.isNotified === true ? '部分策略没有通知' : '没有通知任何人'}：${readText(detail.policies)}`
    case 'severity':
      return `规则的级别由${readSeverity(detail.from)}改为${readSeverity(detail.to)}`
  }
  if (kind === 'opened' && typeof detail.windowName === 'string')
    return [readText(detail.text), describeWindowEnd(detail.windowName)].filter(Boolean).join('；')
  if (kind === 'snoozed')
    return readText(detail.until) ? `至 ${readText(detail.untilText)}` : '恢复提醒'
  if (kind === 'assigned') return readText(detail.assigneeName) || '不再指派'
  return (
    readText(detail.note) ||
    readText(detail.reason) ||
    readText(detail.text) ||
    incidentEventText[kind]
  )
}
