import dayjs, { type Dayjs } from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'
import { projectTimeZone } from '../contract/timeZone'
import { serverNow } from './serverClock'

dayjs.extend(utc)
dayjs.extend(timezone)

type Time = string | number | Date

/**
 * A moment with the clock of the project's zone.
 * @example zoned(row.createTime).format('YYYY-MM-DD HH:mm')
 */
export const zoned = (time: Time) => dayjs(time).tz(projectTimeZone)
/** Now, by the server's clock, in the project's zone. */
export const zonedNow = () => zoned(serverNow())

export const isToday = (time: Time) =>
  zoned(time).format('YYYY-MM-DD') === zonedNow().format('YYYY-MM-DD')
/** `14:03`, with the day where it is not today's: `11-20 14:03`. */
export const shortTime = (time: Time) => zoned(time).format(isToday(time) ? 'HH:mm' : 'MM-DD HH:mm')

const wall = 'YYYY-MM-DDTHH:mm:ss.SSS'
/**
 * Pickers reckon in the browser's own zone: they are given a moment that shows the project's clock there, and what they
 * answer is read back by `fromPicker`.
 */
export const toPicker = (time: Time) => dayjs(zoned(time).format(wall))
export const fromPicker = (shown: Dayjs) => dayjs.tz(shown.format(wall), projectTimeZone)
export const pickerNow = () => toPicker(serverNow())
