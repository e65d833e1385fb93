import type { TaskKind } from '@iot/shared/contract/sheet/task.schema'
import { now } from '../../tables/columns'
import type { TaskEnding, TaskQueries, TaskRow } from './queries'
import { abortTask, type RunningTask } from './runningTask'

/**
 * A process renews its claims at this interval in milliseconds and notices within it that another process has
 * cancelled a task.
 */
export const renewIntervalMs = 2_000
/** A claim that was not renewed for this many seconds has expired. */
const claimExpirySeconds = 7

/** Cleans up after a task whose process died; `reason` is the reason shown to the user. */
export type TaskCloser = (row: TaskRow, reason: string) => Promise<TaskEnding>
type TaskClaimsOptions = {
  queries: TaskQueries
  processId: string
  isOnlyProcess: boolean
  runningTasks: ReadonlyMap<string, RunningTask>
  onEnded: (row: TaskRow) => void
}

/** Renews the claims on the tasks of this process and closes tasks whose process has died. */
export function createTaskClaims({
  queries,
  processId,
  isOnlyProcess,
  runningTasks,
  onEnded,
}: TaskClaimsOptions) {
  const closersByKind = new Map<TaskKind, TaskCloser>()
  let lastRenewal = 0
  let awakeSince = Date.now()

  async function renewClaims() {
    const ownTasks = [...runningTasks.values()].filter(({ isInserted }) => isInserted)
    if (ownTasks.length === 0) return
    const rows = await queries.renewClaims(
      ownTasks.map(({ row }) => row.id),
      processId,
    )
    const states = new Map(rows.map(({ id, status }) => [id, status]))
    for (const task of ownTasks) {
      const { id, status } = task.row
      if (!runningTasks.has(id)) continue
      if (!states.has(id)) abortTask(task, 'lost')
      else if (states.get(id) === 'cancelled' && status !== 'cancelled') abortTask(task, 'cancel')
    }
  }

  /** Closes open tasks that no living process works on. */
  async function sweep(expirySeconds = isOnlyProcess ? undefined : claimExpirySeconds) {
    for (const row of await queries.findAbandoned(expirySeconds)) {
      if (runningTasks.has(row.id)) continue
      const reason =
        row.claimedBy === processId
          ? '数据库中断'
          : isOnlyProcess
            ? '平台重启'
            : '执行任务的进程没有响应'
      const ending = await closersByKind.get(row.kind)?.(row, reason)
      const status: TaskRow['status'] = row.status === 'cancelled' ? row.status : 'failed'
      const outcome = { status, reason: `${reason}，任务中断`, ...ending, doneTime: now() }
      const endedRow = await queries.end(row, outcome)
      if (endedRow) onEnded(endedRow)
    }
  }

  /** Renews claims and closes abandoned tasks. Tasks are closed only if this process itself has run without a pause. */
  async function renewAndSweep() {
    const startTime = Date.now()
    if (startTime - lastRenewal > 2 * renewIntervalMs) awakeSince = startTime
    try {
      await renewClaims()
      // During an outage other processes could not renew their claims either, so their tasks are given time.
      if (startTime - awakeSince > claimExpirySeconds * 1000) await sweep(claimExpirySeconds)
      lastRenewal = Date.now()
    } catch (error) {
      lastRenewal = 0
      throw error
    }
  }

  return {
    /** Registers the clean-up for tasks of this kind that lost their process. */
    registerCloser: (kind: TaskKind, closeTask: TaskCloser) =>
      void closersByKind.set(kind, closeTask),
    sweep: () => sweep(),
    renewAndSweep,
  }
}
