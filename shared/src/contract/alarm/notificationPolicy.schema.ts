import * as z from '../zod'
import { AlarmSeverity } from './alarmRule.schema'
import { Clock, Id, nameField, revision, row, SearchFilter, Status } from '../fields.schema'
import {
  dayModeText,
  explainSteps,
  type DayMode,
  notificationPolicyTitles,
} from './notificationPolicy'
import { resourceSchemas } from '../resource.schema'

const maxEscalationMinutes = 24 * 60
export const PolicyStep = z.object({
  /** Minutes after the opening without an acknowledgement; 0 notifies at once. */
  afterMinutes: z
    .number('请输入分钟')
    .int('分钟须为整数')
    .min(0, '分钟从 0 开始')
    .max(maxEscalationMinutes, `最多 ${maxEscalationMinutes} 分钟`)
    .meta({ title: '未确认（分钟）' }),
  channelIds: z
    .array(Id)
    .min(1, '请选择通知渠道')
    .max(10, '一步最多 10 个渠道')
    .meta({ title: '通知渠道' }),
  /**
   * Users who may see the project: a mail also goes to those with these roles, and a notification in the browser only to
   * them; without roles it goes to all who may list incidents.
   */
  roleIds: z.array(Id).max(20, '一步最多 20 个角色').meta({ title: '角色（邮件、浏览器）' }),
})
export type PolicyStep = z.infer<typeof PolicyStep>

const shape = {
  name: nameField(notificationPolicyTitles.name),
  status: Status,
  severities: z
    .array(AlarmSeverity)
    .min(1, '请选择级别')
    .max(4)
    .meta({ title: notificationPolicyTitles.severities }),
  /** Empty for all projects and for the platform itself. */
  projectIds: z
    .array(z.number().int())
    .max(1000, '项目最多 1000 个')
    .meta({ title: notificationPolicyTitles.projectIds }),
  dayMode: z
    .enum(Object.keys(dayModeText) as [DayMode, ...DayMode[]])
    .meta({ title: notificationPolicyTitles.dayMode }),
  /** Null for the calendar of the project. */
  calendarId: z.uuid('请选择日历').nullable().meta({ title: '日历' }),
  /** Both empty for the whole day; an end before the start is on the next day. */
  fromClock: Clock.meta({ title: '开始时间' }),
  toClock: Clock.meta({ title: '结束时间' }),
  notifiesResolved: z.boolean().meta({ title: '恢复时也通知' }),
  /** Applies only if no other policy has notified anybody. */
  isFallback: z.boolean().meta({ title: '兜底策略' }),
  steps: z
    .array(PolicyStep)
    .min(1, '请添加通知步骤')
    .max(5, '通知步骤最多 5 步')
    .refine((steps) => !explainSteps(steps), {
      error: ({ input }) => explainSteps(input as PolicyStep[]),
    })
    .meta({ title: notificationPolicyTitles.steps }),
}

export const NotificationPolicyDraft = z.object(shape)
export type NotificationPolicyDraft = z.infer<typeof NotificationPolicyDraft>
export const NotificationPolicyChange = NotificationPolicyDraft.extend(revision)
export const NotificationPolicy = z.object({
  ...row,
  ...shape,
  /** Steps that reach no receiver with the present channels, roles and users. */
  warnings: z.array(z.string()),
})
export type NotificationPolicy = z.infer<typeof NotificationPolicy>

export const notificationPolicySchemas = {
  page: resourceSchemas.page({
    input: { name: SearchFilter.optional(), status: Status.optional() },
    output: NotificationPolicy,
  }),
  create: resourceSchemas.create({ input: NotificationPolicyDraft, output: NotificationPolicy }),
  update: resourceSchemas.update({ input: NotificationPolicyChange, output: NotificationPolicy }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  setStatus: resourceSchemas.setStatus(),
}
