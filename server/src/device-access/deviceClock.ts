import { LRUCache } from 'lru-cache'
import type { Values } from '@iot/shared/contract/device'
import { isAnswered } from '@iot/shared/contract/thingValue'

/** No device of ours ran before; a clock that was never set counts from 1970 or 2000. */
const firstPlausibleMs = Date.UTC(2020, 0)
/** Clocks that are set by network time differ by less, the way of a message included. */
const toleranceMs = 5 * 60_000
/** What is late by more belongs on the topics for history, so a live value of then comes of a wrong clock. */
const maxLateMs = 24 * 3600_000
/** A command and its answer may overtake each other in the device by so much. */
const orderMs = 2000
/** A device may report what it was asked for a while after its command has ended. */
const commandMs = 60_000
/** Seconds of 2001 to 2286; as milliseconds they would be of 1970. */
const isSeconds = (time: number) => time >= 1e9 && time < 1e10

const toMilliseconds = (time: number, now: number) =>
  isSeconds(time) ? Math.min(now, time * 1000 + 999) : Math.floor(time)

/** Of what happened once, such as an event: a time that cannot be right counts as now. */
export function boundTime(time: number, now: number) {
  const told = toMilliseconds(time, now)
  return told < firstPlausibleMs || told > now ? now : told
}

export type Judged = {
  /** Of when the value counts, in milliseconds of this platform's clock. */
  at: number
  /** The time is older than the command for the same function, so the value is no answer to it. */
  isBeforeCommand: boolean
  /** What the device's clock differs by; undefined where the time says nothing of it. */
  offsetMs?: number | null
}

/**
 * The one rule for times that devices tell, for what is shown, kept and entered in the ledger. A time that cannot be right,
 * or that is before the command whose value it brings, is no clock: the value counts as of now, and so does what follows
 * until the device tells a time of now.
 */
export function createDeviceClocks() {
  const wrongClocks = new LRUCache<string, number>({ max: 100_000 })
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
      deviceId: string,
      identifier: string,
      value: Values[string],
      time: number | undefined,
      isHistory = false,
    ): Judged {
      const now = Date.now()
      const command = commands.get(`${deviceId} ${identifier}`)
      if (time === undefined) return { at: now, isBeforeCommand: false }
      const told = toMilliseconds(time, now)
      const offsetMs = told - now
      const isOlder = command !== undefined && told < command.sentMs - orderMs
      const isAnswerOfThen = isOlder && !isHistory && isAnswered(command.value, value)
      const isImpossible =
        told < firstPlausibleMs || offsetMs > toleranceMs || (!isHistory && -offsetMs > maxLateMs)
      if (isImpossible || isAnswerOfThen) wrongClocks.set(deviceId, offsetMs)
      else if (Math.abs(offsetMs) <= toleranceMs) wrongClocks.delete(deviceId)
      const isWrong = isImpossible || (!isHistory && wrongClocks.has(deviceId))
      return {
        at: isWrong ? now : Math.min(told, now),
        isBeforeCommand: isOlder && !isWrong,
        ...(!isHistory || isImpossible ? { offsetMs: isWrong ? offsetMs : null } : {}),
      }
    },
  }
}
export type DeviceClocks = ReturnType<typeof createDeviceClocks>
