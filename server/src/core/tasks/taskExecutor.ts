import { countFinishedItems } from '@iot/shared/contract/sheet/task'
import { now } from '../../tables/columns'
import type { Db } from '../db/db'
import { toRefusal } from '../http/errors'
import { taskQueries, type TaskEnding, type TaskRow } from './queries'
import type { ResultStore } from './resultStore'
import { abortTask, type RunningTask } from './runningTask'
import { getSecretsFileId } from './secretsDownload'
import type { TaskContext } from './taskRunner'

/** The work was left to another process, which goes on with it. */
export const leftOpen = Symbol('leftOpen')

type TaskExecutorOptions = {
  results: ResultStore
  runningTasks: Map<string, RunningTask>
  onChanged: (row: TaskRow) => void
  reportError: (error: Error) => void
}

/** Returns a function that does the work of a task and stores how it ended. */
export function createTaskExecutor(
  db: Db,
  { results, runningTasks, onChanged, reportError }: TaskExecutorOptions,
) {
  const queries = taskQueries(db)

  const createTaskContext = (task: RunningTask): TaskContext => ({
    row: task.row,
    signal: task.abort.signal,
    async progress(change, tx = db) {
      const { row } = task
      Object.assign(row, change)
      if (!(await taskQueries(tx).progress(row))) {
        abortTask(task, 'lost')
        throw new Error(`任务已由别的进程结束：${row.id}`)
      }
      onChanged(row)
    },
    keep: (name, content) => results.write(task.row.id, name, content),
    keepSecrets: (name, content) => results.write(getSecretsFileId(task.row.id), name, content),
  })

  function toFailure(error: Error): TaskEnding {
    const refusal = toRefusal(error)
    if (!refusal) reportError(error)
    return { status: 'failed', reason: refusal?.message ?? '服务器内部错误' }
  }

  return async (
    task: RunningTask,
    runWork: (context: TaskContext) => Promise<TaskEnding | typeof leftOpen | void>,
  ) => {
    const { row, abort } = task
    const ending = await runWork(createTaskContext(task)).then(
      (ending) => ending ?? {},
      (error: Error) => (abort.signal.reason === 'lost' ? {} : toFailure(error)),
    )
    if (ending === leftOpen) return void runningTasks.delete(row.id)
    const isStopped = abort.signal.reason === 'stop' && countFinishedItems(row) < row.total
    const outcome: TaskEnding = isStopped
      ? { status: 'failed', reason: '平台停止，任务中断' }
      : { status: 'done' }
    if (row.status === 'cancelled') ending.status = 'cancelled'
    // If the ending cannot be stored, the claim expires and the sweep closes the task.
    const endedRow = await queries
      .end(row, { ...outcome, ...ending, doneTime: now() })
      .catch(reportError)
    runningTasks.delete(row.id)
    if (endedRow) onChanged(Object.assign(row, endedRow))
  }
}
