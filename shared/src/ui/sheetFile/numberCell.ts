import { dateFromSerial, format, getFormatDateInfo, isDateFormat, isPercentFormat } from 'numfmt'
import type { TableCell } from '../../contract/sheet/sheetCell.schema'

/** Days between the 1900 and 1904 epochs of spreadsheets. */
const daysTo1904 = 1462
const padNumber = (value: number, length = 2) => String(value).padStart(length, '0')

function formatByPattern(pattern: string, value: number | string) {
  try {
    // Chinese spreadsheets write 0!.0 where the file format has 0\.0, as for 12.3万.
    return (
      format(pattern.replaceAll('!.', '\\.'), value, { locale: 'zh-CN' }).trim() || String(value)
    )
  } catch {
    return String(value)
  }
}
function testPattern(test: (pattern: string) => boolean, pattern: string) {
  try {
    return test(pattern)
  } catch {
    // A pattern that the library cannot parse is no date format.
    return false
  }
}

/** Formats a text of a workbook by its number format: 3 is seen as 3栋 where the format is @"栋". */
export function parseTextCell(text: string, pattern = 'General'): string {
  if (text === '' || !(pattern.includes('@') || pattern.split(';').length > 3)) return text
  const displayText = formatByPattern(pattern, text)
  // Accounting formats only pad a text.
  return displayText === text.trim() ? text : displayText
}

/** A duration, such as [h]:mm, counts from zero and not from an epoch. */
const isDuration = (pattern: string) => /\[(h+|m+|s+)\]/i.test(pattern)

/** Formats a number of a workbook by its number format. */
export function parseNumberCell(text: string, pattern: string, has1904Dates: boolean): TableCell {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  if (testPattern(isDateFormat, pattern)) {
    const serial = has1904Dates && !isDuration(pattern) ? value + daysTo1904 : value
    const time = showsDate(pattern) ? toIsoTime(serial) : undefined
    return { kind: 'date', shown: formatByPattern(pattern, serial), ...(time && { value: time }) }
  }
  const displayText = formatByPattern(pattern, value)
  if (testPattern(isPercentFormat, pattern))
    return { kind: 'percent', shown: displayText, value: text }
  // Most cells of a large file are integers of this kind, which are returned as plain text.
  return displayText === text && /^-?\d{1,11}$/.test(text)
    ? text
    : { kind: 'number', shown: displayText, value: text }
}

/** A clock time or a duration may have a date that its format does not show. */
function showsDate(pattern: string) {
  // The library calls the minutes of mm:ss a month.
  const { year, day } = getFormatDateInfo(pattern)
  return year || day
}

/** Returns undefined if the serial contains no date: a time of day or a duration. */
function toIsoTime(serial: number) {
  if (serial < 1 || serial > 2_958_466) return undefined
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = dateFromSerial(serial)
  const date = `${padNumber(year, 4)}-${padNumber(month)}-${padNumber(day)}`
  return hours + minutes + seconds === 0
    ? date
    : `${date}T${padNumber(hours)}:${padNumber(minutes)}:${padNumber(seconds)}`
}
