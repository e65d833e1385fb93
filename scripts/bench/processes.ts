import { readFileSync } from 'node:fs'
import { uuidv7 } from 'uuidv7'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { minuteMs } from '@iot/shared/contract/duration'
import pg from 'pg'
import { startServices, type Services } from 'server/services/serviceProcesses'
import { openDatabase } from 'server/src/core/db/openDatabase'
import type { Db } from 'server/src/core/db/db'
import { connectEdge } from 'server/src/device-access/protocol/edgeClient'
import { deviceRow, insertDevices } from 'server/src/device-access/testing'
import { scene } from 'server/src/tables/scene'
import { project } from 'server/src/tables/project'
import {
  directProduct,
  edgeProduct,
  insertDeviceRows,
  insertProducts,
  lampProduct,
} from './devices/building'
import { pause, printFigure } from './devices/figures'
import { connectMany } from './tools/manyConnections'
import {
  findBusiest,
  startPlatformProcess,
  readTreeCpuSeconds,
  startPlatformProcesses,
  type PlatformProcess,
} from './tools/platformProcesses'
import { connectLoad, loadDevices, loadProducts, type ProcessLoad } from './tools/processLoad'

const projectId = 1
/** Values that were stored last may wait in queues of the broker for a take-over. */
const settleTimeoutMs = 60_000
const lampAnswerMs = 200
/** A process looks at the schedules of scenes for the first time this long after its start. */
const firstScheduleCheckMs = 20_000
const takeOverSignals = ['SIGKILL', 'SIGSTOP', 'SIGTERM'] as const

const edge = deviceRow(edgeProduct, 'bench-edge')
const lamps = Array.from({ length: 300 }, (_, n) =>
  deviceRow(lampProduct, `bench-lamp-${n}`, { gatewayId: edge.id }),
)
const fullSize = {
  valuesPerSecond: 1000,
  seconds: 15,
  counts: [1, 2, 3],
  hangSeconds: 30,
  /** A missed scene would have been started by a take-over in this time. */
  sceneWaitMs: 15_000,
  connections: 10_000,
}
const smallSize = {
  valuesPerSecond: 200,
  seconds: 3,
  counts: [1, 2],
  hangSeconds: 0,
  sceneWaitMs: 0,
  connections: 500,
}

type Bench = { services: Services; database: pg.Client; load: ProcessLoad; size: typeof fullSize }

/**
 * Measures several processes on a PostgreSQL and a Mosquitto of this machine, driven from outside: CPU by number of
 * processes, take-over of a process that is killed, hangs or stops, and many connected devices.
 * @example pnpm bench processes; pnpm bench processes --small; pnpm bench processes cpu connections
 */
export default async function processes(...options: string[]) {
  const size = options.includes('--small') ? smallSize : fullSize
  const phaseNames = options.filter((option) => option !== '--small')
  const hasPhase = (name: string) => phaseNames.length === 0 || phaseNames.includes(name)
  const services = await startServices()
  const database = new pg.Client(services.databaseUrl)
  let load: ProcessLoad | undefined
  try {
    await prepareDatabase(services)
    await database.connect()
    load = await connectLoad(services.mqttUrl)
    const bench = { services, database, load, size }
    if (hasPhase('cpu')) await measureCpu(bench)
    const signals = size === smallSize ? (['SIGKILL'] as const) : takeOverSignals
    if (hasPhase('take-over')) for (const signal of signals) await measureTakeOver(bench, signal)
    if (hasPhase('connections')) await measureConnections(bench)
  } finally {
    await load?.close()
    await database.end()
    await services.close()
  }
}

/** The first process creates the tables; then the devices are inserted while none runs. */
async function prepareDatabase(services: Services) {
  const first = await startPlatformProcess(services, 'process-0')
  await first.stop()
  const { db, close } = await openDatabase({ kind: 'server', url: services.databaseUrl })
  await insertProject(db)
  await insertProducts(db)
  await insertDevices(db, loadProducts, [edge, ...lamps, ...loadDevices])
  // A scene that is due each minute shows missed and doubled runs; one gateway is a large enough scope for that.
  await db.insert(scene).values({
    id: uuidv7(),
    projectId,
    name: '每分钟',
    icon: '',
    sort: 1,
    triggers: [{ kind: 'cron', cron: '* * * * *' }],
    createBy: 'bench',
    updateBy: 'bench',
  })
  await close()
}
const insertProject = (db: Db) =>
  db
    .insert(project)
    .values({
      projectId,
      engineeringId: 1,
      sort: 1,
      groupName: '测试',
      name: '测试',
      code: 'bench',
    })
    .onConflictDoNothing()

const readTotalCpu = (processes: PlatformProcess[]) =>
  processes.reduce((sum, one) => sum + one.readCpuSeconds(), 0)

