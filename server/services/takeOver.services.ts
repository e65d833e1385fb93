import { and, eq, inArray, gt, sql } from 'drizzle-orm'
import {
  connectLoad,
  loadDevices,
  loadProducts,
  type ProcessLoad,
} from '../../scripts/bench/tools/processLoad'
import { openDatabase } from '../src/core/db/openDatabase'
import { waitUntil } from '../src/core/until'
import { insertDevices } from '../src/device-access/testing'
import { deviceEvent, propertyHistory } from '../src/tables/device'
import { project } from '../src/tables/project'
import { startProcess, startServices, type Process, type Services } from './serviceProcesses'

const valuesPerSecond = 200

let services: Services
let processes: Process[]
let load: ProcessLoad
let database: Awaited<ReturnType<typeof openDatabase>>
const deviceIds = loadDevices.map(({ id }) => id)

beforeAll(async () => {
  services = await startServices(process.env.DATABASE_TEMPLATE)
  processes = await Promise.all(Array.from({ length: 3 }, () => startProcess(services)))
  database = await openDatabase({ kind: 'server', url: services.databaseUrl })
  const siteFields = { groupName: '测试', engineeringId: 1, sort: 1 }
  await database.db
    .insert(project)
    .values({ ...siteFields, projectId: 1, name: '测试', code: 'test' })
    .onConflictDoNothing()
  await insertDevices(database.db, loadProducts, loadDevices)
  load = await connectLoad(services.mqttUrl)
})
afterAll(async () => {
  await load?.close()
  await database?.close()
  await Promise.all((processes ?? []).map((one) => one.kill()))
  await services?.close()
})
beforeEach(() => load.start(valuesPerSecond))
afterEach(() => load.stop())

/** Waits until a value of every device that was sent after this moment is stored. */
async function waitForAllDevices() {
  const since = new Date().toISOString()
  const countDevices = async () => {
    const [row] = await database.db
      .select({ count: sql<number>`count(distinct ${propertyHistory.deviceId})`.mapWith(Number) })
      .from(propertyHistory)
      .where(and(inArray(propertyHistory.deviceId, deviceIds), gt(propertyHistory.time, since)))
    return row!.count
  }
  await waitUntil(countDevices, (count) => count === loadDevices.length)
}

/** Returns the process that handles the reports of the devices. */
async function findHolder() {
  const readCounts = () => Promise.all(processes.map((one) => one.readReportCount()))
  const before = await readCounts()
  const after = await waitUntil(readCounts, (counts) =>
    counts.some((count, n) => count > before[n]!),
  )
  const rates = after.map((count, n) => count - before[n]!)
  return processes[rates.indexOf(Math.max(...rates))]!
}

/** Every value and every event that was sent is stored exactly once. */
async function expectNothingLost() {
  load.stop()
  const { values, events } = load.getSent()
  const countValues = () =>
    database.db.$count(propertyHistory, inArray(propertyHistory.deviceId, deviceIds))
  expect(await waitUntil(countValues, (count) => count === values)).toBe(values)
  const readEvents = async () => {
    const [row] = await database.db
      .select({
        total: sql<number>`count(*)`.mapWith(Number),
        different: sql<number>`count(distinct ${deviceEvent.params} ->> 'code')`.mapWith(Number),
      })
      .from(deviceEvent)
      .where(and(eq(deviceEvent.projectId, 1), inArray(deviceEvent.deviceId, deviceIds)))
    return row!
  }
  expect(await waitUntil(readEvents, ({ different }) => different === events)).toEqual({
    total: events,
    different: events,
  })
}

test('a holder that hangs is replaced, and writes nothing when it wakes up', async () => {
  await waitForAllDevices()
  const holder = await findHolder()
  holder.signal('SIGSTOP')
  await waitForAllDevices()
  holder.signal('SIGCONT')
  await waitUntil(
    () => holder.readyStatus(),
    (status) => status === 200,
  )
  await waitForAllDevices()
  await expectNothingLost()
})

test('a holder that is killed is replaced without a lost or doubled value', async () => {
  await waitForAllDevices()
  const holder = await findHolder()
  processes = processes.filter((one) => one !== holder)
  await holder.kill()
  await waitForAllDevices()
  await expectNothingLost()
})

test('a holder that stops hands its partitions over at once', async () => {
  await waitForAllDevices()
  const holder = await findHolder()
  processes = processes.filter((one) => one !== holder)
  const exit = holder.kill('SIGTERM')
  await waitForAllDevices()
  await exit
  await expectNothingLost()
})
