import type { ChannelKind } from '@iot/shared/contract/alarm/notificationChannel'
import { hourMs, minuteMs } from '@iot/shared/contract/duration'
import { listCauses } from '../../core/db/outage'
import type { HttpAnswer } from './postJson'
import { TargetRefusedError } from './targetAddress'

/**
 * Decides what follows an attempt: `shorten` sends a short form once more. `final` gives the message up, because the
 * channel needs repair; `refused` gives it up, because the receiver refuses this message or its recipients;
 * `unreached` gives it up, because no receiver has an open page.
 */
export type Verdict = 'sent' | 'retry' | 'shorten' | 'final' | 'refused' | 'unreached'
export type Outcome = {
  verdict: Verdict
  statusCode: number | null
  code: string
  answer: string
  /** Nothing may be sent to the target for this long. */
  pauseMs?: number
  /** Recipients that a mail server refused for a while; the others have the mail. */
  remainingRecipients?: string[]
}

const maxAnswerCharacters = 500
const maxPauseMs = 6 * hourMs
const clockToleranceMs = 5 * minuteMs
/** DingTalk limits a robot for ten minutes once it has exceeded its rate. */
const dingtalkLimitMs = 10 * minuteMs

type VendorRule = { verdict: Verdict; text: string; pauseMs?: number }
/** Codes of the vendors' documents; see docs/notifications.md. */
const vendorRules: Partial<Record<ChannelKind, Record<string, VendorRule>>> = {
  wecom: {
    '-1': { verdict: 'retry', text: '企业微信繁忙' },
    '45009': { verdict: 'retry', text: '发送太频繁', pauseMs: minuteMs },
    '45033': { verdict: 'retry', text: '并发过多', pauseMs: minuteMs },
    '40058': { verdict: 'shorten', text: '内容过长' },
    '93000': { verdict: 'final', text: '机器人地址无效，请检查 key' },
    '60020': { verdict: 'final', text: '本机 IP 不在可信列表' },
  },
  dingtalk: {
    '-1': { verdict: 'retry', text: '钉钉繁忙' },
    '130101': { verdict: 'retry', text: '发送太频繁，每分钟最多 20 条', pauseMs: dingtalkLimitMs },
    '410100': { verdict: 'retry', text: '发送太频繁', pauseMs: dingtalkLimitMs },
    '90030': { verdict: 'retry', text: '已达企业的调用上限', pauseMs: hourMs },
    '460101': { verdict: 'shorten', text: '内容过长' },
    '101002': { verdict: 'shorten', text: '内容过长' },
    '310000': { verdict: 'final', text: '安全设置拒绝：关键词、加签或 IP 不符' },
    '300005': { verdict: 'final', text: '机器人不存在，请检查 access_token' },
    '400102': { verdict: 'final', text: '机器人已停用' },
  },
  feishu: {
    '11232': { verdict: 'retry', text: '发送太频繁', pauseMs: minuteMs },
    '19036': { verdict: 'shorten', text: '内容过长' },
    '19021': { verdict: 'final', text: '签名不符，或本机时间与飞书相差过大' },
    '19022': { verdict: 'final', text: '本机 IP 不在白名单' },
    '19024': { verdict: 'final', text: '缺少机器人要求的关键词' },
    '19007': { verdict: 'final', text: '机器人未启用' },
  },
}
const signatureCodes = new Set(['310000', '19021'])
const retryStatuses = new Set([408, 425, 429])

