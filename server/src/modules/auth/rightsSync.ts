import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { rightsRevision as table } from '../../tables/role'

/**
 * Shares changes of rights and ended sessions between processes of one database: the others notice them within
 * `pollMs` milliseconds, forget the cached sessions and inform or close their pages. Two small queries a round are
 * cheaper than reading each session again.
 */
export function startRightsSync(app: FastifyInstance, pollMs = 500) {
  let lastRevision: number | undefined
  let isNotifying = false

  const readRevision = async () =>
    (await app.db.select({ value: table.value }).from(table))[0]?.value ?? 0
  async function incrementRevision() {
    if (isNotifying) return
    const [row] = await app.db
      .insert(table)
      .values({ id: 1, value: 1 })
      .onConflictDoUpdate({ target: table.id, set: { value: sql`${table.value} + 1` } })
      .returning({ value: table.value })
    // An increment of one is the change of this process; a larger one means that another process changed rights, too.
    if (lastRevision !== undefined && row!.value === lastRevision + 1) lastRevision = row!.value
  }
  async function checkRevision() {
    const value = await readRevision()
    const hasChanged = lastRevision !== undefined && value !== lastRevision
    lastRevision = value
    if (!hasChanged) return
    isNotifying = true
    app.rights.emit('changed')
    isNotifying = false
  }
  const reportFailure = (error: Error) => app.reportError('server', error)
  app.rights.on('changed', () => void incrementRevision().catch(reportFailure))
  const checkAll = async () => {
    await Promise.all([checkRevision(), app.sessions.dropEnded()])
  }
  let timer: NodeJS.Timeout
  let isStopped = false
  let currentCheck: Promise<void> | undefined
  const scheduleCheck = () => {
    timer = setTimeout(() => {
      currentCheck = checkAndSchedule()
    }, pollMs).unref()
  }
  async function checkAndSchedule() {
    await checkAll().catch(reportFailure)
    if (!isStopped) scheduleCheck()
  }
  scheduleCheck()
  return {
    ready: checkRevision(),
    look: checkAll,
    /** Resolves when a check that is running has ended. */
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await currentCheck
    },
  }
}
