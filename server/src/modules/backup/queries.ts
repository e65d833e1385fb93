import type { BackupKind, backupSchemas } from '@iot/shared/contract/platform/backup.schema'
import { backupKindText } from '@iot/shared/contract/platform/backup'
import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { and, desc, eq, getTableColumns, gte, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { transaction, type Db } from '../../core/db/db'
import { readPage } from '../../core/db/page'
import { now } from '../../tables/columns'
import { backupRun } from '../../tables/backup'

type PageInput = z.output<typeof backupSchemas.page.input>
export type BackupRow = typeof backupRun.$inferSelect
type NewRun = Pick<BackupRow, 'kind' | 'startedBy' | 'host' | 'isEncrypted'>

/** The scheduled moment, and how many attempts since then are known. */
export type BackupDue = { time: string; attemptCount: number }

/** A running backup renews its row every 10 s; one that did not for this long has ended with its process. */
const isStale = sql<boolean>`${backupRun.aliveTime} < now() - interval '1 minute'`
const ticketIsValid = sql`${backupRun.ticketTime} > now() - interval '1 minute'`
const interruptedText = '备份进行中时平台的进程结束了'
const unverifiedText = '核对时平台的进程结束了，没有核对完'
const rowRetentionDays = 365

/**
 * Gives a running backup whose process has ended its final state; if its file is complete, it is an unverified backup.
 * @returns other rows unchanged
 */
function settle({ isStale: hasNoProcess, ...row }: BackupRow & { isStale: boolean }): BackupRow {
  if (row.state !== 'running' || !hasNoProcess) return row
  return row.fileName === null
    ? { ...row, state: 'interrupted', error: interruptedText, endTime: row.aliveTime }
    : { ...row, state: 'succeeded', error: unverifiedText, endTime: row.aliveTime }
}
const isScheduledSince = (time: string) =>
  and(eq(backupRun.kind, 'schedule'), gte(backupRun.startTime, time))
const columns = { ...getTableColumns(backupRun), isStale }

export const backupQueries = (db: Db) => ({
  async page({ state, pageNo, pageSize }: PageInput) {
    const where = state && eq(backupRun.state, state)
    const page = await readPage(db, backupRun, where, { pageNo, pageSize }, ({ limit, offset }) =>
      db
        .select(columns)
        .from(backupRun)
        .where(where)
        .orderBy(desc(backupRun.startTime), desc(backupRun.id))
        .limit(limit)
        .offset(offset),
    )
    return { ...page, list: page.list.map(settle) }
  },
  async find(id: string) {
    const [row] = await db.select(columns).from(backupRun).where(eq(backupRun.id, id))
    return row && settle(row)
  },
  /** Returns the newest runs, and the last one that succeeded. */
  async findLatest() {
    const select = () => db.select(columns).from(backupRun)
    const latest = await select().orderBy(desc(backupRun.startTime)).limit(2)
    const [lastSuccess] = await select()
      .where(eq(backupRun.state, 'succeeded'))
      .orderBy(desc(backupRun.startTime))
      .limit(1)
    return { latest: latest.map(settle), lastSuccess: lastSuccess && settle(lastSuccess) }
  },
  async listAttemptsSince(time: string) {
    const rows = await db.select(columns).from(backupRun).where(isScheduledSince(time))
    return rows.map(settle)
  },
  /**
   * Claims the right to back up; the unique index admits one running row.
   * @param due what the caller has read; without it, the backup is not a scheduled one
   * @returns undefined if another backup is running, or if another process has made one since the attempts were read
   */
  async claim(run: NewRun, due?: BackupDue) {
    await settleStaleRows(db)
    return transaction(db, async (tx) => {
      const [row] = await tx
        .insert(backupRun)
        .values({
          ...run,
          state: 'running',
          step: 'writing',
          verification: 'none',
          startTime: now(),
          aliveTime: sql`now()` as never,
        })
        .onConflictDoNothing()
        .returning()
      if (!row || !due) return row
      const attemptCount = await tx.$count(backupRun, isScheduledSince(due.time))
      if (attemptCount === due.attemptCount + 1) return row
      await tx.delete(backupRun).where(eq(backupRun.id, row.id))
      return undefined
    })
  },
  /** Proves that the process of the run lives. */
  renew: (id: string) =>
    db
      .update(backupRun)
      .set({ aliveTime: sql`now()` })
      .where(and(eq(backupRun.id, id), eq(backupRun.state, 'running'))),
  /** Changes a run only while it is running, because another process may have declared it interrupted. */
  change: (id: string, values: Partial<BackupRow>) =>
    db
      .update(backupRun)
      .set(values)
      .where(and(eq(backupRun.id, id), eq(backupRun.state, 'running'))),
  /** Lists complete files of this machine beyond the newest `keep` of their kind. */
  async listSurplus(kind: BackupKind, host: string, keep: number) {
    return db
      .select()
      .from(backupRun)
      .where(
        and(
          eq(backupRun.kind, kind),
          eq(backupRun.host, host),
          eq(backupRun.state, 'succeeded'),
          isNotNull(backupRun.fileName),
        ),
      )
      .orderBy(desc(backupRun.startTime))
      .offset(keep)
  },
  forgetFile: (id: string) =>
    db.update(backupRun).set({ fileName: null }).where(eq(backupRun.id, id)),
  removeOldRows: () =>
    db
      .delete(backupRun)
      .where(
        and(
          lt(backupRun.startTime, getPastTime(rowRetentionDays * dayMs)),
          ne(backupRun.state, 'running'),
        ),
      ),
  setTicket: (id: string, ticketHash: string) =>
    db
      .update(backupRun)
      .set({ ticketHash, ticketTime: sql`now()` })
      .where(eq(backupRun.id, id)),
  /** A ticket is valid once and for a minute. */
  async takeTicket(ticketHash: string) {
    const [row] = await db
      .update(backupRun)
      .set({ ticketHash: null })
      .where(and(eq(backupRun.ticketHash, ticketHash), ticketIsValid))
      .returning()
    return row
  },
})

/** Stores what readers already see of rows whose process has ended. */
async function settleStaleRows(db: Db) {
  const staleRunning = and(eq(backupRun.state, 'running'), isStale)
  const endTime = sql`${backupRun.aliveTime}`
  await db
    .update(backupRun)
    .set({ state: 'succeeded', error: unverifiedText, endTime })
    .where(and(staleRunning, isNotNull(backupRun.fileName)))
  await db
    .update(backupRun)
    .set({ state: 'interrupted', error: interruptedText, endTime })
    .where(staleRunning)
}

export const describeRun = ({ kind, startTime }: Pick<BackupRow, 'kind' | 'startTime'>) =>
  `${backupKindText[kind]}备份 ${startTime}`
