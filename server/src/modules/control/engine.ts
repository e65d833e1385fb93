import type { ControlTask, LedgerState } from '@iot/shared/contract/control'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import { now } from '../../tables/columns'
import type { Db } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import type { PlannedDevice } from './plan'
import { controlQueries, noCounts, type LedgerEntry, type TaskRow } from './queries'

const writeEvery = 200
/** A gateway that is handed more at once would only queue them itself. */
const inFlightPerGateway = 64
const over = new Set<LedgerState>(['success', 'timeout', 'failed', 'skipped', 'cancelled'])

type Entry = {
  row: LedgerEntry
  device: PlannedDevice
  seen: LedgerEntry['target']
  release?: () => void
  timer?: NodeJS.Timeout
  task: Running
}
type Running = {
  row: TaskRow
  entries: Entry[]
  queues: Map<string, { waiting: Entry[]; inFlight: number }>
  dirty: Set<Entry>
  open: number
  timer?: NodeJS.Timeout
  writing: Promise<void>
}
export type EngineOptions = { timeout?: number; grace?: number }

/**
 * Carries out control tasks. A device counts as 已送达 when it answers the command and as 成功 when it reports the values;
 * one that answers and reports nothing within the grace is believed. Nothing else changes a state.
 */
export function openEngine(
  db: Db,
  devices: DeviceAccess,
  { timeout = 10_000, grace = 1000 }: EngineOptions = {},
) {
  const queries = controlQueries(db)
  const running = new Map<string, Running>()
  /** Entries in flight or queued, by device. */
  const active = new Map<string, Set<Entry>>()

  function note(entry: Entry, state: LedgerState, reason = '') {
    const { row, task } = entry
    task.row.counts[row.state]!--
    task.row.counts[state]!++
    Object.assign(row, {
      state,
      reason,
      ...(state === 'sent' && { sentTime: now() }),
      ...(over.has(state) && { doneTime: now() }),
    })
    task.dirty.add(entry)
    task.timer ??= setTimeout(() => void write(task), writeEvery)
  }

  function settle(entry: Entry, state: LedgerState, reason = '') {
    if (over.has(entry.row.state)) return
    const queue = entry.task.queues.get(keyOf(entry.device))!
    if (entry.row.state === 'queued') queue.waiting.splice(queue.waiting.indexOf(entry), 1)
    else queue.inFlight--
    clearTimeout(entry.timer)
    entry.release?.()
    const ofDevice = active.get(entry.device.id)
    ofDevice?.delete(entry)
    if (ofDevice?.size === 0) active.delete(entry.device.id)
    if (entry.row.state !== 'queued') stopWishing(entry)
    note(entry, state, reason)
    entry.task.open--
    if (entry.task.open === 0) void finish(entry.task)
    else pump(entry.task, keyOf(entry.device))
  }

  /** Of what was asked, what another command still on its way asks too goes on being wished for. */
  function stopWishing({ device, row }: Entry) {
    const others = [...(active.get(device.id) ?? [])].filter((one) => one.row.state !== 'queued')
    const stillAsked = Object.assign(
      {},
      ...others.map((one) => one.row.target),
    ) as typeof row.target
    const wish = Object.keys(row.target).map((identifier) => [
      identifier,
      stillAsked[identifier] ?? null,
    ])
    devices.states.wish({ id: device.id, projectId: row.projectId }, Object.fromEntries(wish))
  }

  async function finish(task: Running) {
    if (task.row.status === 'running') task.row.status = 'done'
    task.row.doneTime = now()
    clearTimeout(task.timer)
    // Its row says so only when no wish of it is left: what dies in between is closed with the task at the next start.
    await devices.states.flush()
    await write(task)
    running.delete(task.row.id)
  }

  function write(task: Running) {
    clearTimeout(task.timer)
    task.timer = undefined
    const rows = [...task.dirty].map((entry) => entry.row)
    task.dirty.clear()
    task.row.updateTime = now()
    devices.tasks.emit('progress', taskOf(task.row))
    const snapshot = { ...task.row, counts: { ...task.row.counts } }
    return (task.writing = task.writing
      .then(() => queries.progress(snapshot, rows))
      .catch((error: unknown) => complain('控制任务进度未写入', error)))
  }

  function pump(task: Running, key: string) {
    const queue = task.queues.get(key)!
    while (queue.inFlight < inFlightPerGateway && queue.waiting.length > 0) {
      const entry = queue.waiting.shift()!
      queue.inFlight++
      note(entry, 'sent')
      devices.states.wish({ id: entry.device.id, projectId: entry.row.projectId }, entry.row.target)
      entry.timer = setTimeout(
        () => settle(entry, 'timeout', `${timeout / 1000} 秒内没有应答`),
        timeout,
      )
      entry.release = devices.commands.set(
        entry.device,
        entry.row.target,
        (error) => error && queueMicrotask(() => settle(entry, 'failed', error.message)),
        ({ code, message = '' }) =>
          code === 200
            ? answered(entry)
            : settle(entry, 'failed', `设备返回 ${code}${message && ` ${message.slice(0, 100)}`}`),
      )
    }
  }

  function answered(entry: Entry) {
    if (over.has(entry.row.state)) return
    // A device that was there already has nothing new to report.
    if (holds(entry.seen, entry.row.target)) return settle(entry, 'success')
    note(entry, 'delivered')
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => {
      devices.states.report(
        { id: entry.device.id, projectId: entry.row.projectId },
        entry.row.target,
      )
      settle(entry, 'success')
    }, grace)
  }

  const onReported = ({ id }: { id: string }, values: LedgerEntry['target']) => {
    for (const entry of [...(active.get(id) ?? [])]) {
      entry.seen = { ...entry.seen, ...values }
      if (entry.row.state !== 'queued' && holds(entry.seen, entry.row.target))
        settle(entry, 'success')
    }
  }
  const onOffline = ({ id }: { id: string }) => {
    for (const entry of [...(active.get(id) ?? [])]) settle(entry, 'failed', '设备离线')
  }
  devices.states.events.on('reported', onReported).on('offline', onOffline)

  return {
    /** Enters the task and starts it; rows that are skipped come with their state. */
    async start(
      row: Omit<TaskRow, 'counts' | 'total' | 'status' | 'createTime' | 'updateTime' | 'doneTime'>,
      planned: { device: PlannedDevice; row: LedgerEntry }[],
    ): Promise<ControlTask> {
      const counts = noCounts()
      for (const one of planned) counts[one.row.state]!++
      const full: TaskRow = {
        ...row,
        counts,
        total: planned.length,
        status: 'running',
        createTime: now(),
        updateTime: now(),
        doneTime: null,
      }
      await queries.insert(
        full,
        planned.map((one) => one.row),
      )

      const task: Running = {
        row: full,
        entries: [],
        queues: new Map(),
        dirty: new Set(),
        open: 0,
        writing: Promise.resolve(),
      }
      running.set(full.id, task)
      for (const { device, row } of planned) {
        if (row.state !== 'queued') continue
        const entry: Entry = { row, device, seen: device.reported, task }
        task.entries.push(entry)
        task.open++
        active.set(device.id, (active.get(device.id) ?? new Set()).add(entry))
        const queue = task.queues.get(keyOf(device)) ?? { waiting: [], inFlight: 0 }
        queue.waiting.push(entry)
        task.queues.set(keyOf(device), queue)
      }
      if (task.open === 0) void finish(task)
      const answer = taskOf(full)
      for (const key of task.queues.keys()) pump(task, key)
      return answer
    },
    /** As it stands in this process, which may be ahead of the database. */
    current: (id: string): ControlTask | undefined => {
      const task = running.get(id)
      return task && taskOf(task.row)
    },
    /** What waits is not sent any more; what was sent comes to its end. */
    cancel(id: string): boolean {
      const task = running.get(id)
      if (!task || task.row.status !== 'running') return false
      task.row.status = 'cancelled'
      for (const entry of task.entries) if (entry.row.state === 'queued') settle(entry, 'cancelled')
      void write(task)
      return true
    },
    flush: async (id: string) => {
      const task = running.get(id)
      if (task) await write(task)
    },
    runs: (id: string) => running.has(id),
    async close() {
      devices.states.events.off('reported', onReported).off('offline', onOffline)
      for (const task of running.values()) {
        for (const entry of task.entries) {
          clearTimeout(entry.timer)
          entry.release?.()
        }
        clearTimeout(task.timer)
        await task.writing
      }
    },
  }
}
export type Engine = ReturnType<typeof openEngine>

const keyOf = (device: PlannedDevice) => device.gatewayId ?? device.id
const holds = (seen: LedgerEntry['target'], target: LedgerEntry['target']) =>
  Object.entries(target).every(([identifier, value]) => seen[identifier] === value)
export const taskOf = ({
  permission: _permission,
  updateTime: _updateTime,
  ...row
}: TaskRow): ControlTask => ({ ...row, counts: { ...row.counts } })
