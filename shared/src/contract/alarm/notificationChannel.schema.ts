import * as z from '../zod'
import { oneLinePattern } from '../fields'
import { ById, Id, nameField, revision, row, SearchFilter, Status, Time } from '../fields.schema'
import {
  channelKindText,
  explainTemplate,
  maxMessagesPerMinute,
  smtpSecurityText,
  type ChannelKind as ChannelKindName,
  type SmtpSecurity,
  notificationChannelTitles,
} from './notificationChannel'
import { resourceSchemas } from '../resource.schema'

export const ChannelKind = z
  .enum(Object.keys(channelKindText) as [ChannelKindName, ...ChannelKindName[]])
  .meta({ title: notificationChannelTitles.kind })

const text = (title: string, max: number) =>
  z
    .string()
    .trim()
    .max(max, `${title}最多 ${max} 个字`)
    .regex(oneLinePattern, `${title}不能含换行和不可见的控制字符`)
    .meta({ title })
const MailAddress = z.email('邮箱格式不正确').max(254, '邮箱最多 254 个字')

/** Fields that every user with the permission may read. */
const settings = {
  name: nameField(notificationChannelTitles.name),
  kind: ChannelKind,
  status: Status,
  perMinute: z
    .number('请输入每分钟最多条数')
    .int('每分钟最多条数须为整数')
    .min(1, '每分钟至少 1 条')
    .max(maxMessagesPerMinute, `每分钟最多 ${maxMessagesPerMinute} 条`)
    .meta({ title: '每分钟最多' }),
  template: z
    .string()
    .trim()
    .max(1000, '消息模板最多 1000 个字')
    .refine((template) => !explainTemplate(template), {
      error: ({ input }) => explainTemplate(String(input)),
    })
    .meta({ title: '消息模板' }),
  smtpHost: text('服务器', 253),
  smtpPort: z
    .number('请输入端口')
    .int('端口须为整数')
    .min(1, '端口从 1 开始')
    .max(65535, '端口最大 65535')
    .meta({ title: '端口' }),
  smtpSecurity: z
    .enum(Object.keys(smtpSecurityText) as [SmtpSecurity, ...SmtpSecurity[]])
    .meta({ title: '加密方式' }),
  smtpUser: text('登录名', 254),
  /** The certificate authority of a mail server that no public one has signed. */
  smtpCa: z
    .string()
    .trim()
    .max(20_000, '证书最多 20000 个字')
    .regex(/^(-----BEGIN CERTIFICATE-----[\s\S]*)?$/, '请粘贴 PEM 格式的证书')
    .meta({ title: '服务器的根证书' }),
  sender: z.union([z.literal(''), MailAddress]).meta({ title: '发件邮箱' }),
  senderName: text('发件人', 64),
  recipients: z.array(MailAddress).max(50, '收件人最多 50 个').meta({ title: '收件人' }),
}

/** Secrets are written only: an empty value keeps what is stored, null removes it. */
const secrets = {
  url: z
    .union([
      z.literal(''),
      z
        .url({ protocol: /^https?$/, error: '地址须以 http:// 或 https:// 开头' })
        .max(2000, '地址最多 2000 个字'),
    ])
    .default('')
    .meta({ title: '地址' }),
  secret: z.string().trim().max(200, '签名密钥最多 200 个字').nullable().default('').meta({
    title: '签名密钥',
  }),
  smtpPassword: z.string().max(200, '密码最多 200 个字').nullable().default('').meta({
    title: '登录密码',
  }),
}

export const NotificationChannelDraft = z.object({ ...settings, ...secrets })
export type NotificationChannelDraft = z.infer<typeof NotificationChannelDraft>
export const NotificationChannelChange = NotificationChannelDraft.omit({ kind: true }).extend(
  revision,
)
export type NotificationChannelChange = z.infer<typeof NotificationChannelChange>

export const NotificationChannel = z.object({
  ...row,
  ...settings,
  /** The address without its secret parts, such as `https://host/robot/send?access_token=***`. */
  urlHint: z.string().meta({ title: notificationChannelTitles.urlHint }),
  hasSecret: z.boolean().meta({ title: '签名密钥' }),
  hasPassword: z.boolean().meta({ title: '登录密码' }),
  /** Why the last message was refused for good; empty if the channel works. */
  brokenReason: z.string().meta({ title: '需要处理' }),
  lastSuccessTime: Time.nullable().meta({ title: notificationChannelTitles.lastSuccessTime }),
  lastFailureTime: Time.nullable().meta({ title: notificationChannelTitles.lastFailureTime }),
  lastError: z.string().meta({ title: '失败原因' }),
  pendingCount: z.number().int().meta({ title: notificationChannelTitles.pendingCount }),
  /** The next attempt; null if nothing waits. */
  nextTime: Time.nullable().meta({ title: '下次发送' }),
  /** Messages of the last seven days that were not delivered within a day. */
  expiredCount: z.number().int().meta({ title: '已放弃' }),
})
export type NotificationChannel = z.infer<typeof NotificationChannel>

/** Outcome of one attempt, as the form and the log show it. */
export const DeliveryOutcome = z.object({
  isSuccess: z.boolean().meta({ title: '结果' }),
  statusCode: z.number().int().nullable().meta({ title: 'HTTP 状态' }),
  /** Code of the vendor or of the mail server. */
  code: z.string().meta({ title: '返回码' }),
  answer: z.string().meta({ title: '应答' }),
  durationMs: z.number().int().meta({ title: '用时（毫秒）' }),
})
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>

export const ChannelTest = DeliveryOutcome.extend({
  /** Names a setting that should be added as well, such as PUBLIC_URL; empty if none is missing. */
  hint: z.string(),
})
export const ChannelOption = z.object({
  id: Id,
  name: z.string(),
  kind: ChannelKind,
  status: Status,
})
export type ChannelOption = z.infer<typeof ChannelOption>

export const notificationChannelSchemas = {
  page: resourceSchemas.page({
    input: {
      name: SearchFilter.optional(),
      kind: ChannelKind.optional(),
      status: Status.optional(),
    },
    output: NotificationChannel,
  }),
  list: { input: z.object({}), output: z.array(ChannelOption) },
  create: resourceSchemas.create({ input: NotificationChannelDraft, output: NotificationChannel }),
  update: resourceSchemas.update({ input: NotificationChannelChange, output: NotificationChannel }),
  remove: resourceSchemas.remove(),
  removeMany: resourceSchemas.removeMany(),
  setStatus: resourceSchemas.setStatus(),
  test: { input: ById, output: ChannelTest },
}
