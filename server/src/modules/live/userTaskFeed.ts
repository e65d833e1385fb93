import { Task } from '@iot/shared/contract/sheet/task.schema'
import type { TaskRow } from '../../core/tasks/queries'

/** Flush interval in milliseconds; with states and project tasks a page stays within ten messages a second. */
const flushIntervalMs = 500

/** Sends users the changes of their own tasks in batches. */
export function createUserTaskFeed(send: (userId: string, tasks: Task[]) => void) {
  const pendingByUser = new Map<string, Map<string, Task>>()
  let timer: NodeJS.Timeout | undefined

  function flush() {
    timer = undefined
    for (const [userId, tasks] of pendingByUser) send(userId, [...tasks.values()])
    pendingByUser.clear()
  }
  return {
    task(row: TaskRow) {
      if (!row.listed || !row.ownerId) return
      const pendingTasks = pendingByUser.get(row.ownerId) ?? new Map<string, Task>()
      pendingByUser.set(row.ownerId, pendingTasks.set(row.id, Task.parse(row)))
      timer ??= setTimeout(flush, flushIntervalMs)
    },
    close: () => clearTimeout(timer),
  }
}
