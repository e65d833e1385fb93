import type { ControlTask, LedgerState } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import {
  isAnswered,
  isOnlyTold,
  looksWhole,
  settingText,
  spoken,
} from '@iot/shared/contract/thingValue'
import { keyOf } from '../../device-access/alink'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { Changed } from '../../device-access/states'
import type { Db } from '../../core/db/db'
import { complain, isFull } from '../../core/db/outage'
import type { Draft, Step, Tasks } from '../../core/tasks/tasks'
import { now } from '../../tables/columns'
import { isOver, lastWord } from './abandoned'
import type { PlannedDevice } from './plan'
import { controlQueries, noCounts, taskOf, type LedgerEntry } from './queries'

const writeEvery = 200
const writeAgain = 1000
/** A gateway that is handed more at once would only queue them itself. */
const inFlightPerGateway = 64
/** What leaves at once over all gateways: one statement's worth. */
const atOnce = 2000
/** An MQTT broker may refuse more than 1 MB. */
const commandsPerWord = 500

type Entry = {
  row: LedgerEntry
  device: PlannedDevice
  /** What the device is known to say. */
  seen: Values
  /** Of what was asked, what it has reported since it answered. */
  said?: Values
  place: 'waiting' | 'flight' | 'out'
  deadline: number
  release?: () => void
  timer?: NodeJS.Timeout
  task: Running
}
type Queue = { waiting: Entry[]; inFlight: number }
type Running = {
  step: Step
  entries: Entry[]
  queues: Map<string, Queue>
  dirty: Set<Entry>
  models: Map<string, Promise<ThingModel | undefined>>
  open: number
  timer?: NodeJS.Timeout
  launching: boolean
  writing: Promise<void>
  finish: () => void
}
export type EngineOptions = {
  timeout?: number
  grace?: number
  /** When the platform stops, what was sent is given so long to be answered. */
  farewell?: number
}

/**
 * Carries out control tasks. A device counts as 已送达 when it answers the command and as 成功 when it reports the values.
 * Its answer alone is 已确认（未上报）, and a report of something else is 失败, as long as the task runs. No state is changed
 * here: that is the device's word.
 */
