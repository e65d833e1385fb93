import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { rightsRevision as table } from '../../tables/role'

/**
 * Shares changes of rights between processes of one database: the others notice a change within `every` milliseconds,
 * forget their cached sessions and inform their pages.
 */
export function shareRights(app: FastifyInstance, every = 10_000) {
  let known: number | undefined
  let telling = false

  const read = async () => (await app.db.select({ value: table.value }).from(table))[0]?.value ?? 0
  async function raise() {
    if (telling) return
    const [row] = await app.db
      .insert(table)
      .values({ id: 1, value: 1 })
      .onConflictDoUpdate({ target: table.id, set: { value: sql`${table.value} + 1` } })
      .returning({ value: table.value })
    // An increment of one is the change of this process; a larger one means that another process changed rights, too.
    if (known !== undefined && row!.value === known + 1) known = row!.value
  }
  async function look() {
    const value = await read()
    const changed = known !== undefined && value !== known
    known = value
    if (!changed) return
    telling = true
    app.rights.emit('changed')
    telling = false
  }
  const note = (error: Error) => app.reportError('server', error)
  app.rights.on('changed', () => void raise().catch(note))
  const timer = setInterval(() => void look().catch(note), every).unref()
  return { ready: look(), look, stop: () => clearInterval(timer) }
}
