import { createHmac } from 'node:crypto'
import { toPublicUrl } from '../../core/http/publicAddress'
import { neutralizeMarkup, renderText, renderTitle, type Message } from './message'

export type RobotOptions = { template: string; publicUrl: string | undefined; secret?: string }
type RobotRequest = { url: string; body: unknown }

const shortMaxBytes = 500
/** Texts of 企业微信 have at most 2,048 bytes; the others at most 20,000 bytes for the whole body. */
const maxBytes = { wecom: 2048, dingtalk: 9000, feishu: 12_000 }
const render = (message: Message, options: RobotOptions, limit: number) =>
  renderText(message, {
    ...options,
    maxBytes: message.isShort ? Math.min(shortMaxBytes, limit) : limit,
    escapeValue: neutralizeMarkup,
  })

/** 企业微信 knows no signature; the key in the address is the secret. */
export const buildWecomRequest = (
  url: string,
  message: Message,
  options: RobotOptions,
): RobotRequest => ({
  url,
  body: { msgtype: 'text', text: { content: render(message, options, maxBytes.wecom) } },
})

/** 钉钉 signs `timestamp\nsecret` with the secret; the time is in milliseconds, and both are parts of the query. */
export function signDingtalk(secret: string, timestampMs: number) {
  return createHmac('sha256', secret).update(`${timestampMs}\n${secret}`).digest('base64')
}
export function buildDingtalkRequest(
  url: string,
  message: Message,
  options: RobotOptions,
  nowMs: number,
): RobotRequest {
  const address = new URL(url)
  if (options.secret) {
    address.searchParams.set('timestamp', String(nowMs))
    address.searchParams.set('sign', signDingtalk(options.secret, nowMs))
  }
  return {
    url: address.href,
    body: {
      msgtype: 'text',
      text: { content: render(message, options, maxBytes.dingtalk) },
    },
  }
}

/** 飞书 signs an empty text with the key `timestamp\nsecret`; the time is in seconds, and both are parts of the body. */
export function signFeishu(secret: string, timestampSeconds: number) {
  return createHmac('sha256', `${timestampSeconds}\n${secret}`).update('').digest('base64')
}
export function buildFeishuRequest(
  url: string,
  message: Message,
  options: RobotOptions,
  nowMs: number,
): RobotRequest {
  const timestamp = Math.floor(nowMs / 1000)
  const lines = render(message, options, maxBytes.feishu).split('\n')
  // Elements of a rich text show their text as it is, so names in it can neither mention nor link.
  const toElement = (text: string) =>
    options.publicUrl !== undefined && text.startsWith(toPublicUrl(options.publicUrl, '/'))
      ? { tag: 'a', text: '打开平台查看', href: text }
      : { tag: 'text', text }
  return {
    url,
    body: {
      ...(options.secret && {
        timestamp: String(timestamp),
        sign: signFeishu(options.secret, timestamp),
      }),
      msg_type: 'post',
      content: {
        post: {
          zh_cn: {
            title: neutralizeMarkup(renderTitle(message)),
            content: lines.map((line) => [toElement(line)]),
          },
        },
      },
    },
  }
}
