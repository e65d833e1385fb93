import { wordsOfWeekdays } from './calendarDay'

/** `parts` is the number of values of the field and the largest step. */
type Field = { name: string; least: number; most: number; parts: number; names?: string[] }
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const weekdays = 'sun mon tue wed thu fri sat'.split(' ')
const fields: Field[] = [
  { name: '分', least: 0, most: 59, parts: 60 },
  { name: '时', least: 0, most: 23, parts: 24 },
  { name: '日', least: 1, most: 31, parts: 31 },
  { name: '月', least: 1, most: 12, parts: 12, names: months },
  { name: '周', least: 0, most: 7, parts: 7, names: weekdays },
]
/** Values of one field; `step` is set for a star with a step. */
type Known = { values: number[]; step?: number; isAll: boolean }
/** `more` means that the server alone can evaluate the field. */
type Said = Known | 'more' | { why: string }

/** Syntax of the server's cron library beyond numbers: last days, nearest workdays, the second Monday. */
const beyond = /[lw#?+]/i

function read(text: string, { name, least, most, parts, names = [] }: Field): Said {
  // `-sun` ends a range, so Sunday counts as 7.
  const withoutNames = text
    .toLowerCase()
    .replace(/-sun/g, '-7')
    .replace(/[a-z]{3}/g, (word) => {
      const at = names.indexOf(word)
      return at < 0 ? word : String(at + least)
    })
  if (beyond.test(withoutNames)) return 'more'
  const values = new Set<number>()
  const list = withoutNames.split(',')
  let step: number | undefined
  for (const part of list) {
    const said = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    if (!said) return { why: `“${name}”的“${part}”不正确` }
    const [, from, to, by] = said
    const first = from === undefined ? least : Number(from)
    const last = to !== undefined ? Number(to) : from === undefined ? most : first
    if (Math.min(first, last) < least || Math.max(first, last) > most)
      return { why: `“${name}”须在 ${least} 到 ${most} 之间，填的是 ${part}` }
    if (first > last) return { why: `“${name}”的“${part}”从大到小，请分成两段` }
    if (by === '0') return { why: `“${name}”的间隔不能是 0` }
    if (by && from !== undefined && to === undefined)
      return { why: `“${name}”的间隔前须是 * 或范围，填的是 ${part}` }
    if (Number(by ?? 1) > parts) return { why: `“${name}”的间隔最大是 ${parts}，填的是 ${part}` }
    if (from === undefined && by && list.length === 1) step = Number(by)
    for (let value = first; value <= last; value += Number(by ?? 1)) values.add(value)
  }
  const all = [...values].sort((a, b) => a - b)
  return { values: all, step, isAll: withoutNames === '*' }
}

/** Returns in Chinese why a cron text with five fields is invalid; undefined if it is valid. */
export function faultOfCron(cron: string) {
  const parts = cron.trim().split(/\s+/)
  if (parts.length !== 5) return `须为“分 时 日 月 周”五段，现在是 ${parts.length} 段`
  for (const [n, part] of parts.entries()) {
    const said = read(part, fields[n]!)
    if (said !== 'more' && 'why' in said) return said.why
  }
  return undefined
}

const two = (value: number) => String(value).padStart(2, '0')
/** Up to this number of times per day are listed one by one. */
const named = 6

/** Describes a cron text as `周一至周五 18:30` or `每月 1 日 08:00`; undefined if one sentence cannot. */
export function wordsOfCron(cron: string) {
  const parts = cron.trim().split(/\s+/)
  if (parts.length !== 5) return undefined
  const known = parts.flatMap((part, n) => {
    const said = read(part, fields[n]!)
    return said === 'more' || 'why' in said ? [] : [said]
  })
  const [minute, hour, day, month, week] = known
  if (known.length !== 5) return undefined
  const date = wordsOfDate(day!, month!, week!)
  const time = wordsOfTime(minute!, hour!)
  return date && time && `${date} ${time}`
}

function wordsOfDate(day: Known, month: Known, week: Known) {
  const ofWeek = wordsOfWeekdays(week.values.map((one) => one || 7))
  const years = month.isAll ? '每月' : `每年 ${month.values.join('、')} 月`
  if (day.isAll && week.isAll) return month.isAll ? '每天' : `${years}的每天`
  // Cron combines day and weekday with “or”.
  const ofMonth = !day.isAll && `${years} ${day.values.join('、')} 日`
  if (week.isAll) return ofMonth || undefined
  if (!month.isAll) return ofMonth ? undefined : `${years}的${ofWeek}`
  return ofMonth ? `${ofMonth}，以及${ofWeek}` : ofWeek
}

function wordsOfTime(minute: Known, hour: Known) {
  if (minute.values.length * hour.values.length <= named)
    return hour.values.flatMap((h) => minute.values.map((m) => `${two(h)}:${two(m)}`)).join('、')
  const [m] = minute.values
  const within = hour.isAll || isRow(hour.values) ? spanOf(hour) : undefined
  if (minute.isAll && within !== undefined) return `${within}每分钟`
  if (minute.step && 60 % minute.step === 0 && within !== undefined)
    return `${within}每 ${minute.step} 分钟`
  if (minute.values.length > 1) return undefined
  if (hour.step && 24 % hour.step === 0) return `每 ${hour.step} 小时，在 ${m} 分`
  return within === undefined ? undefined : `${within}每小时的 ${m} 分`
}
const isRow = (values: number[]) => values.at(-1)! - values[0]! === values.length - 1
/** Formats an hour range as `08:00–17:59 `. */
const spanOf = ({ isAll, values }: Known) =>
  isAll ? '' : `${two(values[0]!)}:00–${two(values.at(-1)!)}:59 `
