// This file is plain JavaScript because Node starts a worker thread without the loader that compiles TypeScript.
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { parentPort, workerData } from 'node:worker_threads'

const pglite = await PGlite.create(workerData.folder, { extensions: { pg_trgm } })

/** Messages are handled one after another, because PGlite has one connection. */
let last = Promise.resolve()
const inTurn = (work) => {
  last = last.then(work).catch((error) => parentPort.postMessage({ failed: String(error) }))
}

const words = {
  // A connection that ended inside a transaction must not leave it open for the next one.
  reset: () =>
    inTurn(async () => {
      await pglite.exec('ROLLBACK')
      await pglite.exec('DISCARD ALL')
    }),
  close: () =>
    inTurn(async () => {
      await pglite.close()
      parentPort.close()
    }),
}

/** A string is one of the commands above; everything else is bytes of the PostgreSQL protocol. */
parentPort.on('message', (message) => {
  if (typeof message === 'string') return words[message]()
  inTurn(async () =>
    parentPort.postMessage(await pglite.execProtocolRaw(message, { throwOnError: false })),
  )
})
parentPort.postMessage('ready')
