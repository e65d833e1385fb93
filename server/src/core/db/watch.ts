import pg from 'pg'

const every = 500
const patience = 1000
const step = 100

/**
 * Polls a server on a separate connection and reports when it falls silent and when it answers again. A server that
 * is gone refuses connections; one that hangs (a stopped process, a dead disk or network) accepts them and never
 * answers.
 * @param heard time in milliseconds of the last data on any connection; a server that is slow on this connection
 * alone does not hang
 */
export function watch(
  config: pg.ClientConfig,
  heard: () => number,
  changed: (silent: boolean) => void,
) {
  let client: pg.Client | undefined
  let silent = false
  /** Time in milliseconds at which the pending poll was sent. */
  let asked: number | undefined
  let answered = -every
  let looked = performance.now()

  async function ask() {
    const fresh = client === undefined
    const mine = (client ??= new pg.Client({ ...config, connectionTimeoutMillis: 2 * patience }))
    asked = performance.now()
    try {
      if (fresh) await mine.on('error', () => {}).connect()
      await mine.query('select 1')
      if (mine === client) conclude(false)
    } catch {
      if (mine === client) conclude(false, true)
    }
  }

  function conclude(isSilent: boolean, isBroken = isSilent) {
    if (isBroken) drop()
    asked = undefined
    answered = performance.now()
    if (isSilent !== silent) changed((silent = isSilent))
  }

  function drop() {
    client?.end().catch(() => {})
    client = undefined
  }

  const timer = setInterval(() => {
    const now = performance.now()
    // If this process was suspended, the answer may have arrived but has not been read yet, so the wait starts over.
    if (asked !== undefined && now - looked > 3 * step) asked = now
    looked = now
    if (asked === undefined) {
      if (now - answered >= every) void ask()
    } else if (now - Math.max(asked, heard()) >= patience) conclude(true)
  }, step).unref()

  return {
    close() {
      clearInterval(timer)
      drop()
    },
  }
}
