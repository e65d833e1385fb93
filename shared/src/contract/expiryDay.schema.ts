import * as z from './zod'
import { toEpochMs, platformTimeZone } from './timeZone'
import { clock } from './clock'

/**
 * An expiry date in a file, valid to the end of that day by the server's clock; empty means no expiry. A date cell
 * arrives as midnight of its day.
 */
export const ExpiryDay = z
  .string()
  .trim()
  .max(32, '有效期至须为日期，如 2027-12-31')
  .transform((text, context) => {
    if (text === '') return null
    const addIssueAndStop = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const parts =
      /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]00:00:00(?:\.000)?Z?)?$/.exec(text) ?? []
    const day = parts
      .slice(1)
      .map((part) => part.padStart(2, '0'))
      .join('-')
    if (!z.iso.date().safeParse(day).success)
      return addIssueAndStop('有效期至须为日期，如 2027-12-31；留空为长期有效')
    const endOfDay = new Date(toEpochMs(day, '23:59:59.999', platformTimeZone))
    return endOfDay.getTime() < clock.now()
      ? addIssueAndStop('有效期至不能早于今天')
      : endOfDay.toISOString()
  })
