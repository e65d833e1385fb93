import { isFetching } from '../federation/files'

const again = 15_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const lastCame = () =>
  (performance.getEntriesByType('resource').at(-1) as PerformanceResourceTiming | undefined)
    ?.responseEnd ?? 0

/** What came may still be being drawn. Safari cannot be asked. */
const drawn = () =>
  new Promise<unknown>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve),
  )

async function silence(quiet: number) {
  // On a slow line nothing comes for long although it was asked for, and what is asked for beside it makes it wait.
  const left = () => (isFetching() ? quiet : quiet - (performance.now() - lastCame()))
  for (let more = quiet; more > 0; more = left()) {
    await wait(more)
    await drawn()
  }
}

const waiting = new Map<number, Promise<void>>()
/**
 * When nothing has come for a while (ms), and no file is on its way: what the first row of a list need not wait for is
 * fetched then. All who wait as long go on at the same moment: what one of them fetches would keep the others waiting again.
 */
export function idle(quiet = 600) {
  const shared = waiting.get(quiet) ?? silence(quiet).finally(() => waiting.delete(quiet))
  waiting.set(quiet, shared)
  return shared
}

/** Fetches when idle what nobody asked for, again and again until it comes: what one works with says why itself. */
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
