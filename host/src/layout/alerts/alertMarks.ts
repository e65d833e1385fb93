/**
 * Creates marks that all tabs of this browser share, so that one of them shows what all of them learn of.
 * @param storageKey where the marks are stored
 * @param lifetimeMs marks that are not renewed are forgotten after this time
 */
export function createAlertMarks(storageKey: string, lifetimeMs: number) {
  /**
   * Runs `task` under a lock, because all tabs learn of an incident at the same moment. Pages over plain HTTP have no
   * locks.
   */
  const withLock = async <T>(task: () => T): Promise<T> =>
    navigator.locks ? await navigator.locks.request(storageKey, task) : task()

  function readMarks() {
    const now = Date.now()
    try {
      const storedTimes = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<
        string,
        number
      >
      return new Map(Object.entries(storedTimes).filter(([, time]) => now - time < lifetimeMs))
    } catch {
      return new Map<string, number>()
    }
  }
  function writeMarks(markTimes: Map<string, number>) {
    try {
      localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(markTimes)))
    } catch {
      // When the storage is full, an alert in each tab is better than no alert.
    }
  }

  return {
    /** Returns the items of which no tab has shown a key in this way, and marks them as shown. */
    claim: <T extends { keys: string[] }>(channel: string, items: T[]) =>
      withLock(() => {
        const markTimes = readMarks()
        const claimedItems = items.filter(({ keys }) =>
          keys.some((key) => !markTimes.has(`${channel} ${key}`)),
        )
        for (const key of claimedItems.flatMap((item) => item.keys))
          markTimes.set(`${channel} ${key}`, Date.now())
        writeMarks(markTimes)
        return claimedItems
      }),
    /** Keeps the marks of keys that still last. */
    renew: (keys: string[]) =>
      withLock(() => {
        const markTimes = readMarks()
        const lastingKeys = new Set(keys)
        for (const mark of markTimes.keys())
          if (lastingKeys.has(mark.slice(mark.indexOf(' ') + 1))) markTimes.set(mark, Date.now())
        if (markTimes.size > 0) writeMarks(markTimes)
      }),
  }
}
