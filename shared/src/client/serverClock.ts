import { clock } from '../contract/clock'

/** Maximum drift between two clocks as a share of the elapsed time. */
const maxDriftRatio = 0.001
/** Maximum delay of a live message in ms. */
const maxLiveDelayMs = 5000

/** Bounds of the server's clock minus this device's in ms, and the time when they were learned. */
type ClockOffset = { low: number; high: number; atMs: number }
let offset: ClockOffset | undefined

/**
 * Learns the server time that was read between two moments of this device's clock. Each response narrows the bounds; a
 * contradicting one replaces them, because this device's clock has been set.
 */
export function learnServerTime(serverMs: number, sentMs: number, receivedMs: number) {
  if (!Number.isFinite(serverMs)) return
  const [lowMs, highMs] = [serverMs - receivedMs, serverMs - sentMs]
  const driftMs = offset ? Math.abs(receivedMs - offset.atMs) * maxDriftRatio : 0
  const isConsistent = offset && lowMs <= offset.high + driftMs && highMs >= offset.low - driftMs
  offset = isConsistent
    ? {
        low: Math.max(lowMs, offset!.low - driftMs),
        high: Math.min(highMs, offset!.high + driftMs),
        atMs: receivedMs,
      }
    : { low: lowMs, high: highMs, atMs: receivedMs }
}

export const learnTimeFromLiveMessage = (serverMs: number) =>
  learnServerTime(serverMs, Date.now() - maxLiveDelayMs, Date.now())

export const isServerTimeKnown = () => offset !== undefined

/**
 * Returns the current time in ms by the server's clock, or by this device's before the first response. Ages and
 * countdowns use it, because the clock of a browser may be days off.
 */
export const serverNow = () =>
  Math.round(Date.now() + (offset ? (offset.low + offset.high) / 2 : 0))

clock.now = serverNow

/** @deprecated Use {@link learnTimeFromLiveMessage}; kept for remotes that were built before. */
export const learnLiveTime = learnTimeFromLiveMessage
