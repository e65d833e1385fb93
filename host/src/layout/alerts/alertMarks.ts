/**
 * Creates marks that all tabs of this browser share, so that one of them shows what all of them learn of.
 * @param storageKey where the marks are stored
 * @param lifetimeMs marks are forgotten after this time
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
    /** Returns the items whose key no tab has shown in this way, and marks them as shown. */
    claim: <T extends { key: string }>(channel: string, items: T[]) =>
      withLock(() => {
        const markTimes = readMarks()
        const claimedItems = items.filter(({ key }) => !markTimes.has(`${channel} ${key}`))
        for (const { key } of claimedItems) markTimes.set(`${channel} ${key}`, Date.now())
        if (claimedItems.length > 0) writeMarks(markTimes)
        return claimedItems
      }),
  }
}
