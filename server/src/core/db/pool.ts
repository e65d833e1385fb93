import type { Duplex } from 'node:stream'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { inTransaction, type Db } from './db'
import { DatabaseAway, noAnswer, sayOutage } from './outage'
import { watch } from './watch'

const options = { casing: 'snake_case' } as const

/** A server takes a connection at once or not at all; to wait for a free one of ours is another matter. */
class PromptClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 1500 })
  }
}

/**
 * Connections to a database that may die, hang and come back: to whoever asks meanwhile that is an error within two
 * seconds, to the process it is nothing.
 * @param watched a server of its own, which can hang while we go on
 */
export function openPool(config: pg.PoolConfig, watched: boolean) {
  const pool = new pg.Pool(watched ? { ...config, Client: PromptClient } : config)
  const clients = new Set<pg.PoolClient>()
  const waiting = new Set<(error: Error) => void>()
  let hangs = false
  let heard = 0
  let closing = false

  // Without a listener a connection that breaks takes Node with it, one in use no less than one at rest.
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
        // Who was refused meanwhile does not come for it any more.
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
  // Drizzle 0.45 keeps the connection of a transaction whose BEGIN failed: ten of them, and the pool is empty for ever.
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

/** As pg-pool itself ends a connection that takes too long. */
const streamOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream
