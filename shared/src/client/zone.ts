import dayjs, { type Dayjs } from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'
import { shiftDate } from '../contract/calendarDay'
import { toMoment, toZonedDate } from '../contract/timeZone'
import { pageTimeZone } from '../session/timeZone'
import { serverNow } from './serverClock'

dayjs.extend(utc)
dayjs.extend(timezone)

type Time = string | number | Date

/**
 * Returns a time as dayjs in the zone of the page.
 * @example zoned(row.createTime).format('YYYY-MM-DD HH:mm')
 */
export const zoned = (time: Time) => dayjs(time).tz(pageTimeZone())
/** Returns the server's current time in the zone of the page. */
export const zonedNow = () => zoned(serverNow())

/** Returns the current date in the zone of the page, or the date a number of days ago. */
export const zonedToday = (daysAgo = 0) =>
  shiftDate(toZonedDate(serverNow(), pageTimeZone()), -daysAgo)
/** Returns the start of the current day in the zone of the page. */
export const beginOfToday = () => zoned(toMoment(zonedToday(), '00:00', pageTimeZone()))
export const isToday = (time: Time) => toZonedDate(time, pageTimeZone()) === zonedToday()
/** Formats a time as `14:03`, with the date unless it is today: `11-20 14:03`. */
export const shortTime = (time: Time) => zoned(time).format(isToday(time) ? 'HH:mm' : 'MM-DD HH:mm')

/**
 * Date pickers compute in the zone of the browser. `toPicker` returns a time that looks there like the project's local
 * time, and `fromPicker` converts the picked time back.
 */
export const toPicker = (time: Time, timeZone = pageTimeZone()) =>
  dayjs(dayjs(time).tz(timeZone).format('YYYY-MM-DDTHH:mm:ss.SSS'))
export const fromPicker = (shown: Dayjs, timeZone = pageTimeZone()) =>
  dayjs(toMoment(shown.format('YYYY-MM-DD'), shown.format('HH:mm:ss.SSS'), timeZone))
export const pickerNow = () => toPicker(serverNow())
