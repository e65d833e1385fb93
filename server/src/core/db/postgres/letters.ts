import pg from 'pg'

/** The first that the machine knows: Linux has the one, macOS the other. */
const locales = ['C.UTF-8', 'en_US.UTF-8']

/**
 * `pg_trgm` asks the C library what a letter is, whatever provider sorts the texts. A database that is made with the
 * locale C knows none but ASCII: its trigrams of Chinese are empty, and a search in Chinese reads every row. So it is
 * given another; indexes made by the former one would miss rows and go in the same step (`indexSearched` makes them anew).
 * Nothing else of ours asks the library.
 */
export async function readLetters(connection: pg.ClientConfig) {
  const client = await connected(connection)
  try {
    const { rows } = await client.query<{ ctype: string }>(
      'select datctype as ctype from pg_database where datname = current_database()',
    )
    if (rows[0]!.ctype !== 'C') return
    for (const locale of locales)
      if (await knows(client, locale)) return await change(client, locale)
  } finally {
    await client.end()
  }
}

/**
 * A folder that comes from another machine may name a locale this one does not have; then PostgreSQL lets nobody into the
 * database. Another database of the server lets us take the name away. What its indexes hold was read by other rules.
 */
async function connected(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    return client
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('locale is incompatible'))) throw error
  }
  console.log(
    '数据目录来自另一台机器，本机没有它的区域设置（LC_CTYPE）：改用本机的，并重建搜索索引',
  )
  const beside = new pg.Client({ ...connection, database: 'template1' })
  await beside.connect()
  await beside.query(`update pg_database set datctype = 'C' where datname = $1`, [
    connection.database,
  ])
  await beside.end()
  const again = new pg.Client(connection)
  await again.connect()
  await again.query(dropSearched)
  return again
}

async function knows(client: pg.Client, locale: string) {
  await client.query('begin')
  const known = await client
    .query(`create collation pg_temp.known (provider = libc, locale = '${locale}')`)
    .catch(() => undefined)
  await client.query('rollback')
  return known !== undefined
}

/** They are made anew by `indexSearched`. */
const dropSearched = `
  do $$ declare one regclass; begin
    for one in select indexrelid from pg_index
      join pg_opclass on pg_opclass.oid = any (indclass) where opcname like '%\\_trgm\\_ops'
    loop execute 'drop index ' || one; end loop;
  end $$`

async function change(client: pg.Client, locale: string) {
  await client.query('begin')
  await client.query(dropSearched)
  await client.query('update pg_database set datctype = $1 where datname = current_database()', [
    locale,
  ])
  await client.query('commit')
}