export function openEngine(
  db: Db,
  tasks: Tasks,
  devices: DeviceAccess,
  { timeout = 10_000, grace = 3000, farewell = 3000 }: EngineOptions = {},
) {
  const queries = controlQueries(db)
  const running = new Map<string, Running>()
  /** Entries whose devices are listened to, by device. */
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

  function ignore(entry: Entry) {
    const ofDevice = active.get(entry.device.id)
    ofDevice?.delete(entry)
    if (ofDevice?.size !== 0) return
    active.delete(entry.device.id)
    devices.overheard.delete(keyOf(entry.device))
  }

  /** @param listening what the device still says while the task runs may correct it */
  function settle(entry: Entry, state: LedgerState, reason = '', listening = false) {
    const { row, device, task } = entry
    if (isOver(row.state)) return
    if (!listening) ignore(entry)
    const queue = task.queues.get(queueOf(device))!
    if (entry.place === 'waiting') queue.waiting.splice(queue.waiting.indexOf(entry), 1)
    if (entry.place === 'flight') queue.inFlight--
    entry.place = 'out'
    clearTimeout(entry.timer)
    entry.release?.()
    if (row.state !== 'queued')
      devices.states.unwish({ id: device.id, projectId: row.projectId }, row.taskId)
    note(entry, state, reason)
    task.open--
    if (task.open === 0) task.finish()
    else void launch(task)
  }

  /** What the device says after its row came to an end, while the task runs. */
  function correct(entry: Entry, state: LedgerState, reason = '') {
    if (!isOver(entry.row.state)) return settle(entry, state, reason, true)
    if (entry.row.state !== state || entry.row.reason !== reason) note(entry, state, reason)
  }

  const later = (task: Running, work: () => Promise<void>) =>
    (task.writing = task.writing.then(work))

  function write(task: Running) {
    clearTimeout(task.timer)
    task.timer = undefined
    return later(task, async () => {
      const dirty = [...task.dirty]
      task.dirty.clear()
      try {
        // First the claim: a ledger that another process has closed is left as it is.
        await task.step.progress({})
        await queries.note(dirty.map(({ row }) => ({ ...row })))
      } catch (error) {
        if (task.step.signal.reason === 'lost') return
        complain('控制任务进度未写入', error)
        for (const entry of dirty) task.dirty.add(entry)
        task.timer ??= setTimeout(() => void write(task), writeAgain)
      }
    })
  }

  /**
   * Hands out what waits, as fast as the database writes down what the devices say. What becomes free while one batch is
   * written down leaves with the next.
   */
  async function launch(task: Running) {
    if (task.launching) return
    task.launching = true
    for (let batch = take(task); batch.length > 0; batch = take(task)) {
      await later(task, () => depart(batch))
      if (devices.states.waiting() > atOnce) await devices.states.flush()
    }
    task.launching = false
  }

  function take(task: Running) {
    const batch: Entry[] = []
    for (const queue of task.queues.values()) {
      while (
        batch.length < atOnce &&
        queue.inFlight < inFlightPerGateway &&
        queue.waiting.length > 0
      ) {
        const entry = queue.waiting.shift()!
        queue.inFlight++
        entry.place = 'flight'
        batch.push(entry)
      }
    }
    return batch
  }

  /** Written down before it leaves: where this process ends, it is known that these may have arrived. */
  async function depart(batch: Entry[]) {
    try {
      const sentTime = now()
      const rows = batch.map(({ row }) => ({ ...row, sentTime }))
      const mine = new Set(await queries.send(rows))
      if (devices.siblings.hasOthers()) {
        await overrideElsewhere(batch[0]!.task, rows)
        tellCommands(rows)
      }
      const models = await modelsOf(batch)
      for (const entry of batch) {
        if (!mine.has(entry.device.id)) settle(entry, 'overridden')
        else if (!isOver(entry.row.state)) send(entry, models.get(entry.device.productId))
      }
    } catch (error) {
      complain('控制任务进度未写入', error)
      const why = isFull(error) ? '磁盘空间不足' : '数据库中断'
      for (const entry of batch)
        if (entry.row.state === 'queued') settle(entry, 'failed', `${why}，未下发`)
    }
  }

  /** Tells the other processes before dispatch, because they judge the timestamps of the answers of their own devices. */
  function tellCommands(rows: LedgerEntry[]) {
    for (let start = 0; start < rows.length; start += commandsPerWord)
      devices.siblings.tell(
        'commands',
        rows
          .slice(start, start + commandsPerWord)
          .map(({ deviceId, target }) => ({ id: deviceId, values: target })),
      )
  }

  /** Read once in a task, however many of its devices need it. */
  function modelOf({ device: { productId }, task: { models } }: Entry) {
    const before = models.get(productId)
    if (before) return before
    const model = queries.model(productId)
    models.set(productId, model)
    model.catch(() => models.delete(productId))
    return model
  }

  /** Of devices that are asked for a structure or an array; others are told what stands in the row. */
  async function modelsOf(batch: Entry[]) {
    const whole = batch.filter(({ row }) => Object.values(row.target).some(looksWhole))
    return new Map(
      await Promise.all(
        whole.map(async (entry) => [entry.device.productId, await modelOf(entry)] as const),
      ),
    )
  }

  function send(entry: Entry, model?: ThingModel) {
    const { device, row } = entry
    override(entry)
    note(entry, 'sent')
    devices.states.wish({ id: device.id, projectId: row.projectId }, row.taskId, row.target)
    entry.deadline = Date.now() + timeout
    entry.timer = setTimeout(
      () => settle(entry, 'timeout', `${timeout / 1000} 秒内没有应答`),
      timeout,
    )
    entry.release = devices.commands.set(
      device,
      model ? spoken(model, row.target) : row.target,
      (error) => error && queueMicrotask(() => settle(entry, 'failed', error.message)),
      ({ code, message = '' }) =>
        code === 200
          ? answered(entry)
          : settle(entry, 'failed', `设备返回 ${code}${message && ` ${message.slice(0, 100)}`}`),
      ({ message }) => settle(entry, 'unknown', message),
    )
  }

  /** The last command wins on the device, and so in the ledger: earlier ones that ask for something else are over. */
  function override({ device, row, task }: Entry) {
    for (const other of [...(active.get(device.id) ?? [])]) {
      if (other.row.taskId >= row.taskId || !contradicts(other.row.target, row.target)) continue
      if (isOver(other.row.state)) ignore(other)
      else settle(other, 'overridden', `${task.step.row.createBy}：${task.step.row.title}`)
    }
  }

  /** The same for tasks of other processes, by the ledger; each settles its own. */
  async function overrideElsewhere({ step: { row } }: Running, rows: LedgerEntry[]) {
    const reason = `${row.createBy}：${row.title}`
    const ended = await queries.override(rows, reason)
    for (const taskId of new Set(ended.map((one) => one.taskId))) {
      const deviceIds = ended.filter((one) => one.taskId === taskId).map((one) => one.deviceId)
      devices.siblings.tell('overridden', { taskId, deviceIds, reason })
    }
  }

  function answered(entry: Entry) {
    if (isOver(entry.row.state)) return
    // A device that was there already has nothing new to report.
    if (holds(entry.seen, entry.row.target)) return settle(entry, 'success', '', true)
    entry.said = {}
    note(entry, 'delivered')
    listen(entry)
  }

  /** Some report at once, some while they fade: judged when it has been silent for a while. */
  function listen(entry: Entry) {
    clearTimeout(entry.timer)
    const patience = Math.min(grace, Math.max(0, entry.deadline - Date.now()))
    entry.timer = setTimeout(() => {
      if (contradicts(entry.said!, entry.row.target)) void disobeyed(entry)
      else void unreported(entry)
    }, patience)
  }

  /** What is only told is done with the answer. */
  async function unreported(entry: Entry) {
    const model = await modelOf(entry).catch(() => undefined)
    // It may have said something meanwhile.
    if (contradicts(entry.said!, entry.row.target)) return disobeyed(entry)
    const isDone = model && isOnlyTold(model, entry.row.target)
    settle(entry, isDone ? 'success' : 'confirmed', '', true)
  }

  async function disobeyed(entry: Entry) {
    const { device, row } = entry
    const model = await modelOf(entry).catch(() => undefined)
    const said = Object.entries(entry.said!).filter(
      ([name, value]) => !isAnswered(row.target[name]!, value),
    )
    // It may have thought better of it meanwhile.
    if (said.length === 0 || !active.get(device.id)?.has(entry)) return
    correct(entry, 'failed', `应答后上报：${settingText(model, Object.fromEntries(said))}`)
  }

  const onReported = ({ id }: { id: string }, values: Values) => {
    for (const entry of [...(active.get(id) ?? [])]) {
      const { row } = entry
      entry.seen = { ...entry.seen, ...values }
      if (row.state === 'queued') continue
      const asked = Object.entries(values).filter(([identifier]) => identifier in row.target)
      if (asked.length === 0) continue
      if (row.state === 'success') entry.said = {}
      Object.assign(entry.said ?? {}, Object.fromEntries(asked))
      if (holds(entry.seen, row.target)) correct(entry, 'success')
      else if (row.state === 'delivered') listen(entry)
      else if (isOver(row.state)) void disobeyed(entry)
    }
  }
  const onOffline = ({ id }: { id: string }) => {
    for (const entry of [...(active.get(id) ?? [])]) settle(entry, 'failed', '设备离线')
  }
  /** What another process wrote of devices it works on; reports of one device by itself are heard here, too. */
  const onHeard = (rows: Changed[]) => {
    for (const row of rows) {
      if (row.state === 'offline') onOffline(row)
      for (const entry of [...(active.get(row.id) ?? [])])
        if (entry.said && holds(row.reported, entry.row.target)) correct(entry, 'success')
    }
  }
  const onOverridden = (told: { taskId: string; deviceIds: string[]; reason: string }) => {
    const ids = new Set(told.deviceIds)
    for (const entry of running.get(told.taskId)?.entries ?? [])
      if (ids.has(entry.device.id)) settle(entry, 'overridden', told.reason)
  }
  devices.states.events.on('reported', onReported).on('offline', onOffline)
  devices.siblings.events.on('states', onHeard).on('overridden', onOverridden)

  /** Sends to all that wait, as many at once as their gateways take; over when each has come to its end. */
  async function carryOut(step: Step, planned: { device: PlannedDevice; row: LedgerEntry }[]) {
    const task: Running = {
      step,
      entries: [],
      queues: new Map(),
      dirty: new Set(),
      models: new Map(),
      open: 0,
      launching: false,
      writing: Promise.resolve(),
      finish: () => {},
    }
    running.set(step.row.id, task)
    for (const { device, row } of planned) {
      if (row.state !== 'queued') continue
      const entry: Entry = {
        row,
        device,
        seen: device.reported,
        place: 'waiting',
        deadline: 0,
        task,
      }
      task.entries.push(entry)
      task.open++
      active.set(device.id, (active.get(device.id) ?? new Set()).add(entry))
      devices.overheard.add(keyOf(device))
      const queue = task.queues.get(queueOf(device)) ?? { waiting: [], inFlight: 0 }
      queue.waiting.push(entry)
      task.queues.set(queueOf(device), queue)
    }
    const giveUp = () => {
      for (const entry of task.entries) {
        // Another process took this one for dead and has closed the ledger.
        if (step.signal.reason === 'lost') settle(entry, 'unknown')
        // What was sent comes to its end: nobody can call a command back.
        else if (step.signal.reason === 'cancel' && entry.row.state === 'queued')
          settle(entry, 'cancelled')
      }
    }
    step.signal.addEventListener('abort', giveUp)
    await new Promise<void>((resolve) => {
      task.finish = resolve
      if (task.open === 0) resolve()
      else void launch(task)
    })
    task.entries.forEach(ignore)
    // Its row says it is over only when no wish of it is left: what dies in between is closed with the task.
    await devices.states.flush()
    await write(task)
    while (task.dirty.size > 0 && !step.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, writeAgain))
      await write(task)
    }
    clearTimeout(task.timer)
    running.delete(step.row.id)
    const { projectId, id } = step.row
    const [counts, reason] = await Promise.all([
      queries.counts(projectId!, id),
      queries.reasons(projectId!, id),
    ])
    return { counts, reason }
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
    /** Nothing more leaves; what was sent is given a moment, and what is open then is closed with what is known of it. */
    async close() {
      const open = [...running.values()]
      if (open.length > 0) {
        const end = (only: (entry: Entry) => boolean) => {
          const entries = open.flatMap(({ entries }) => entries)
          const ended = entries.filter((entry) => !isOver(entry.row.state) && only(entry))
          for (const entry of ended) settle(entry, ...lastWord(entry.row.state, '平台停止'))
          return ended.length
        }
        const waiting = end(({ row }) => row.state === 'queued')
        const until = Date.now() + farewell
        while (Date.now() < until && open.some((task) => task.open > 0))
          await new Promise((resolve) => setTimeout(resolve, 20))
        const unknown = end(() => true)
        console.log(
          `平台停止：${open.length} 个控制任务已收尾，${waiting} 台未下发，${unknown} 台结果未知`,
        )
      }
      devices.states.events.off('reported', onReported).off('offline', onOffline)
      devices.siblings.events.off('states', onHeard).off('overridden', onOverridden)
    },
  }
}

const queueOf = (device: PlannedDevice) => device.gatewayId ?? device.id
const holds = (seen: Values, target: Values) =>
  Object.entries(target).every(([identifier, value]) => isAnswered(value, seen[identifier]))
const contradicts = (one: Values, other: Values) =>
  Object.entries(one).some(([identifier, value]) => !isAnswered(other[identifier] ?? value, value))
