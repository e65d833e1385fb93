import type { News } from './newProblems'

const stored = 'homeAlertsTold'
const kept = 24 * 3600_000

/** Of these, what no tab of this browser has told yet; whoever asks tells it. */
export const untold = (news: News[]): Promise<News[]> =>
  // Tabs hear of the same thing in the same moment. Over plain HTTP there are no locks.
  navigator.locks
    ? navigator.locks.request(stored, () => taken(news))
    : Promise.resolve(taken(news))

function taken(news: News[]) {
  const now = Date.now()
  const told = Object.entries(read()).filter(([, time]) => now - time < kept)
  const known = new Set(told.map(([key]) => key))
  const mine = news.filter(({ keys }) => keys.some((key) => !known.has(key)))
  const keys = mine.flatMap((one) => one.keys)
  try {
    const all = Object.fromEntries([...told, ...keys.map((key) => [key, now])])
    localStorage.setItem(stored, JSON.stringify(all))
  } catch {
    // Storage is full: told in each tab is better than in none.
  }
  return mine
}

function read(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(stored) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}
