import { log } from '../logging/log'
import { createWriteBehind, type WriteBehindOptions } from './writeBehind'

let errorSpy: jest.SpyInstance
const readLog = () => errorSpy.mock.calls.map(([, text]) => String(text))
beforeEach(() => {
  jest.useFakeTimers()
  errorSpy = jest.spyOn(log, 'error').mockImplementation(() => {})
})
afterEach(() => {
  jest.useRealTimers()
  errorSpy.mockRestore()
})

/** A writer of numbers; the database is away as long as `isAway` is true. */
function createNumberWriter(options: Partial<WriteBehindOptions<number>> = {}) {
  const batches: number[][] = []
  const database = { isAway: false }
  const writer = createWriteBehind<number>({
    name: '数字',
    delayMs: 100,
    retryDelayMs: 1000,
    maxRows: 10,
    async write(rows) {
      if (database.isAway) throw new Error('away')
      batches.push(rows)
    },
    ...options,
  })
  return { writer, batches, database }
}

it('writes the rows of an interval in one batch, in their order', async () => {
  const { writer, batches } = createNumberWriter()
  for (const row of [1, 1, 2]) writer.add(row)
  expect(writer.countPending()).toBe(3)
  await jest.advanceTimersByTimeAsync(100)
  expect(batches).toEqual([[1, 1, 2]])
  expect(jest.getTimerCount()).toBe(0)
})

it('keeps one pending row for each key', async () => {
  const { writer, batches } = createNumberWriter()
  for (const key of ['a', 'b', 'a']) writer.change(key, (count = 0) => count + 1)
  await writer.flush()
  expect(batches).toEqual([[2, 1]])
})

it('keeps rows while the database is away, and writes them again with the newer ones', async () => {
  const { writer, batches, database } = createNumberWriter()
  database.isAway = true
  writer.add(1)
  await writer.flush()
  writer.add(2)
  database.isAway = false
  await jest.advanceTimersByTimeAsync(1000)
  expect(batches).toEqual([[1, 2]])
  expect(readLog()).toEqual(['数字暂未写入：away'])
})

it('merges a failed row with one of the same key that was added during the write', async () => {
  const batches: number[][] = []
  let failWrite: (() => void) | undefined
  const { writer } = createNumberWriter({
    merge: (failed, newer) => failed * 10 + newer,
    async write(rows) {
      if (batches.push(rows) > 1) return
      await new Promise((_resolve, reject) => (failWrite = () => reject(new Error('away'))))
    },
  })
  writer.change('a', () => 1)
  const firstWrite = writer.flush()
  await jest.advanceTimersByTimeAsync(0)
  writer.change('a', () => 2)
  writer.change('b', () => 5)
  failWrite!()
  await firstWrite
  await writer.flush()
  expect(batches).toEqual([[1], [12, 5]])
})

it('does not write rows twice that were stored before a later part failed', async () => {
  const batches: number[][] = []
  let isAway = true
  const { writer } = createNumberWriter({
    maxRowsPerWrite: 2,
    async write(rows) {
      if (isAway && batches.length === 1) throw new Error('away')
      batches.push(rows)
    },
  })
  for (const row of [1, 2, 3]) writer.add(row)
  await writer.flush()
  isAway = false
  await writer.flush()
  expect(batches).toEqual([[1, 2], [3]])
})

it('drops the oldest rows at the limit and logs how many, at most once a minute', async () => {
  const { writer, batches } = createNumberWriter()
  for (let row = 1; row <= 13; row++) writer.add(row)
  expect(readLog()).toEqual(['数字：最多暂存 10 条，已舍弃 2 条'])
  await writer.flush()
  expect(batches).toEqual([[5, 6, 7, 8, 9, 10, 11, 12, 13]])
  await jest.advanceTimersByTimeAsync(60_000)
  expect(readLog()).toEqual([
    '数字：最多暂存 10 条，已舍弃 2 条',
    '数字：最多暂存 10 条，已舍弃 2 条',
  ])
})

it('refuses new keys at the limit if the oldest are kept, but still changes pending rows', async () => {
  const { writer, batches } = createNumberWriter({ maxRows: 2, keepAtLimit: 'oldest' })
  for (const key of ['a', 'b', 'c', 'a']) writer.change(key, (count = 0) => count + 1)
  await writer.flush()
  expect(batches).toEqual([[2, 1]])
  expect(readLog()).toEqual(['数字：最多暂存 2 条，已舍弃 1 条'])
})

it('discards rows after an error that makes a retry useless', async () => {
  const { writer, database } = createNumberWriter({ shouldRetry: () => false })
  database.isAway = true
  writer.add(1)
  await writer.flush()
  expect([writer.countPending(), jest.getTimerCount()]).toEqual([0, 0])
})

it('runs other work between two writes, also if it fails', async () => {
  const { writer, batches } = createNumberWriter()
  writer.add(1)
  const work = writer.runInSequence(() => Promise.reject(new Error('broken')))
  const flushEnd = writer.flush()
  await expect(work).rejects.toThrow('broken')
  await flushEnd
  expect(batches).toEqual([[1]])
})

it('calls `afterWrite` once all rows are written', async () => {
  const order: string[] = []
  const { writer, database } = createNumberWriter({
    maxRowsPerWrite: 1,
    afterWrite: async () => void order.push('after'),
  })
  database.isAway = true
  writer.add(1)
  writer.add(2)
  await writer.flush()
  expect(order).toEqual([])
  database.isAway = false
  await writer.flush()
  expect(order).toEqual(['after'])
})

it('writes pending rows when it is closed, and logs those that could not be written', async () => {
  const { writer, batches } = createNumberWriter()
  writer.add(1)
  await writer.close()
  expect(batches).toEqual([[1]])
  const other = createNumberWriter()
  other.database.isAway = true
  other.writer.add(1)
  await other.writer.close()
  expect(readLog()).toContain('数字：停止前有 1 条未能写入')
  expect(jest.getTimerCount()).toBe(0)
})
