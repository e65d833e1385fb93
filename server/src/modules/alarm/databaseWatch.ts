import { minuteMs } from '@iot/shared/contract/duration'
import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { isOutage } from '../../core/db/outage'
import type { Finding } from './platformChecks'

/** An answer to `select 1` that takes longer means that connections are exhausted or the database is overloaded. */
const slowAnswerMs = 2000
/** A restart of the database takes less. */
const minOutageMs = 30_000
/** An outage that is over stays reported for this long, because nothing could be stored while it lasted. */
const reportedMs = 10 * minuteMs

const formatDuration = (ms: number) =>
  ms < minuteMs ? `${Math.round(ms / 1000)} 秒` : `${Math.round(ms / minuteMs)} 分钟`

/** Observes from this process how fast the database answers through the pool, and when it did not. */
export function createDatabaseWatch(
  db: Pick<Db, 'execute'>,
  getTimeMs: () => number = () => performance.now(),
) {
  let answerMs = 0
  let awaySinceMs: number | undefined
  let lastOutage: { ms: number; endMs: number } | undefined
  let isProbing = false

  return {
    async probe() {
      if (isProbing) return
      isProbing = true
      const startMs = getTimeMs()
      try {
        await db.execute(sql`select 1`)
        const endMs = getTimeMs()
        answerMs = endMs - startMs
        if (awaySinceMs !== undefined) lastOutage = { ms: endMs - awaySinceMs, endMs }
        awaySinceMs = undefined
      } catch (error) {
        if (!isOutage(error)) throw error
        awaySinceMs ??= startMs
      } finally {
        isProbing = false
      }
    },
    find(): Finding[] {
      const isReported =
        lastOutage !== undefined &&
        lastOutage.ms >= minOutageMs &&
        getTimeMs() - lastOutage.endMs < reportedMs
      const texts = [
        isReported && `数据库曾有 ${formatDuration(lastOutage!.ms)}没有应答`,
        answerMs > slowAnswerMs && `数据库应答要 ${(answerMs / 1000).toFixed(1)} 秒`,
      ].filter(Boolean)
      return texts.length > 0
        ? [{ projectId: 0, subjectKey: 'check:database', detail: texts.join('；') }]
        : []
    },
  }
}
export type DatabaseWatch = ReturnType<typeof createDatabaseWatch>
