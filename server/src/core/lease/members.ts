import type { Db } from '../db/db'
import { listMigrationNames, listPendingStatements } from '../db/migrate'
import { getSqlState } from '../db/outage'
import { log } from '../logging/log'
import { leaseQueries } from './leaseQueries'

/** One process runs the periodic jobs: scene timers, snapshots, retention and settlements. */
export const jobsLease = 'jobs'

const memberPrefix = 'member/'
const checkIntervalMs = 1000
const maxWaitMs = 10 * 60_000

/** A member is named by the schema that it knows, so that a newer process sees which older ones are running. */
export const buildMemberName = async (holder: string) =>
  `${memberPrefix}${(await listMigrationNames()).at(-1)!.split('_')[0]}/${holder}`

/** Statements that a process of the former version does not notice. */
const additiveStatementPatterns = [
  /^create table /i,
  /^create index /i,
  /^alter table \S+ add column (?!.* not null)/i,
  /^alter table \S+ add column .* default /i,
]
export const isAdditive = (statement: string) => {
  const text = statement
    .replaceAll(/^\s*--.*$/gm, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
  return text === '' || additiveStatementPatterns.some((pattern) => pattern.test(text))
}

/**
 * Waits before a migration that processes of an older version would not survive until they have stopped. Migrations
 * that only add something go ahead beside them.
 * @throws Error if they are still running after ten minutes
 */
export async function waitForOlderMembers(db: Db, waitMs = maxWaitMs) {
  if ((await listPendingStatements(db)).every(isAdditive)) return
  const ownName = await buildMemberName('')
  for (let waitedMs = 0; ; waitedMs += checkIntervalMs) {
    const olderMembers = (await listMembers(db)).filter(({ name }) => name < ownName)
    if (olderMembers.length === 0) return
    const sentence = `${olderMembers.length} 个旧版本的进程还在运行，而这次升级改动的数据结构它们不能用`
    if (waitedMs >= waitMs) throw new Error(`${sentence}。请先停止它们，再启动本版本`)
    if (waitedMs === 0) log.warn({ module: 'database' }, `${sentence}，等它们停止（最多 10 分钟）…`)
    await new Promise((resolve) => setTimeout(resolve, checkIntervalMs))
  }
}

const listMembers = (db: Db) =>
  leaseQueries(db)
    .listCurrent(memberPrefix)
    .catch((error: unknown) => {
      // Versions before this table have no members.
      if (getSqlState(error) === '42P01') return []
      throw error
    })
