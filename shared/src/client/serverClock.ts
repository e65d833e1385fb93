import { clock } from '../contract/clock'

/** Maximum drift between two clocks as a share of the elapsed time. */
const maxDrift = 0.001
/** Maximum delay of a live message in ms. */
const maxLiveDelayMs = 5000

/** Bounds of the server's clock minus this device's in ms, and the time when they were learned. */
type Offset = { low: number; high: number; atMs: number }
let offset: Offset | undefined

/**
 * Learns the server time that was read between two moments of this device's clock. Each response narrows the bounds; a
 * contradicting one replaces them, because this device's clock has been set.
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
 * Returns the current time in ms by the server's clock, or by this device's before the first response. Ages and
 * countdowns use it, because the clock of a browser may be days off.
 */
export const serverNow = () =>
  Math.round(Date.now() + (offset ? (offset.low + offset.high) / 2 : 0))

clock.now = serverNow
