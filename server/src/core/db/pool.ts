import type { Duplex } from 'node:stream'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { inTransaction, type Db } from './db'
import { DatabaseAway, noAnswer, sayOutage } from './outage'
import { watch } from './watch'

const options = { casing: 'snake_case' } as const

/**
 * A server accepts a connection within 1.5 s or not at all; waiting for a free connection of the pool may take
 * longer.
 */
class PromptClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 1500 })
  }
}

/**
 * Opens a pool for a database that may crash, hang and recover. Callers get an error within two seconds during an
 * outage; the process keeps running.
 * @param watched true for a separate database server, which can hang while the platform keeps running
 */
export function openPool(config: pg.PoolConfig, watched: boolean) {
  const pool = new pg.Pool(watched ? { ...config, Client: PromptClient } : config)
  const clients = new Set<pg.PoolClient>()
  const waiting = new Set<(error: Error) => void>()
  let hangs = false
  let heard = 0
  let closing = false

  // A connection that breaks without an error listener would end the Node process, whether it is idle or in use.
  const broken = (error: Error) => {
    if (!closing) sayOutage(error)
  }
  pool.on('error', broken)
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', broken)
    if (watched) streamOf(client).on('data', () => (heard = performance.now()))
  })
  pool.on('remove', (client) => clients.delete(client))
  const breakAll = () => {
    for (const client of clients) streamOf(client).destroy()
  }

  const watcher = watched
    ? watch(
        config,
        () => heard,
        (silent) => {
          hangs = silent
          if (!silent) return console.error('数据库恢复应答')
          sayOutage(noAnswer())
          for (const refuse of waiting) refuse(noAnswer())
          waiting.clear()
          breakAll()
        },
      )
    : undefined

  const connect = pool.connect.bind(pool)
  const acquire = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      if (inTransaction.getStore()?.open)
        throw new Error('Inside a transaction use its tx, not the database')
      if (hangs) throw noAnswer()
      waiting.add(reject)
      connect().then(
        // A caller that was refused in the meantime no longer needs the connection.
        (client) => (waiting.delete(reject) ? resolve(client) : client.release()),
        (error) => waiting.delete(reject) && reject(new DatabaseAway(error)),
      )
    })
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    const client = acquire()
    if (!callback) return client
    client.then(
      (one) => callback(undefined, one, one.release),
      (error) => callback(error, undefined, () => {}),
    )
  }) as typeof connect

  const db: Db = drizzle(pool, options)
  // Drizzle 0.45 never releases the connection of a transaction whose BEGIN failed; ten of them would exhaust the
  // pool.
  db.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      return await drizzle(client, options).transaction(work, config)
    } finally {
      client.release()
    }
  }
  return {
    db,
    async close() {
      closing = true
      watcher?.close()
      const impatience = setTimeout(breakAll, 5000)
      await pool.end()
      clearTimeout(impatience)
    },
  }
}

/** pg-pool reaches for the same private stream when it ends a connection that takes too long. */
const streamOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream
