const tries = 20

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
export const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(2)} s`

export async function timeOf(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Returns the percentile `share` (0 to 1) of the times; NaN if there are none. */
export function within(share: number, times: number[]) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
}

export function of95(times: number[]) {
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => within(share, times).toFixed(0))
  return `p50 ${p50} ms, p95 ${p95} ms, at most ${most} ms`
}

export const print = (name: string, text: string) => console.log(`${name.padEnd(26)}${text}`)

export async function report(name: string, work: (n: number) => Promise<unknown>) {
  await work(0)
  const times: number[] = []
  for (let n = 0; n < tries; n++) times.push(await timeOf(() => work(n)))
  print(name, of95(times))
}

/** Repeats a call every `every` milliseconds until the returned function is called, which reports the times. */
export function watchOthers(work: () => Promise<unknown>, every = 50) {
  const times: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      // A keep-alive connection may be closed by the server at the moment it is reused, so failures are ignored.
      times.push(await timeOf(() => work().catch(() => {})))
      await pause(every)
    }
  })()
  return async () => {
    isOver = true
    await asking
    return times
  }
}
