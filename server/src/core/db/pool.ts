import type { Duplex } from 'node:stream'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { transactionStorage, type Db } from './db'
import { DatabaseUnavailableError, createNoAnswerError, logOutageThrottled } from './outage'
import { watchServer } from './serverWatcher'
import { log } from '../logging/log'

const drizzleOptions = { casing: 'snake_case' } as const

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
 * @param isSeparateServer true for a separate database server, which can hang while the platform keeps running
 */
export function openPool(config: pg.PoolConfig, isSeparateServer: boolean) {
  const pool = new pg.Pool(isSeparateServer ? { ...config, Client: PromptClient } : config)
  const clients = new Set<pg.PoolClient>()
  const waitingCallers = new Set<(error: Error) => void>()
  let isHanging = false
  let lastDataTime = 0
  let isClosing = false

  // A connection that breaks without an error listener would end the Node process, whether it is idle or in use.
  const onConnectionError = (error: Error) => {
    if (!isClosing) logOutageThrottled(error)
  }
  pool.on('error', onConnectionError)
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', onConnectionError)
    if (isSeparateServer)
      getSocketStream(client).on('data', () => (lastDataTime = performance.now()))
  })
  pool.on('remove', (client) => clients.delete(client))
  const destroyConnections = () => {
    for (const client of clients) getSocketStream(client).destroy()
  }

  const watcher = isSeparateServer
    ? watchServer(
        config,
        () => lastDataTime,
        (isSilent) => {
          isHanging = isSilent
          if (!isSilent) return log.warn({ module: 'database' }, '数据库恢复应答')
          logOutageThrottled(createNoAnswerError())
          for (const rejectCaller of waitingCallers) rejectCaller(createNoAnswerError())
          waitingCallers.clear()
          destroyConnections()
        },
      )
    : undefined

  const connect = pool.connect.bind(pool)
  const acquire = () =>
    new Promise<pg.PoolClient>((resolve, reject) => {
      if (transactionStorage.getStore()?.open)
        throw new Error('Inside a transaction use its tx, not the database')
      if (isHanging) throw createNoAnswerError()
      waitingCallers.add(reject)
      connect().then(
        // A caller that was refused in the meantime no longer needs the connection.
        (client) => (waitingCallers.delete(reject) ? resolve(client) : client.release()),
        (error) => waitingCallers.delete(reject) && reject(new DatabaseUnavailableError(error)),
      )
    })
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    const client = acquire()
    if (!callback) return client
    client.then(
      (pooledClient) => callback(undefined, pooledClient, pooledClient.release),
      (error) => callback(error, undefined, () => {}),
    )
  }) as typeof connect

  const db: Db = drizzle(pool, drizzleOptions)
  // Drizzle 0.45 never releases the connection of a transaction whose BEGIN failed; ten of them would exhaust the
  // pool.
  db.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      return await drizzle(client, drizzleOptions).transaction(work, config)
    } finally {
      client.release()
    }
  }
  return {
    db,
    figures: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      isClosing = true
      watcher?.close()
      const forceCloseTimer = setTimeout(destroyConnections, 5000)
      await pool.end()
      clearTimeout(forceCloseTimer)
    },
  }
}

/** pg-pool reaches for the same private stream when it ends a connection that takes too long. */
const getSocketStream = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream
