import { performance } from 'node:perf_hooks'
import type { NotificationChannelRow } from './channelQueries'
import { maskSecrets, type ChannelSecrets } from './channelSecrets'
import { sendMail } from './email'
import { toOneLine, type Message } from './message'
import { judgeAnswer, judgeError, type Outcome } from './outcome'
import { postJson } from './postJson'
import { buildDingtalkRequest, buildFeishuRequest, buildWecomRequest } from './robots'
import type { TargetCheck } from './targetAddress'
import { buildWebhookBody, buildWebhookHeaders } from './webhook'

export type SendOptions = {
  publicUrl: string | undefined
  targets: TargetCheck
  /** Addresses of a mail. */
  recipients: string[]
  timeoutMs?: number
}
export type TimedOutcome = Outcome & { durationMs: number }

function buildRequest(
  { kind, template }: NotificationChannelRow,
  secrets: ChannelSecrets,
  message: Message,
  publicUrl: string | undefined,
) {
  const url = secrets.url ?? ''
  const idHeader = { 'x-notification-id': message.id }
  const nowMs = Date.now()
  if (kind === 'webhook') {
    const body = buildWebhookBody(message, publicUrl)
    return {
      url,
      body,
      headers: { ...idHeader, ...buildWebhookHeaders(secrets, message.id, body, nowMs) },
    }
  }
  const options = { template, publicUrl, secret: secrets.secret }
  const request =
    kind === 'wecom'
      ? buildWecomRequest(url, message, options)
      : kind === 'dingtalk'
        ? buildDingtalkRequest(url, message, options, nowMs)
        : buildFeishuRequest(url, message, options, nowMs)
  return { url: request.url, body: JSON.stringify(request.body), headers: idHeader }
}

async function sendByHttp(
  channel: NotificationChannelRow,
  secrets: ChannelSecrets,
  message: Message,
  { publicUrl, targets, timeoutMs }: SendOptions,
) {
  const { url, body, headers } = buildRequest(channel, secrets, message, publicUrl)
  return judgeAnswer(channel.kind, await postJson(url, body, headers, targets, timeoutMs))
}

/** Makes one attempt. It never rejects; each attempt gets a new signature, because vendors refuse old ones. */
export async function sendMessage(
  channel: NotificationChannelRow,
  secrets: ChannelSecrets,
  message: Message,
  options: SendOptions,
): Promise<TimedOutcome> {
  const startMs = performance.now()
  const send = () =>
    channel.kind === 'email'
      ? sendMail(message, channel, { ...options, password: secrets.password })
      : sendByHttp(channel, secrets, message, options)
  const outcome = await send().catch(judgeError)
  return {
    ...outcome,
    // PostgreSQL stores no NUL character, which a receiver may answer.
    code: toOneLine(outcome.code),
    answer: toOneLine(maskSecrets(outcome.answer, secrets)),
    durationMs: Math.round(performance.now() - startMs),
  }
}
