import { getProblemKey, type ProblemSnapshot, type NewProblemGroup } from './newProblems'

type AlertChannel = 'sound' | 'notify'
const storageKey = 'homeAlertsTold'
/**
 * An ended incident stays recorded as alerted for this time in ms, because hidden tabs learn of it up to a minute
 * later.
 */
const markLifetimeMs = 3 * 60_000

/** Returns the incidents that no tab of this browser has alerted in this way, and marks them as alerted. */
export const claimUnalertedProblems = (channel: AlertChannel, groups: NewProblemGroup[]) =>
  withAlertLock(() => {
    const alertTimes = readAlertTimes()
    const claimedGroups = groups.filter(({ keys }) =>
      keys.some((key) => !alertTimes.has(`${channel} ${key}`)),
    )
    for (const key of claimedGroups.flatMap((group) => group.keys))
      alertTimes.set(`${channel} ${key}`, Date.now())
    writeAlertTimes(alertTimes)
    return claimedGroups
  })

/** Keeps the marks of incidents that still last. */
export const renewAlertMarks = ({ list }: ProblemSnapshot) =>
  withAlertLock(() => {
    const alertTimes = readAlertTimes()
    const problemKeys = new Set(list.map(getProblemKey))
    for (const key of alertTimes.keys())
      if (problemKeys.has(key.slice(key.indexOf(' ') + 1))) alertTimes.set(key, Date.now())
    if (alertTimes.size > 0) writeAlertTimes(alertTimes)
  })

/**
 * Runs `task` under a lock, because all tabs learn of an incident at the same moment. Pages over plain HTTP have no
 * locks.
 */
const withAlertLock = async <T>(task: () => T): Promise<T> =>
  navigator.locks ? await navigator.locks.request(storageKey, task) : task()

function readAlertTimes() {
  const now = Date.now()
  try {
    const storedTimes = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<
      string,
      number
    >
    return new Map(Object.entries(storedTimes).filter(([, time]) => now - time < markLifetimeMs))
  } catch {
    return new Map<string, number>()
  }
}

function writeAlertTimes(alertTimes: Map<string, number>) {
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(alertTimes)))
  } catch {
    // When the storage is full, an alert in each tab is better than no alert.
  }
}
