import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Client } from 'pg'
import { createHistoryPartitions } from '../db/historyPartitions'
import { migrate, refuseNewerMigrations } from '../db/migrate'
import { openDatabase, type DatabaseSource } from '../db/openDatabase'
import { assertDatabaseIsEmpty, listTables } from '../db/platformTables'
import { describeReason } from '../logging/safeError'
import { readArchive } from './archiveReader'
import { importTable } from './copyTables'
import { BackupRefusal, sitePrefix, tablePartPattern, type BackupHeader } from './format'

export type RestoreOptions = {
  passphrase?: string
  signal?: AbortSignal
  /** Says what is done now, for a person who waits. */
  onStep?: (text: string) => void
}
type Database = Awaited<ReturnType<typeof openDatabase>>

/** Folder of an unfinished restore; the next restore deletes it and starts from the beginning. */
const partialFolderName = 'restore.part'

/** Refuses a backup of a newer program before anything is written. */
export const refuseNewerBackup = ({ migrations }: BackupHeader) =>
  refuseNewerMigrations(
    migrations,
    (versions) =>
      `备份由更新的版本写成，本版本不能恢复它，什么都没有改动。
  备份：${versions.data}
  本程序：${versions.program}
请用写成它的版本或更新的版本恢复`,
  )

/**
 * Restores a backup into an empty folder, or into an empty database of a server and an empty folder for the builds. The
 * file is read twice: nothing is written before all of it is known to be intact.
 * @param databaseUrl PostgreSQL server; the embedded database of the folder if it is left out
 * @returns rows per table, and tables of others that were left out
 * @throws BackupRefusal or another error; then folder and database hold no data
 */
export async function restoreBackup(
  file: string,
  {
    folder,
    siteFolder,
    databaseUrl,
  }: { folder: string; siteFolder?: string; databaseUrl?: string },
  options: RestoreOptions = {},
) {
  const { onStep = () => {} } = options
  await assertFolderEmpty(folder)
  if (siteFolder) await assertFolderEmpty(siteFolder)
  onStep('检查备份文件…')
  const { header, manifest } = await readArchive(file, options, { onHeader: refuseNewerBackup })
  const partialFolder = join(folder, partialFolderName)
  await rm(partialFolder, { recursive: true, force: true })
  await mkdir(partialFolder, { recursive: true, mode: 0o700 })
  try {
    const source: DatabaseSource = databaseUrl
      ? { kind: 'server', url: databaseUrl }
      : { kind: 'embedded', folder: join(partialFolder, 'database') }
    const partialSite = join(partialFolder, 'site')
    const foreign = await restoreInto(file, source, partialSite, options)
    await moveIfExists(partialSite, siteFolder ?? join(folder, 'site'))
    // The database comes last: a folder without one is no platform yet.
    await moveIfExists(join(partialFolder, 'database'), join(folder, 'database'))
    return { header, rows: manifest.rows, foreign }
  } finally {
    await rm(partialFolder, { recursive: true, force: true })
  }
}

async function restoreInto(
  file: string,
  source: DatabaseSource,
  siteFolder: string,
  options: RestoreOptions,
) {
  const { onStep = () => {} } = options
  const database = await openDatabase(source)
  try {
    await assertDatabaseIsEmpty(database.db)
    return await importArchive(file, database, siteFolder, options)
  } finally {
    onStep('关闭数据库…')
    await database.close()
  }
}

/**
 * Creates the schema of the backup, copies all rows in one transaction, compares their numbers, and then migrates to the
 * schema of this program.
 */
async function importArchive(
  file: string,
  database: Database,
  siteFolder: string,
  { onStep = () => {}, ...options }: RestoreOptions,
) {
  const client = await database.openConnection()
  let importer: ReturnType<typeof createRowImporter> | undefined
  try {
    await client.query('set statement_timeout = 0')
    const { manifest } = await readArchive(file, options, {
      async onHeader(header) {
        onStep('建立备份时的表结构…')
        await migrateTo(database, header)
        const ownTables = new Set((await listTables(database.db)).map(({ name }) => name))
        await client.query('begin')
        importer = createRowImporter(client, header, ownTables, (table) => onStep(`恢复 ${table}…`))
      },
      async onPart(name, content) {
        if (name.startsWith(sitePrefix)) {
          await writeSiteFile(join(siteFolder, name.slice(sitePrefix.length)), content)
        } else await importer!.write(tablePartPattern.exec(name)![1]!, content)
      },
    })
    await importer!.end()
    importer!.assertSameCounts(manifest.rows)
    await client.query('commit')
    await finishDatabase(database, client, onStep)
    return importer!.listForeign()
  } finally {
    await client.end()
  }
}

