import { dayMs, hourMs } from '@iot/shared/contract/duration'

/** A backup that fails is tried again, but not so often that it disturbs the platform all day. */
const maxAttempts = 3
const retryDelayMs = hourMs

export type ScheduledAttempt = { startMs: number; isFailed: boolean }

/** Returns the latest moment, not after `nowMs`, at which the clock of this process shows the time of day. */
export function getLastDueMs(at: string, nowMs: number) {
  const todayMs = toTimeOfDay(at, nowMs)
  return todayMs <= nowMs ? todayMs : toTimeOfDay(at, nowMs - dayMs)
}

export function getNextDueMs(at: string, nowMs: number) {
  const todayMs = toTimeOfDay(at, nowMs)
  return todayMs > nowMs ? todayMs : toTimeOfDay(at, nowMs + dayMs)
}

/** Days with a change to summer time are not 24 hours long, so the time is set on the date. */
function toTimeOfDay(at: string, dayTimeMs: number) {
  const [hours, minutes] = at.split(':').map(Number)
  return new Date(dayTimeMs).setHours(hours!, minutes!, 0, 0)
}

/**
 * Returns true if a scheduled backup is to start now. One that was missed while no process ran is made up for.
 * @param attempts scheduled backups since the last due moment, in any order
 */
export function isBackupDue(attempts: ScheduledAttempt[], nowMs: number) {
  if (attempts.some(({ isFailed }) => !isFailed) || attempts.length >= maxAttempts) return false
  return attempts.every(({ startMs }) => nowMs - startMs >= retryDelayMs)
}
