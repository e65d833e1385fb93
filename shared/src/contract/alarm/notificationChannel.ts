export const channelKindText = {
  webhook: 'Webhook',
  wecom: '企业微信群机器人',
  dingtalk: '钉钉群机器人',
  feishu: '飞书群机器人',
  email: '邮件（SMTP）',
  browser: '浏览器通知',
} as const
export type ChannelKind = keyof typeof channelKindText

/** Vendors count 20 messages a minute; the platform stays below, because a robot that exceeds it is silenced for minutes. */
export const maxRobotMessagesPerMinute = 18
export const maxMessagesPerMinute = 60
export const isRobot = (kind: ChannelKind) =>
  kind === 'wecom' || kind === 'dingtalk' || kind === 'feishu'

export const smtpSecurityText = {
  tls: '加密连接（TLS，465）',
  starttls: '先连接再加密（STARTTLS，587）',
  none: '不加密（不发送密码）',
} as const
export type SmtpSecurity = keyof typeof smtpSecurityText
export const smtpPorts: Record<SmtpSecurity, number> = { tls: 465, starttls: 587, none: 25 }

/** Placeholders that a template may contain. */
export const templateFields = {
  severity: '级别',
  event: '事件',
  title: '标题',
  lines: '正文',
  project: '项目',
  time: '时间',
  link: '链接',
} as const
export type TemplateField = keyof typeof templateFields
export const defaultTemplate = `【{severity}】{event}：{title}
{lines}
项目：{project}
时间：{time}
{link}`
const placeholderPattern = /\{([^{}\s]*)\}/g
/** Explains what is wrong with a template; an empty one stands for the usual one. */
export const explainTemplate = (template: string) => {
  const unknownField = [...template.matchAll(placeholderPattern)].find(
    ([, name]) => !Object.hasOwn(templateFields, name!),
  )
  if (unknownField) return `模板里的 ${unknownField[0]} 不是可用的字段`
  return template === '' || template.includes('{title}') ? undefined : '模板须含 {title}'
}

export const notificationChannelTitles = {
  name: '渠道名称',
  kind: '类型',
  urlHint: '地址',
  pendingCount: '待发送',
  lastSuccessTime: '最近成功',
  lastFailureTime: '最近失败',
}
