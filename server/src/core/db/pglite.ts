import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { describeReason } from '../safeError'
import { DatabaseAway } from './outage'

type FromWorker = Uint8Array | string | { failed: string } | { dump: Uint8Array }

/**
 * Starts PGlite in a worker thread that speaks the PostgreSQL protocol over the thread's message port. `pg` uses
 * `stream` as if it were a socket, so the embedded and the real database share one code path and no port is opened.
 * @param patience milliseconds without an answer after which the worker is restarted
 */
export async function startPglite(
  source: { folder?: string; template?: string },
  patience = 30_000,
) {
  let wire: Wire | undefined
  /** Undefined while the database is being opened, because a database that opens cannot answer the watchdog. */
  let current: Worker | undefined
  /** This many pings were sent since the last message of the worker. */
  let unanswered = 0
  let closing = false
  let dumped: ((archive: Uint8Array) => void) | undefined
  if (source.folder && !existsSync(source.folder)) await make(source.folder)
  let worker = open(source)
  await worker
  // Messages wait while the database is being reopened.
  const send = (message: string | Uint8Array) =>
    void worker.then((opened) => opened.postMessage(message))

  async function open(from: typeof source): Promise<Worker> {
    const opened = await start(from)
    current = opened
    unanswered = 0
    opened.on('message', (message: FromWorker) => {
      unanswered = 0
      if (message instanceof Uint8Array) wire?.push(message)
      else if (typeof message === 'object' && 'dump' in message) dumped?.(message.dump)
      else if (typeof message === 'object' && 'failed' in message)
        wire?.destroy(new Error(message.failed))
    })
    opened.on('error', (error) => wire?.destroy(new DatabaseAway(error)))
    opened.on('exit', () => {
      current = undefined
      wire?.destroy(new DatabaseAway(new Error('内置数据库的线程已结束')))
      // A database in a folder survives its worker; a database in memory belongs to a test and is lost.
      if (closing || !source.folder) return
      console.error('内置数据库无响应或已退出，正在重新打开')
      worker = open({ folder: source.folder })
      worker.catch((error) => {
        console.error(`内置数据库无法重新打开：${describeReason(error)}`)
        process.exit(1)
      })
    })
    return opened
  }

  // PGlite ignores statement_timeout and blocks its thread, so silence is the only sign of a runaway statement. Pings
  // are counted instead of time, because a machine that slept or a busy process has not listened either.
  const questions = 6
  const watchdog = setInterval(() => {
    if (!current) return
    if (unanswered++ >= questions) void current.terminate()
    else current.postMessage('ping')
  }, patience / questions).unref()

  return {
    stream: () => (wire = new Wire(send)),
    dump: () =>
      new Promise<Uint8Array>((resolve) => {
        dumped = resolve
        send('dump')
      }),
    async close() {
      closing = true
      clearInterval(watchdog)
      const gone = once(await worker, 'exit')
      send('close')
      await gone
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

/**
 * Creates a new database that appears under its final name only when it is complete. It runs in a separate worker,
 * because creating a database takes 500 MB more memory than using it, and only the end of the thread returns them.
 */
async function make(folder: string) {
  const unfinished = `${folder}.part`
  await rm(unfinished, { recursive: true, force: true })
  const worker = await start({ folder: unfinished })
  const gone = once(worker, 'exit')
  worker.postMessage('close')
  await gone
  await rename(unfinished, folder)
}

async function start(source: { folder?: string; template?: string }) {
  const worker = new Worker(new URL('./pglite.worker.mjs', import.meta.url), { workerData: source })
  await once(worker, 'message')
  // A database in memory belongs to a test; a failed test must not keep the process alive.
  if (!source.folder) worker.unref()
  return worker
}

/** Implements the parts of a socket that `pg` uses. */
class Wire extends Duplex {
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
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.send(new Uint8Array(chunk))
    done()
  }
  /** `pg` writes the parts of one statement together; sending them as one message costs a single turn of the worker. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void) {
    this.send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk))))
    done()
  }
  override _final(done: () => void) {
    this.push(null)
    done()
  }
}
