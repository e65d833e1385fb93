import type { ControlTask, LedgerState } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import {
  isConfirmed,
  isWriteOnly,
  looksComposite,
  describeSetting,
  encodeForDevice,
} from '@iot/shared/contract/thingValue'
import { deviceKey } from '../../device-access/protocol/alink'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { ChangedDevice } from '../../device-access/ingest/deviceStates'
import type { Db } from '../../core/db/db'
import { logError, isDiskFull } from '../../core/db/outage'
import type { TaskDraft, TaskContext, TaskRunner } from '../../core/tasks/taskRunner'
import { now } from '../../tables/columns'
import { isFinalState, getFinalState } from './closeLedger'
import type { PlannedDevice } from './plan'
import { controlQueries, createZeroCounts, toControlTask, type LedgerEntry } from './queries'
import { log } from '../../core/log'

const ledgerFlushMs = 200
const ledgerFlushRetryMs = 1000
/** Limit of commands in flight per gateway; a gateway that received more would only queue them itself. */
const maxInFlightPerGateway = 64
/** Entries published per round over all gateways; one SQL statement marks them all as sent. */
const maxDispatchBatch = 2000
/** Limit of commands per cluster message, because an MQTT broker may refuse messages above 1 MB. */
const maxCommandsPerMessage = 500

type Entry = {
  row: LedgerEntry
  device: PlannedDevice
  /** Values that the device has reported so far, before and during this command. */
  lastReported: Values
  /** Requested values that the device has reported since its acknowledgement. */
  confirmedValues?: Values
  queueState: 'waiting' | 'flight' | 'out'
  deadlineMs: number
  stopWaiting?: () => void
  timeoutTimer?: NodeJS.Timeout
  task: RunningTask
}
type Queue = { waiting: Entry[]; inFlight: number }
type RunningTask = {
  step: TaskContext
  entries: Entry[]
  queues: Map<string, Queue>
  unsavedEntries: Set<Entry>
  models: Map<string, Promise<ThingModel | undefined>>
  openEntryCount: number
  flushTimer?: NodeJS.Timeout
  isDispatching: boolean
  lastWrite: Promise<void>
  finish: () => void
}
export type EngineOptions = {
  timeoutMs?: number
  reportGraceMs?: number
  /** Time in milliseconds that a drain waits for answers to commands that were already sent. */
  drainTimeoutMs?: number
}

/**
 * Runs control tasks. An entry is `delivered` once the device acknowledges the command and `success` once it reports
 * the requested values. An acknowledgement alone ends as `confirmed`, a report of other values as `failed`; reports
 * correct the outcome as long as the task runs. The engine never changes device state: only reports do.
 */
