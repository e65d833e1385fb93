import { dayMs } from './duration'

/** Platform-wide data uses this zone; it is also the default of a project. */
export const platformTimeZone = 'Asia/Shanghai'

const ianaName = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/

/**
 * Offsets such as `+08:00` are refused: they have no summer time, and databases read their sign the other way round.
 */
export function isTimeZone(name: string) {
  if (!ianaName.test(name)) return false
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a time as `2026-11-25 18:30:05` in a zone. */
export function toZonedText(time: number | string | Date, timeZone: string) {
  let format = formats.get(timeZone)
  if (!format) {
    // The Swedish locale formats the year first.
    format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      timeZone,
    })
    formats.set(timeZone, format)
  }
  return format.format(new Date(time))
}
export const toZonedDate = (time: number | string | Date, timeZone: string) =>
  toZonedText(time, timeZone).slice(0, 10)
export const toZonedClock = (time: number | string | Date, timeZone: string) =>
  toZonedText(time, timeZone).slice(11, 16)

/** Returns the offset of a zone from UTC in ms. */
const getOffset = (timeMs: number, timeZone: string) =>
  Date.parse(`${toZonedText(timeMs, timeZone).replace(' ', 'T')}Z`) -
  Math.floor(timeMs / 1000) * 1000

/** Returns the clock of a zone at a time, written as the time in ms at which UTC shows the same clock. */
export const toWallTimeMs = (timeMs: number, timeZone: string) =>
  timeMs + getOffset(timeMs, timeZone)

/**
 * Returns the time in ms at which the clock of a zone shows a local time. If the time occurs twice, when summer time
 * ends, the first is taken; if it is skipped, when summer time begins, it is shifted by the gap.
 */
export function toEpochMs(date: string, clock: string, timeZone: string) {
  const wallTimeMs = Date.parse(`${date}T${clock}Z`)
  const offsetBeforeMs = wallTimeMs - getOffset(wallTimeMs - dayMs, timeZone)
  const offsetAfterMs = wallTimeMs - getOffset(wallTimeMs + dayMs, timeZone)
  const isShown = (timeMs: number) => timeMs + getOffset(timeMs, timeZone) === wallTimeMs
  return !isShown(offsetBeforeMs) && isShown(offsetAfterMs) ? offsetAfterMs : offsetBeforeMs
}
