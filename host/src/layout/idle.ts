const quiet = 600

/** When nothing has come for a while: what the first row of a list need not wait for is fetched then. */
export async function idle() {
  const last = () => performance.getEntriesByType('resource').at(-1) as PerformanceResourceTiming
  do await new Promise((resolve) => setTimeout(resolve, quiet))
  while (performance.now() - (last()?.responseEnd ?? 0) < quiet)
}
