import { dayMs } from '@iot/shared/contract/duration'
import { LRUCache } from 'lru-cache'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { isConfirmed } from '@iot/shared/contract/thingModel/thingValue'

/** Earlier times are impossible: no device existed then, and a clock that was never set starts at 1970 or 2000. */
const firstPlausibleMs = Date.UTC(2020, 0)
/** Clocks set by network time differ by less than this, message delay included. */
const clockToleranceMs = 5 * 60_000
/** Later values belong on the history topics, so an older time on a live value means a wrong clock. */
const maxLateMs = dayMs
/** A device may timestamp a command and its answer out of order by up to this time. */
const commandOrderToleranceMs = 2000
/** A device may report the requested values for this long after its command has ended. */
const commandWindowMs = 60_000
/** Numbers in this range are seconds of the years 2001 to 2286; read as milliseconds they would lie in 1970. */
const isSeconds = (time: number) => time >= 1e9 && time < 1e10

const toMilliseconds = (time: number, now: number) =>
  isSeconds(time) ? Math.min(now, time * 1000 + 999) : Math.floor(time)

/** Replaces an impossible time of an event by the current time. */
export function boundTime(time: number, now: number) {
  const deviceTimeMs = toMilliseconds(time, now)
  return deviceTimeMs < firstPlausibleMs || deviceTimeMs > now ? now : deviceTimeMs
}

export type TimeJudgement = {
  /** Time to which the value applies, in ms of the platform's clock. */
  at: number
  /** The time is older than the command for the same function, so the value is no answer to it. */
  isBeforeCommand: boolean
  /** The value is the first one to confirm a command, so it is newer than all values before it. */
  isFirstAnswer?: true
  /** Difference of the device's clock in ms; null if it is right, undefined if the time does not tell. */
  offsetMs?: number | null
}

type DeviceClockInfo = {
  id: string
  /** Stored offset, used by a process that has not heard from the device yet. */
  clockOffsetMs?: number | null
}

/**
 * Judges all device times, for display, history and ledger alike. If a time is impossible, or precedes the command
 * whose value it confirms, the clock is wrong: this value and the following ones get the current time until the clock
 * has been set.
 */
export function createDeviceClocks() {
  /** Offset of each device clock in ms; null means that the clock is right. */
  const offsets = new LRUCache<string, { ms: number | null }>({ max: 100_000 })
  const commands = new LRUCache<
    string,
    { sentMs: number; value: Values[string]; isAnswered: boolean }
  >({
    max: 100_000,
    ttl: commandWindowMs,
  })

  return {
    recordCommand(deviceId: string, values: Values) {
      for (const [identifier, value] of Object.entries(values))
        commands.set(`${deviceId} ${identifier}`, {
          sentMs: Date.now(),
          value,
          isAnswered: false,
        })
    },
    /** @param isHistory the value came on a history topic, where an old time is intended */
    judge(
      { id, clockOffsetMs = null }: DeviceClockInfo,
      identifier: string,
      value: Values[string],
      time: number | undefined,
      isHistory = false,
    ): TimeJudgement {
      const now = Date.now()
      const command = commands.get(`${id} ${identifier}`)
      const confirmsCommand =
        command !== undefined && !isHistory && isConfirmed(command.value, value)
      const isFirstAnswer = confirmsCommand && !command.isAnswered
      if (isFirstAnswer) command.isAnswered = true
      if (time === undefined) return { at: now, isBeforeCommand: false }
      const deviceTimeMs = toMilliseconds(time, now)
      const offsetMs = deviceTimeMs - now
      const isOlder =
        command !== undefined && deviceTimeMs < command.sentMs - commandOrderToleranceMs
      const isImpossible =
        deviceTimeMs < firstPlausibleMs ||
        offsetMs > clockToleranceMs ||
        (!isHistory && -offsetMs > maxLateMs)
      const isNowWrong = isImpossible || (isOlder && confirmsCommand)
      const previousOffsetMs = offsets.get(id)?.ms ?? (offsets.has(id) ? null : clockOffsetMs)
      const isClose = Math.abs(offsetMs) <= clockToleranceMs
      // A clock that is minutes slow stays within the tolerance; a corrected one is at least twice as close as before.
      const isClockSet =
        previousOffsetMs === null ||
        (isClose && Math.abs(offsetMs) <= Math.abs(previousOffsetMs) / 2)
      if (isNowWrong) offsets.set(id, { ms: offsetMs })
      else if (!isHistory && isClose && isClockSet) offsets.set(id, { ms: null })
      const isWrong = isNowWrong || (!isHistory && !isClockSet)
      return {
        at: isWrong ? now : Math.min(deviceTimeMs, now),
        isBeforeCommand: isOlder && !isWrong,
        ...(isFirstAnswer && { isFirstAnswer }),
        ...(isWrong ? { offsetMs } : !isHistory && isClose && { offsetMs: null }),
      }
    },
  }
}
export type DeviceClocks = ReturnType<typeof createDeviceClocks>
