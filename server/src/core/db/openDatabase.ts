import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { openEmbedded, openPgliteFolder } from './embedded'
import { createNoAnswerError } from './outage'
import { openPool } from './pool'

export type DatabaseSource =
  /** A database of a test or a benchmark: no other process uses it, and nothing is kept. */
  | { kind: 'temporary'; url: string }
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
  close?: () => Promise<void>
}

/** These limits apply to the embedded PostgreSQL and to a PostgreSQL server; timeouts are in milliseconds. */
const poolLimits: pg.PoolConfig = {
  max: 10,
  connectionTimeoutMillis: 10_000,
  statement_timeout: 15_000,
}

/**
 * Opens a database behind one `pg` pool: the embedded PostgreSQL of a folder or a PostgreSQL server. Code inside
 * `transaction` must use the given `tx`: with all connections of the pool in transactions it would wait for itself, so
 * the pool refuses that mistake immediately.
 */
export async function openDatabase(source: DatabaseSource) {
  const { config, watched: isSeparateServer, about: description, close } = await openSource(source)
  let lockClient: pg.Client | undefined
  const pool = openPool(isSeparateServer ? { ...poolLimits, ...config } : config, isSeparateServer)
  return {
    db: pool.db,
    kind: source.kind,
    /**
     * Opens a connection outside the pool, for work that lasts longer than the limits of the pool allow. The caller
     * ends it. The database in memory has only one connection and refuses.
     */
    async openConnection() {
      if (!isSeparateServer) throw new Error('内存数据库没有第二个连接')
      return connectAlone(config)
    },
    about: description,
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

/** Opens a single connection. One that breaks without an error listener would end the Node process. */
export async function connectAlone(config: pg.ClientConfig) {
  const client = new pg.Client({ ...config, keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Key of the advisory lock; the value is arbitrary but must not be used for another lock. */
const brokerLockKey = 4_211_883
/**
 * Opens the connection that holds the advisory lock. If it breaks, the lock is released and a process that starts
 * later is not refused.
 */
const openLockClient = (connectionString: string) => connectAlone({ connectionString })

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
  return {
    config: {
      connectionString: source.url,
      max: 4,
      // The process of a test may block for minutes, and it ends without closing the platform that its files share.
      connectionTimeoutMillis: 600_000,
      allowExitOnIdle: true,
    },
    watched: false,
    about: '临时数据库：不保留数据',
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
