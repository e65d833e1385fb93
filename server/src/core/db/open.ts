import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { openEmbedded, type EmbeddedSource } from './embedded'
import { noAnswer } from './outage'
import { pgliteConfig, startPglite } from './pglite'
import { openPool } from './pool'

export type DatabaseSource =
  | { kind: 'memory'; template?: string }
  | ({ kind: 'embedded' } & EmbeddedSource)
  | { kind: 'server'; url: string }

type Opened = {
  config: pg.PoolConfig
  /** A process of its own, which can hang while we go on. */
  watched: boolean
  /** One sentence for who runs the platform. */
  about: string
  dump?: () => Promise<Uint8Array>
  close?: () => Promise<void>
}

/** Of PostgreSQL, ours or another's. */
const limits: pg.PoolConfig = {
  max: 10,
  connectionTimeoutMillis: 10_000,
  statement_timeout: 15_000,
}

/**
 * Opens a database behind one `pg` pool: PGlite in memory, the embedded one of a folder, or a PostgreSQL server.
 * PGlite is one connection: inside `transaction` use the `tx` given, or you wait for yourself; that mistake is refused
 * at once, with every database.
 */
export async function openDatabase(source: DatabaseSource) {
  const { config, watched, about, dump, close } = await open(source)
  let claim: pg.Client | undefined
  const pool = openPool(watched ? { ...limits, ...config } : config, watched)
  return {
    db: pool.db,
    kind: source.kind,
    about,
    dump: () => dump!(),
    /** There is no room where the embedded one keeps its data; then it may be away until there is. */
    isFull: async () => source.kind === 'embedded' && (await roomOf(source.folder)) < leastRoom,
    /** Within two seconds: it lets somebody new in and answers, or this throws. */
    ready: shareRunning(() =>
      inTime<unknown>(watched ? tryConnecting(config) : pool.db.execute(sql`select 1`)),
    ),
    /**
     * Whether this process may have its broker, asked at its start: an embedded one has a database for itself, those on
     * one broker share it. Given back when the process ends, however it ends.
     */
    async mayHaveBroker(isEmbedded: boolean) {
      if (source.kind !== 'server') return true
      claim = await openClaim(source.url)
      const lock = isEmbedded ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
      const { rows } = await claim.query(`select ${lock}(${brokerLock}) as held`)
      return rows[0].held as boolean
    },
    async close() {
      await claim?.end().catch(() => {})
      await pool.close()
      await close?.()
    },
  }
}

/** A connection of its own: those that are open go on answering where nobody new is let in. */
async function tryConnecting(config: pg.PoolConfig) {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 1500 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    client.end().catch(() => {})
  }
}

/** Who asks while an answer is awaited gets the same one, so that many who ask cost one connection. */
function shareRunning<T>(work: () => Promise<T>) {
  let running: Promise<T> | undefined
  return () => (running ??= work().finally(() => (running = undefined)))
}

/** Any number that means nothing else to the database. */
const brokerLock = 4_211_883
/** A connection that holds a lock. Where it breaks the lock is gone; who starts after that is not refused. */
async function openClaim(connectionString: string) {
  const client = new pg.Client({ connectionString, keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** One file of its log of changes, which it makes whole or not at all. */
const leastRoom = 16 * 1024 * 1024
async function roomOf(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function open(source: DatabaseSource): Promise<Opened> {
  if (source.kind === 'embedded') return openEmbedded(source)
  if (source.kind === 'server')
    return {
      config: { connectionString: source.url },
      watched: true,
      about: 'PostgreSQL 服务器',
    }
  // A test's: its process may do something else for as long as it likes.
  const { stream, dump, close } = await startPglite(source, 600_000)
  return {
    config: { ...pgliteConfig(stream), connectionTimeoutMillis: 600_000 },
    watched: false,
    about: '内存数据库：进程结束即清空',
    dump,
    close,
  }
}

/** What a load balancer waits for. */
export const inTime = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<never>((_, refuse) => {
      setTimeout(() => refuse(noAnswer()), 1800).unref()
    }),
  ])
