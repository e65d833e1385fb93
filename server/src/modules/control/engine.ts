import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import {
  getCommandTimeouts,
  type CommandTimeoutOptions,
} from '../../device-access/commands/timeouts'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { Db } from '../../core/db/db'
import { logError, runInBackground } from '../../core/db/outage'
import type { TaskRow } from '../../core/tasks/queries'
import { leftOpen } from '../../core/tasks/taskExecutor'
import type { TaskDraft, TaskContext, TaskRunner } from '../../core/tasks/taskRunner'
import { isFinalState, getFinalState } from './closeLedger'
import { log } from '../../core/logging/log'
import { createCommandSender } from './commandSender'
import { createDispatcher } from './dispatcher'
import { createObservedEntries } from './observedEntries'
import { controlQueries, getControlDetail, toControlTask } from './queries'
import { createZeroCounts } from './ledgerQueries'
import { createReportEvaluation } from './reportEvaluation'
import {
  addEntry,
  createRunningTask,
  type Entry,
  type PlannedEntry,
  type RunningTask,
} from './runningTask'
import { createSettlement, type Settlement } from './settlement'
import { createTaskTakeOver, pollIntervalMs } from './taskTakeOver'

/** A holder that hands over waits this long for answers; the next one settles the rest by later reports. */
const handOverTimeoutMs = 1000

/**
 * Runs control tasks. An entry is `delivered` once the device acknowledges the command and `success` once it reports
 * the requested values. An acknowledgement alone ends as `confirmed`, a report of other values as `failed`; reports
 * correct the outcome as long as the task runs. The engine never changes device state: only reports do.
 *
 * Any process stores tasks. The holder of a device's ingest partition carries out its entry, because the answers arrive
 * there; the next holder goes on with the entries that the former one left.
 */
export function createControlEngine(
  db: Db,
  tasks: TaskRunner,
  devices: DeviceAccess,
  timeouts?: CommandTimeoutOptions,
) {
  const { controlReplyMs, controlReportMs, controlDrainMs } = getCommandTimeouts(timeouts)
  const queries = controlQueries(db)
  const { partitions, writeAsHolder } = devices
  const tasksById = new Map<string, RunningTask>()
  const observedEntries = createObservedEntries()
  const settlement = createSettlement(devices.states, observedEntries, dispatchNext)
  const { finishEntry } = settlement
  const reports = createReportEvaluation(observedEntries, settlement, controlReportMs)
  const sendCommand = createCommandSender({
    devices,
    observedEntries,
    finishEntry,
    onAcknowledged: reports.onAcknowledged,
    timeoutMs: controlReplyMs,
  })
  const dispatcher = createDispatcher(devices, finishEntry, sendCommand)

  function dispatchNext(task: RunningTask): void {
    runInBackground(dispatcher.dispatchPending(task), '控制任务未继续下发')
  }
  const { onReported, onOffline } = reports
  devices.states.events.on('reported', onReported).on('offline', onOffline)

  function observeEntry(entry: Entry) {
    observedEntries.add(entry)
    const { state, sentTime } = entry.row
    if (state === 'queued') return
    const elapsedMs = Date.now() - Date.parse(sentTime ?? '')
    entry.deadlineMs =
      Date.now() + Math.min(controlReplyMs, Math.max(controlReportMs, controlReplyMs - elapsedMs))
    reports.resume(entry, entry.deadlineMs - Date.now())
  }
  const listOwnEntries = async ({ projectId, id }: TaskRow): Promise<PlannedEntry[]> =>
    (await queries.listOpenEntries(projectId!, id)).filter(({ device }) => partitions.owns(device))

  /** Publishes all queued entries within the limits of their gateways and resolves once every entry is finished. */
  async function runTask(step: TaskContext, plannedEntries: PlannedEntry[]) {
    const task = createRunningTask(step, plannedEntries, queries, writeAsHolder)
    tasksById.set(step.row.id, task)
    finishOnAbort(task, finishEntry)
    for (const entry of [...task.entries]) observeEntry(entry)
    if (step.row.status === 'cancelled') finishQueued(task, finishEntry)
    await waitForEntries(task)
    while (task.isShared && !task.isLeft && !step.signal.aborted) {
      await task.ledger.flush()
      if (!(await findFurtherEntries(task))) break
      await waitForEntries(task)
    }
    task.entries.forEach(detachEntry)
    // The desired values are cleared before the task ends; a crash in between is cleaned up when the task is closed.
    await devices.states.flush()
    await task.ledger.close()
    tasksById.delete(step.row.id)
    if (task.isLeft || step.signal.reason === 'lost') return leftOpen
    const { projectId, id } = step.row
    const [counts, reason] = await Promise.all([
      queries.counts(projectId!, id),
      queries.reasons(projectId!, id, getControlDetail(step.row).unit),
    ])
    return { counts, reason }
  }
  const waitForEntries = (task: RunningTask) =>
    new Promise<void>((resolve) => {
      task.finish = resolve
      if (task.openEntryCount === 0 || task.isLeft) resolve()
      else void dispatcher.dispatchPending(task)
    })
  /**
   * Waits for the entries of other holders and takes over those whose partition has moved here.
   * @returns false if no entry is open
   */
  async function findFurtherEntries(task: RunningTask) {
    for (;;) {
      const openEntries = await queries
        .listOpenEntries(task.step.row.projectId!, task.step.row.id)
        .catch((error: unknown) => void logError('控制任务的进度未读取', error))
      if (openEntries?.length === 0 || task.isLeft || task.step.signal.aborted) return false
      const ownEntries = openEntries?.filter(({ device }) => partitions.owns(device)) ?? []
      for (const one of ownEntries) {
        const entry = addEntry(task, one)
        if (entry) observeEntry(entry)
      }
      if (ownEntries.length > 0) return true
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
    }
  }
  function detachEntry(entry: Entry) {
    observedEntries.remove(entry)
    clearTimeout(entry.timeoutTimer)
    entry.stopWaiting?.()
  }

  const takeOver = createTaskTakeOver({
    tasks,
    queries,
    devices,
    listOwnEntries,
    isRunning: (id) => tasksById.has(id),
    runTask,
  })

  async function leaveTasks() {
    const runningTasks = [...tasksById.values()]
    for (const task of runningTasks) task.isLeft = true
    await waitForAnswers(runningTasks, handOverTimeoutMs)
    const unfinishedCount = runningTasks.reduce(
      (sum, { openEntryCount }) => sum + openEntryCount,
      0,
    )
    for (const task of runningTasks) {
      task.entries.forEach(detachEntry)
      task.finish()
    }
    while (runningTasks.some(({ step }) => tasksById.has(step.row.id)))
      await new Promise((resolve) => setTimeout(resolve, 20))
    if (runningTasks.length > 0)
      log.info(
        { module: 'control' },
        `交出 ${runningTasks.length} 个控制任务，${unfinishedCount} 台由接手的进程继续`,
      )
  }
  partitions.addWork({
    onAcquired: takeOver.poll,
    onLost() {
      for (const { step, entries, finish } of [...tasksById.values()]) {
        entries.forEach(detachEntry)
        tasks.abort(step.row.id, 'lost')
        finish()
      }
    },
    onHandOver: () => leaveTasks(),
  })

  return {
    /** Takes over open tasks now and every second; tasks of an earlier start of the only process are closed. */
    open: takeOver.poll,
    /** Stores the task with its ledger entries and starts it; skipped entries arrive with their final state. */
    async start(
      draft: Omit<TaskDraft, 'kind' | 'total' | 'counts'> & { id: string },
      plannedEntries: PlannedEntry[],
    ): Promise<ControlTask> {
      const counts = createZeroCounts()
      for (const { row } of plannedEntries) counts[row.state]!++
      const total = plannedEntries.length
      await queries.insertEntries(plannedEntries.map(({ row }) => row))
      const row = await takeOver.runExclusively(draft.id, () =>
        tasks.insert({ ...draft, kind: 'control', listed: total > 1, total, counts }),
      )
      const ownEntries = plannedEntries.filter(({ device }) => partitions.owns(device))
      if (ownEntries.length > 0 && !tasksById.has(row.id))
        tasks.carryOut(row, (step) => runTask(step, ownEntries))
      const targets = new Set(
        plannedEntries.flatMap(({ device }) =>
          partitions.owns(device) ? [] : partitions.findTarget(device),
        ),
      )
      // The holder also finds the task by itself, within a second.
      for (const target of targets)
        devices.processMessages
          .request(target, 'startTask', { taskId: row.id }, pollIntervalMs)
          .catch(() => {})
      return toControlTask(row)
    },
    /** Entries of tasks in this process that have no outcome yet. */
    countOpenEntries: () =>
      [...tasksById.values()].reduce((sum, { openEntryCount }) => sum + openEntryCount, 0),
    flush: async (id: string) => tasksById.get(id)?.ledger.flush(),
    /** Starts a task that another process has stored. */
    async resume(id: string) {
      const row = await tasks.find(id)
      if (row && row.doneTime === null) await takeOver.resume(row, false)
    },
    /**
     * Stops publishing and drains: sent commands get a short time to be answered, and entries that are still open are
     * closed with what is known of them.
     */
    async close() {
      takeOver.close()
      const runningTasks = [...tasksById.values()]
      if (runningTasks.length > 0) await drainTasks(runningTasks, finishEntry, controlDrainMs)
      devices.states.events.off('reported', onReported).off('offline', onOffline)
    },
  }
}

