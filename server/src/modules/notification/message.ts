import {
  defaultTemplate,
  templateFields,
  type TemplateField,
} from '@iot/shared/contract/alarm/notificationChannel'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import { platformTimeZone, toZonedText } from '@iot/shared/contract/timeZone'
import { toPublicUrl } from '../../core/http/publicAddress'
import type { NotificationContent, NotificationEvent } from '../../tables/notification'

export const eventText: Record<NotificationEvent, string> = {
  opened: '告警',
  reopened: '再次提醒',
  raised: '级别升高',
  escalated: '仍未确认',
  reminded: '提醒',
  resolved: '已恢复',
}

export type MessageItem = NotificationContent & {
  event: NotificationEvent
  severity: AlarmSeverity
  subject: string
}
export type Message = {
  /** Stays the same in every attempt. */
  id: string
  /** More than one item makes a summary. */
  items: MessageItem[]
  /** The receiver refused the full form as too long. */
  isShort: boolean
  isTest?: boolean
}

const maxSummaryLines = 10
const severityOrder = Object.keys(severityText) as AlarmSeverity[]

/** Cuts a text to this many UTF-8 bytes between two characters and marks the cut by an ellipsis. */
export function cutToBytes(text: string, maxBytes: number) {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let keptBytes = Buffer.byteLength('…')
  let keptText = ''
  for (const character of text) {
    keptBytes += Buffer.byteLength(character)
    if (keptBytes > maxBytes) break
    keptText += character
  }
  return maxBytes < Buffer.byteLength('…') ? '' : `${keptText.trimEnd()}…`
}

/**
 * Takes the meaning from what robots read as mentions and links in names and texts of devices; a zero-width space keeps
 * them readable.
 */
export const neutralizeMarkup = (value: string) =>
  value
    .replaceAll('<', '<\u200b')
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//')
    .replaceAll('](', ']\u200b(')

export const toOneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** Returns the full address of a page, or undefined if the platform does not know its own address. */
export const buildLink = (publicUrl: string | undefined, path: string) =>
  publicUrl === undefined ? undefined : toPublicUrl(publicUrl, path)
const missingLinkText = '（平台没有设置 PUBLIC_URL，不能给出链接）'

const formatTime = ({ time, timeZone }: NotificationContent) =>
  `${toZonedText(time, timeZone)}${timeZone === platformTimeZone ? '' : `（${timeZone}）`}`

type RenderOptions = {
  template: string
  publicUrl: string | undefined
  maxBytes: number
  /** Changes values, never the template of the administrator. */
  escapeValue?: (value: string) => string
}

/** Renders the title of a message in one line. */
export function renderTitle({ items, isTest }: Message) {
  const [first] = items
  const title =
    items.length > 1
      ? `【汇总】${items.length} 条通知：${countBySeverity(items)}`
      : `【${severityText[first!.severity]}】${eventText[first!.event]}：${toOneLine(first!.title)}`
  return isTest ? `【测试】${title}` : title
}

const countBySeverity = (items: MessageItem[]) =>
  severityOrder
    .map(
      (severity) => [severity, items.filter((item) => item.severity === severity).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${severityText[severity]} ${count}`)
    .join('，')

/** Lists the most severe first, then in the order of time. */
export const sortBySeverity = <T extends { severity: AlarmSeverity }>(items: T[]) =>
  items.toSorted((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity))

/** Leaves out the lines of a template whose fields are all empty, such as “项目：”. */
function fillTemplate(template: string, values: Record<TemplateField, string>) {
  return template
    .split('\n')
    .flatMap((line) => {
      const names = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as TemplateField)
      const isEmpty = names.length > 0 && names.every((name) => values[name] === '')
      const text = line.replaceAll(/\{(\w+)\}/g, (match, name: TemplateField) =>
        Object.hasOwn(templateFields, name) ? values[name] : match,
      )
      return isEmpty || text.trim() === '' ? [] : [text]
    })
    .join('\n')
}

function renderItem(message: Message, options: RenderOptions) {
  const { template, publicUrl, maxBytes, escapeValue = (value: string) => value } = options
  const item = message.items[0]!
  const link = buildLink(publicUrl, item.path) ?? missingLinkText
  const fill = (lines: string, shownTitle: string) =>
    fillTemplate(template || defaultTemplate, {
      severity: severityText[item.severity],
      event: eventText[item.event],
      title: shownTitle,
      lines,
      project: escapeValue(toOneLine(item.project)),
      time: formatTime(item),
      link,
    })
  const title = escapeValue(toOneLine(item.title))
  const lines = message.isShort ? '' : escapeValue(item.lines.map(toOneLine).join('\n'))
  const fullText = fill(lines, title)
  const surplusBytes = Buffer.byteLength(fullText) - maxBytes
  if (surplusBytes <= 0) return fullText
  const shortenedLines = cutToBytes(lines, Math.max(0, Buffer.byteLength(lines) - surplusBytes))
  return cutToBytes(fill(shortenedLines, cutToBytes(title, 200)), maxBytes)
}

function renderSummary(
  message: Message,
  { publicUrl, maxBytes, escapeValue = (value) => value }: RenderOptions,
) {
  const items = sortBySeverity(message.items)
  const header = renderTitle(message)
  const link = buildLink(publicUrl, '/') ?? missingLinkText
  const lines = items.map(
    (item) =>
      `【${severityText[item.severity]}】${eventText[item.event]}：${escapeValue(toOneLine(item.title))}（${[escapeValue(toOneLine(item.project)), formatTime(item)].filter(Boolean).join('，')}）`,
  )
  const maxLines = message.isShort ? 0 : maxSummaryLines
  for (let count = Math.min(maxLines, lines.length); count >= 0; count--) {
    const remainingCount = lines.length - count
    const text = [
      header,
      ...lines.slice(0, count),
      ...(remainingCount > 0 ? [`… 另有 ${remainingCount} 条，请到平台查看`] : []),
      link,
    ].join('\n')
    if (Buffer.byteLength(text) <= maxBytes) return text
  }
  return cutToBytes(header, maxBytes)
}

/** Renders a message as plain text of at most `maxBytes` UTF-8 bytes. */
export function renderText(message: Message, options: RenderOptions) {
  const text =
    message.items.length > 1 ? renderSummary(message, options) : renderItem(message, options)
  return message.isTest ? cutToBytes(`【测试】${text}`, options.maxBytes) : text
}
