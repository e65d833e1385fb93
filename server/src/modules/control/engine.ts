import type { ControlTask, LedgerState } from '@iot/shared/contract/control'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { Db } from '../../core/db/db'
import { complain } from '../../core/db/outage'
import type { Draft, Step, Tasks } from '../../core/tasks/tasks'
import { now } from '../../tables/columns'
import { isOver, lastWord } from './abandoned'
import type { PlannedDevice } from './plan'
import { controlQueries, noCounts, taskOf, type LedgerEntry } from './queries'

const writeEvery = 200
/** A gateway that is handed more at once would only queue them itself. */
const inFlightPerGateway = 64

type Entry = {
  row: LedgerEntry
  device: PlannedDevice
  seen: LedgerEntry['target']
  release?: () => void
  timer?: NodeJS.Timeout
  task: Running
}
type Running = {
  step: Step
  entries: Entry[]
  queues: Map<string, { waiting: Entry[]; inFlight: number }>
  dirty: Set<Entry>
  open: number
  timer?: NodeJS.Timeout
  writing: Promise<void>
  finish: () => void
}
export type EngineOptions = { timeout?: number; grace?: number }

/**
 * Carries out control tasks. A device counts as 已送达 when it answers the command and as 成功 when it reports the values;
 * one that answers and reports nothing within the grace is believed. Nothing else changes a state.
 */
export function openEngine(
  db: Db,
  tasks: Tasks,
  devices: DeviceAccess,
  { timeout = 10_000, grace = 1000 }: EngineOptions = {},
) {
  const queries = controlQueries(db)
  const running = new Map<string, Running>()
  /** Entries in flight or queued, by device. */
  const active = new Map<string, Set<Entry>>()

  function note(entry: Entry, state: LedgerState, reason = '') {
    const { row, task } = entry
    task.step.row.counts[row.state]!--
    task.step.row.counts[state]!++
    Object.assign(row, {
      state,
      reason,
      ...(state === 'sent' && { sentTime: now() }),
      ...(isOver(state) && { doneTime: now() }),
    })
    task.dirty.add(entry)
    task.timer ??= setTimeout(() => void write(task), writeEvery)
  }

  function settle(entry: Entry, state: LedgerState, reason = '') {
    if (isOver(entry.row.state)) return
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
    if (entry.task.open === 0) entry.task.finish()
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

  function write(task: Running) {
    clearTimeout(task.timer)
    task.timer = undefined
    const rows = [...task.dirty].map((entry) => ({ ...entry.row }))
    task.dirty.clear()
    return (task.writing = task.writing
      .then(async () => {
        await queries.note(rows)
        await task.step.progress({})
      })
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
    if (isOver(entry.row.state)) return
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

  /** Sends to all that wait, as many at once as their gateways take; over when each has come to its end. */
  async function carryOut(step: Step, planned: { device: PlannedDevice; row: LedgerEntry }[]) {
    const task: Running = {
      step,
      entries: [],
      queues: new Map(),
      dirty: new Set(),
      open: 0,
      writing: Promise.resolve(),
      finish: () => {},
    }
    running.set(step.row.id, task)
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
    // What was sent comes to its end: nobody can call a command back.
    const giveUpWaiting = () => {
      for (const entry of task.entries) if (entry.row.state === 'queued') settle(entry, 'cancelled')
    }
    step.signal.addEventListener('abort', giveUpWaiting)
    await new Promise<void>((resolve) => {
      task.finish = resolve
      for (const key of task.queues.keys()) pump(task, key)
      if (task.open === 0) resolve()
    })
    clearTimeout(task.timer)
    // Its row says it is over only when no wish of it is left: what dies in between is closed with the task.
    await devices.states.flush()
    await write(task)
    running.delete(step.row.id)
  }

  return {
    /** Enters the task and starts it; rows that are skipped come with their state. */
    async start(
      draft: Omit<Draft, 'kind' | 'total' | 'counts'> & { id: string },
      planned: { device: PlannedDevice; row: LedgerEntry }[],
    ): Promise<ControlTask> {
      const counts = noCounts()
      for (const { row } of planned) counts[row.state]!++
      const total = planned.length
      await queries.enter(planned.map(({ row }) => row))
      const { row } = await tasks.run(
        { ...draft, kind: 'control', listed: total > 1, total, counts },
        (step) => carryOut(step, planned),
      )
      return taskOf(row)
    },
    flush: async (id: string) => {
      const task = running.get(id)
      if (task) await write(task)
    },
    /** What is open when the platform stops is closed with what is known of it. */
    close() {
      devices.states.events.off('reported', onReported).off('offline', onOffline)
      for (const task of [...running.values()]) {
        // What waits first: the place of one that was sent would go to it.
        const open = task.entries.filter(({ row }) => !isOver(row.state))
        open.sort((a, b) => Number(b.row.state === 'queued') - Number(a.row.state === 'queued'))
        for (const entry of open) settle(entry, ...lastWord(entry.row.state, '平台停止'))
      }
    },
  }
}

const keyOf = (device: PlannedDevice) => device.gatewayId ?? device.id
const holds = (seen: LedgerEntry['target'], target: LedgerEntry['target']) =>
  Object.entries(target).every(([identifier, value]) => seen[identifier] === value)
