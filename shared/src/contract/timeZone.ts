import { z } from 'zod'

/** The zone of what belongs to no project, and of a project until it declares another. */
export const platformTimeZone = 'Asia/Shanghai'

const ianaName = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/

/** Offsets such as `+08:00` are no zones: they know no summer time, and databases read them the other way round. */
export function isTimeZone(name: string) {
  if (!ianaName.test(name)) return false
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
}

/** The IANA name of a zone. */
export const TimeZone = z
  .string('请选择时区')
  .max(64, '时区不存在，请从列表选择')
  .refine(isTimeZone, '时区不存在，请从列表选择')

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-25 18:30:05` by the clock of a zone. */
export function toZonedText(at: number | string | Date, timeZone: string) {
  let format = formats.get(timeZone)
  if (!format) {
    // The Swedish locale writes a time year first.
    format = new Intl.DateTimeFormat('sv-SE', {
      ...{ dateStyle: 'short', timeStyle: 'medium', timeZone },
    })
    formats.set(timeZone, format)
  }
  return format.format(new Date(at))
}
export const toZonedDate = (at: number | string | Date, timeZone: string) =>
  toZonedText(at, timeZone).slice(0, 10)
export const toZonedClock = (at: number | string | Date, timeZone: string) =>
  toZonedText(at, timeZone).slice(11, 16)

const dayMs = 24 * 3600_000
/** Offset of a zone from UTC in milliseconds at a moment. */
const getOffset = (at: number, timeZone: string) =>
  Date.parse(`${toZonedText(at, timeZone).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000

/**
 * The moment at which the clock of a zone shows a time, in milliseconds. A time that is shown twice, when summer ends, is
 * the first one; one that is skipped, when summer begins, is as much later as the clock jumps.
 */
export function toMoment(date: string, clock: string, timeZone: string) {
  const wallTimeMs = Date.parse(`${date}T${clock}Z`)
  const before = wallTimeMs - getOffset(wallTimeMs - dayMs, timeZone)
  const after = wallTimeMs - getOffset(wallTimeMs + dayMs, timeZone)
  const isShown = (at: number) => at + getOffset(at, timeZone) === wallTimeMs
  return !isShown(before) && isShown(after) ? after : before
}
