import { existsSync, renameSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { copyDatabase, summaryOf } from './copy'
import { lockFolder } from './folderLock'
import { pgliteConfig, startPglite } from './pglite'
import { openPool } from './pool'
import { accountFor, type Account } from './postgres/account'
import { findBinaries, type Binaries } from './postgres/binaries'
import { makePostgres, moveFolder } from './postgres/make'
import { startPostgres } from './postgres/server'

type Programs = { binaries: Binaries; account: Account }

export type EmbeddedSource = {
  folder: string
  /** `pglite` selects PGlite even if this machine could run PostgreSQL itself. */ engine?: 'pglite'
  /** A statement of PGlite may take this many milliseconds; after that PGlite is reopened. */ patience?: number
}

/**
 * Opens the embedded database in a folder: PostgreSQL itself as a child process if npm installed programs that run on
 * this machine, otherwise PGlite in a worker thread. Data of an earlier PGlite is migrated once PostgreSQL can run.
 */
export async function openEmbedded(source: EmbeddedSource) {
  const { folder } = source
  const lock = await lockFolder(folder, ['postgres', 'postgres.copy'])
  try {
    const opened = await open(source, lock.descriptor)
    return {
      ...opened,
      async close() {
        await opened.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function open({ folder, engine, patience }: EmbeddedSource, lock: number) {
  const [real, former] = [join(folder, 'postgres'), join(folder, 'pgdata')]
  const found = programsFor(real, folder, engine)
  if ('why' in found) {
    if (existsSync(real))
      throw new Error(
        `${folder} 是内置 PostgreSQL 的数据，这里不能运行它：${found.why}。请回到原来的机器，或在那里用 pnpm data copy 复制到 PostgreSQL 服务器`,
      )
    const pglite = await startPglite({ folder: former }, patience)
    return {
      config: pgliteConfig(pglite.stream),
      watched: false,
      about: `内置数据库（WebAssembly，${found.why}）：进程被杀不丢数据，断电可能丢失最近约半分钟；正式使用请设置 DATABASE_URL`,
      close: pglite.close,
    }
  }
  const { binaries, account } = found
  if (!existsSync(real)) {
    if (existsSync(former)) await carryOver(former, real, found, lock)
    else await makePostgres(real, binaries)
  }
  // The old folder is also renamed if an earlier start stopped between its two renames.
  if (existsSync(former)) renameSync(former, `${former}.${Date.now()}`)
  const postgres = await startPostgres(real, binaries, account, lock)
  return {
    config: postgres.connection,
    watched: true,
    about: '内置 PostgreSQL：已确认的数据在断电和进程被杀后都在',
    close: postgres.close,
  }
}

/** Returns the programs and the account to run them with, or in `why` the reason that PostgreSQL cannot run here. */
function programsFor(database: string, spare: string, engine?: 'pglite') {
  if (engine === 'pglite') return { why: '按设置使用 WebAssembly' }
  if (process.platform === 'win32') return { why: 'Windows 上暂用 WebAssembly' }
  try {
    const account = accountFor(database)
    if (account.uid === undefined && !existsSync(database)) mustHaveName()
    return { account, binaries: findBinaries(account, spare) }
  } catch (error) {
    return { why: (error as Error).message }
  }
}

/** initdb requires that the current user has a name; an existing database does not. */
function mustHaveName() {
  try {
    userInfo()
  } catch (cause) {
    throw new Error('当前用户没有用户名，不能建库', { cause })
  }
}

/** Copies PGlite's data into a PostgreSQL folder that appears under its final name only when it is complete. */
async function carryOver(
  former: string,
  real: string,
  { binaries, account }: Programs,
  lock: number,
) {
  const unfinished = `${real}.copy`
  console.log('把原来的内置数据库（WebAssembly）搬到内置 PostgreSQL…')
  rmSync(unfinished, { recursive: true, force: true })
  await makePostgres(unfinished, binaries)
  const target = await startPostgres(unfinished, binaries, account, lock)
  try {
    const pglite = await startPglite({ folder: former })
    try {
      const [from, to] = [
        openPool(pgliteConfig(pglite.stream), false),
        openPool(target.connection, false),
      ]
      const copied = copyDatabase(from.db, to.db)
      console.log(summaryOf(await copied.finally(() => Promise.all([from.close(), to.close()]))))
    } finally {
      await pglite.close()
    }
  } finally {
    await target.close()
  }
  moveFolder(unfinished, real)
}
