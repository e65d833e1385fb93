import { isFetching } from '../federation/files'

const retryDelayMs = 15_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const getLastResponseEnd = () =>
  (performance.getEntriesByType('resource').at(-1) as PerformanceResourceTiming | undefined)
    ?.responseEnd ?? 0

/** Waits until the browser is idle, because received code may still be rendering. Safari has no such callback. */
const waitForIdleCallback = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve),
  )

async function waitForSilence(quietMs: number) {
  // A slow line may deliver nothing for long although a file is in progress, and a further request would delay that
  // file.
  const getRemainingMs = () =>
    isFetching() ? quietMs : quietMs - (performance.now() - getLastResponseEnd())
  for (let remainingMs = quietMs; remainingMs > 0; remainingMs = getRemainingMs()) {
    await wait(remainingMs)
    await waitForIdleCallback()
  }
}

const sharedWaits = new Map<number, Promise<void>>()
/**
 * Resolves after `quietMs` ms without received data and without a file in progress, so that less urgent code loads after
 * the first rows. Callers with the same time resolve together, because the fetches of one would keep the others
 * waiting.
 */
export function idle(quietMs = 600) {
  const sharedWait =
    sharedWaits.get(quietMs) ?? waitForSilence(quietMs).finally(() => sharedWaits.delete(quietMs))
  sharedWaits.set(quietMs, sharedWait)
  return sharedWait
}

/**
 * Loads something optional when idle, and retries until it loads. A feature that needs it sooner reports its own
 * failure.
 */
export async function whenIdle<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    await idle()
    try {
      return await load()
    } catch {
      await wait(retryDelayMs)
    }
  }
}
