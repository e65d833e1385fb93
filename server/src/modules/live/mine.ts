import { Task } from '@iot/shared/contract/task'
import type { TaskRow } from '../../core/tasks/queries'

/** Flush interval in milliseconds; with states and project tasks a page stays within ten messages a second. */
const every = 500

/** Sends users the changes of their own tasks in batches. */
export function openMine(send: (userId: string, tasks: Task[]) => void) {
  const waiting = new Map<string, Map<string, Task>>()
  let timer: NodeJS.Timeout | undefined

  function flush() {
    timer = undefined
    for (const [userId, tasks] of waiting) send(userId, [...tasks.values()])
    waiting.clear()
  }
  return {
    task(row: TaskRow) {
      if (!row.listed || !row.ownerId) return
      const ofUser = waiting.get(row.ownerId) ?? new Map<string, Task>()
      waiting.set(row.ownerId, ofUser.set(row.id, Task.parse(row)))
      timer ??= setTimeout(flush, every)
    },
    close: () => clearTimeout(timer),
  }
}
