import { LRUCache } from 'lru-cache'
import type { Db } from './db'

/** Rows from one to the next. */
const step = 10_000
const life = 10 * 60_000

type Steps = {
  /** How many rows lie before it, counted so far; none where it is gone. */
  before: (id: string, most: number) => Promise<number>
  /** The row that follows so many rows after another, or after the beginning. */
  after: (id: string | undefined, rows: number) => Promise<string | undefined>
}

const known = new WeakMap<Db, LRUCache<string, string[]>>()
const knownTo = (db: Db) => {
  const kept = known.get(db) ?? new LRUCache({ max: 100, ttl: life, noUpdateTTL: true })
  known.set(db, kept)
  return kept
}

/**
 * Every ten thousandth row of a long list, remembered for ten minutes as far as somebody went: a page far down that is
 * asked for by its number begins at the nearest, and how many rows on. What came or went before the first is counted
 * anew each time.
 * @param list what tells it from others
 */
export async function landmark(db: Db, list: string, offset: number, { before, after }: Steps) {
  const ids = [...(knownTo(db).get(list) ?? [])]
  let first = ids[0] ? await before(ids[0], 2 * step) : 0
  if (first === 0 || first === 2 * step) {
    const id = await after(undefined, step)
    if (!id) return undefined
    ids.splice(0, ids.length, id)
    first = step
  }
  if (offset < first) return undefined
  let at = Math.min(Math.floor((offset - first) / step), ids.length - 1)
  for (; first + (at + 1) * step <= offset; at++) {
    const id = await after(ids[at], step)
    if (!id) break
    ids.push(id)
  }
  knownTo(db).set(list, ids)
  return { id: ids[at]!, rows: offset - first - at * step }
}
