import { severityText, type AlarmSeverity as SeverityName } from './alarmSeverity'
import * as z from '../zod'
import {
  ById,
  Description,
  Id,
  nameField,
  revision,
  row,
  SearchFilter,
  Status,
  Time,
} from '../fields.schema'
import { rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'
import { ThingModel } from '../thingModel/thingModel.schema'
import { alarmRuleRowTitles } from './alarmRule'

export const AlarmSeverity = z
  .enum(Object.keys(severityText) as [SeverityName, ...SeverityName[]])
  .meta({ title: alarmRuleRowTitles.severity })

export const alarmOperatorText = {
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  eq: '=',
  ne: '≠',
} as const
export const AlarmOperator = z.enum(['gt', 'gte', 'lt', 'lte', 'eq', 'ne']).meta({ title: '比较' })
export type AlarmOperator = z.infer<typeof AlarmOperator>
export const isOrdered = (operator: AlarmOperator) => operator !== 'eq' && operator !== 'ne'

const LimitValue = z.union([
  z.number().min(-1e15, '数值过小').max(1e15, '数值过大'),
  z.string().min(1, '请填写比较的值').max(200),
])

/** A property of one product, compared with a fixed value. */
const ThresholdSource = z.object({
  kind: z.literal('threshold'),
  identifier: z.string('请选择属性').min(1, '请选择属性').max(64).meta({ title: '属性' }),
  operator: AlarmOperator,
  value: LimitValue.meta({ title: '比较的值' }),
  /**
   * Hysteresis: an open incident recovers only when the value is beyond this one. Null means that it recovers as soon as
   * the condition is false.
   */
  recoverValue: z
    .number()
    .min(-1e15, '数值过小')
    .max(1e15, '数值过大')
    .nullable()
    .meta({ title: '恢复值' }),
})
export type ThresholdSource = z.infer<typeof ThresholdSource>

/** Events of the thing model; an empty identifier means every event of these types. */
const EventSource = z.object({
  kind: z.literal('event'),
  types: z
    .array(z.enum(['alert', 'error']))
    .min(1, '请选择事件类型')
    .max(2)
    .meta({ title: '事件类型' }),
  identifier: z.string().max(64).meta({ title: '事件' }),
})

const OfflineSource = z.object({
  kind: z.literal('offline'),
  target: z.enum(['all', 'gateway', 'device']).meta({ title: '对象' }),
})
export const offlineTargetText = { all: '设备或网关', gateway: '网关', device: '设备' } as const

/** Conditions that the platform checks in its own work; no device reports them. */
export const platformCheckText = {
  controlTask: '控制任务失败',
  scene: '场景失败或错过',
  lit: '亮着灯没有人',
  refusal: '设备被拒绝接入',
  backup: '备份没有成功',
  disk: '磁盘空间不足',
  database: '数据库不可用或很慢',
  broker: '消息服务不可用',
  certificate: '证书即将到期',
  queue: '通知积压',
} as const
export type PlatformCheck = keyof typeof platformCheckText
const CheckSource = z.object({
  kind: z.literal('check'),
  check: z
    .enum(Object.keys(platformCheckText) as [PlatformCheck, ...PlatformCheck[]])
    .meta({ title: '检查' }),
})

export const AlarmSource = z
  .discriminatedUnion(
    'kind',
    [ThresholdSource, EventSource, OfflineSource, CheckSource],
    '请选择来源',
  )
  .meta({ title: '条件' })
export type AlarmSource = z.infer<typeof AlarmSource>
export const sourceKindText: Record<AlarmSource['kind'], string> = {
  threshold: '属性阈值',
  event: '设备事件',
  offline: '离线',
  check: '任务和平台',
}

const maxMinutes = 1440
const minutesField = (title: string) =>
  z
    .number(`请输入${title}`)
    .int(`${title}须为整数分钟`)
    .min(0, `${title}从 0 分钟开始`)
    .max(maxMinutes, `${title}最多一天`)
    .meta({ title })

export const AlarmRule = z.object({
  ...row,
  name: nameField(alarmRuleRowTitles.name),
  severity: AlarmSeverity,
  /** Null means all projects. */
  projectId: z.number('请选择项目').int().nullable().meta({ title: alarmRuleRowTitles.projectId }),
  spaceId: Id.nullable().meta({ title: '位置' }),
  groupId: Id.nullable().meta({ title: '设备组' }),
  productId: Id.nullable().meta({ title: '产品' }),
  source: AlarmSource,
  forMinutes: minutesField('持续时间'),
  recoverMinutes: minutesField('恢复时间'),
  status: Status,
  description: Description,
  builtin: z.boolean().meta({ title: '内置' }),
})
export type AlarmRule = z.infer<typeof AlarmRule>

export const AlarmRuleDraft = AlarmRule.omit({ ...rowKeys, builtin: true })
export type AlarmRuleDraft = z.infer<typeof AlarmRuleDraft>

/** A rule as lists and pages show it. */
export const AlarmRuleRow = AlarmRule.extend({
  /** The whole rule in words, such as “会议室温度 > 28 ℃ 持续 10 分钟 → 重要”. */
  sentence: z.string().meta({ title: alarmRuleRowTitles.sentence }),
  /** Why the rule can never report, because its product has changed since it was saved; empty otherwise. */
  brokenReason: z.string(),
  /** Number of incidents that are not resolved. */
  openCount: z.number().int().meta({ title: alarmRuleRowTitles.openCount }),
  /** Incidents opened in the last seven days. */
  recentCount: z.number().int().meta({ title: alarmRuleRowTitles.recentCount }),
})
export type AlarmRuleRow = z.infer<typeof AlarmRuleRow>

export const AlarmRuleLog = z.object({ id: Id, time: Time, text: z.string() })
export type AlarmRuleLog = z.infer<typeof AlarmRuleLog>

/** How often a rule would have opened an incident in the stored history. */
export const AlarmPreview = z.object({
  /** Why the stored history cannot tell; empty if it can. */
  reason: z.string(),
  from: Time,
  /** Number of days for which history was found. */
  historyDays: z.number().int(),
  total: z.number().int(),
  deviceCount: z.number().int(),
  /** The history was too long to be read whole, so the true number is higher. */
  isPartial: z.boolean(),
  /** Days in the time zone of the project, the earliest first; days without any are included. */
  days: z.array(z.object({ day: z.string(), count: z.number().int() })),
  /** The devices with the most incidents, at most ten. */
  devices: z.array(z.object({ id: Id, name: z.string(), count: z.number().int() })),
})
export type AlarmPreview = z.infer<typeof AlarmPreview>

const ruleFilters = {
  name: SearchFilter.optional(),
  severity: AlarmSeverity.optional(),
  status: Status.optional(),
  /** 0 means rules of all projects. */
  projectId: z.coerce.number().int().optional(),
}
export const alarmRuleSchemas = {
  page: resourceSchemas.page({ input: ruleFilters, output: AlarmRuleRow }),
  get: resourceSchemas.get({ output: AlarmRuleRow }),
  create: resourceSchemas.create({ input: AlarmRuleDraft, output: AlarmRuleRow }),
  update: resourceSchemas.update({ input: AlarmRuleDraft.extend(revision), output: AlarmRuleRow }),
  remove: resourceSchemas.remove(),
  setStatus: resourceSchemas.setStatus(),
  preview: { input: AlarmRuleDraft, output: AlarmPreview },
  model: { input: ById, output: ThingModel },
  log: { input: ById, output: z.array(AlarmRuleLog) },
}
