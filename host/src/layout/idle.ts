const quiet = 600
const again = 15_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** When nothing has come for a while: what the first row of a list need not wait for is fetched then. */
export async function idle() {
  const last = () => performance.getEntriesByType('resource').at(-1) as PerformanceResourceTiming
  do await wait(quiet)
  while (performance.now() - (last()?.responseEnd ?? 0) < quiet)
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
