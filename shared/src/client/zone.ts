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
 * A moment with the clock of the zone that the page shows times in.
 * @example zoned(row.createTime).format('YYYY-MM-DD HH:mm')
 */
export const zoned = (time: Time) => dayjs(time).tz(pageTimeZone())
/** Now, by the server's clock, in that zone. */
export const zonedNow = () => zoned(serverNow())

/** The date it is there, or was so many days ago. */
export const zonedToday = (daysAgo = 0) =>
  shiftDate(toZonedDate(serverNow(), pageTimeZone()), -daysAgo)
/** When the day began there. */
export const beginOfToday = () => zoned(toMoment(zonedToday(), '00:00', pageTimeZone()))
export const isToday = (time: Time) => toZonedDate(time, pageTimeZone()) === zonedToday()
/** `14:03`, with the day where it is not today's: `11-20 14:03`. */
export const shortTime = (time: Time) => zoned(time).format(isToday(time) ? 'HH:mm' : 'MM-DD HH:mm')

/**
 * Pickers reckon in the browser's own zone: they are given a moment that shows the clock of the project there, and what
 * they answer is read back by `fromPicker`.
 */
export const toPicker = (time: Time, timeZone = pageTimeZone()) =>
  dayjs(dayjs(time).tz(timeZone).format('YYYY-MM-DDTHH:mm:ss.SSS'))
export const fromPicker = (shown: Dayjs, timeZone = pageTimeZone()) =>
  dayjs(toMoment(shown.format('YYYY-MM-DD'), shown.format('HH:mm:ss.SSS'), timeZone))
export const pickerNow = () => toPicker(serverNow())
