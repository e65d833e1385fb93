import pg from 'pg'
import { log } from '../../logging/log'

/** The first of these locales that the machine knows is used: Linux has the first, macOS the second. */
const locales = ['C.UTF-8', 'en_US.UTF-8']

/**
 * Gives the database a UTF-8 character type. `pg_trgm` asks the C library what a letter is, independently of the
 * provider that sorts the texts; with the locale C it knows only ASCII letters, so the trigrams of Chinese are empty
 * and a search in Chinese reads every row. Indexes made under the former locale would miss rows, so they are dropped
 * in the same step and `createSearchIndexes` rebuilds them. No other part of the platform depends on this setting.
 */
export async function ensureCharacterType(connection: pg.ClientConfig) {
  const client = await connectWithKnownLocale(connection)
  try {
    const { rows } = await client.query<{ ctype: string }>(
      'select datctype as ctype from pg_database where datname = current_database()',
    )
    if (rows[0]!.ctype !== 'C') return
    for (const locale of locales)
      if (await isLocaleKnown(client, locale)) return await changeLocale(client, locale)
  } finally {
    await client.end()
  }
}

/**
 * Connects to the database. A folder from another machine may name a locale that this machine lacks, and PostgreSQL
 * then refuses connections to that database. In that case the locale is reset through another database of the server
 * and the search indexes, which were built by other rules, are dropped.
 */
async function connectWithKnownLocale(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    return client
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('locale is incompatible'))) throw error
  }
  log.warn(
    { module: 'database' },
    '数据目录来自另一台机器，本机没有它的区域设置（LC_CTYPE）：改用本机的，并重建搜索索引',
  )
  const templateClient = new pg.Client({ ...connection, database: 'template1' })
  await templateClient.connect()
  await templateClient.query(`update pg_database set datctype = 'C' where datname = $1`, [
    connection.database,
  ])
  await templateClient.end()
  const retryClient = new pg.Client(connection)
  await retryClient.connect()
  await retryClient.query(dropTrigramIndexesSql)
  return retryClient
}

async function isLocaleKnown(client: pg.Client, locale: string) {
  await client.query('begin')
  const testCollation = await client
    .query(`create collation pg_temp.known (provider = libc, locale = '${locale}')`)
    .catch(() => undefined)
  await client.query('rollback')
  return testCollation !== undefined
}

/** `createSearchIndexes` rebuilds the dropped indexes. */
const dropTrigramIndexesSql = `
  do $$ declare one regclass; begin
    for one in select indexrelid from pg_index
      join pg_opclass on pg_opclass.oid = any (indclass) where opcname like '%\\_trgm\\_ops'
    loop execute 'drop index ' || one; end loop;
  end $$`

async function changeLocale(client: pg.Client, locale: string) {
  await client.query('begin')
  await client.query(dropTrigramIndexesSql)
  await client.query('update pg_database set datctype = $1 where datname = current_database()', [
    locale,
  ])
  await client.query('commit')
}
