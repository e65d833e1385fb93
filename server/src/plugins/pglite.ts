import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'

/** How long one statement may hold the worker before it is ended and started anew. */
const patience = 30_000

type FromWorker = Uint8Array | string | { failed: string } | { dump: Uint8Array }

/**
 * PGlite in a worker thread, spoken to in the PostgreSQL protocol over the thread's message port: `pg` uses `stream`
 * as if it were a socket, so the embedded and the real database are one code path and nothing listens on the machine.
 */
export async function startPglite(source: { folder?: string; template?: string }) {
  let worker = await start(source)
  let wire: Wire | undefined
  let answered = Date.now()
  let closing = false
  let dumped: ((archive: Uint8Array) => void) | undefined

  function listen() {
    worker.on('message', (message: FromWorker) => {
      answered = Date.now()
      if (message instanceof Uint8Array) wire?.push(message)
      else if (typeof message === 'object' && 'dump' in message) dumped?.(message.dump)
      else if (typeof message === 'object' && 'failed' in message) wire?.destroy(new Error(message.failed))
    })
    worker.on('error', (error) => wire?.destroy(error))
    // A folder survives the worker; a database in memory does not, so there the process must not go on.
    worker.on('exit', () => {
      wire?.destroy(new Error('内置数据库的线程已结束'))
      if (!closing && source.folder) void restart()
    })
  }
  async function restart() {
    console.error('内置数据库无响应或已退出，正在重新打开')
    worker = await start({ folder: source.folder })
    answered = Date.now()
    listen()
  }
  listen()

  // PGlite ignores statement_timeout and blocks its thread: only silence tells that a statement runs away.
  const watchdog = setInterval(() => {
    if (Date.now() - answered > patience) void worker.terminate()
    else worker.postMessage('ping')
  }, 5_000).unref()

  return {
    stream: () => (wire = new Wire((message) => worker.postMessage(message))),
    dump: () =>
      new Promise<Uint8Array>((resolve) => {
        dumped = resolve
        worker.postMessage('dump')
      }),
    async close() {
      closing = true
      clearInterval(watchdog)
      const gone = once(worker, 'exit')
      worker.postMessage('close')
      await gone
    },
  }
}

async function start(source: { folder?: string; template?: string }) {
  const worker = new Worker(new URL('./pglite.worker.mjs', import.meta.url), { workerData: source })
  await once(worker, 'message')
  // A database in memory is a test's: one that failed must not keep the process.
  if (!source.folder) worker.unref()
  return worker
}

/** What `pg` asks of a socket. */
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
  /** `pg` writes the parts of one statement together; sent together they cost one turn of the worker. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void) {
    this.send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk))))
    done()
  }
  override _final(done: () => void) {
    this.push(null)
    done()
  }
}
