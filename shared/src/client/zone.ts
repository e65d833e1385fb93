import dayjs, { type Dayjs } from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'
import { shiftDate } from '../contract/project/calendarDay'
import { toEpochMs, toZonedDate } from '../contract/timeZone'
import { pageTimeZone } from '../session/timeZone'
import { serverNow } from './serverClock'

dayjs.extend(utc)
dayjs.extend(timezone)

type Time = string | number | Date

/**
 * Returns a time as dayjs in the zone of the page.
 * @example toPageZone(row.createTime).format('YYYY-MM-DD HH:mm')
 */
export const toPageZone = (time: Time) => dayjs(time).tz(pageTimeZone())
/** Returns the server's current time in the zone of the page. */
export const nowInPageZone = () => toPageZone(serverNow())

/** Returns the current date in the zone of the page, or the date a number of days ago. */
export const todayInPageZone = (daysAgo = 0) =>
  shiftDate(toZonedDate(serverNow(), pageTimeZone()), -daysAgo)
/** Returns the start of the current day in the zone of the page. */
export const startOfToday = () => toPageZone(toEpochMs(todayInPageZone(), '00:00', pageTimeZone()))
export const isToday = (time: Time) => toZonedDate(time, pageTimeZone()) === todayInPageZone()
/** Formats a time as `14:03`, with the date unless it is today: `11-20 14:03`. */
export const formatShortTime = (time: Time) =>
  toPageZone(time).format(isToday(time) ? 'HH:mm' : 'MM-DD HH:mm')

/**
 * Date pickers compute in the zone of the browser. `toPickerTime` returns a time that looks there like the project's local
 * time, and `fromPickerTime` converts the picked time back.
 */
export const toPickerTime = (time: Time, timeZone = pageTimeZone()) =>
  dayjs(dayjs(time).tz(timeZone).format('YYYY-MM-DDTHH:mm:ss.SSS'))
export const fromPickerTime = (pickedTime: Dayjs, timeZone = pageTimeZone()) =>
  dayjs(toEpochMs(pickedTime.format('YYYY-MM-DD'), pickedTime.format('HH:mm:ss.SSS'), timeZone))
export const nowForPicker = () => toPickerTime(serverNow())

/** @deprecated Use {@link toPageZone}; kept for remotes that were built before. */
export const zoned = toPageZone

/** @deprecated Use {@link startOfToday}; kept for remotes that were built before. */
export const beginOfToday = startOfToday

/** @deprecated Use {@link formatShortTime}; kept for remotes that were built before. */
export const shortTime = formatShortTime

/** @deprecated Use {@link toPickerTime}; kept for remotes that were built before. */
export const toPicker = toPickerTime

/** @deprecated Use {@link fromPickerTime}; kept for remotes that were built before. */
export const fromPicker = fromPickerTime

/** @deprecated Use {@link nowInPageZone}; kept for remotes that were built before. */
export const zonedNow = nowInPageZone

/** @deprecated Use {@link todayInPageZone}; kept for remotes that were built before. */
export const zonedToday = todayInPageZone

/** @deprecated Use {@link nowForPicker}; kept for remotes that were built before. */
export const pickerNow = nowForPicker
