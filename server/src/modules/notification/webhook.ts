import { createHmac } from 'node:crypto'
import { buildLink, eventText, renderTitle, sortBySeverity, type Message } from './message'
import type { ChannelSecrets } from './channelSecrets'

const maxItems = 100
const secretPrefix = 'whsec_'

/** Returns the bytes of a secret; one of Standard Webhooks is written in Base64 after its prefix. */
export const readWebhookKey = (secret: string) =>
  secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret)

/** Signs as Standard Webhooks describes it: HMAC-SHA256 of id, time in seconds and the exact body. */
export function signWebhook(secret: string, id: string, timestampSeconds: number, body: string) {
  return createHmac('sha256', readWebhookKey(secret))
    .update(`${id}.${timestampSeconds}.${body}`)
    .digest('base64')
}

/** Headers of one attempt: the id stays, the time is that of the attempt. */
export function buildWebhookHeaders(
  { secret, previousSecret, previousUntil }: ChannelSecrets,
  id: string,
  body: string,
  nowMs: number,
) {
  const timestamp = Math.floor(nowMs / 1000)
  const isPreviousValid = previousUntil !== undefined && Date.parse(previousUntil) > nowMs
  const signatures = [secret, isPreviousValid ? previousSecret : undefined]
    .filter((key): key is string => key !== undefined)
    .map((key) => `v1,${signWebhook(key, id, timestamp, body)}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** Builds the payload; its schema is in docs/notifications.md. */
export function buildWebhookBody(message: Message, publicUrl: string | undefined) {
  const items = sortBySeverity(message.items)
  const shownItems = message.isShort ? [] : items.slice(0, maxItems)
  return JSON.stringify({
    version: 1,
    id: message.id,
    type: message.items.length > 1 ? 'summary' : 'notification',
    test: message.isTest ?? false,
    title: renderTitle(message),
    count: items.length,
    omitted: items.length - shownItems.length,
    notifications: shownItems.map((item) => ({
      event: item.event,
      eventText: eventText[item.event],
      severity: item.severity,
      subject: item.subject,
      title: item.title,
      lines: item.lines,
      project: item.project,
      time: item.time,
      link: buildLink(publicUrl, item.path) ?? null,
    })),
  })
}
