import { logError } from '../../core/db/outage'
import type { TaskRow } from '../../core/tasks/queries'
import type { TaskContext, TaskRunner } from '../../core/tasks/taskRunner'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import { closeLedger } from './closeLedger'
import type { ControlQueries } from './queries'
import type { PlannedEntry } from './runningTask'

/** The holder looks for open tasks at this interval, in case the request to start one was lost. */
export const pollIntervalMs = 1000

type TakeOverDependencies = {
  tasks: TaskRunner
  queries: ControlQueries
  devices: DeviceAccess
  /** Returns the open entries of a task whose partitions this process holds. */
  listOwnEntries: (row: TaskRow) => Promise<PlannedEntry[]>
  isRunning: (taskId: string) => boolean
  runTask: (
    step: TaskContext,
    entries: PlannedEntry[],
  ) => ReturnType<Parameters<TaskRunner['carryOut']>[1]>
}

/** Goes on with control tasks that another process has stored or left, as long as this one holds a partition. */
export function createTaskTakeOver({
  tasks,
  queries,
  devices: { partitions, states, writeAsHolder },
  listOwnEntries,
  isRunning,
  runTask,
}: TakeOverDependencies) {
  /** Tasks that are being stored or resumed and must not be resumed a second time. */
  const busyIds = new Set<string>()
  let isClosed = false
  let pollTimer: NodeJS.Timeout | undefined

  async function runExclusively<T>(taskId: string, work: () => Promise<T>) {
    busyIds.add(taskId)
    try {
      return await work()
    } finally {
      busyIds.delete(taskId)
    }
  }

  async function resume(row: TaskRow, isOutdated: boolean) {
    if (isRunning(row.id) || busyIds.has(row.id)) return
    await runExclusively(row.id, async () => {
      const entries = await listOwnEntries(row)
      if (isOutdated && (entries.length > 0 || partitions.isOnlyProcess))
        return void (await endOutdated(row))
      const counts = await queries.counts(row.projectId!, row.id)
      const isFinished =
        entries.length === 0 && (await queries.listOpenEntries(row.projectId!, row.id)).length === 0
      if (isRunning(row.id) || (entries.length === 0 && !isFinished)) return
      tasks.carryOut({ ...row, counts }, (step) => runTask(step, entries))
    })
  }
  function endOutdated(row: TaskRow) {
    const why = partitions.isOnlyProcess ? '平台重启' : '平台中断'
    tasks.carryOut(row, async () => ({
      reason: `${why}，任务中断`,
      ...(await writeAsHolder((tx) => closeLedger(tx, states, row, why))),
    }))
    return tasks.waitFor(row.id)
  }

  async function resumeAll() {
    for (const { row, isOutdated } of await queries.listOpen()) {
      if (!partitions.holdsAny() || isClosed) return
      if (row.status === 'cancelled') tasks.abort(row.id, 'cancel')
      // No device is connected yet after a start of the only process.
      await resume(row, isOutdated || partitions.isOnlyProcess)
    }
  }
  function poll(): Promise<void> {
    clearTimeout(pollTimer)
    const resumed = partitions.holdsAny() && !isClosed ? resumeAll() : Promise.resolve()
    return resumed
      .catch((error: unknown) => logError('控制任务未接手', error))
      .then(() => {
        if (!isClosed && !partitions.isOnlyProcess)
          pollTimer = setTimeout(() => void poll(), pollIntervalMs).unref()
      })
  }

  return {
    /** Resumes open tasks now and, with several processes, every second. */
    poll,
    resume,
    /** Keeps a task from being resumed while it is stored. */
    runExclusively,
    close() {
      isClosed = true
      clearTimeout(pollTimer)
    },
  }
}