/** Ends open entries when the task is cancelled by a user; those of a lost task belong to another process. */
function finishOnAbort(task: RunningTask, finishEntry: Settlement['finishEntry']) {
  const onAbort = () => {
    if (task.step.signal.reason === 'cancel') finishQueued(task, finishEntry)
  }
  task.step.signal.addEventListener('abort', onAbort)
}
/** A command that was sent cannot be recalled, so its entry stays open after a cancel. */
function finishQueued({ entries }: RunningTask, finishEntry: Settlement['finishEntry']) {
  for (const entry of entries) if (entry.row.state === 'queued') finishEntry(entry, 'cancelled')
}

async function waitForAnswers(runningTasks: RunningTask[], timeoutMs: number) {
  const hasSentEntries = ({ entries }: RunningTask) =>
    entries.some(({ row }) => row.state !== 'queued' && !isFinalState(row.state))
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline && runningTasks.some(hasSentEntries))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

async function drainTasks(
  runningTasks: RunningTask[],
  finishEntry: Settlement['finishEntry'],
  drainTimeoutMs: number,
) {
  const finishMatching = (isSelected: (entry: Entry) => boolean) => {
    const entries = runningTasks.flatMap(({ entries }) => entries)
    const openEntries = entries.filter(
      (entry) => !isFinalState(entry.row.state) && isSelected(entry),
    )
    for (const entry of openEntries)
      finishEntry(entry, ...getFinalState(entry.row.state, '平台停止'))
    return openEntries.length
  }
  const unsentCount = finishMatching(({ row }) => row.state === 'queued')
  await waitForAnswers(runningTasks, drainTimeoutMs)
  const unknownCount = finishMatching(() => true)
  log.info(
    { module: 'control' },
    `平台停止：${runningTasks.length} 个控制任务已收尾，${unsentCount} 台未下发，${unknownCount} 台结果未知`,
  )
}

export type ControlEngine = ReturnType<typeof createControlEngine>
