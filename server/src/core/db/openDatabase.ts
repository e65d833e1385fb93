import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { openEmbedded, openPgliteFolder } from './embedded'
import { createNoAnswerError } from './outage'
import { pgliteConfig, startPglite } from './pglite'
import { openPool } from './pool'

export type DatabaseSource =
  | { kind: 'memory'; template?: string }
  | { kind: 'embedded'; folder: string }
  /** Data of an earlier version, which is only read to copy it elsewhere. */
  | { kind: 'pglite'; folder: string }
  | { kind: 'server'; url: string }

type OpenedSource = {
  config: pg.PoolConfig
  /** True if the database is a separate process, which can hang while the platform keeps running. */
  watched: boolean
  /** The text describes the database to the operator in one sentence. */
  about: string
  dump?: () => Promise<Uint8Array>
  close?: () => Promise<void>
}

/** These limits apply to the embedded PostgreSQL and to a PostgreSQL server; timeouts are in milliseconds. */
const poolLimits: pg.PoolConfig = {
  max: 10,
  connectionTimeoutMillis: 10_000,
  statement_timeout: 15_000,
}

/**
 * Opens a database behind one `pg` pool: the embedded PostgreSQL of a folder, a PostgreSQL server, or for tests PGlite
 * in memory.
 * PGlite has one connection, so code inside `transaction` must use the given `tx` or it would wait for itself; every
 * database refuses that mistake immediately.
 */
export async function openDatabase(source: DatabaseSource) {
  const {
    config,
    watched: isSeparateServer,
    about: description,
    dump,
    close,
  } = await openSource(source)
  let lockClient: pg.Client | undefined
  const pool = openPool(isSeparateServer ? { ...poolLimits, ...config } : config, isSeparateServer)
  return {
    db: pool.db,
    kind: source.kind,
    about: description,
    dump: () => dump!(),
    /** Connections of the pool in use and idle, and callers that wait for one. */
    poolFigures: pool.figures,
    /** The embedded database has too little disk space for writes; it may be unavailable until space is free again. */
    isFull: async () =>
      source.kind === 'embedded' && (await getFreeBytes(source.folder)) < minFreeBytes,
    /**
     * Checks within two seconds that the database accepts a new connection and answers.
     * @throws DatabaseAway if it does not
     */
    ready: createSingleFlight<void, [], unknown>(() =>
      withHealthTimeout<unknown>(
        isSeparateServer ? checkConnection(config) : pool.db.execute(sql`select 1`),
      ),
    ),
    /**
     * Checks at the start whether this process may run its MQTT broker. A process with an embedded broker needs the
     * database for itself; processes on one external broker share it. The lock ends with the process, even if it
     * crashes.
     */
    async mayHaveBroker(isEmbedded: boolean) {
      if (source.kind !== 'server') return true
      lockClient = await openLockClient(source.url)
      const lock = isEmbedded ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
      const { rows } = await lockClient.query(`select ${lock}(${brokerLockKey}) as held`)
      return rows[0].held as boolean
    },
    async close() {
      await lockClient?.end().catch(() => {})
      await pool.close()
      await close?.()
    },
  }
}

/**
 * A new connection is needed for the check, because open connections keep answering when the server accepts no new
 * ones.
 */
async function checkConnection(config: pg.PoolConfig) {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 1500 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    client.end().catch(() => {})
  }
}

/** Key of the advisory lock; the value is arbitrary but must not be used for another lock. */
const brokerLockKey = 4_211_883
/**
 * Opens the connection that holds the advisory lock. If it breaks, the lock is released and a process that starts
 * later is not refused.
 */
async function openLockClient(connectionString: string) {
  const client = new pg.Client({ connectionString, keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** PostgreSQL creates each segment of its write-ahead log (16 MB) completely or not at all. */
const minFreeBytes = 16 * 1024 * 1024
async function getFreeBytes(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function openSource(source: DatabaseSource): Promise<OpenedSource> {
  if (source.kind === 'embedded') {
    const embedded = await openEmbedded(source.folder)
    return { ...embedded, watched: true }
  }
  if (source.kind === 'pglite') {
    const pglite = await openPgliteFolder(source.folder)
    return { ...pglite, watched: false }
  }
  if (source.kind === 'server')
    return {
      config: { connectionString: source.url },
      watched: true,
      about: 'PostgreSQL 服务器',
    }
  // The database in memory is used by tests only, whose process may block for minutes, so its timeout is long.
  const { stream, dump, close } = await startPglite(source)
  return {
    config: { ...pgliteConfig(stream), connectionTimeoutMillis: 600_000 },
    watched: false,
    about: '内存数据库：进程结束即清空',
    dump,
    close,
  }
}

/** Limits a health check to 1.8 s, because load balancers wait about two seconds for an answer. */
export const withHealthTimeout = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(createNoAnswerError()), 1800).unref()
    }),
  ])
