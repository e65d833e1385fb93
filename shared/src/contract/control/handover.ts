import { shiftDate } from '../project/calendarDay'
import { toEpochMs, toZonedDate } from '../timeZone'

/** A project that has set no shifts changes them at these times. */
export const defaultShiftStarts = ['08:00', '20:00']

/** Returns start and end of the shift at a time, in ms; `starts` are local times of the day. */
export function findShift(starts: readonly string[], nowMs: number, timeZone: string) {
  const today = toZonedDate(nowMs, timeZone)
  const times = [-1, 0, 1]
    .flatMap((days) => starts.map((clock) => toEpochMs(shiftDate(today, days), clock, timeZone)))
    .sort((a, b) => a - b)
  const nextIndex = times.findIndex((time) => time > nowMs)
  return { startMs: times[nextIndex - 1]!, endMs: times[nextIndex]! }
}
