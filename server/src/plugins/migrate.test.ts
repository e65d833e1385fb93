import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { testApp } from '../testing'
import { openDatabase } from './db'
import { migrate, migrationNames } from './migrate'

jest.setTimeout(60_000)
const server = join(__dirname, '..')

/** Every table the modules declare. */
async function tables() {
  const schema: Record<string, unknown> = {}
  for (const name of await readdir(join(server, 'modules'))) {
    const files = await readdir(join(server, 'modules', name))
    if (files.includes('table.ts')) Object.assign(schema, await import(join(server, 'modules', name, 'table.ts')))
  }
  return schema
}

test('the migrations end where the tables are: fresh = migrated', async () => {
  const meta = join(server, 'migrations/meta')
  const last = (await readdir(meta)).filter((name) => name.endsWith('_snapshot.json')).sort().at(-1)!
  const snapshot = JSON.parse(readFileSync(join(meta, last), 'utf8'))
  expect(await generateMigration(snapshot, generateDrizzleJson(await tables(), snapshot.id, undefined, 'snake_case'))).toEqual([])
})

test('a database migrated step by step has the columns the tables have', async () => {
  const { app, close } = await testApp()
  const { rows } = await app.db.execute<{ table_name: string }>(sql`select distinct table_name from information_schema.columns where table_schema = 'public'`)
  const names = rows.map((row) => row.table_name)
  for (const table of Object.values(await tables())) {
    if (typeof table !== 'object' || table === null || !(Symbol.for('drizzle:Name') in table)) continue
    expect(names).toContain((table as Record<symbol, string>)[Symbol.for('drizzle:Name')])
    await app.db.execute(sql`select * from ${table as never} limit 0`)
  }
  await close()
})

test('a migration that stopped half-way goes on where it was, and two starts at once do it once', async () => {
  const database = await openDatabase({ kind: 'memory' })
  const [first] = await migrationNames()
  await database.db.execute(sql`create table migration (name text primary key, statements integer not null)`)
  await database.db.execute(sql.raw(readFileSync(join(server, 'migrations', first!), 'utf8').split('--> statement-breakpoint')[0]!))
  await database.db.execute(sql`insert into migration values (${first}, 1)`)
  await Promise.all([migrate(database.db), migrate(database.db)])
  const { rows } = await database.db.execute<{ name: string }>(sql`select name from migration order by name`)
  expect(rows.map(({ name }) => name)).toEqual(await migrationNames())
  await database.close()
})
