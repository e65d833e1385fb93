import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db'

/** Two neighbouring page anchors are this many rows apart. */
const rowsPerAnchor = 10_000
const anchorTtlMs = 10 * 60_000

type AnchorQueries = {
  /** Number of rows before this one, counted up to `maxRows`; 0 if the row no longer exists. */
  before: (id: string, maxRows: number) => Promise<number>
  /** Id of the row that lies `rows` rows after another row, or after the beginning of the list. */
  after: (id: string | undefined, rows: number) => Promise<string | undefined>
}

const anchorCaches = new WeakMap<Db, LRUCache<string, string[]>>()
const getAnchorCache = (db: Db) => {
  const cache =
    anchorCaches.get(db) ?? new LRUCache({ max: 100, ttl: anchorTtlMs, noUpdateTTL: true })
  anchorCaches.set(db, cache)
  return cache
}

/**
 * Remembers every ten-thousandth row of a long list as a page anchor for ten minutes, so that a page deep in the list
 * can start from the nearest anchor. Rows added or removed before the first anchor are counted again at each call.
 * @param listKey key that identifies the list with its filters and order
 * @returns the nearest anchor and the number of rows from it to `offset`; undefined if `offset` lies before the first
 * anchor
 */
export async function findPageAnchor(
  db: Db,
  listKey: string,
  offset: number,
  { before, after }: AnchorQueries,
) {
  const ids = [...(getAnchorCache(db).get(listKey) ?? [])]
  let firstOffset = ids[0] ? await before(ids[0], 2 * rowsPerAnchor) : 0
  if (firstOffset === 0 || firstOffset === 2 * rowsPerAnchor) {
    const id = await after(undefined, rowsPerAnchor)
    if (!id) return undefined
    ids.splice(0, ids.length, id)
    firstOffset = rowsPerAnchor
  }
  if (offset < firstOffset) return undefined
  let anchorIndex = Math.min(Math.floor((offset - firstOffset) / rowsPerAnchor), ids.length - 1)
  for (; firstOffset + (anchorIndex + 1) * rowsPerAnchor <= offset; anchorIndex++) {
    const id = await after(ids[anchorIndex], rowsPerAnchor)
    if (!id) break
    ids.push(id)
  }
  getAnchorCache(db).set(listKey, ids)
  return { id: ids[anchorIndex]!, rows: offset - firstOffset - anchorIndex * rowsPerAnchor }
}
