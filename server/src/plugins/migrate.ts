import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { Db } from './db'

const folder = new URL('../migrations/', import.meta.url)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Brings the schema up to date: every statement in a transaction of its own with a note of how far it came, so that
 * engines without transactional DDL (CockroachDB, YugabyteDB) can resume after a stop. Several processes may start at
 * once: one claims the work by a row, the others wait.
 */
export async function migrate(db: Db) {
  await db.execute(sql`create table if not exists migration (name text primary key, statements integer not null)`)
  await db.execute(sql`create table if not exists migration_claim (id integer primary key, until timestamptz not null)`)
  for (;;) {
    const names = await pending(db)
    if (names.length === 0) return
    if (await claim(db)) {
      try {
        for (const name of names) await run(db, name)
      } finally {
        await db.execute(sql`delete from migration_claim`)
      }
    } else await wait(500)
  }
}

/** Names of the generated files, in order. */
export const migrationNames = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

const statementsOf = async (name: string) => (await readFile(new URL(name, folder), 'utf8')).split('--> statement-breakpoint')

async function doneOf(db: Db, name: string) {
  const { rows } = await db.execute<{ statements: number }>(sql`select statements from migration where name = ${name}`)
  return rows[0]?.statements ?? 0
}

async function pending(db: Db) {
  const { rows } = await db.execute<{ name: string; statements: number }>(sql`select name, statements from migration`)
  const done = new Map(rows.map((row) => [row.name, row.statements]))
  const open: string[] = []
  for (const name of await migrationNames()) {
    if (done.get(name) !== (await statementsOf(name)).length) open.push(name)
  }
  return open
}

async function claim(db: Db) {
  const { rowCount } = await db.execute(sql`
    insert into migration_claim (id, until) values (1, now() + interval '2 minutes')
    on conflict (id) do update set until = excluded.until where migration_claim.until < now()`)
  return rowCount === 1
}

async function run(db: Db, name: string) {
  const statements = await statementsOf(name)
  for (let index = await doneOf(db, name); index < statements.length; index++) {
    await db.transaction(async (tx) => {
      await tx.execute(sql.raw(statements[index]!))
      await tx.execute(sql`
        insert into migration (name, statements) values (${name}, ${index + 1})
        on conflict (name) do update set statements = excluded.statements`)
    })
  }
}
