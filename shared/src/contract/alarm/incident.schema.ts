import * as z from '../zod'
import { AlarmSeverity } from './alarmRule.schema'
import {
  ById,
  Clock,
  Id,
  Moment,
  nameField,
  periodFilter,
  revision,
  row,
  RowIds,
  RowResults,
  SearchFilter,
  Time,
} from '../fields.schema'
import { oneLinePattern, rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'
import { incidentTitles } from './incident'

export const IncidentStatus = z
  .enum(['open', 'acknowledged', 'resolved'])
  .meta({ title: incidentTitles.status })
export type IncidentStatus = z.infer<typeof IncidentStatus>

export const IncidentEventKind = z.enum([
  'opened',
  'acknowledged',
  'resolved',
  'reopened',
  'raised',
  'noted',
  'snoozed',
  'assigned',
])
export type IncidentEventKind = z.infer<typeof IncidentEventKind>
export const incidentEventText: Record<IncidentEventKind, string> = {
  opened: '发生',
  acknowledged: '确认',
  resolved: '恢复',
  reopened: '再次提醒',
  raised: '级别升高',
  noted: '备注',
  snoozed: '暂停提醒',
  assigned: '指派',
}

/** One incident of a rule and a subject; it is final once it is resolved. */
export const AlarmIncident = z.object({
  id: Id,
  /** The title, used where other lists show a name. */
  name: z.string(),
  projectId: z.number().int().meta({ title: '项目' }),
  projectName: z.string().meta({ title: incidentTitles.projectName }),
  ruleId: Id,
  ruleName: z.string().meta({ title: incidentTitles.ruleName }),
  severity: AlarmSeverity,
  title: z.string().meta({ title: incidentTitles.title }),
  subjectName: z.string().meta({ title: '对象' }),
  /** The subject is this device; null for many devices, or if it is none. */
  deviceId: Id.nullable(),
  place: z.string().meta({ title: incidentTitles.place }),
  /** Floor on whose plan the subject is; null without one. Remotes that were built before do not know it. */
  floorId: Id.nullable().optional(),
  status: IncidentStatus,
  count: z.number().int().meta({ title: incidentTitles.count }),
  /** Number of affected devices; the details list at most 1000 of them. */
  deviceCount: z.number().int().meta({ title: incidentTitles.deviceCount }),
  isFlapping: z.boolean().meta({ title: '频繁变化' }),
  firstTime: Time.meta({ title: '开始' }),
  openedTime: Time.meta({ title: incidentTitles.openedTime }),
  lastTime: Time.meta({ title: incidentTitles.lastTime }),
  /** Names of persons, with the login name where several share one. */
  acknowledgedBy: z.string().meta({ title: '确认人' }),
  acknowledgedTime: Time.nullable().meta({ title: '确认时间' }),
  /** Empty if the incident resolved by itself. */
  resolvedBy: z.string().meta({ title: '恢复人' }),
  resolvedTime: Time.nullable().meta({ title: '恢复时间' }),
  resolveReason: z.string().meta({ title: '恢复原因' }),
  snoozedUntil: Time.nullable().meta({ title: '暂停提醒至' }),
  assigneeId: Id.nullable(),
  assigneeName: z.string().meta({ title: incidentTitles.assigneeName }),
  updateBy: z.string(),
  version: z.number().int(),
})
export type AlarmIncident = z.infer<typeof AlarmIncident>

export const IncidentEvent = z.object({
  id: Id,
  kind: IncidentEventKind,
  time: Time,
  /** Empty if a rule or the platform did it. */
  userName: z.string(),
  text: z.string(),
})
export type IncidentEvent = z.infer<typeof IncidentEvent>

export const IncidentDevice = z.object({
  id: Id,
  name: z.string().meta({ title: '设备' }),
  detail: z.string().meta({ title: '情况' }),
  firstTime: Time.meta({ title: '开始' }),
  recoveredTime: Time.nullable().meta({ title: '恢复' }),
})
export type IncidentDevice = z.infer<typeof IncidentDevice>

export const IncidentDetail = AlarmIncident.extend({
  /** The rule as it is now; empty if it has been deleted. */
  sentence: z.string(),
  /** The incident is about a number of one device, whose values a chart can show. */
  hasValues: z.boolean(),
  /** The newest come first, at most 500. */
  events: z.array(IncidentEvent),
  /** Devices that have not recovered come first, at most 1000. */
  devices: z.array(IncidentDevice),
  previousId: Id.nullable(),
  /** Incidents of the project that were opened within five minutes of this one. */
  related: z.array(AlarmIncident.pick({ id: true, title: true, severity: true, openedTime: true })),
})
export type IncidentDetail = z.infer<typeof IncidentDetail>

/** Values of the property of a threshold around an incident of one device, the earliest first. */
export const IncidentValues = z.object({
  propertyName: z.string(),
  unit: z.string(),
  limit: z.number(),
  /** Null if the rule has no recovery value. */
  recoverValue: z.number().nullable(),
  from: Time,
  to: Time,
  /** The first one may be older than `from`: it is the value at that time. */
  points: z.array(z.object({ time: Time, value: z.number() })),
  /** There are more values than are listed. */
  isPartial: z.boolean(),
})
export type IncidentValues = z.infer<typeof IncidentValues>

const noteText = z
  .string()
  .trim()
  .max(200, '最多 200 个字')
  .regex(oneLinePattern, '不能含换行和不可见的控制字符')
export const OptionalNote = z.object({ note: noteText.default('').meta({ title: '备注' }) })
export const RequiredNote = z.object({
  note: noteText.min(1, '请填写备注').meta({ title: '备注' }),
})
export const ResolveReason = z.object({
  reason: noteText.min(1, '请填写原因').meta({ title: '原因' }),
})

/** A snooze of more than a week would hide an incident for good. */
export const maxSnoozeMinutes = 7 * 24 * 60
export const Snooze = z.object({
  /** 0 ends the snooze. */
  minutes: z
    .number('请选择时长')
    .int('时长须为整数分钟')
    .min(0, '时长从 0 分钟开始')
    .max(maxSnoozeMinutes, '最长 7 天')
    .meta({ title: '暂停提醒' }),
})

export const IncidentStatistics = z.object({
  opened: z.number().int(),
  resolved: z.number().int(),
  /** Mean minutes from opening to acknowledgement and to resolution; null without any. */
  acknowledgeMinutes: z.number().nullable(),
  resolveMinutes: z.number().nullable(),
  /** Subjects of a rule with the most occurrences, at most ten. */
  noisiest: z.array(
    z.object({
      ruleId: Id,
      subjectKey: z.string(),
      /** 0 stands for the platform. */
      projectId: z.number().int(),
      projectName: z.string(),
      ruleName: z.string(),
      subjectName: z.string(),
      count: z.number().int(),
    }),
  ),
})
export type IncidentStatistics = z.infer<typeof IncidentStatistics>

const projectFilter = { projectId: z.coerce.number().int().optional() }
const incidentFilters = {
  ...projectFilter,
  title: SearchFilter.optional(),
  severity: AlarmSeverity.optional(),
  /** `active` means open or acknowledged. */
  status: z.enum([...IncidentStatus.options, 'active', 'all']).optional(),
  ruleId: Id.optional(),
  deviceId: Id.optional(),
  /** Only those that concern devices in this space or members of this group; both need the project. */
  spaceId: Id.optional(),
  groupId: Id.optional(),
  /** Only those that were resolved at this time or later. */
  resolvedFrom: Moment.optional(),
  ...periodFilter,
}
export const incidentSchemas = {
  page: resourceSchemas.page({ input: incidentFilters, output: AlarmIncident }),
  get: { input: ById, output: IncidentDetail },
  /** Null if the incident is not about a number of one device, or if its rule has been deleted. */
  values: { input: ById, output: IncidentValues.nullable() },
  acknowledge: { input: RowIds.extend(OptionalNote.shape), output: RowResults },
  resolve: { input: RowIds.extend(ResolveReason.shape), output: RowResults },
  snooze: { input: Snooze.extend(revision), output: IncidentDetail },
  assign: { input: z.object({ ...revision, assigneeId: Id.nullable() }), output: IncidentDetail },
  addNote: { input: RequiredNote.extend({ id: Id }), output: IncidentDetail },
  assignees: { input: ById, output: z.array(z.object({ id: Id, name: z.string() })) },
  statistics: {
    input: z.object({ ...projectFilter, ...periodFilter }),
    output: IncidentStatistics,
  },
  exportRows: resourceSchemas.exportRows({ input: incidentFilters }),
}

/** A longer window would hide incidents after its reason is forgotten. */
export const maxWindowDays = 31
/** A weekly window ends after a year, so that somebody decides again. */
export const maxRecurrenceDays = 366
export const MaintenanceWindow = z.object({
  ...row,
  name: nameField('名称'),
  projectId: z.number('请选择项目').int().meta({ title: '项目' }),
  spaceId: Id.nullable().meta({ title: '位置' }),
  startTime: Moment.meta({ title: '开始' }),
  endTime: Moment.meta({ title: '结束' }),
  /** 1 is Monday; empty for a window that lasts from start to end without a break. */
  weekdays: z
    .array(z.number().int().min(1, '星期从 1 到 7').max(7, '星期从 1 到 7'))
    .max(7, '星期最多 7 天')
    .default([])
    .meta({ title: '每周重复' }),
  /** Local times in the zone of the project; an end before the start is on the next day. */
  fromClock: Clock.default('').meta({ title: '每次从' }),
  toClock: Clock.default('').meta({ title: '每次到' }),
})
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>
export const MaintenanceWindowDraft = MaintenanceWindow.omit(rowKeys)
export type MaintenanceWindowDraft = z.infer<typeof MaintenanceWindowDraft>
export const MaintenanceWindowRow = MaintenanceWindow.extend({
  projectName: z.string().meta({ title: incidentTitles.projectName }),
  place: z.string().meta({ title: incidentTitles.place }),
  /** Number of incidents that the window holds back now. */
  heldCount: z.number().int().meta({ title: '未报告' }),
})
export type MaintenanceWindowRow = z.infer<typeof MaintenanceWindowRow>

/** A window that applies now. */
export const CurrentWindow = MaintenanceWindowRow.pick({
  id: true,
  name: true,
  place: true,
  heldCount: true,
}).extend({
  /** It applies until then; a window that recurs begins again later. */
  until: Time,
})
export type CurrentWindow = z.infer<typeof CurrentWindow>

export const maintenanceWindowSchemas = {
  current: {
    input: z.object({ projectId: z.coerce.number().int() }),
    output: z.array(CurrentWindow),
  },
  page: resourceSchemas.page({
    input: { ...projectFilter, status: z.enum(['current', 'ended']).optional() },
    output: MaintenanceWindowRow,
  }),
  create: resourceSchemas.create({ input: MaintenanceWindowDraft, output: MaintenanceWindowRow }),
  update: resourceSchemas.update({
    input: MaintenanceWindowDraft.extend(revision),
    output: MaintenanceWindowRow,
  }),
  remove: resourceSchemas.remove(),
}
