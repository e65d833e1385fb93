/**
 * Returns a function whose simultaneous callers with the same key share one run. The next call after its end runs
 * again; with `keepsResults` only a failed run is repeated.
 * @example const readRecord = createSingleFlight((hash: string) => fetchRecord(hash), { keepsResults: true })
 */
export function createSingleFlight<Key, Args extends unknown[], T>(
  run: (key: Key, ...args: Args) => Promise<T>,
  { keepsResults = false } = {},
) {
  const runsByKey = new Map<Key, Promise<T>>()
  return (key: Key, ...args: Args): Promise<T> => {
    const sharedRun = runsByKey.get(key)
    if (sharedRun) return sharedRun
    const forget = () => void runsByKey.delete(key)
    const newRun = run(key, ...args)
    runsByKey.set(key, newRun)
    newRun.then(keepsResults ? undefined : forget, forget)
    return newRun
  }
}
