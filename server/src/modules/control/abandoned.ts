import type { Db } from '../../core/db/db'
import type { States } from '../../device-access/states'
import { now } from '../../tables/columns'
import { controlQueries, noCounts } from './queries'

const standstill = 30_000

/**
 * Ends tasks whose process died: what was not sent failed, what was sent has no known result. `alone` says that no other
 * process works on this database, so every task that runs is one of those.
 */
export async function closeAbandoned(
  db: Db,
  states: States,
  alone: boolean,
  mine: (id: string) => boolean = () => false,
) {
  const queries = controlQueries(db)
  const before = new Date(Date.now() - (alone ? 0 : standstill)).toISOString()
  for (const task of await queries.abandoned(before)) {
    if (mine(task.id)) continue
    const rows = (await queries.ledger(task.projectId, task.id)).map(({ ledger }) => ledger)
    const counts = noCounts()
    const changed = rows.filter(({ state }) => ['queued', 'sent', 'delivered'].includes(state))
    for (const row of changed) {
      Object.assign(
        row,
        row.state === 'queued'
          ? { state: 'failed', reason: '平台重启，未下发' }
          : { state: 'timeout', reason: '平台重启，结果未知' },
        { doneTime: now() },
      )
    }
    for (const row of rows) counts[row.state]!++
    states.events.emit('changed', await queries.forgetWishes(task.projectId, task.id))
    await queries.progress(
      { ...task, counts, status: 'done', updateTime: now(), doneTime: now() },
      changed,
    )
  }
}
