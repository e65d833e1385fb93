import { dateFromSerial, format, isDateFormat, isPercentFormat } from 'numfmt'
import type { TableCell } from '../../contract/sheetCell'

/** Days between the 1900 and 1904 epochs of spreadsheets. */
const daysTo1904 = 1462
const pad = (value: number, length = 2) => String(value).padStart(length, '0')

function shownAs(pattern: string, value: number) {
  try {
    return format(pattern, value, { locale: 'zh-CN' }).trim() || String(value)
  } catch {
    return String(value)
  }
}
function matches(test: (pattern: string) => boolean, pattern: string) {
  try {
    return test(pattern)
  } catch {
    // A pattern that the library cannot parse is no date format.
    return false
  }
}

/** Formats a number of a workbook by its number format. */
export function numberCell(text: string, pattern: string, has1904Dates: boolean): TableCell {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  if (matches(isDateFormat, pattern)) {
    const serial = has1904Dates ? value + daysTo1904 : value
    const time = isoTime(serial)
    return { kind: 'date', shown: shownAs(pattern, serial), ...(time && { value: time }) }
  }
  const shown = shownAs(pattern, value)
  if (matches(isPercentFormat, pattern)) return { kind: 'percent', shown, value: text }
  // Most cells of a large file are integers of this kind, which are returned as plain text.
  return shown === text && /^-?\d{1,11}$/.test(text) ? text : { kind: 'number', shown, value: text }
}

/** Returns undefined if the serial contains no date: a time of day or a duration. */
function isoTime(serial: number) {
  if (serial < 1 || serial > 2_958_466) return undefined
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = dateFromSerial(serial)
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  return hours + minutes + seconds === 0
    ? date
    : `${date}T${pad(hours)}:${pad(minutes)}:${pad(seconds)}`
}