async function migrateTo(database: Database, header: BackupHeader) {
  const counts = new Map(header.migrations.map(({ name, statements }) => [name, statements]))
  await migrate(database.db, counts)
  await createHistoryPartitions(database.db).prepare(header.historyDays)
}

/** Brings the restored rows to the schema of this program and gives the planner its statistics. */
async function finishDatabase(database: Database, client: Client, onStep: (text: string) => void) {
  onStep('迁移到本程序的版本并建立索引…')
  await migrate(database.db)
  await client.query('analyze')
  // The backup contains its own run as still running, because it was taken during that run.
  const { rows } = await database.db.execute<{ exists: boolean }>(
    sql`select to_regclass('backup_run') is not null as exists`,
  )
  if (rows[0]!.exists)
    await database.db.execute(sql`delete from backup_run where state = 'running'`)
}

/** Copies the parts of one table after the other, in the order in which they were written. */
function createRowImporter(
  client: Client,
  header: BackupHeader,
  ownTables: Set<string>,
  onTable: (name: string) => void,
) {
  const counts = new Map<string, number>()
  let current: { name: string; copy: ReturnType<typeof importTable> } | undefined

  async function end() {
    if (!current) return
    const { name, copy } = current
    current = undefined
    try {
      counts.set(name, await copy.end())
    } catch (cause) {
      throw new Error(`${name} 不能恢复：${describeReason(cause)}`, { cause })
    }
  }
  return {
    end,
    async write(name: string, content: Buffer) {
      if (!ownTables.has(name)) return
      if (current?.name !== name) {
        await end()
        const table = header.tables.find((candidate) => candidate.name === name)
        if (!table) throw new BackupRefusal(`备份文件已损坏：文件头中没有表 ${name}`)
        onTable(name)
        current = { name, copy: importTable(client, table) }
      }
      try {
        await current.copy.write(content)
      } catch (cause) {
        throw new Error(`${name} 不能恢复：${describeReason(cause)}`, { cause })
      }
    },
    assertSameCounts(rows: Record<string, number>) {
      for (const [name, expected] of Object.entries(rows)) {
        const restored = counts.get(name) ?? 0
        if (ownTables.has(name) && restored !== expected)
          throw new Error(`${name} 有 ${expected} 行，恢复了 ${restored} 行：已全部撤回`)
      }
    },
    listForeign: () => header.tables.map(({ name }) => name).filter((name) => !ownTables.has(name)),
  }
}

async function writeSiteFile(file: string, content: Buffer) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

async function moveIfExists(from: string, to: string) {
  if (!existsSync(from)) return
  await rm(to, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
}

/** Remains of an interrupted restore are allowed, because they contain no data of a platform. */
async function assertFolderEmpty(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.some((name) => name !== partialFolderName))
    throw new BackupRefusal(`${folder} 不是空目录，不在其中恢复；请给出一个空的或不存在的目录`)
}

/**
 * Opens a backup as a restore would: the whole file is read and compared with its manifest, and its database is restored
 * into a temporary instance, whose rows are counted and whose uploaded files are compared with their hashes.
 * @param scratchFolder is emptied before and removed afterwards; without one only the file is read
 */
export async function verifyBackup(
  file: string,
  scratchFolder: string | undefined,
  options: RestoreOptions = {},
) {
  const { onStep = () => {} } = options
  onStep('检查备份文件…')
  const { header, manifest } = await readArchive(file, options, { onHeader: refuseNewerBackup })
  if (scratchFolder !== undefined) await openScratch(file, scratchFolder, options)
  return { header, rows: manifest.rows, parts: manifest.parts.length }
}

async function openScratch(file: string, folder: string, options: RestoreOptions) {
  const source: DatabaseSource = { kind: 'embedded', folder: join(folder, 'database') }
  await removeScratch(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const database = await openDatabase(source)
    try {
      await importArchive(file, database, join(folder, 'site'), options)
      await assertUploadsIntact(database)
    } finally {
      await database.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A killed process may have left its temporary instance running; opening it once more ends it. */
async function removeScratch(folder: string) {
  if (existsSync(join(folder, 'database', 'postgres', 'PG_VERSION'))) {
    const leftover = await openDatabase({
      kind: 'embedded',
      folder: join(folder, 'database'),
    }).catch(() => undefined)
    await leftover?.close()
  }
  await rm(folder, { recursive: true, force: true })
}

/** The id of an uploaded file is the start of the hash of its content. */
async function assertUploadsIntact({ db }: Database) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from uploaded_file where id <> left(encode(sha256(content), 'hex'), 32) limit 1`)
  if (rows[0]) throw new BackupRefusal(`上传的文件 ${rows[0].id} 与它的校验值不符`)
}
