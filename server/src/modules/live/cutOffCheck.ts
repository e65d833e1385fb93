import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { withHealthTimeout } from '../../core/db/openDatabase'
import { runInBackground } from '../../core/db/outage'

const checkIntervalMs = 2000
/** One failed query may be a busy moment. */
const maxFailedChecks = 2

/**
 * Checks whether one of several processes is cut off from the broker or the database that it shares with the others. Its
 * pages would show old states as current.
 */
export function startCutOffCheck(app: FastifyInstance, onCutOff: () => void) {
  if (app.settings.mqttUrl === undefined) return { isCutOff: () => false, stop: () => {} }
  let failedChecks = 0
  let isChecking = false

  const isCutOff = () => app.devices.broker() === 'away' || failedChecks >= maxFailedChecks
  async function checkDatabase() {
    if (isChecking) return
    isChecking = true
    await withHealthTimeout(app.db.execute(sql`select 1`)).then(
      () => (failedChecks = 0),
      () => failedChecks++,
    )
    isChecking = false
  }
  const timer = setInterval(() => {
    runInBackground(checkDatabase(), '数据库的连接没有查到')
    if (isCutOff()) onCutOff()
  }, checkIntervalMs).unref()
  return { isCutOff, stop: () => clearInterval(timer) }
}
