import { LRUCache } from 'lru-cache'
import type { Db } from './db'

/** Two neighbouring page anchors are this many rows apart. */
const step = 10_000
const life = 10 * 60_000

type Steps = {
  /** Number of rows before this one, counted up to `most`; 0 if the row no longer exists. */
  before: (id: string, most: number) => Promise<number>
  /** Id of the row that lies `rows` rows after another row, or after the beginning of the list. */
  after: (id: string | undefined, rows: number) => Promise<string | undefined>
}

const known = new WeakMap<Db, LRUCache<string, string[]>>()
const knownTo = (db: Db) => {
  const kept = known.get(db) ?? new LRUCache({ max: 100, ttl: life, noUpdateTTL: true })
  known.set(db, kept)
  return kept
}

/**
 * Remembers every ten-thousandth row of a long list as a page anchor for ten minutes, so that a page deep in the list
 * can start from the nearest anchor. Rows added or removed before the first anchor are counted again at each call.
 * @param list key that identifies the list with its filters and order
 * @returns the nearest anchor and the number of rows from it to `offset`; undefined if `offset` lies before the first
 * anchor
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
