import { LRUCache } from 'lru-cache'
import type { Values } from '@iot/shared/contract/device'
import { isAnswered } from '@iot/shared/contract/thingValue'

/** No device of ours ran before; a clock that was never set counts from 1970 or 2000. */
const firstPlausibleMs = Date.UTC(2020, 0)
/** Clocks that are set by network time differ by less, the way of a message included. */
const toleranceMs = 5 * 60_000
/** Later values belong on the history topics, so a live value with such a time comes from a wrong clock. */
const maxLateMs = 24 * 3600_000
/** A command and its answer may overtake each other in the device by so much. */
const orderMs = 2000
/** A device may report what it was asked for a while after its command has ended. */
const commandMs = 60_000
/** Seconds of 2001 to 2286; as milliseconds they would be of 1970. */
const isSeconds = (time: number) => time >= 1e9 && time < 1e10

const toMilliseconds = (time: number, now: number) =>
  isSeconds(time) ? Math.min(now, time * 1000 + 999) : Math.floor(time)

/** Bounds the time of a single occurrence such as an event: a time that cannot be right counts as now. */
export function boundTime(time: number, now: number) {
  const deviceTimeMs = toMilliseconds(time, now)
  return deviceTimeMs < firstPlausibleMs || deviceTimeMs > now ? now : deviceTimeMs
}

export type Judged = {
  /** Timestamp that the value counts with, in milliseconds of the platform's clock. */
  at: number
  /** The time is older than the command for the same function, so the value is no answer to it. */
  isBeforeCommand: boolean
  /** Offset of the device's clock in milliseconds; undefined where the time tells nothing about it. */
  offsetMs?: number | null
}

type Clocked = {
  id: string
  /** Stored offset, for a process that has not received a message of the device yet. */
  clockOffsetMs?: number | null
}

/**
 * The one rule for times that devices tell, for what is shown, kept and entered in the ledger. A time that cannot be right,
 * or that is before the command whose value it brings, is no clock: the value counts as of now, and so does what follows
 * until the clock was set.
 */
export function createDeviceClocks() {
  /** Offset of each device's clock in milliseconds; null where the clock is right. */
  const offsets = new LRUCache<string, { ms: number | null }>({ max: 100_000 })
  const commands = new LRUCache<string, { sentMs: number; value: Values[string] }>({
    max: 100_000,
    ttl: commandMs,
  })

  return {
    noteCommand(deviceId: string, values: Values) {
      for (const [identifier, value] of Object.entries(values))
        commands.set(`${deviceId} ${identifier}`, { sentMs: Date.now(), value })
    },
    /** @param isHistory came on a topic for what was not sent in time: an old time is meant */
    judge(
      { id, clockOffsetMs = null }: Clocked,
      identifier: string,
      value: Values[string],
      time: number | undefined,
      isHistory = false,
    ): Judged {
      const now = Date.now()
      if (time === undefined) return { at: now, isBeforeCommand: false }
      const deviceTimeMs = toMilliseconds(time, now)
      const offsetMs = deviceTimeMs - now
      const command = commands.get(`${id} ${identifier}`)
      const isOlder = command !== undefined && deviceTimeMs < command.sentMs - orderMs
      const isAnswerOfThen = isOlder && !isHistory && isAnswered(command.value, value)
      const isImpossible =
        deviceTimeMs < firstPlausibleMs ||
        offsetMs > toleranceMs ||
        (!isHistory && -offsetMs > maxLateMs)
      const isNowWrong = isImpossible || isAnswerOfThen
      const before = offsets.get(id)?.ms ?? (offsets.has(id) ? null : clockOffsetMs)
      const isClose = Math.abs(offsetMs) <= toleranceMs
      // A clock that is minutes slow stays within the tolerance; one that was set is much nearer than before.
      const isSet = before === null || (isClose && Math.abs(offsetMs) <= Math.abs(before) / 2)
      if (isNowWrong) offsets.set(id, { ms: offsetMs })
      else if (!isHistory && isClose && isSet) offsets.set(id, { ms: null })
      const isWrong = isNowWrong || (!isHistory && !isSet)
      return {
        at: isWrong ? now : Math.min(deviceTimeMs, now),
        isBeforeCommand: isOlder && !isWrong,
        ...(isWrong ? { offsetMs } : !isHistory && isClose && { offsetMs: null }),
      }
    },
  }
}
export type DeviceClocks = ReturnType<typeof createDeviceClocks>
