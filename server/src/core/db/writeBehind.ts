import { log } from '../logging/log'
import { createSequence } from '../sequence'
import { logError } from './outage'

/** Minimum time in ms between two log lines about dropped rows, because every further row is dropped as well. */
const dropNoticeIntervalMs = 60_000

export type WriteBehindOptions<Row> = {
  /** Chinese name of the rows in log lines, such as 设备消息. */
  name: string
  /** A row is written at the latest this many milliseconds after it was added. */
  delayMs: number
  /** Pause in milliseconds before a failed write is repeated. */
  retryDelayMs: number
  /** Maximum rows in memory while the database is away. Dropped rows are counted in the log. */
  maxRows: number
  /** The other rows are dropped at the limit; the default keeps the newest. */
  keepAtLimit?: 'newest' | 'oldest'
  /** A single call of `write` gets at most this many rows. */
  maxRowsPerWrite?: number
  /** Writes rows in the order in which they were added; if it throws, they are kept and written again. */
  write: (rows: Row[]) => Promise<void>
  /** Called after each flush that has written all its rows; it must not reject. */
  afterWrite?: () => Promise<void>
  /** Combines a row that could not be written with one of the same key that was added since. */
  merge?: (failed: Row, newer: Row) => Row
  /** Returns false for an error after which the rows are of no use any more; they are then discarded. */
  shouldRetry?: (error: unknown) => boolean
}

const pendingCounters = new Set<{ name: string; countPending: () => number }>()

/** Counts the rows of this process that are not written yet, by the name of their buffer. */
export function countPendingRows() {
  const counts = new Map<string, number>()
  for (const { name, countPending } of pendingCounters)
    counts.set(name, (counts.get(name) ?? 0) + countPending())
  return counts
}

/**
 * Collects rows in memory and writes them in batches, one batch after the other. Rows stay in memory while the database
 * is away, up to a limit.
 * @example
 * const writer = createWriteBehind({ name: '设备消息', delayMs: 500, retryDelayMs: 2000, maxRows: 2000, write: insertRows })
 * writer.add(row)
 * await writer.close()
 */
export function createWriteBehind<Row>(options: WriteBehindOptions<Row>) {
  const { name, delayMs, retryDelayMs, maxRows, keepAtLimit = 'newest' } = options
  const { write, merge = (_failed, newer) => newer, shouldRetry = () => true } = options
  const { maxRowsPerWrite = maxRows } = options
  let pendingRows = new Map<string | number, Row>()
  let lastKey = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const runInSequence = createSequence()
  const dropReport = createDropReport(name, maxRows)

  const pendingCounter = { name, countPending: () => pendingRows.size }
  pendingCounters.add(pendingCounter)

  const schedule = (pauseMs: number) => {
    if (!isClosed) timer ??= setTimeout(() => void flush(), pauseMs)
  }

  /** The oldest rows are dropped by the tenth, because a `Map` is slow if its first row is removed again and again. */
  function enforceLimit() {
    const surplus = pendingRows.size - maxRows
    if (surplus <= 0) return
    const keys = [...pendingRows.keys()]
    const droppedKeys =
      keepAtLimit === 'oldest'
        ? keys.slice(-surplus)
        : keys.slice(0, surplus + Math.floor(maxRows / 10))
    dropReport.add(droppedKeys.length)
    for (const key of droppedKeys) pendingRows.delete(key)
  }

  /**
   * Adds a row or changes the pending row of the same key.
   * @param pauseMs pause until the write, if none is scheduled yet
   */
  function change(key: string | number, update: (pending?: Row) => Row, pauseMs = delayMs) {
    schedule(pauseMs)
    pendingRows.set(key, update(pendingRows.get(key)))
    enforceLimit()
  }

  function keepFailed(failedRows: [string | number, Row][]) {
    const newerRows = pendingRows
    pendingRows = new Map(failedRows)
    for (const [key, row] of newerRows) {
      const failedRow = pendingRows.get(key)
      pendingRows.set(key, failedRow === undefined ? row : merge(failedRow, row))
    }
    enforceLimit()
  }

  async function writePending() {
    clearTimeout(timer)
    timer = undefined
    const rows = [...pendingRows]
    pendingRows = new Map()
    if (rows.length === 0) return
    for (let start = 0; start < rows.length; start += maxRowsPerWrite) {
      try {
        await write(rows.slice(start, start + maxRowsPerWrite).map(([, row]) => row))
      } catch (error) {
        if (!shouldRetry(error)) return
        logError(`${name}暂未写入`, error)
        keepFailed(rows.slice(start))
        schedule(retryDelayMs)
        return
      }
    }
    await options.afterWrite?.()
  }
  /** Resolves once the rows added so far are written, or kept because the write failed; it never rejects. */
  const flush = () => runInSequence(writePending)

  return {
    /** Adds a row of its own, even if an equal one is pending. */
    add: (row: Row) => change(++lastKey, () => row),
    change,
    flush,
    /** Runs other work between two writes. */
    runInSequence,
    countPending: pendingCounter.countPending,
    /** Drops the pending rows. */
    discard: () => pendingRows.clear(),
    /** Writes the pending rows once more. Rows that fail again are lost, which is logged. */
    async close() {
      await flush()
      isClosed = true
      clearTimeout(timer)
      timer = undefined
      dropReport.close()
      pendingCounters.delete(pendingCounter)
      if (pendingRows.size > 0)
        log.error({ module: 'database' }, `${name}：停止前有 ${pendingRows.size} 条未能写入`)
    },
  }
}

/** Counts dropped rows and logs their number, at most once a minute. */
function createDropReport(name: string, maxRows: number) {
  let droppedCount = 0
  let lastNoticeMs = -Infinity
  let timer: NodeJS.Timeout | undefined

  function logDropped() {
    clearTimeout(timer)
    timer = undefined
    if (droppedCount === 0) return
    lastNoticeMs = Date.now()
    log.error(
      { module: 'database', droppedCount },
      `${name}：最多暂存 ${maxRows} 条，已舍弃 ${droppedCount} 条`,
    )
    droppedCount = 0
  }
  return {
    add(count: number) {
      droppedCount += count
      const pauseMs = lastNoticeMs + dropNoticeIntervalMs - Date.now()
      if (pauseMs <= 0) logDropped()
      else timer ??= setTimeout(logDropped, pauseMs).unref()
    },
    close: logDropped,
  }
}
