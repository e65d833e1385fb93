import { clock } from '../contract/clock'

/** Two clocks drift apart by less than this share of the time that passes. */
const maxDrift = 0.001
/** A message of the live channel is on its way for less than this. */
const maxLiveDelayMs = 5000

/** Between which two values the server's clock minus this device's lies, and when that was learned. */
type Offset = { low: number; high: number; atMs: number }
let offset: Offset | undefined

/**
 * Takes a time of the server that was read between two moments of this device's clock. Each answer narrows what is known;
 * one that contradicts it replaces it, because this device's clock was set meanwhile.
 */
export function learnServerTime(serverMs: number, sentMs: number, receivedMs: number) {
  if (!Number.isFinite(serverMs)) return
  const [low, high] = [serverMs - receivedMs, serverMs - sentMs]
  const slack = offset ? Math.abs(receivedMs - offset.atMs) * maxDrift : 0
  const isAgreed = offset && low <= offset.high + slack && high >= offset.low - slack
  offset = isAgreed
    ? {
        low: Math.max(low, offset!.low - slack),
        high: Math.min(high, offset!.high + slack),
        atMs: receivedMs,
      }
    : { low, high, atMs: receivedMs }
}

export const learnLiveTime = (serverMs: number) =>
  learnServerTime(serverMs, Date.now() - maxLiveDelayMs, Date.now())

export const isServerTimeKnown = () => offset !== undefined

/**
 * Now, in milliseconds, by the server's clock; by this device's until the first answer came. Ages and countdowns are
 * reckoned against it, because a browser's clock may be days off.
 */
export const serverNow = () =>
  Math.round(Date.now() + (offset ? (offset.low + offset.high) / 2 : 0))

clock.now = serverNow
