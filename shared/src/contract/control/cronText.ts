import { formatWeekdays } from '../project/calendarDay'

/** A step larger than `largestStep` would select the same values as that step. */
type CronField = {
  name: string
  lowest: number
  highest: number
  largestStep: number
  names?: string[]
}
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const weekdays = 'sun mon tue wed thu fri sat'.split(' ')
const fields: CronField[] = [
  { name: '分', lowest: 0, highest: 59, largestStep: 60 },
  { name: '时', lowest: 0, highest: 23, largestStep: 24 },
  { name: '日', lowest: 1, highest: 31, largestStep: 31 },
  { name: '月', lowest: 1, highest: 12, largestStep: 12, names: months },
  { name: '周', lowest: 0, highest: 7, largestStep: 7, names: weekdays },
]
/** Values of one field; `step` is set for a star with a step. */
type ParsedField = { values: number[]; step?: number; isAll: boolean }
/** `more` means that the server alone can evaluate the field. */
type ParseResult = ParsedField | 'more' | { why: string }

/** Syntax of the server's cron library beyond numbers: last days, nearest workdays, the second Monday. */
const unsupportedSyntax = /[lw#?+]/i

function parseField(
  text: string,
  { name, lowest, highest, largestStep, names = [] }: CronField,
): ParseResult {
  // `-sun` ends a range, so Sunday counts as 7.
  const numericText = text
    .toLowerCase()
    .replace(/-sun/g, '-7')
    .replace(/[a-z]{3}/g, (word) => {
      const nameIndex = names.indexOf(word)
      return nameIndex < 0 ? word : String(nameIndex + lowest)
    })
  if (unsupportedSyntax.test(numericText)) return 'more'
  const values = new Set<number>()
  const list = numericText.split(',')
  let step: number | undefined
  for (const fieldPart of list) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(fieldPart)
    if (!match) return { why: `“${name}”的“${fieldPart}”不正确` }
    const [, from, to, stepText] = match
    const firstValue = from === undefined ? lowest : Number(from)
    const lastValue = to !== undefined ? Number(to) : from === undefined ? highest : firstValue
    if (Math.min(firstValue, lastValue) < lowest || Math.max(firstValue, lastValue) > highest)
      return { why: `“${name}”须在 ${lowest} 到 ${highest} 之间，填的是 ${fieldPart}` }
    if (firstValue > lastValue) return { why: `“${name}”的“${fieldPart}”从大到小，请分成两段` }
    if (stepText === '0') return { why: `“${name}”的间隔不能是 0` }
    if (stepText && from !== undefined && to === undefined)
      return { why: `“${name}”的间隔前须是 * 或范围，填的是 ${fieldPart}` }
    if (Number(stepText ?? 1) > largestStep)
      return { why: `“${name}”的间隔最大是 ${largestStep}，填的是 ${fieldPart}` }
    if (from === undefined && stepText && list.length === 1) step = Number(stepText)
    for (let value = firstValue; value <= lastValue; value += Number(stepText ?? 1))
      values.add(value)
  }
  const sortedValues = [...values].sort((a, b) => a - b)
  return { values: sortedValues, step, isAll: numericText === '*' }
}

/** Returns in Chinese why a cron text with five fields is invalid; undefined if it is valid. */
export function validateCron(cron: string) {
  const fieldTexts = cron.trim().split(/\s+/)
  if (fieldTexts.length !== 5) return `须为“分 时 日 月 周”五段，现在是 ${fieldTexts.length} 段`
  for (const [fieldIndex, part] of fieldTexts.entries()) {
    const parsedField = parseField(part, fields[fieldIndex]!)
    if (parsedField !== 'more' && 'why' in parsedField) return parsedField.why
  }
  return undefined
}

const padTwo = (value: number) => String(value).padStart(2, '0')
/** Up to this number of times per day are listed one by one. */
const maxListedTimes = 6

/** Describes a cron text as `周一至周五 18:30` or `每月 1 日 08:00`; undefined if one sentence cannot. */
export function describeCron(cron: string) {
  const fieldTexts = cron.trim().split(/\s+/)
  if (fieldTexts.length !== 5) return undefined
  const parsedFields = fieldTexts.flatMap((part, fieldIndex) => {
    const parsedField = parseField(part, fields[fieldIndex]!)
    return parsedField === 'more' || 'why' in parsedField ? [] : [parsedField]
  })
  const [minute, hour, day, month, week] = parsedFields
  if (parsedFields.length !== 5) return undefined
  const dateText = describeDate(day!, month!, week!)
  const timeText = describeTime(minute!, hour!)
  return dateText && timeText && `${dateText} ${timeText}`
}

function describeDate(day: ParsedField, month: ParsedField, week: ParsedField) {
  const weekdayText = formatWeekdays(week.values.map((weekdayNumber) => weekdayNumber || 7))
  const monthText = month.isAll ? '每月' : `每年 ${month.values.join('、')} 月`
  if (day.isAll && week.isAll) return month.isAll ? '每天' : `${monthText}的每天`
  // Cron combines day and weekday with “or”.
  const monthDayText = !day.isAll && `${monthText} ${day.values.join('、')} 日`
  if (week.isAll) return monthDayText || undefined
  if (!month.isAll) return monthDayText ? undefined : `${monthText}的${weekdayText}`
  return monthDayText ? `${monthDayText}，以及${weekdayText}` : weekdayText
}

function describeTime(minute: ParsedField, hour: ParsedField) {
  if (minute.values.length * hour.values.length <= maxListedTimes)
    return hour.values
      .flatMap((h) => minute.values.map((m) => `${padTwo(h)}:${padTwo(m)}`))
      .join('、')
  const [firstMinute] = minute.values
  const hourRange = hour.isAll || isConsecutive(hour.values) ? formatHourRange(hour) : undefined
  if (minute.isAll && hourRange !== undefined) return `${hourRange}每分钟`
  if (minute.step && 60 % minute.step === 0 && hourRange !== undefined)
    return `${hourRange}每 ${minute.step} 分钟`
  if (minute.values.length > 1) return undefined
  if (hour.step && 24 % hour.step === 0) return `每 ${hour.step} 小时，在 ${firstMinute} 分`
  return hourRange === undefined ? undefined : `${hourRange}每小时的 ${firstMinute} 分`
}
const isConsecutive = (values: number[]) => values.at(-1)! - values[0]! === values.length - 1
/** Formats an hour range as `08:00–17:59 `. */
const formatHourRange = ({ isAll, values }: ParsedField) =>
  isAll ? '' : `${padTwo(values[0]!)}:00–${padTwo(values.at(-1)!)}:59 `
