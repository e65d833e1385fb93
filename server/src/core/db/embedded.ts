import { existsSync, renameSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { copyDatabase, formatCopySummary } from './copyDatabase'
import { lockFolder } from './folderLock'
import { pgliteConfig, startPglite } from './pglite'
import { openPool } from './pool'
import { findAccount, type Account } from './postgres/account'
import { findBinaries, type Binaries } from './postgres/binaries'
import { initPostgres, moveFolder } from './postgres/initPostgres'
import { startPostgres } from './postgres/server'
import { log } from '../logging/log'

type PostgresPrograms = { binaries: Binaries; account: Account }

/**
 * Opens the embedded database in a folder: PostgreSQL itself, which npm installed, as a child process. Data that an
 * earlier version wrote with PGlite is copied into it once.
 * @throws Error with what to do, in Chinese, if PostgreSQL cannot run on this machine
 */
export async function openEmbedded(folder: string) {
  const lock = await lockFolder(folder, ['postgres', 'postgres.copy'])
  try {
    const database = await openEngine(folder, lock.descriptor)
    return {
      ...database,
      async close() {
        await database.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Opens the data that an earlier version of the platform wrote with PGlite, in order to copy it elsewhere. A power cut
 * can lose the last half minute of such a database, so the platform itself does not run on it.
 */
export async function openPgliteFolder(folder: string) {
  const lock = await lockFolder(folder, [])
  const pglite = await startPglite(join(folder, 'pgdata'))
  return {
    config: pgliteConfig(pglite.stream),
    about: 'PGlite',
    async close() {
      await pglite.close()
      lock.release()
    },
  }
}

async function openEngine(folder: string, lock: number) {
  const [postgresFolder, pgliteFolder] = [join(folder, 'postgres'), join(folder, 'pgdata')]
  const programs = findPrograms(postgresFolder, folder)
  if (programs.why !== undefined)
    throw new Error(
      explainMissingPrograms(programs.why, { folder, real: postgresFolder, former: pgliteFolder }),
    )
  const { binaries, account } = programs
  if (!existsSync(postgresFolder)) {
    if (existsSync(pgliteFolder))
      await migratePgliteData(pgliteFolder, postgresFolder, programs, lock)
    else await initPostgres(postgresFolder, binaries)
  }
  // The old folder is also renamed if an earlier start stopped between its two renames.
  if (existsSync(pgliteFolder)) renameSync(pgliteFolder, `${pgliteFolder}.${Date.now()}`)
  const postgres = await startPostgres(postgresFolder, binaries, account, { lock })
  return {
    config: postgres.connection,
    about: '内置 PostgreSQL：已确认的数据在断电和进程被杀后都在',
    close: postgres.close,
  }
}

/** Tells why the platform does not start and what to do, depending on the data that the folder already holds. */
function explainMissingPrograms(
  reason: string,
  { folder, real, former }: { folder: string; real: string; former: string },
) {
  const start = `这里不能运行内置 PostgreSQL：${reason}。`
  if (existsSync(real))
    return `${start}${folder} 是它的数据：请回到原来的机器，或在那里用 pnpm data copy 复制到 PostgreSQL 服务器`
  if (existsSync(former))
    return `${start}请准备一台 PostgreSQL 服务器，用 pnpm data copy --from <数据目录> --to <DATABASE_URL> 复制原来的数据，再设置 DATABASE_URL 启动`
  return `${start}请准备一台 PostgreSQL 服务器，设置 DATABASE_URL 后再启动`
}

/** Returns the programs and the account to run them with, or in `reason` the reason that PostgreSQL cannot run here. */
function findPrograms(databaseFolder: string, copyParentFolder: string) {
  if (process.platform === 'win32') return { why: 'Windows 上没有可用的程序' }
  try {
    const account = findAccount(databaseFolder)
    if (account.uid === undefined && !existsSync(databaseFolder)) assertUserHasName()
    return { account, binaries: findBinaries(account, copyParentFolder) }
  } catch (error) {
    return { why: (error as Error).message }
  }
}

/** initdb requires that the current user has a name; an existing database does not. */
function assertUserHasName() {
  try {
    userInfo()
  } catch (cause) {
    throw new Error('当前用户没有用户名，不能建库', { cause })
  }
}

/** Copies PGlite's data into a PostgreSQL folder that appears under its final name only when it is complete. */
async function migratePgliteData(
  pgliteFolder: string,
  postgresFolder: string,
  { binaries, account }: PostgresPrograms,
  lock: number,
) {
  const temporaryFolder = `${postgresFolder}.copy`
  log.info({ module: 'database' }, '把原来的内置数据库（WebAssembly）搬到内置 PostgreSQL…')
  rmSync(temporaryFolder, { recursive: true, force: true })
  await initPostgres(temporaryFolder, binaries)
  const target = await startPostgres(temporaryFolder, binaries, account, { lock })
  try {
    const pglite = await startPglite(pgliteFolder)
    try {
      const [from, to] = [
        openPool(pgliteConfig(pglite.stream), false),
        openPool(target.connection, false),
      ]
      try {
        log.info({ module: 'database' }, formatCopySummary(await copyDatabase(from.db, to.db)))
      } finally {
        await Promise.all([from.close(), to.close()])
      }
    } finally {
      await pglite.close()
    }
  } finally {
    await target.close()
  }
  moveFolder(temporaryFolder, postgresFolder)
}
