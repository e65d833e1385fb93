import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { lockFolder } from './folderLock'
import { DatabaseAway, sqlState } from './outage'
import { startPglite } from './pglite'
import { inTransaction, openPool } from './pool'

/** The database or a transaction in it; queries take either. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>

export type DatabaseSource =
  | { kind: 'memory'; template?: string }
  | {
      kind: 'embedded'
      folder: string
      /** Milliseconds one statement may take before the database is opened anew. */ patience?: number
    }
  | { kind: 'server'; url: string }

/**
 * Opens PGlite (in memory or in a folder) or a PostgreSQL server behind one `pg` pool.
 * The embedded database is one connection: inside `transaction` use the `tx` given, or you wait for yourself;
 * that mistake is refused at once.
 */
export async function openDatabase(source: DatabaseSource) {
  const unlock = source.kind === 'embedded' ? lockFolder(source.folder) : undefined
  const pglite = await startEmbedded(source).catch((error) => {
    unlock?.()
    throw error
  })
  const { db, close } =
    source.kind === 'server'
      ? openPool(
          {
            connectionString: source.url,
            max: 10,
            connectionTimeoutMillis: 10_000,
            statement_timeout: 15_000,
          },
          true,
        )
      : openPool(
          {
            max: 1,
            idleTimeoutMillis: 0,
            user: 'postgres',
            database: 'postgres',
            stream: pglite!.stream,
            connectionTimeoutMillis: 15_000,
          },
          false,
        )
  return {
    db,
    kind: source.kind,
    dump: () => pglite!.dump(),
    /** Within two seconds: it answers, or throws. */
    ready: () => Promise.race([db.execute(sql`select 1`), tooLate()]),
    async close() {
      await close()
      await pglite?.close()
      unlock?.()
    },
  }
}

const tooLate = () =>
  new Promise<never>((_, refuse) => {
    setTimeout(() => refuse(new DatabaseAway(new Error('没有应答'))), 1800).unref()
  })

const startEmbedded = async (source: DatabaseSource) =>
  source.kind === 'server'
    ? undefined
    : source.kind === 'embedded'
      ? startPglite({ folder: join(source.folder, 'pgdata') }, source.patience)
      : startPglite(source)

/** A transaction, tried again when a distributed engine asks for it (serialization failure, deadlock). */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const scope = { open: true }
    try {
      return await db.transaction((tx) =>
        inTransaction.run(scope, async () => await work(tx as Db)),
      )
    } catch (error) {
      if (attempt === 5 || !['40001', '40P01'].includes(sqlState(error) ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt * (0.5 + Math.random())))
    } finally {
      scope.open = false
    }
  }
}
