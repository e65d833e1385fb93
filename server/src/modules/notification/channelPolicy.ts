import {
  isRobot,
  maxRobotMessagesPerMinute,
  type ChannelKind,
} from '@iot/shared/contract/alarm/notificationChannel'
import type {
  NotificationChannelChange,
  NotificationChannelDraft,
} from '@iot/shared/contract/alarm/notificationChannel.schema'
import { createFieldRefusal } from '../../core/refusal'
import type { ChannelSecrets } from './channelSecrets'
import { readWebhookKey } from './webhook'
import { TargetRefusedError, type TargetCheck } from './targetAddress'

/** An unreadable key would be decoded as a short or empty one, with which anybody could sign. */
const minKeyBytes = 12

type ChannelFields = (NotificationChannelDraft | NotificationChannelChange) & { kind: ChannelKind }

function refuseMailFields(fields: ChannelFields, { password }: ChannelSecrets) {
  if (!fields.smtpHost) return createFieldRefusal('smtpHost', '请输入服务器')
  if (!/^[A-Za-z0-9.:_-]+$/.test(fields.smtpHost))
    return createFieldRefusal('smtpHost', '服务器须为主机名或地址')
  if (!fields.sender) return createFieldRefusal('sender', '请输入发件邮箱')
  if (fields.smtpUser && fields.smtpSecurity === 'none')
    return createFieldRefusal('smtpSecurity', '不加密的连接不发送密码，请选择加密方式或清空登录名')
  return fields.smtpUser && !password
    ? createFieldRefusal('smtpPassword', '请输入登录密码')
    : undefined
}

function refuseAddress(fields: ChannelFields, { url, secret }: ChannelSecrets) {
  if (!url) return createFieldRefusal('url', '请输入地址')
  const { username, password } = new URL(url)
  if (username || password) return createFieldRefusal('url', '地址不能含用户名和密码')
  if (fields.kind === 'webhook') {
    if (!secret) return createFieldRefusal('secret', '请输入签名密钥')
    if (secret.length < 16) return createFieldRefusal('secret', '签名密钥至少 16 个字')
    return readWebhookKey(secret).length < minKeyBytes
      ? createFieldRefusal('secret', 'whsec_ 后须为 Base64，至少 12 个字节')
      : undefined
  }
  return isRobot(fields.kind) && fields.perMinute > maxRobotMessagesPerMinute
    ? createFieldRefusal('perMinute', `群机器人每分钟最多 ${maxRobotMessagesPerMinute} 条`)
    : undefined
}

/**
 * Refuses a channel that lacks what its kind needs, or whose target is not allowed. A name that cannot be looked up now
 * is accepted, because every attempt checks it again.
 * @param secrets those after the change
 */
export async function assertChannelUsable(
  fields: ChannelFields,
  secrets: ChannelSecrets,
  targets: TargetCheck,
) {
  if (fields.kind === 'browser') return
  const isMail = fields.kind === 'email'
  const refusal = isMail ? refuseMailFields(fields, secrets) : refuseAddress(fields, secrets)
  if (refusal) throw refusal
  const hostname = isMail ? fields.smtpHost : new URL(secrets.url!).hostname
  const field = isMail ? 'smtpHost' : 'url'
  try {
    targets.assertLiteralAllowed(hostname)
    await targets.resolve(hostname.replace(/^\[|\]$/g, ''))
  } catch (error) {
    if (error instanceof TargetRefusedError) throw createFieldRefusal(field, error.message)
  }
}
