import { isFetching } from '../federation/files'

const again = 15_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const lastCame = () =>
  (performance.getEntriesByType('resource').at(-1) as PerformanceResourceTiming | undefined)
    ?.responseEnd ?? 0

/** Waits until the browser is idle, because received code may still be rendering. Safari has no such callback. */
const drawn = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve),
  )

async function silence(quiet: number) {
  // A slow line may deliver nothing for long although a file is in progress, and a further request would delay that
  // file.
  const left = () => (isFetching() ? quiet : quiet - (performance.now() - lastCame()))
  for (let more = quiet; more > 0; more = left()) {
    await wait(more)
    await drawn()
  }
}

const waiting = new Map<number, Promise<void>>()
/**
 * Resolves after `quiet` ms without received data and without a file in progress, so that less urgent code loads after
 * the first rows. Callers with the same time resolve together, because the fetches of one would keep the others
 * waiting.
 */
export function idle(quiet = 600) {
  const shared = waiting.get(quiet) ?? silence(quiet).finally(() => waiting.delete(quiet))
  waiting.set(quiet, shared)
  return shared
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
      await wait(again)
    }
  }
}
