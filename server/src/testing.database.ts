import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrate } from './core/db/migrate'
import { openDatabase } from './core/db/openDatabase'
import { startTestPostgres } from './core/db/postgres/testing'

/** Name of the environment variable with the address of the PostgreSQL server that the run shares. */
const addressVariable = 'TEST_POSTGRES'
const migratedTemplate = 'template_migrated'

const replaceDatabase = (url: string, name: string) => url.replace('///postgres?', `///${name}?`)

/** Starts the PostgreSQL server of a test run, with a migrated database from which those of the tests are made. */
export async function startSharedPostgres() {
  // Nothing has to survive a power cut, and each platform of a test opens connections of its own.
  const server = await startTestPostgres({
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 400,
  })
  process.env[addressVariable] = server.url
  const source = await createDatabase(migratedTemplate, 'template1')
  const database = await openDatabase(source)
  await migrate(database.db)
  await database.close()
  return server
}

/**
 * Creates a database on the server of the test run. It ends with the server.
 * @param content `empty` has no table; `migrated` has all tables and no row
 * @returns the source for `openDatabase` and `buildApp`
 */
export const createTestDatabase = (content: 'migrated' | 'empty' = 'migrated') =>
  createDatabase(
    `test_${randomUUID().replaceAll('-', '')}`,
    content === 'empty' ? 'template1' : migratedTemplate,
  )

async function createDatabase(name: string, templateName: string) {
  const url = process.env[addressVariable]!
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${templateName}`)
  } finally {
    await client.end()
  }
  return { kind: 'temporary' as const, url: replaceDatabase(url, name) }
}
