import pg from 'pg'

const every = 500
const patience = 1000
const step = 100

/**
 * Asks a server again and again, on a connection of its own, and tells when it falls silent and when it speaks again. One
 * that is gone refuses by itself; one that hangs (a stopped process, a dead disk or network) takes calls and answers none.
 * @param heard when it last said anything to anybody: one that is only slow with us does not hang
 */
export function watch(
  config: pg.ClientConfig,
  heard: () => number,
  changed: (silent: boolean) => void,
) {
  let client: pg.Client | undefined
  let silent = false
  /** Since when an answer is awaited. */
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
    // In a moment in which we ourselves stood still it may have answered; that is not read yet.
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