const readServicesCpu = ({ pids: { database, broker } }: Services) => ({
  database: readTreeCpuSeconds(database),
  broker: readTreeCpuSeconds(broker),
})

async function measureCpu({ services, load, size, ...bench }: Bench) {
  console.log(`\nCPU at ${size.valuesPerSecond} values a second, QoS 1, ${size.seconds} s each`)
  let baseline: number | undefined
  const runs = [
    ...size.counts.map((count) => ({ count, partitions: 1 })),
    ...(size === smallSize ? [] : [{ count: 4, partitions: 4 }]),
  ]
  for (const { count, partitions } of runs) {
    const processes = await startPlatformProcesses(services, count, {
      INGEST_PARTITIONS: String(partitions),
    })
    load.start(size.valuesPerSecond)
    await pause(3000)
    const [startCpu, startSent, startTime] = [readTotalCpu(processes), load.getSent(), Date.now()]
    const startServicesCpu = readServicesCpu(services)
    await pause(size.seconds * 1000)
    const cpuSeconds = readTotalCpu(processes) - startCpu
    const seconds = (Date.now() - startTime) / 1000
    const values = load.getSent().values - startSent.values
    const servicesCpu = readServicesCpu(services)
    const formatServiceCores = (kind: keyof typeof servicesCpu) =>
      `${kind} ${((servicesCpu[kind] - startServicesCpu[kind]) / seconds).toFixed(2)}`
    load.stop()
    const { lostValues } = await waitUntilStored({ services, load, size, ...bench })
    await Promise.all(processes.map((one) => one.stop()))
    baseline ??= cpuSeconds / values
    printFigure(
      `${count} processes, ${partitions} partitions`,
      `${(cpuSeconds / seconds).toFixed(2)} cores, ${((cpuSeconds / values) * 1000).toFixed(3)} ms a value, ` +
        `${(cpuSeconds / values / baseline).toFixed(2)} × one, lost ${lostValues}; ` +
        `${formatServiceCores('database')}, ${formatServiceCores('broker')}`,
    )
  }
}

let accountedLost = 0
let accountedSurplus = 0
/** Waits until everything sent is stored, or until nothing has been added for a while. */
async function waitUntilStored({ database, load }: Bench) {
  const sentCounts = load.getSent()
  const deadline = Date.now() + settleTimeoutMs
  let storedCounts = await countStored(database)
  for (let idleSince = Date.now(); Date.now() < deadline;) {
    if (
      storedCounts.values >= sentCounts.values - accountedLost &&
      storedCounts.events >= sentCounts.events
    )
      break
    await pause(250)
    const next = await countStored(database)
    if (next.values !== storedCounts.values) idleSince = Date.now()
    else if (Date.now() - idleSince > 15_000) break
    storedCounts = next
  }
  const lostValues = sentCounts.values - storedCounts.values - accountedLost
  accountedLost += lostValues
  const doubledEvents = storedCounts.doubled - accountedSurplus
  accountedSurplus += doubledEvents
  return { lostValues, doubledEvents }
}
async function countStored(database: pg.Client) {
  const { rows } = await database.query<Record<'values' | 'events' | 'doubled', string>>(
    `select (select count(*) from property_history where device_id = any($1)) as values,
       count(distinct params ->> 'code') as events, count(*) - count(distinct params ->> 'code') as doubled
     from device_event where device_id = any($1)`,
    [loadDevices.map(({ id }) => id)],
  )
  const [row] = rows
  return {
    values: Number(row!.values),
    events: Number(row!.events),
    doubled: Number(row!.doubled),
  }
}

