import type { Db } from '../db/db'
import { findPageAnchor } from './pageAnchors'

/** Simulates a list of the numbers from `from` to `to` and counts the rows that were read past. */
function simulateList(from: number, to: number) {
  const readStats = { rows: 0 }
  const anchorQueries = {
    before: async (id: string, maxRows: number) => {
      const rowsBefore = Math.min(Math.max(0, Number(id) - from), maxRows)
      readStats.rows += rowsBefore
      return rowsBefore
    },
    after: async (id: string | undefined, rows: number) => {
      const position = (id === undefined ? from : Number(id)) + rows
      readStats.rows += rows
      return position < to ? String(position) : undefined
    },
  }
  const findAnchor = async (offset: number) => {
    readStats.rows = 0
    const anchor = await findPageAnchor(db, 'numbers', offset, anchorQueries)
    // The result names the row that was found; it must not depend on the page anchor it was reached from.
    return (
      anchor && { row: Number(anchor.id) + anchor.rows, on: anchor.rows, passed: readStats.rows }
    )
  }
  return findAnchor
}
let db: Db
beforeEach(() => (db = {} as Db))

it('uses no anchor near the beginning or in a short list', async () => {
  expect(await simulateList(0, 100_000)(9_999)).toBeUndefined()
  expect(await simulateList(0, 8_000)(12_000)).toBeUndefined()
})
it('walks from the beginning once and later from the nearest anchor', async () => {
  const findAnchor = simulateList(0, 100_000)
  expect(await findAnchor(54_321)).toEqual({ row: 54_321, on: 4_321, passed: 50_000 })
  expect(await findAnchor(54_330)).toMatchObject({ row: 54_330, passed: 10_000 })
  expect(await findAnchor(23_456)).toEqual({ row: 23_456, on: 3_456, passed: 10_000 })
  expect(await findAnchor(71_000)).toMatchObject({ row: 71_000, passed: 30_000 })
  expect(await findAnchor(100_400)).toMatchObject({ row: 100_400, on: 10_400 })
})
it('adjusts the anchors to rows added or removed before the first one', async () => {
  await simulateList(0, 100_000)(50_000)
  expect(await simulateList(-7, 100_000)(50_000)).toMatchObject({ row: 49_993, passed: 10_007 })
  expect(await simulateList(2_500, 100_000)(50_000)).toMatchObject({ row: 52_500, passed: 7_500 })
})
it('discards the anchors when the first one is gone or too far away', async () => {
  await simulateList(0, 100_000)(50_000)
  expect(await simulateList(12_000, 100_000)(50_000)).toMatchObject({ row: 62_000, passed: 50_000 })
  expect(await simulateList(-50_000, 100_000)(60_000)).toMatchObject({ row: 10_000 })
})
