import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { lockFolder } from './folderLock'
import { startPglite } from './pglite'

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

const inTransaction = new AsyncLocalStorage<{ open: boolean }>()

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
  const pool = new pg.Pool(
    source.kind === 'server'
      ? {
          connectionString: source.url,
          max: 10,
          connectionTimeoutMillis: 10_000,
          statement_timeout: 15_000,
        }
      : {
          max: 1,
          idleTimeoutMillis: 0,
          user: 'postgres',
          database: 'postgres',
          stream: pglite!.stream,
          connectionTimeoutMillis: 15_000,
        },
  )
  // Without it a database that goes away takes Node with it.
  pool.on('error', (error) => console.error('数据库连接中断：', error.message))
  const connect = pool.connect.bind(pool) as typeof pool.connect
  pool.connect = ((...args: Parameters<typeof connect>) => {
    if (inTransaction.getStore()?.open)
      throw new Error('Inside a transaction use its tx, not the database')
    return connect(...args)
  }) as typeof connect

  const db: Db = drizzle(pool, { casing: 'snake_case' })
  return {
    db,
    kind: source.kind,
    dump: () => pglite!.dump(),
    async ready() {
      await db.execute(sql`select 1`)
    },
    async close() {
      await pool.end()
      await pglite?.close()
      unlock?.()
    },
  }
}

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

/** The five characters PostgreSQL gives an error; Drizzle wraps the error in its own. */
export const sqlState = (error: unknown) =>
  causesOf(error).find((cause) => cause instanceof pg.DatabaseError)?.code

/** An error and what caused it, outermost first. */
export function causesOf(error: unknown): NodeJS.ErrnoException[] {
  const causes: NodeJS.ErrnoException[] = []
  for (
    let cause = error;
    typeof cause === 'object' && cause !== null;
    cause = (cause as Error).cause
  )
    causes.push(cause as Error)
  return causes
}
