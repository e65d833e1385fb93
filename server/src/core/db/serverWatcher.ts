import pg from 'pg'
import { runInBackground } from './outage'

const pollIntervalMs = 500
const answerTimeoutMs = 1000
const checkIntervalMs = 100

/**
 * Polls a server on a separate connection and reports when it falls silent and when it answers again. A server that
 * is gone refuses connections; one that hangs (a stopped process, a dead disk or network) accepts them and never
 * answers.
 * @param getLastDataTime time in milliseconds of the last data on any connection; a server that is slow on this connection
 * alone does not hang
 */
export function watchServer(
  config: pg.ClientConfig,
  getLastDataTime: () => number,
  onSilenceChange: (isSilent: boolean) => void,
) {
  let client: pg.Client | undefined
  let isServerSilent = false
  /** Time in milliseconds at which the pending poll was sent. */
  let pollTime: number | undefined
  let lastAnswerTime = -pollIntervalMs
  let lastCheckTime = performance.now()

  async function poll() {
    const isNewClient = client === undefined
    const pollClient = (client ??= new pg.Client({
      ...config,
      connectionTimeoutMillis: 2 * answerTimeoutMs,
    }))
    pollTime = performance.now()
    try {
      if (isNewClient) await pollClient.on('error', () => {}).connect()
      await pollClient.query('select 1')
      if (pollClient === client) finishPoll(false)
    } catch {
      if (pollClient === client) finishPoll(false, true)
    }
  }

  function finishPoll(isSilent: boolean, isBroken = isSilent) {
    if (isBroken) dropClient()
    pollTime = undefined
    lastAnswerTime = performance.now()
    if (isSilent !== isServerSilent) onSilenceChange((isServerSilent = isSilent))
  }

  function dropClient() {
    client?.end().catch(() => {})
    client = undefined
  }

  const timer = setInterval(() => {
    const now = performance.now()
    // If this process was suspended, the answer may have arrived but has not been read yet, so the wait starts over.
    if (pollTime !== undefined && now - lastCheckTime > 3 * checkIntervalMs) pollTime = now
    lastCheckTime = now
    if (pollTime === undefined) {
      if (now - lastAnswerTime >= pollIntervalMs) runInBackground(poll(), '数据库的应答没有查到')
    } else if (now - Math.max(pollTime, getLastDataTime()) >= answerTimeoutMs) finishPoll(true)
  }, checkIntervalMs).unref()

  return {
    close() {
      clearInterval(timer)
      dropClient()
    },
  }
}
