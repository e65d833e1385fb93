import dayjs, { type Dayjs } from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'
import { shiftDate } from '../contract/project/calendarDay'
import { toEpochMs, toWallTimeMs, toZonedDate } from '../contract/timeZone'
import { pageTimeZone } from '../session/timeZone'
import { serverNow } from './serverClock'

dayjs.extend(utc)
dayjs.extend(timezone)

type Time = string | number | Date

/**
 * Date pickers show wall times. `toPickerTime` returns the clock of the zone at a time as a dayjs in UTC, where no summer
 * time of the browser skips or repeats an hour. It is no instant: `fromPickerTime` converts what was picked back.
 */
export const toPickerTime = (time: Time, timeZone = pageTimeZone()) => {
  const timeMs = new Date(time).getTime()
  return dayjs.utc(Number.isNaN(timeMs) ? NaN : toWallTimeMs(timeMs, timeZone))
}
export const fromPickerTime = (pickedTime: Dayjs, timeZone = pageTimeZone()) =>
  dayjs(toEpochMs(pickedTime.format('YYYY-MM-DD'), pickedTime.format('HH:mm:ss.SSS'), timeZone))
export const nowForPicker = () => toPickerTime(serverNow())
/** Returns a date `YYYY-MM-DD` for a date picker. */
export const toPickerDate = (date: string) => dayjs.utc(date)

/**
 * Formats a time in the zone of the page.
 * @example formatPageTime(row.createTime, 'YYYY-MM-DD HH:mm')
 */
export const formatPageTime = (time: Time, format: string) => toPickerTime(time).format(format)

/** Returns the current date in the zone of the page, or the date a number of days ago. */
export const todayInPageZone = (daysAgo = 0) =>
  shiftDate(toZonedDate(serverNow(), pageTimeZone()), -daysAgo)
/** Returns the time at which the current day began in the zone of the page. */
export const startOfToday = () => dayjs(toEpochMs(todayInPageZone(), '00:00', pageTimeZone()))
export const isToday = (time: Time) => toZonedDate(time, pageTimeZone()) === todayInPageZone()
/** Formats a time as `14:03`, with the date unless it is today: `11-20 14:03`. */
export const formatShortTime = (time: Time) =>
  formatPageTime(time, isToday(time) ? 'HH:mm' : 'MM-DD HH:mm')

/**
 * @deprecated Use {@link formatPageTime}, because dayjs shifts times of an hour that the browser's own summer time skips;
 * kept for remotes that were built before.
 */
export const toPageZone = (time: Time) => dayjs(time).tz(pageTimeZone())

/** @deprecated Use {@link formatPageTime}; kept for remotes that were built before. */
export const nowInPageZone = () => toPageZone(serverNow())

/** @deprecated Use {@link formatPageTime}; kept for remotes that were built before. */
export const zoned = toPageZone

/** @deprecated Use {@link startOfToday}; kept for remotes that were built before. */
export const beginOfToday = startOfToday

/** @deprecated Use {@link formatShortTime}; kept for remotes that were built before. */
export const shortTime = formatShortTime

/** @deprecated Use {@link toPickerTime}; kept for remotes that were built before. */
export const toPicker = toPickerTime

/** @deprecated Use {@link fromPickerTime}; kept for remotes that were built before. */
export const fromPicker = fromPickerTime

/** @deprecated Use {@link formatPageTime}; kept for remotes that were built before. */
export const zonedNow = nowInPageZone

/** @deprecated Use {@link todayInPageZone}; kept for remotes that were built before. */
export const zonedToday = todayInPageZone

/** @deprecated Use {@link nowForPicker}; kept for remotes that were built before. */
export const pickerNow = nowForPicker
