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
  const client = new pg.Client(connection)
  await client.connect()
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

async function knows(client: pg.Client, locale: string) {
  await client.query('begin')
  const known = await client
    .query(`create collation pg_temp.known (provider = libc, locale = '${locale}')`)
    .catch(() => undefined)
  await client.query('rollback')
  return known !== undefined
}

async function change(client: pg.Client, locale: string) {
  await client.query('begin')
  await client.query(`
    do $$ declare one regclass; begin
      for one in select indexrelid from pg_index
        join pg_opclass on pg_opclass.oid = any (indclass) where opcname like '%\\_trgm\\_ops'
      loop execute 'drop index ' || one; end loop;
    end $$`)
  await client.query('update pg_database set datctype = $1 where datname = current_database()', [
    locale,
  ])
  await client.query('commit')
}
