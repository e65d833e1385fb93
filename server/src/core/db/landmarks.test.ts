import type { Db } from './db'
import { landmark } from './landmarks'

/** Simulates a list of the numbers from `from` to `to` and counts the rows that were read past. */
function list(from: number, to: number) {
  const passed = { rows: 0 }
  const steps = {
    before: async (id: string, most: number) => {
      const before = Math.min(Math.max(0, Number(id) - from), most)
      passed.rows += before
      return before
    },
    after: async (id: string | undefined, rows: number) => {
      const at = (id === undefined ? from : Number(id)) + rows
      passed.rows += rows
      return at < to ? String(at) : undefined
    },
  }
  const near = async (offset: number) => {
    passed.rows = 0
    const found = await landmark(db, 'numbers', offset, steps)
    // The result names the row that was found; it must not depend on the page anchor it was reached from.
    return found && { row: Number(found.id) + found.rows, on: found.rows, passed: passed.rows }
  }
  return near
}
let db: Db
beforeEach(() => (db = {} as Db))

it('leaves what is near the beginning, and lists that are short, to the beginning', async () => {
  expect(await list(0, 100_000)(9_999)).toBeUndefined()
  expect(await list(0, 8_000)(12_000)).toBeUndefined()
})
it('goes the whole way once, as far as it is asked, and later from the nearest', async () => {
  const near = list(0, 100_000)
  expect(await near(54_321)).toEqual({ row: 54_321, on: 4_321, passed: 50_000 })
  expect(await near(54_330)).toMatchObject({ row: 54_330, passed: 10_000 })
  expect(await near(23_456)).toEqual({ row: 23_456, on: 3_456, passed: 10_000 })
  expect(await near(71_000)).toMatchObject({ row: 71_000, passed: 30_000 })
  expect(await near(100_400)).toMatchObject({ row: 100_400, on: 10_400 })
})
it('counts what came or went before the first of them', async () => {
  await list(0, 100_000)(50_000)
  expect(await list(-7, 100_000)(50_000)).toMatchObject({ row: 49_993, passed: 10_007 })
  expect(await list(2_500, 100_000)(50_000)).toMatchObject({ row: 52_500, passed: 7_500 })
})
it('begins anew where the first is gone, or far', async () => {
  await list(0, 100_000)(50_000)
  expect(await list(12_000, 100_000)(50_000)).toMatchObject({ row: 62_000, passed: 50_000 })
  expect(await list(-50_000, 100_000)(60_000)).toMatchObject({ row: 10_000 })
})
