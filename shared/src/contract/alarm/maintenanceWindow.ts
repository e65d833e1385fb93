import { formatWeekdays, getWeekday, shiftDate } from '../project/calendarDay'
import { toEpochMs, toZonedClock, toZonedDate } from '../timeZone'

export type WindowTimes = {
  startTime: string
  endTime: string
  /** 1 is Monday; empty for a window that lasts from start to end without a break. */
  weekdays: number[]
  fromClock: string
  toClock: string
}

/** Formats when a window recurs, such as `周一、周三 22:00–次日 06:00`; empty for a window that does not. */
export const formatRecurrence = ({
  weekdays,
  fromClock,
  toClock,
}: Omit<WindowTimes, 'startTime' | 'endTime'>) =>
  weekdays.length === 0
    ? ''
    : `${formatWeekdays(weekdays)} ${fromClock}–${toClock < fromClock ? '次日 ' : ''}${toClock}`

/**
 * Returns whether a moment is at or after the time that a clock of the zone shows on a date. A clock time that summer
 * time skips is reached with the first minute that exists after it; one that occurs twice is reached the first time.
 */
function isAtOrAfter(timeMs: number, date: string, clock: string, timeZone: string) {
  const epochMs = toEpochMs(date, clock, timeZone)
  if (timeMs >= epochMs) return true
  const isSkipped = toZonedClock(epochMs, timeZone) !== clock
  return (
    isSkipped && toZonedDate(timeMs, timeZone) === date && toZonedClock(timeMs, timeZone) >= clock
  )
}

/** An occurrence that begins on this date ends on the next day at the latest. */
const getEndDate = ({ fromClock, toClock }: WindowTimes, date: string) =>
  toClock < fromClock ? shiftDate(date, 1) : date

/** Returns whether an occurrence that begins on this date contains the moment. */
function isInOccurrence(window: WindowTimes, date: string, timeMs: number, timeZone: string) {
  const { weekdays, fromClock, toClock } = window
  const endDate = getEndDate(window, date)
  return (
    weekdays.includes(getWeekday(date)) &&
    isAtOrAfter(timeMs, date, fromClock, timeZone) &&
    !isAtOrAfter(timeMs, endDate, toClock, timeZone)
  )
}

/**
 * Returns when a window that applies at a moment ends for this time; undefined if it does not apply. Both ends are local
 * times of the zone, so that summer time moves them.
 */
export function findWindowEnd(window: WindowTimes, timeMs: number, timeZone: string) {
  const endMs = Date.parse(window.endTime)
  if (timeMs < Date.parse(window.startTime) || timeMs >= endMs) return undefined
  if (window.weekdays.length === 0) return endMs
  const today = toZonedDate(timeMs, timeZone)
  const date = [today, shiftDate(today, -1)].find((candidate) =>
    isInOccurrence(window, candidate, timeMs, timeZone),
  )
  return date === undefined
    ? undefined
    : Math.min(endMs, toEpochMs(getEndDate(window, date), window.toClock, timeZone))
}

export const isWindowCurrent = (window: WindowTimes, timeMs: number, timeZone: string) =>
  findWindowEnd(window, timeMs, timeZone) !== undefined

/** Returns whether a recurring window applies at least once between its start and its end. */
export function hasOccurrence(window: WindowTimes, timeZone: string) {
  const [startMs, endMs] = [Date.parse(window.startTime), Date.parse(window.endTime)]
  const lastDate = toZonedDate(endMs, timeZone)
  // The occurrence of the day before may still last at the start.
  for (let date = shiftDate(toZonedDate(startMs, timeZone), -1); date <= lastDate;) {
    const endDate = getEndDate(window, date)
    if (
      window.weekdays.includes(getWeekday(date)) &&
      toEpochMs(date, window.fromClock, timeZone) < endMs &&
      toEpochMs(endDate, window.toClock, timeZone) > startMs
    )
      return true
    date = shiftDate(date, 1)
  }
  return false
}
