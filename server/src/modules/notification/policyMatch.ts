import { dayModeText, formatPolicyHours } from '@iot/shared/contract/alarm/notificationPolicy'
import { shiftDate } from '@iot/shared/contract/project/calendarDay'
import { toZonedClock, toZonedDate } from '@iot/shared/contract/timeZone'
import type { notificationPolicy } from '../../tables/notification'
import type { NotificationOccasion } from './occasion'

export type PolicyRow = typeof notificationPolicy.$inferSelect
/** Returns whether a date is a day off; undefined if there is no calendar. */
export type DayOffReader = (date: string) => Promise<boolean | undefined>

/**
 * Returns the date to which a moment belongs by the hours of a policy, or undefined outside of them. The hours after
 * midnight belong to the day on which they begin: “周五 22:00–次日 06:00” contains Saturday 03:00.
 */
export function findPolicyDate(
  { fromClock, toClock }: Pick<PolicyRow, 'fromClock' | 'toClock'>,
  time: string,
  timeZone: string,
) {
  const date = toZonedDate(time, timeZone)
  const clock = toZonedClock(time, timeZone)
  if (!fromClock) return date
  if (fromClock < toClock) return clock >= fromClock && clock < toClock ? date : undefined
  if (clock >= fromClock) return date
  return clock < toClock ? shiftDate(date, -1) : undefined
}

/** Returns whether a policy is meant for an occasion at all, whatever the hour. */
export const concernsOccasion = (
  { severities, projectIds }: Pick<PolicyRow, 'severities' | 'projectIds'>,
  { severity, projectId }: Pick<NotificationOccasion, 'severity' | 'projectId'>,
) =>
  severities.includes(severity) &&
  (projectIds.length === 0 || (projectId !== null && projectIds.includes(projectId)))

/** Returns why a policy does not notify at this time, or undefined if it does. */
export async function explainOutsideHours(
  policy: Pick<PolicyRow, 'fromClock' | 'toClock' | 'dayMode'>,
  time: string,
  timeZone: string,
  isDayOff: DayOffReader,
): Promise<string | undefined> {
  const date = findPolicyDate(policy, time, timeZone)
  if (date === undefined) return `不在生效时间（${formatPolicyHours(policy)}）`
  if (policy.dayMode === 'all') return undefined
  const isOff = await isDayOff(date)
  // Every day counts as a workday if there is no calendar, because a message too many is better than none.
  if (isOff === undefined || isOff === (policy.dayMode === 'off')) return undefined
  return `${date} 不是${dayModeText[policy.dayMode]}`
}
