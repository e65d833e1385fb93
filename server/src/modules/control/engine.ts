import type { ControlTask } from '@iot/shared/contract/control'
import {
  getCommandTimeouts,
  type CommandTimeoutOptions,
} from '../../device-access/commands/timeouts'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { Db } from '../../core/db/db'
import type { TaskDraft, TaskContext, TaskRunner } from '../../core/tasks/taskRunner'
import { isFinalState, getFinalState } from './closeLedger'
import { log } from '../../core/logging/log'
import { createCommandSender } from './commandSender'
import { createDispatcher } from './dispatcher'
import { createObservedEntries } from './observedEntries'
import { controlQueries, createZeroCounts, toControlTask } from './queries'
import { createReportEvaluation } from './reportEvaluation'
import { createRunningTask, type Entry, type PlannedEntry, type RunningTask } from './runningTask'
import { createSettlement, type Settlement } from './settlement'
import { runInBackground } from '../../core/db/outage'

/**
 * Runs control tasks. An entry is `delivered` once the device acknowledges the command and `success` once it reports
 * the requested values. An acknowledgement alone ends as `confirmed`, a report of other values as `failed`; reports
 * correct the outcome as long as the task runs. The engine never changes device state: only reports do.
 */
export function createControlEngine(
  db: Db,
  tasks: TaskRunner,
  devices: DeviceAccess,
  timeouts?: CommandTimeoutOptions,
) {
  const { controlReplyMs, controlReportMs, controlDrainMs } = getCommandTimeouts(timeouts)
  const queries = controlQueries(db)
  const tasksById = new Map<string, RunningTask>()
  const observedEntries = createObservedEntries(devices.observedKeys)
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
  const dispatcher = createDispatcher(queries, devices, finishEntry, sendCommand)

  function dispatchNext(task: RunningTask): void {
    runInBackground(dispatcher.dispatchPending(task), '控制任务未继续下发')
  }
  function onOverridden(overriddenEvent: { taskId: string; deviceIds: string[]; reason: string }) {
    const ids = new Set(overriddenEvent.deviceIds)
    for (const entry of tasksById.get(overriddenEvent.taskId)?.entries ?? [])
      if (ids.has(entry.device.id)) finishEntry(entry, 'overridden', overriddenEvent.reason)
  }
  const { onReported, onOffline, onClusterStates } = reports
  devices.states.events.on('reported', onReported).on('offline', onOffline)
  devices.siblings.events.on('states', onClusterStates)
  devices.processMessages.events.on('overridden', onOverridden)

  /** Publishes all queued entries within the limits of their gateways and resolves once every entry is finished. */
  async function runTask(step: TaskContext, plannedEntries: PlannedEntry[]) {
    const task = createRunningTask(step, plannedEntries, queries)
    tasksById.set(step.row.id, task)
    task.entries.forEach(observedEntries.add)
    finishOnAbort(task, finishEntry)
    await new Promise<void>((resolve) => {
      task.finish = resolve
      if (task.openEntryCount === 0) resolve()
      else runInBackground(dispatcher.dispatchPending(task), '控制任务未继续下发')
    })
    task.entries.forEach(observedEntries.remove)
    // The desired values are cleared before the task ends; a crash in between is cleaned up when the task is closed.
    await devices.states.flush()
    await task.ledger.close()
    tasksById.delete(step.row.id)
    const { projectId, id } = step.row
    const [counts, reason] = await Promise.all([
      queries.counts(projectId!, id),
      queries.reasons(projectId!, id),
    ])
    return { counts, reason }
  }

  return {
    /** Stores the task with its ledger entries and starts it; skipped entries arrive with their final state. */
    async start(
      draft: Omit<TaskDraft, 'kind' | 'total' | 'counts'> & { id: string },
      plannedEntries: PlannedEntry[],
    ): Promise<ControlTask> {
      const counts = createZeroCounts()
      for (const { row } of plannedEntries) counts[row.state]!++
      const total = plannedEntries.length
      await queries.insertEntries(plannedEntries.map(({ row }) => row))
      const { row } = await tasks.run(
        { ...draft, kind: 'control', listed: total > 1, total, counts },
        (step) => runTask(step, plannedEntries),
      )
      return toControlTask(row)
    },
    flush: async (id: string) => tasksById.get(id)?.ledger.flush(),
    /**
     * Stops publishing and drains: sent commands get a short time to be answered, and entries that are still open are
     * closed with what is known of them.
     */
    async close() {
      const runningTasks = [...tasksById.values()]
      if (runningTasks.length > 0) await drainTasks(runningTasks, finishEntry, controlDrainMs)
      devices.states.events.off('reported', onReported).off('offline', onOffline)
      devices.siblings.events.off('states', onClusterStates)
      devices.processMessages.events.off('overridden', onOverridden)
    },
  }
}

/** Ends open entries when the task is cancelled by a user or closed by another process. */
function finishOnAbort({ step, entries }: RunningTask, finishEntry: Settlement['finishEntry']) {
  const onAbort = () => {
    for (const entry of entries) {
      // Another process considered this one dead and has closed the ledger.
      if (step.signal.reason === 'lost') finishEntry(entry, 'unknown')
      // A command that was sent cannot be recalled, so its entry stays open after a cancel.
      else if (step.signal.reason === 'cancel' && entry.row.state === 'queued')
        finishEntry(entry, 'cancelled')
    }
  }
  step.signal.addEventListener('abort', onAbort)
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
  const drainDeadline = Date.now() + drainTimeoutMs
  while (Date.now() < drainDeadline && runningTasks.some((task) => task.openEntryCount > 0))
    await new Promise((resolve) => setTimeout(resolve, 20))
  const unknownCount = finishMatching(() => true)
  log.info(
    { module: 'control' },
    `平台停止：${runningTasks.length} 个控制任务已收尾，${unsentCount} 台未下发，${unknownCount} 台结果未知`,
  )
}
