import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import type { Client } from 'pg'
import type { Db } from '../db/db'
import { listHistoryDays, listPartitionNames } from '../db/historyPartitions'
import { readMigrations } from '../db/migrate'
import { listTables, sortByForeignKeys } from '../db/platformTables'
import { productVersion } from '../version'
import { writeArchive, type AddPart } from './archiveWriter'
import { exportTable, quoteName } from './copyTables'
import { formatVersion, headerName, sitePrefix, transientTables, type BackupHeader } from './format'

type BackupSource = {
  /** The backup uses this connection alone and ends its transaction before it returns. */
  client: Client
  /** Folder of the builds of the console; it may not exist. */
  siteFolder?: string
}
type BackupOptions = {
  file: string
  passphrase?: string
  signal?: AbortSignal
  /** Reports the bytes read so far, before compression. */
  onProgress?: (bytes: number) => void
}

/** Session settings under which a value is written as the same text everywhere. */
const exportSettings = [
  `set statement_timeout = 0`,
  `set idle_in_transaction_session_timeout = 0`,
  `set timezone = 'UTC'`,
  `set datestyle = 'ISO'`,
  `set intervalstyle = 'postgres'`,
  `set extra_float_digits = 3`,
  `set bytea_output = 'hex'`,
  `set client_encoding = 'UTF8'`,
]

/**
 * Writes a backup of a running platform: all tables at one moment, then the folder of the builds. Uploaded files and
 * secrets of devices are rows of the database, so they belong to the same moment.
 * @returns rows and bytes of the written file
 * @throws BackupRefusal or another error; then there is no file
 */
export async function createBackup(
  { client, siteFolder }: BackupSource,
  { file, onProgress = () => {}, ...options }: BackupOptions,
) {
  let totalBytes = 0
  let header: BackupHeader | undefined
  const { manifest, bytes } = await writeArchive(file, options, async (addPart) => {
    const add: AddPart = async (name, content) => {
      await addPart(name, content)
      onProgress((totalBytes += content.length))
    }
    const database = await exportDatabase(client, add)
    header = database.header
    await exportSite(siteFolder, add)
    return database.rows
  })
  return { file, bytes, header: header!, rows: manifest.rows, parts: manifest.parts.length }
}

/** One read-only transaction of isolation level REPEATABLE READ shows all tables as they were when it began. */
async function exportDatabase(client: Client, add: AddPart) {
  for (const setting of exportSettings) await client.query(setting)
  await client.query('begin isolation level repeatable read read only')
  try {
    const db: Db = drizzle(client)
    const header = await describeDatabase(db)
    await add(headerName, Buffer.from(JSON.stringify(header)))
    const rows: Record<string, number> = {}
    for (const table of header.tables)
      rows[table.name] = await exportWithPartitions(client, db, table, add)
    await client.query('commit')
    return { header, rows }
  } catch (error) {
    // The connection may be gone or in the middle of a copy; it is then ended by the caller.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function describeDatabase(db: Db): Promise<BackupHeader> {
  const migrations = await readMigrations(db)
  if (migrations.length === 0) throw new Error('来源不是本平台的数据库，或从未用过')
  const tables = sortByForeignKeys(await listTables(db)).filter(
    ({ name }) => !transientTables.includes(name),
  )
  const { rows } = await db.execute<{ version: string }>(
    sql`select current_setting('server_version') as version`,
  )
  return {
    product: 'iot-console',
    formatVersion,
    productVersion,
    migrations,
    createTime: new Date().toISOString(),
    postgresVersion: rows[0]!.version,
    tables: tables.map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
    })),
    historyDays: await listHistoryDays(db),
  }
}

/**
 * Partitions are read one by one, because reading their parent would make the partition of a new day wait for the end
 * of the backup, and all readers and writers of the table behind it.
 */
async function exportWithPartitions(
  client: Client,
  db: Db,
  table: BackupHeader['tables'][number],
  add: AddPart,
) {
  const { rows } = await db.execute<{ kind: string }>(
    sql`select relkind as kind from pg_class where oid = to_regclass(${quoteName(table.name)})`,
  )
  const isPartitioned = rows[0]?.kind === 'p'
  const relations = isPartitioned ? await listPartitionNames(db, table.name) : [table.name]
  return exportTable(client, table, relations, add)
}

/**
 * Pointer and ledger are read before the builds they name: builds never change, so a release that happens meanwhile adds
 * builds and takes none away. Temporary files of a release are left out.
 */
async function exportSite(folder: string | undefined, add: AddPart) {
  const files = folder === undefined ? [] : await listFiles(folder)
  const isChanging = (path: string) => !path.startsWith('remotes/') && !path.startsWith('host/')
  const ordered = [...files.filter(isChanging), ...files.filter((path) => !isChanging(path))]
  for (const path of ordered) {
    const content = await readIfExists(join(folder!, path))
    if (content) await add(`${sitePrefix}${path}`, content)
  }
}

/** An unused build may be removed after it was listed. */
const readIfExists = (file: string) =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })

async function listFiles(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.endsWith('.part')))
    .sort()
}
