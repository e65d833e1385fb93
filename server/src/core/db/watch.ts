import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

const every = 500
const patience = 1000

/**
 * Asks a server again and again, on a connection of its own, and tells when it falls silent and when it speaks again. One
 * that is gone refuses by itself; one that hangs (a stopped process, a dead disk or network) takes calls and answers none.
 */
export function watch(config: pg.ClientConfig, changed: (silent: boolean) => void) {
  let client: pg.Client | undefined
  let silent = false
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function ask() {
    if (!client) {
      client = new pg.Client({ ...config, connectionTimeoutMillis: 2 * patience })
      client.on('error', () => {})
      await client.connect()
    }
    await client.query('select 1')
  }

  async function round() {
    const word = await Promise.race([
      ask().then(
        () => 'answer',
        () => 'error',
      ),
      late(),
    ])
    if (closed) return
    if (word !== 'answer') drop()
    if (silent !== (word === 'silence')) changed((silent = !silent))
    timer = setTimeout(round, every).unref()
  }

  function drop() {
    client?.end().catch(() => {})
    client = undefined
  }

  void round()
  return {
    close() {
      closed = true
      clearTimeout(timer)
      drop()
    },
  }
}

/** A moment in which we ourselves were stalled says nothing of the server: what it answered is not read yet. */
async function late(): Promise<'silence'> {
  for (;;) {
    const due = performance.now() + patience
    await wait(patience, undefined, { ref: false })
    if (performance.now() - due < patience / 5) return 'silence'
  }
}
