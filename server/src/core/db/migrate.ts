import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from './db'
import { getSqlState } from './outage'
import { createSearchIndexes } from './searchIndexes'
import { programFolder } from '../programFolder'
import { productVersion } from '../version'
import { log } from '../logging/log'

const migrationsFolder = join(programFolder, 'migrations')
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Lets one process after another run `work`, claimed by a row, because several processes may start at once on one
 * database. A claim is valid for one minute and renewed every 15 s, so a crashed owner blocks the others for at most
 * one minute.
 * @param isShared true if other processes may use this database; otherwise an existing claim is left from a process
 * that has ended
 */
export async function withMigrationLock<T>(
  db: Db,
  isShared: boolean,
  work: () => Promise<T>,
): Promise<T> {
  await createTableIfMissing(
    db,
    sql`create table if not exists migration_claim (id integer primary key, until timestamptz not null)`,
  )
  for (let hasLogged = false; !(await tryClaim(db, isShared)); hasLogged = true) {
    if (!hasLogged)
      log.info({ module: 'database' }, '另一个进程正在准备数据库，等它完成（最多 1 分钟）…')
    await wait(200)
  }
  const renewalTimer = setInterval(
    () =>
      void db
        .execute(sql`update migration_claim set until = now() + interval '1 minute'`)
        .catch(() => {}),
    15_000,
  )
  try {
    return await work()
  } finally {
    clearInterval(renewalTimer)
    await db.execute(sql`delete from migration_claim`)
  }
}

/**
 * Refuses a database that a newer version of the product wrote, because this version would read and write rows whose
 * meaning it does not know. Nothing is changed before this check.
 * @throws Error that names both versions
 */
export async function refuseNewerDatabase(db: Db) {
  await refuseNewerMigrations(
    await readMigrations(db),
    (versions) =>
      `数据库由更新的版本写成，本版本不能打开它，什么都没有改动。
  数据库：${versions.data}
  本程序：${versions.program}
请用写成它的版本或更新的版本启动；要回到本版本，请恢复升级前的备份（见 docs/operating.md 的 Upgrading and going back）`,
  )
}

/**
 * Refuses executed migrations that this program does not know, in order.
 * @param explain makes the message from both versions
 */
export async function refuseNewerMigrations(
  migrationRows: MigrationRow[],
  explain: (versions: { data: string; program: string }) => string,
) {
  const names = await listMigrationNames()
  const newestMigration = migrationRows.at(-1)
  let isNewer = false
  for (const { name, statements } of migrationRows)
    isNewer ||= !names.includes(name) || statements > (await readStatements(name)).length
  if (!isNewer || !newestMigration) return
  throw new Error(
    explain({
      data: formatVersion(newestMigration.version ?? '', newestMigration.name),
      program: formatVersion(productVersion, names.at(-1)!),
    }),
  )
}

export type MigrationRow = { name: string; statements: number; version: string | null }

/**
 * Reads the migrations in their order. The version is read through to_jsonb, so that a table without that column can
 * be read too.
 */
export async function readMigrations(db: Db): Promise<MigrationRow[]> {
  try {
    const { rows } = await db.execute<MigrationRow>(
      sql`select name, statements, to_jsonb(migration) ->> 'version' as version from migration order by name`,
    )
    return rows
  } catch (error) {
    // A fresh database has no such table.
    if (getSqlState(error) === '42P01') return []
    throw error
  }
}

/**
 * The version of the product may stay the same during development, so the number of the last migration is shown as
 * well.
 */
const formatVersion = (version: string, lastMigration: string) =>
  `${version ? `版本 ${version}` : '版本未记录'}，数据结构 ${lastMigration.split('_')[0]}`

/**
 * Brings the schema up to date. Every statement runs in its own transaction together with a record of the progress,
 * so that engines without transactional DDL (CockroachDB, YugabyteDB) can resume after an interruption.
 * @param targetCounts statements per migration of another database; the migration stops at the same point
 */
export async function migrate(db: Db, targetCounts?: Map<string, number>) {
  await refuseNewerDatabase(db)
  await createTableIfMissing(
    db,
    sql`create table if not exists migration (name text primary key, statements integer not null)`,
  )
  // The column records the product version that ran the migration; versions from before this column left it empty.
  await db.execute(
    sql`alter table migration add column if not exists version text not null default ''`,
  )
  const names = await listMigrationNames()
  const executedCounts = await getExecutedCounts(db)
  for (const name of names) {
    const statements = await readStatements(name)
    const statementCount = targetCounts ? (targetCounts.get(name) ?? 0) : statements.length
    await runStatements(
      db,
      name,
      statements.slice(0, statementCount),
      executedCounts.get(name) ?? 0,
    )
  }
  if (!targetCounts) await createSearchIndexes(db)
}

/**
 * PostgreSQL reports an error to one of two processes that create the same table at the same moment; that error is
 * ignored.
 */
const createTableIfMissing = (db: Db, table: SQL) =>
  db.execute(table).catch((error) => {
    if (!['23505', '42P07'].includes(getSqlState(error) ?? '')) throw error
  })

/** Returns the file names of the generated migrations in order. */
export const listMigrationNames = async () =>
  (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()

const readStatements = async (name: string) =>
  (await readFile(join(migrationsFolder, name), 'utf8')).split('--> statement-breakpoint')

/** Returns the number of executed statements per migration. */
export async function getExecutedCounts(db: Db) {
  const { rows } = await db.execute<{ name: string; statements: number }>(
    sql`select name, statements from migration`,
  )
  return new Map(rows.map((row) => [row.name, row.statements]))
}

/** Lists the statements that `migrate` would run; a fresh database has none that anyone could notice. */
export async function listPendingStatements(db: Db) {
  const executedCounts = new Map(
    (await readMigrations(db)).map(({ name, statements }) => [name, statements]),
  )
  if (executedCounts.size === 0) return []
  const pendingStatements = await Promise.all(
    (await listMigrationNames()).map(async (name) =>
      (await readStatements(name)).slice(executedCounts.get(name) ?? 0),
    ),
  )
  return pendingStatements.flat()
}

async function tryClaim(db: Db, isShared: boolean) {
  const { rowCount } = await db.execute(sql`
    insert into migration_claim (id, until) values (1, now() + interval '1 minute')
    on conflict (id) do update set until = excluded.until where migration_claim.until < now() or ${!isShared}`)
  return rowCount === 1
}

async function runStatements(db: Db, name: string, statements: string[], executedCount: number) {
  for (let index = executedCount; index < statements.length; index++) {
    await db.transaction(async (tx) => {
      // The statement timeout is lifted, because building an index over millions of rows takes longer. Commits need not
      // reach the disk one by one: statement and progress are lost together, and the next commit of the program waits
      // for all of them.
      await tx.execute(
        sql`select set_config('statement_timeout', '0', true), set_config('synchronous_commit', 'off', true)`,
      )
      await tx.execute(sql.raw(statements[index]!))
      await tx.execute(sql`
        insert into migration (name, statements, version) values (${name}, ${index + 1}, ${productVersion})
        on conflict (name) do update set statements = excluded.statements, version = excluded.version`)
    })
  }
}
