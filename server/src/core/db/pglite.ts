import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { DatabaseUnavailableError } from './outage'

type WorkerMessage = Uint8Array | { failed: string }

/**
 * Starts PGlite in a worker thread that speaks the PostgreSQL protocol over the thread's message port. `pg` uses
 * `stream` as if it were a socket, so copying out of it takes the same code path as any database and no port is opened.
 * @param folder data folder of PGlite
 */
export async function startPglite(folder: string) {
  let workerSocket: WorkerSocket | undefined
  const worker = await startWorker(folder)
  worker.on('message', (message: WorkerMessage) => {
    if (message instanceof Uint8Array) workerSocket?.push(message)
    else workerSocket?.destroy(new Error(message.failed))
  })
  worker.on('error', (error) => workerSocket?.destroy(new DatabaseUnavailableError(error)))
  worker.on('exit', () =>
    workerSocket?.destroy(new DatabaseUnavailableError(new Error('内置数据库的线程已结束'))),
  )
  const send = (message: string | Uint8Array) => worker.postMessage(message)
  return {
    stream: () => (workerSocket = new WorkerSocket(send)),
    async close() {
      const exit = once(worker, 'exit')
      send('close')
      await exit
    },
  }
}

/** Returns the `pg` settings for PGlite, which has exactly one connection. */
export const pgliteConfig = (stream: pg.PoolConfig['stream']): pg.PoolConfig => ({
  max: 1,
  idleTimeoutMillis: 0,
  user: 'postgres',
  database: 'postgres',
  stream,
  connectionTimeoutMillis: 15_000,
})

async function startWorker(folder: string) {
  const worker = new Worker(new URL('./pglite.worker.mjs', import.meta.url), {
    workerData: { folder },
  })
  await once(worker, 'message')
  return worker
}

/** Implements the parts of a socket that `pg` uses. */
class WorkerSocket extends Duplex {
  constructor(private readonly send: (message: string | Uint8Array) => void) {
    super()
  }
  connect() {
    this.send('reset')
    process.nextTick(() => this.emit('connect'))
    return this
  }
  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this
  override _read() {}
  override _write(chunk: Buffer, _encoding: string, callback: () => void) {
    this.send(new Uint8Array(chunk))
    callback()
  }
  /** `pg` writes the parts of one statement together; sending them as one message costs a single turn of the worker. */
  override _writev(chunks: { chunk: Buffer }[], callback: () => void) {
    this.send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk))))
    callback()
  }
  override _final(callback: () => void) {
    this.push(null)
    callback()
  }
}