export function createControlEngine(
  db: Db,
  tasks: TaskRunner,
  devices: DeviceAccess,
  { timeoutMs = 10_000, reportGraceMs = 3000, drainTimeoutMs = 3000 }: EngineOptions = {},
) {
  const queries = controlQueries(db)
  const tasksById = new Map<string, RunningTask>()
  /** Entries whose device reports are observed, by device id. */
  const entriesByDevice = new Map<string, Set<Entry>>()

  function recordTransition(entry: Entry, state: LedgerState, reason = '') {
    const { row, task } = entry
    task.step.row.counts[row.state]!--
    task.step.row.counts[state]!++
    Object.assign(row, {
      state,
      reason,
      ...(state === 'sent' && { sentTime: now() }),
      ...(isFinalState(state) && { doneTime: now() }),
    })
    task.unsavedEntries.add(entry)
    task.flushTimer ??= setTimeout(() => void flushLedger(task), ledgerFlushMs)
  }

  function unsubscribe(entry: Entry) {
    const deviceEntries = entriesByDevice.get(entry.device.id)
    deviceEntries?.delete(entry)
    if (deviceEntries?.size !== 0) return
    entriesByDevice.delete(entry.device.id)
    devices.observedKeys.delete(deviceKey(entry.device))
  }

  /** @param shouldKeepListening keeps observing the device, so that its reports can correct the outcome while the task runs */
  function finishEntry(entry: Entry, state: LedgerState, reason = '', shouldKeepListening = false) {
    const { row, device, task } = entry
    if (isFinalState(row.state)) return
    if (!shouldKeepListening) unsubscribe(entry)
    const queue = task.queues.get(getQueueKey(device))!
    if (entry.queueState === 'waiting') queue.waiting.splice(queue.waiting.indexOf(entry), 1)
    if (entry.queueState === 'flight') queue.inFlight--
    entry.queueState = 'out'
    clearTimeout(entry.timeoutTimer)
    entry.stopWaiting?.()
    if (row.state !== 'queued')
      devices.states.clearDesired({ id: device.id, projectId: row.projectId }, row.taskId)
    recordTransition(entry, state, reason)
    task.openEntryCount--
    if (task.openEntryCount === 0) task.finish()
    else void dispatchPending(task)
  }

  /** Corrects the outcome of a finished entry when the device reports while the task still runs. */
  function correctOutcome(entry: Entry, state: LedgerState, reason = '') {
    if (!isFinalState(entry.row.state)) return finishEntry(entry, state, reason, true)
    if (entry.row.state !== state || entry.row.reason !== reason)
      recordTransition(entry, state, reason)
  }

  const enqueueWrite = (task: RunningTask, job: () => Promise<void>) =>
    (task.lastWrite = task.lastWrite.then(job))

  function flushLedger(task: RunningTask) {
    clearTimeout(task.flushTimer)
    task.flushTimer = undefined
    return enqueueWrite(task, async () => {
      const changedEntries = [...task.unsavedEntries]
      task.unsavedEntries.clear()
      try {
        // The progress call renews the claim on the task first and fails if another process has closed its ledger.
        await task.step.progress({})
        await queries.saveProgress(changedEntries.map(({ row }) => ({ ...row })))
      } catch (error) {
        if (task.step.signal.reason === 'lost') return
        logError('控制任务进度未写入', error)
        for (const entry of changedEntries) task.unsavedEntries.add(entry)
        task.flushTimer ??= setTimeout(() => void flushLedger(task), ledgerFlushRetryMs)
      }
    })
  }

  /**
   * Publishes pending entries in batches and slows down while the database saves device reports. Capacity that becomes
   * free during one batch is used by the next.
   */
  async function dispatchPending(task: RunningTask) {
    if (task.isDispatching) return
    task.isDispatching = true
    for (let batch = takeBatch(task); batch.length > 0; batch = takeBatch(task)) {
      await enqueueWrite(task, () => dispatchBatch(batch))
      if (devices.states.countPending() > maxDispatchBatch) await devices.states.flush()
    }
    task.isDispatching = false
  }

  function takeBatch(task: RunningTask) {
    const batch: Entry[] = []
    for (const queue of task.queues.values()) {
      while (
        batch.length < maxDispatchBatch &&
        queue.inFlight < maxInFlightPerGateway &&
        queue.waiting.length > 0
      ) {
        const entry = queue.waiting.shift()!
        queue.inFlight++
        entry.queueState = 'flight'
        batch.push(entry)
      }
    }
    return batch
  }

  /** Marks entries as sent before publishing, so that a crash leaves them "unknown", never "not sent". */
  async function dispatchBatch(batch: Entry[]) {
    try {
      const sentTime = now()
      const rows = batch.map(({ row }) => ({ ...row, sentTime }))
      const markedDeviceIds = new Set(await queries.markSent(rows))
      if (devices.siblings.hasOthers()) {
        await overrideInCluster(batch[0]!.task, rows)
        announceCommands(rows)
      }
      const models = await loadModels(batch)
      for (const entry of batch) {
        if (!markedDeviceIds.has(entry.device.id)) finishEntry(entry, 'overridden')
        else if (!isFinalState(entry.row.state))
          sendCommand(entry, models.get(entry.device.productId))
      }
    } catch (error) {
      logError('控制任务进度未写入', error)
      const cause = isDiskFull(error) ? '磁盘空间不足' : '数据库中断'
      for (const entry of batch)
        if (entry.row.state === 'queued') finishEntry(entry, 'failed', `${cause}，未下发`)
    }
  }

  /**
   * Announces the commands to the other cluster members, which check the timestamps of the devices' answers and
   * must know the expected values before an answer arrives.
   */
  function announceCommands(rows: LedgerEntry[]) {
    for (let start = 0; start < rows.length; start += maxCommandsPerMessage)
      devices.siblings.tell(
        'commands',
        rows
          .slice(start, start + maxCommandsPerMessage)
          .map(({ deviceId, target }) => ({ id: deviceId, values: target })),
      )
  }

  /** Each product model is read once per task. */
  function getModel({ device: { productId }, task: { models } }: Entry) {
    const cachedModel = models.get(productId)
    if (cachedModel) return cachedModel
    const model = queries.model(productId)
    models.set(productId, model)
    model.catch(() => models.delete(productId))
    return model
  }

  /** Only structures and arrays need the product model to be encoded; other values are published as they are. */
  async function loadModels(batch: Entry[]) {
    const compositeEntries = batch.filter(({ row }) =>
      Object.values(row.target).some(looksComposite),
    )
    return new Map(
      await Promise.all(
        compositeEntries.map(
          async (entry) => [entry.device.productId, await getModel(entry)] as const,
        ),
      ),
    )
  }

  function sendCommand(entry: Entry, model?: ThingModel) {
    const { device, row } = entry
    overrideEarlier(entry)
    recordTransition(entry, 'sent')
    devices.states.setDesired({ id: device.id, projectId: row.projectId }, row.taskId, row.target)
    entry.deadlineMs = Date.now() + timeoutMs
    entry.timeoutTimer = setTimeout(
      () => finishEntry(entry, 'timeout', `${timeoutMs / 1000} 秒内没有应答`),
      timeoutMs,
    )
    entry.stopWaiting = devices.commands.set(
      device,
      model ? encodeForDevice(model, row.target) : row.target,
      (error) => error && queueMicrotask(() => finishEntry(entry, 'failed', error.message)),
      ({ code, message = '' }) =>
        code === 200
          ? onAcknowledged(entry)
          : finishEntry(
              entry,
              'failed',
              `设备返回 ${code}${message && ` ${message.slice(0, 100)}`}`,
            ),
      ({ message }) => finishEntry(entry, 'unknown', message),
    )
  }

  /** The last command wins on the device, so earlier entries that ask for other values end as overridden. */
  function overrideEarlier({ device, row, task }: Entry) {
    for (const other of [...(entriesByDevice.get(device.id) ?? [])]) {
      if (other.row.taskId >= row.taskId || !contradicts(other.row.target, row.target)) continue
      if (isFinalState(other.row.state)) unsubscribe(other)
      else finishEntry(other, 'overridden', `${task.step.row.createBy}：${task.step.row.title}`)
    }
  }

  /** Overrides entries of tasks that run in other cluster members through the ledger; each member finishes its own. */
  async function overrideInCluster({ step: { row } }: RunningTask, rows: LedgerEntry[]) {
    const reason = `${row.createBy}：${row.title}`
    const endedEntries = await queries.overrideEntries(rows, reason)
    for (const taskId of new Set(endedEntries.map((one) => one.taskId))) {
      const deviceIds = endedEntries
        .filter((one) => one.taskId === taskId)
        .map((one) => one.deviceId)
      devices.siblings.tell('overridden', { taskId, deviceIds, reason })
    }
  }

  function onAcknowledged(entry: Entry) {
    if (isFinalState(entry.row.state)) return
    // A device that already had the requested values has nothing new to report.
    if (hasReached(entry.lastReported, entry.row.target))
      return finishEntry(entry, 'success', '', true)
    entry.confirmedValues = {}
    recordTransition(entry, 'delivered')
    awaitReports(entry)
  }

  /** Some devices report at once, others while they fade; the outcome is judged after a pause without reports. */
  function awaitReports(entry: Entry) {
    clearTimeout(entry.timeoutTimer)
    const pauseMs = Math.min(reportGraceMs, Math.max(0, entry.deadlineMs - Date.now()))
    entry.timeoutTimer = setTimeout(() => {
      if (contradicts(entry.confirmedValues!, entry.row.target)) void onContradictingReport(entry)
      else void onMissingReport(entry)
    }, pauseMs)
  }

  /** A write-only property is never reported, so its acknowledgement already counts as success. */
  async function onMissingReport(entry: Entry) {
    const model = await getModel(entry).catch(() => undefined)
    // The device may have reported while the model was read.
    if (contradicts(entry.confirmedValues!, entry.row.target)) return onContradictingReport(entry)
    const isWriteOnlyTarget = model && isWriteOnly(model, entry.row.target)
    finishEntry(entry, isWriteOnlyTarget ? 'success' : 'confirmed', '', true)
  }

  async function onContradictingReport(entry: Entry) {
    const { device, row } = entry
    const model = await getModel(entry).catch(() => undefined)
    const contradictingValues = Object.entries(entry.confirmedValues!).filter(
      ([name, value]) => !isConfirmed(row.target[name]!, value),
    )
    // The device may have reported the requested values while the model was read.
    if (contradictingValues.length === 0 || !entriesByDevice.get(device.id)?.has(entry)) return
    correctOutcome(
      entry,
      'failed',
      `应答后上报：${describeSetting(model, Object.fromEntries(contradictingValues))}`,
    )
  }

  const onReported = ({ id }: { id: string }, values: Values) => {
    for (const entry of [...(entriesByDevice.get(id) ?? [])]) {
      const { row } = entry
      entry.lastReported = { ...entry.lastReported, ...values }
      if (row.state === 'queued') continue
      const requestedValues = Object.entries(values).filter(
        ([identifier]) => identifier in row.target,
      )
      if (requestedValues.length === 0) continue
      if (row.state === 'success') entry.confirmedValues = {}
      Object.assign(entry.confirmedValues ?? {}, Object.fromEntries(requestedValues))
      if (hasReached(entry.lastReported, row.target)) correctOutcome(entry, 'success')
      else if (row.state === 'delivered') awaitReports(entry)
      else if (isFinalState(row.state)) void onContradictingReport(entry)
    }
  }
  const onOffline = ({ id }: { id: string }) => {
    for (const entry of [...(entriesByDevice.get(id) ?? [])])
      finishEntry(entry, 'failed', '设备离线')
  }
  /** Handles states that another cluster member has saved; single device reports are also received here directly. */
  const onClusterStates = (rows: ChangedDevice[]) => {
    for (const row of rows) {
      if (row.state === 'offline') onOffline(row)
      for (const entry of [...(entriesByDevice.get(row.id) ?? [])])
        if (entry.confirmedValues && hasReached(row.reported, entry.row.target))
          correctOutcome(entry, 'success')
    }
  }
  const onOverridden = (overriddenEvent: {
    taskId: string
    deviceIds: string[]
    reason: string
  }) => {
    const ids = new Set(overriddenEvent.deviceIds)
    for (const entry of tasksById.get(overriddenEvent.taskId)?.entries ?? [])
      if (ids.has(entry.device.id)) finishEntry(entry, 'overridden', overriddenEvent.reason)
  }
  devices.states.events.on('reported', onReported).on('offline', onOffline)
  devices.siblings.events.on('states', onClusterStates).on('overridden', onOverridden)

  /** Publishes all queued entries within the limits of their gateways and resolves once every entry is finished. */
  async function runTask(
    step: TaskContext,
    plannedEntries: { device: PlannedDevice; row: LedgerEntry }[],
  ) {
    const task: RunningTask = {
      step,
      entries: [],
      queues: new Map(),
      unsavedEntries: new Set(),
      models: new Map(),
      openEntryCount: 0,
      isDispatching: false,
      lastWrite: Promise.resolve(),
      finish: () => {},
    }
    tasksById.set(step.row.id, task)
    for (const { device, row } of plannedEntries) {
      if (row.state !== 'queued') continue
      const entry: Entry = {
        row,
        device,
        lastReported: device.reported,
        queueState: 'waiting',
        deadlineMs: 0,
        task,
      }
      task.entries.push(entry)
      task.openEntryCount++
      entriesByDevice.set(device.id, (entriesByDevice.get(device.id) ?? new Set()).add(entry))
      devices.observedKeys.add(deviceKey(device))
      const queue = task.queues.get(getQueueKey(device)) ?? { waiting: [], inFlight: 0 }
      queue.waiting.push(entry)
      task.queues.set(getQueueKey(device), queue)
    }
    const onAbort = () => {
      for (const entry of task.entries) {
        // Another process considered this one dead and has closed the ledger.
        if (step.signal.reason === 'lost') finishEntry(entry, 'unknown')
        // A command that was sent cannot be recalled, so its entry stays open after a cancel.
        else if (step.signal.reason === 'cancel' && entry.row.state === 'queued')
          finishEntry(entry, 'cancelled')
      }
    }
    step.signal.addEventListener('abort', onAbort)
    await new Promise<void>((resolve) => {
      task.finish = resolve
      if (task.openEntryCount === 0) resolve()
      else void dispatchPending(task)
    })
    task.entries.forEach(unsubscribe)
    // The desired values are cleared before the task ends; a crash in between is cleaned up when the task is closed.
    await devices.states.flush()
    await flushLedger(task)
    while (task.unsavedEntries.size > 0 && !step.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, ledgerFlushRetryMs))
      await flushLedger(task)
    }
    clearTimeout(task.flushTimer)
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
      plannedEntries: { device: PlannedDevice; row: LedgerEntry }[],
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
    flush: async (id: string) => {
      const task = tasksById.get(id)
      if (task) await flushLedger(task)
    },
    /**
     * Stops publishing and drains: sent commands get a short time to be answered, and entries that are still open are
     * closed with what is known of them.
     */
    async close() {
      const runningTasks = [...tasksById.values()]
      if (runningTasks.length > 0) {
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
      devices.states.events.off('reported', onReported).off('offline', onOffline)
      devices.siblings.events.off('states', onClusterStates).off('overridden', onOverridden)
    },
  }
}

const getQueueKey = (device: PlannedDevice) => device.gatewayId ?? device.id
const hasReached = (reported: Values, target: Values) =>
  Object.entries(target).every(([identifier, value]) => isConfirmed(value, reported[identifier]))
const contradicts = (values: Values, expectedValues: Values) =>
  Object.entries(values).some(
    ([identifier, value]) => !isConfirmed(expectedValues[identifier] ?? value, value),
  )