function parseVendorAnswer(kind: ChannelKind, text: string) {
  let body: unknown
  try {
    body = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
  if (typeof body !== 'object' || body === null) return undefined
  const fields = body as Record<string, unknown>
  // Feishu may answer a refusal with `code` and a `StatusCode` of 0, so the old field counts only without the new one.
  const feishuCode = 'code' in fields ? fields.code : fields.StatusCode
  const code = kind === 'feishu' ? feishuCode : fields.errcode
  const message = String(fields.errmsg ?? fields.msg ?? fields.StatusMessage ?? '')
  return typeof code === 'number' || typeof code === 'string'
    ? { code: String(code), message }
    : undefined
}

function readRetryAfterMs(retryAfter: string | undefined) {
  if (!retryAfter) return undefined
  const seconds = Number(retryAfter)
  const pauseMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isFinite(pauseMs) ? Math.min(Math.max(pauseMs, 0), maxPauseMs) : undefined
}

const describeClock = (date: string | undefined) => {
  const differenceMs = date ? Math.abs(Date.parse(date) - Date.now()) : 0
  return differenceMs > clockToleranceMs ? '；本机时间与对方不一致，请校准服务器时钟' : ''
}

function applyVendorRule(kind: ChannelKind, code: string, message: string): VendorRule {
  if (code === '0') return { verdict: 'sent', text: '' }
  const isTooMany = /too many/i.test(message)
  if (kind === 'feishu' && code === '9499')
    return isTooMany
      ? { verdict: 'retry', text: '发送太频繁', pauseMs: minuteMs }
      : { verdict: 'shorten', text: '请求格式或长度不符' }
  if (kind === 'wecom' && code === '93000' && /exceed max length/i.test(message))
    return { verdict: 'shorten', text: '内容过长' }
  return vendorRules[kind]?.[code] ?? { verdict: 'retry', text: '未知的返回码' }
}

/** Judges the answer of a robot or a webhook; HTTP 200 alone does not mean that a robot accepted the message. */
export function judgeAnswer(kind: ChannelKind, answer: HttpAnswer): Outcome {
  const { status, retryAfter } = answer
  const shownText = answer.isPrivate ? '' : answer.text.trim().slice(0, maxAnswerCharacters)
  const base = { statusCode: status, code: '', answer: shownText }
  if (retryStatuses.has(status) || status >= 500)
    return { ...base, verdict: 'retry', pauseMs: readRetryAfterMs(retryAfter) }
  // A robot that is limited may redirect to a page of its vendor.
  if (status >= 300 && status < 400)
    return kind === 'webhook'
      ? { ...base, verdict: 'final', answer: '对方要求跳转，平台不跟随跳转，请填写最终地址' }
      : { ...base, verdict: 'retry', answer: '对方要求跳转', pauseMs: minuteMs }
  if (kind === 'webhook' || status < 200 || status >= 400)
    return {
      ...base,
      verdict: status >= 200 && status < 300 ? 'sent' : status === 413 ? 'shorten' : 'final',
    }
  const vendor = parseVendorAnswer(kind, answer.text)
  if (!vendor)
    return { ...base, verdict: 'retry', answer: `应答不是预期的格式 ${shownText}`.trim() }
  const { verdict, text, pauseMs } = applyVendorRule(kind, vendor.code, vendor.message)
  const clockText = signatureCodes.has(vendor.code) ? describeClock(answer.date) : ''
  return {
    verdict,
    statusCode: status,
    code: vendor.code,
    answer:
      [text, vendor.message.slice(0, maxAnswerCharacters)].filter(Boolean).join('：') + clockText,
    pauseMs,
  }
}

const networkTexts: Record<string, string> = {
  ECONNREFUSED: '连接被拒绝',
  ECONNRESET: '连接被中断',
  EPIPE: '连接被中断',
  EPROTO: '不能建立加密连接：对方的端口不是 HTTPS',
  EPROTOCOL: '对方不是邮件服务器，或加密方式与端口不符',
  ENOTFOUND: '找不到这个主机名',
  EAI_AGAIN: '暂时查不到这个主机名',
  EHOSTUNREACH: '主机不可达',
  ENETUNREACH: '网络不可达',
  ETIMEDOUT: '连接超时',
  CERT_HAS_EXPIRED: '对方的证书已过期',
  DEPTH_ZERO_SELF_SIGNED_CERT: '对方的证书是自签名的',
  SELF_SIGNED_CERT_IN_CHAIN: '对方的证书是自签名的',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: '无法验证对方的证书',
  ERR_TLS_CERT_ALTNAME_INVALID: '对方的证书与主机名不符',
}

/** Describes why there was no answer; the texts contain neither the address nor a secret. */
export function judgeError(error: unknown): Outcome {
  const base = { statusCode: null, answer: '' }
  if (error instanceof TargetRefusedError)
    return { ...base, verdict: 'final', code: '', answer: error.message }
  const causes = listCauses(error)
  const refusal = causes.find((cause) => (cause as Error) instanceof TargetRefusedError)
  if (refusal) return { ...base, verdict: 'final', code: '', answer: refusal.message }
  if (causes.some(({ name }) => name === 'TimeoutError' || name === 'AbortError'))
    return { ...base, verdict: 'retry', code: '', answer: '对方没有及时应答' }
  const code = causes.map((cause) => cause.code).find(Boolean) ?? ''
  const text = code.startsWith('HPE_') ? '对方的应答不是 HTTP' : networkTexts[code]
  return { ...base, verdict: 'retry', code, answer: text ?? '发送失败' }
}
