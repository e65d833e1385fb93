import { pickSize } from '../tools/size'

const repetitions = pickSize(20, 1)

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
export const formatElapsedSeconds = (startTime: number) =>
  `${((performance.now() - startTime) / 1000).toFixed(2)} s`

export async function measureTimeMs(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Returns the percentile `share` (0 to 1) of the times; NaN if there are none. */
export function getPercentile(share: number, times: number[]) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
}

export function formatPercentiles(times: number[]) {
  const [p50, p95, maximum] = [0.5, 0.95, 1].map((share) => getPercentile(share, times).toFixed(0))
  return `p50 ${p50} ms, p95 ${p95} ms, at most ${maximum} ms`
}

export const printFigure = (name: string, text: string) => console.log(`${name.padEnd(26)}${text}`)

export async function reportTimes(name: string, work: (n: number) => Promise<unknown>) {
  await work(0)
  const times: number[] = []
  for (let n = 0; n < repetitions; n++) times.push(await measureTimeMs(() => work(n)))
  printFigure(name, formatPercentiles(times))
}

/** Repeats a call every `intervalMs` milliseconds until the returned function is called, which reports the times. */
export function measureInBackground(work: () => Promise<unknown>, intervalMs = 50) {
  const times: number[] = []
  let isStopped = false
  const measureLoop = (async () => {
    while (!isStopped) {
      // A keep-alive connection may be closed by the server at the moment it is reused, so failures are ignored.
      times.push(await measureTimeMs(() => work().catch(() => {})))
      await pause(intervalMs)
    }
  })()
  return async () => {
    isStopped = true
    await measureLoop
    return times
  }
}