/** Ends or stops the busiest of two processes under load, in the middle of a control task. */
async function measureTakeOver(bench: Bench, signal: (typeof takeOverSignals)[number]) {
  const { services, database, load, size } = bench
  const processes = await startPlatformProcesses(services, 2)
  const gateway = await connectEdge({
    url: services.mqttUrl,
    gateway: edge,
    children: lamps,
    onSet: (_, values, { reply, post }) =>
      void setTimeout(() => {
        reply(200)
        post(values)
      }, lampAnswerMs),
  })
  load.start(size.valuesPerSecond)
  await pause(2000)
  // The scenes are due at each full minute, which falls into the take-over when it begins shortly before. A platform
  // that has never looked at its schedules misses nothing, so their first check must be over.
  const dueTimeMs = Math.ceil((Date.now() + firstScheduleCheckMs) / minuteMs) * minuteMs
  if (size.sceneWaitMs > 0) await pause(Math.max(0, dueTimeMs - 3000 - Date.now()))
  const busiest = await findBusiest(processes)
  const startTime = new Date()
  const task = await busiest.post<{ id: string }>(controlApi.start.path, {
    kind: 'set',
    projectId,
    scope: { kind: 'devices', deviceIds: lamps.map(({ id }) => id) },
    values: { Brightness: Math.floor(Math.random() * 100) },
  })
  await pause(300)
  const signalTime = Date.now()
  busiest.signal(signal)
  const takeOverSeconds = await waitForAllDevices(database, signalTime)
  if (signal === 'SIGSTOP') {
    await pause(Math.max(0, signalTime + size.hangSeconds * 1000 - Date.now()))
    busiest.signal('SIGCONT')
    await pause(3000)
  }
  if (size.sceneWaitMs > 0) await pause(Math.max(0, dueTimeMs + size.sceneWaitMs - Date.now()))
  load.stop()
  const { lostValues, doubledEvents } = await waitUntilStored(bench)
  const states = await waitForLedger(database, task.id)
  const scenes = await countSceneRuns(database, startTime)
  await gateway.close()
  await Promise.all(processes.map((one) => one.stop()))
  console.log(`\n${signal} of the busiest of two, ${size.valuesPerSecond} values a second`)
  printFigure('all devices served again', takeOverSeconds)
  printFigure('values lost', String(lostValues))
  printFigure('events doubled', String(doubledEvents))
  printFigure('rows of a task of 300', states)
  printFigure('scenes due each minute', scenes)
}

/** Waits until a value of every device that was sent after the moment is stored. */
async function waitForAllDevices(database: pg.Client, sinceMs: number) {
  while (Date.now() < sinceMs + settleTimeoutMs) {
    const { rows } = await database.query<{ count: string }>(
      `select count(distinct device_id) from property_history where device_id = any($1) and time > $2`,
      [loadDevices.map(({ id }) => id), new Date(sinceMs)],
    )
    if (Number(rows[0]!.count) === loadDevices.length)
      return `after ${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
    await pause(100)
  }
  return `not within ${settleTimeoutMs / 1000} s`
}

async function waitForLedger(database: pg.Client, taskId: string) {
  const deadline = Date.now() + settleTimeoutMs
  for (;;) {
    const { rows } = await database.query<{ state: string; count: string }>(
      'select state, count(*) from control_ledger where task_id = $1 group by state order by state',
      [taskId],
    )
    const isOpen = rows.some(({ state }) => ['queued', 'sent', 'delivered'].includes(state))
    if ((rows.length > 0 && !isOpen) || Date.now() > deadline)
      return rows.map(({ state, count }) => `${state} ${count}`).join(', ')
    await pause(250)
  }
}

async function countSceneRuns(database: pg.Client, since: Date) {
  const { rows } = await database.query<{ runs: string; due: string; missed: string }>(
    `select count(*) as runs, count(distinct due_time) as due, count(*) filter (where status = 'missed') as missed
     from scene_run where due_time > $1`,
    [since],
  )
  const { runs, due, missed } = rows[0]!
  const expected = Math.floor(Date.now() / minuteMs) - Math.floor(since.getTime() / minuteMs)
  return `${expected} due, ${runs} runs, ${Number(runs) - Number(due)} doubled, ${missed} missed`
}

async function measureConnections({ services, database, size }: Bench) {
  const maxFiles = Number(
    /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1],
  )
  // Sockets of this process, its files, and a reserve.
  const count = Math.min(size.connections, maxFiles - 1000)
  if (count < size.connections)
    console.log(`\nOnly ${maxFiles} open files are allowed here (ulimit -n): ${count} devices`)
  const rows = Array.from({ length: count }, (_, n) => deviceRow(directProduct, `many-${n}`))
  const { db, close } = await openDatabase({ kind: 'server', url: services.databaseUrl })
  await insertDeviceRows(db, rows)
  await close()
  const processes = await startPlatformProcesses(services, 2)
  const connectTime = performance.now()
  const devices = await connectMany(services.mqttUrl, rows)
  const connectSeconds = (performance.now() - connectTime) / 1000
  const reportTime = performance.now()
  devices.reportAll(7)
  let online = 0
  while (online < count && performance.now() - reportTime < settleTimeoutMs) {
    await pause(250)
    const { rows: onlineRows } = await database.query<{ count: string }>(
      `select count(*) from device where product_id = $1 and state = 'online' and reported ->> 'Brightness' = '7'`,
      [directProduct.id],
    )
    online = Number(onlineRows[0]!.count)
  }
  console.log(`\n${count} devices through one broker, two processes`)
  printFigure('connected', `${devices.countOpen()} in ${connectSeconds.toFixed(1)} s`)
  printFigure(
    'one value of each stored',
    `${online} in ${((performance.now() - reportTime) / 1000).toFixed(1)} s`,
  )
  devices.close()
  await Promise.all(processes.map((one) => one.stop()))
}
