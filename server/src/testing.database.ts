import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrate } from './core/db/migrate'
import { openDatabase } from './core/db/openDatabase'
import { createTemplateFolder, startTestPostgres } from './core/db/postgres/testing'

/** Name of the environment variable with the address of the PostgreSQL server that the run shares. */
const addressVariable = 'TEST_POSTGRES'
const templateNames = {
  empty: 'template1',
  migrated: 'template_migrated',
  seeded: 'template_seeded',
}

const replaceDatabase = (url: string, name: string) => url.replace('///postgres?', `///${name}?`)

/** Starts the PostgreSQL server of a test run, with the databases from which those of the tests are made. */
export async function startSharedPostgres() {
  // A test file that only creates a database does not load the modules of the platform.
  const [{ seed }, { user, userRole }] = await Promise.all([
    import('./seed'),
    import('./tables/user'),
  ])
  const removeTemplateFolder = await createTemplateFolder()
  // Nothing has to survive a power cut, and each platform of a test opens connections of its own.
  const server = await startTestPostgres({
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 400,
  })
  process.env[addressVariable] = server.url
  const migrated = await openDatabase(await createDatabase(templateNames.migrated, 'empty'))
  await migrate(migrated.db)
  await migrated.close()
  const source = await createDatabase(templateNames.seeded, 'migrated')
  const seeded = await openDatabase(source)
  await seed(seeded.db, { database: source, empty: true })
  // Each platform creates its administrator, with the password of its options.
  await seeded.db.delete(userRole)
  await seeded.db.delete(user)
  await seeded.close()
  return {
    async close() {
      await server.close()
      removeTemplateFolder()
    },
  }
}

/**
 * Creates a database on the server of the test run. It ends with the server.
 * @param content `empty` has no table; `migrated` has all tables and no row; `seeded` has the rows that every start of
 *   the platform adds, which saves each platform half a second of the processor
 * @returns the source for `openDatabase` and `buildApp`
 */
export const createTestDatabase = (content: keyof typeof templateNames = 'migrated') =>
  createDatabase(`test_${randomUUID().replaceAll('-', '')}`, content)

async function createDatabase(name: string, content: keyof typeof templateNames) {
  const url = process.env[addressVariable]!
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${templateNames[content]}`)
  } finally {
    await client.end()
  }
  return { kind: 'temporary' as const, url: replaceDatabase(url, name) }
}
