import { nameOf, type Known, type News } from './newProblems'

type Way = 'sound' | 'notify'
const stored = 'homeAlertsTold'
/**
 * An ended incident stays recorded as alerted for this time in ms, because hidden tabs learn of it up to a minute
 * later.
 */
const kept = 3 * 60_000

/** Returns the incidents that no tab of this browser has alerted in this way, and marks them as alerted. */
export const untold = (way: Way, news: News[]) =>
  alone(() => {
    const told = read()
    const mine = news.filter(({ keys }) => keys.some((key) => !told.has(`${way} ${key}`)))
    for (const key of mine.flatMap((one) => one.keys)) told.set(`${way} ${key}`, Date.now())
    write(told)
    return mine
  })

/** Keeps the marks of incidents that still last. */
export const keepTold = ({ list }: Known) =>
  alone(() => {
    const told = read()
    const names = new Set(list.map(nameOf))
    for (const key of told.keys())
      if (names.has(key.slice(key.indexOf(' ') + 1))) told.set(key, Date.now())
    if (told.size > 0) write(told)
  })

/**
 * Runs `act` under a lock, because all tabs learn of an incident at the same moment. Pages over plain HTTP have no
 * locks.
 */
const alone = async <T>(act: () => T): Promise<T> =>
  navigator.locks ? await navigator.locks.request(stored, act) : act()

function read() {
  const now = Date.now()
  try {
    const told = JSON.parse(localStorage.getItem(stored) ?? '{}') as Record<string, number>
    return new Map(Object.entries(told).filter(([, time]) => now - time < kept))
  } catch {
    return new Map<string, number>()
  }
}

function write(told: Map<string, number>) {
  try {
    localStorage.setItem(stored, JSON.stringify(Object.fromEntries(told)))
  } catch {
    // When the storage is full, an alert in each tab is better than no alert.
  }
}
