import { authApi } from '@iot/shared/contract/access/auth.api'
import type { ControlTask } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../src/core/db/db'
import { openDatabase } from '../src/core/db/openDatabase'
import { connectOptions } from '../src/device-access/protocol/signature'
import { connectEdge, type EdgeClient } from '../src/device-access/protocol/edgeClient'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  lampModel,
  productRow,
  type DeviceRow,
} from '../src/device-access/testing'
import { waitUntil } from '../src/core/until'
import { controlLedger } from '../src/tables/control'
import { device, deviceEvent, propertyHistory } from '../src/tables/device'
import { project } from '../src/tables/project'
import { startProcess, startServices, type Process, type Services } from './serviceProcesses'

const products = {
  direct: productRow('pkDirect', 'direct'),
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub'),
  panel: productRow('pkPanel', 'direct', {
    model: { ...lampModel, services: [{ ...lampModel.services[0]!, callType: 'sync' }] },
  }),
}
const panel = deviceRow(products.panel, 'panel')
const direct = Array.from({ length: 8 }, (_, n) => deviceRow(products.direct, `direct-${n}`))
const edge = deviceRow(products.edge, 'edge')
const lamps = Array.from({ length: 100 }, (_, n) =>
  deviceRow(products.lamp, `lamp-${n}`, { gatewayId: edge.id }),
)
const [lamp] = lamps as [DeviceRow]

let services: Services
let firstProcess: Process, secondProcess: Process
let db: Db
let closeDatabase: () => Promise<void>
let gateway: EdgeClient
/** Simulated lamps either follow commands or stay silent. */
let lampBehaviour: 'follows' | 'silent' = 'follows'
const receivedKeys = new Set<string>()
const repeatedKeys: string[] = []

beforeAll(async () => {
  services = await startServices()
  ;[firstProcess, secondProcess] = await Promise.all([
    startProcess(services),
    startProcess(services),
  ])
  for (const process of [firstProcess, secondProcess]) await process.signIn(authApi.login)
  const database = await openDatabase({ kind: 'server', url: services.databaseUrl })
  ;({ db } = database)
  closeDatabase = database.close
  const siteFields = { groupName: '测试', engineeringId: 1, sort: 1 }
  const row = { ...siteFields, projectId: 1, name: '测试', code: 'test' }
  await db.insert(project).values(row).onConflictDoNothing()
  await insertDevices(db, Object.values(products), [edge, panel, ...direct, ...lamps])
  gateway = await connectEdge({
    url: services.mqttUrl,
    gateway: edge,
    children: lamps,
    onSet(key, values, { reply, post }) {
      if (receivedKeys.has(key)) repeatedKeys.push(key)
      receivedKeys.add(key)
      if (lampBehaviour === 'silent') return
      reply(200)
      post(values)
    },
  })
})
afterAll(async () => {
  await gateway?.close()
  await closeDatabase?.()
  await Promise.all([firstProcess?.kill(), secondProcess?.kill()])
  await services?.close()
})
beforeEach(() => {
  lampBehaviour = 'follows'
  receivedKeys.clear()
  repeatedKeys.length = 0
})

test('a process with an embedded broker refuses to start beside a cluster', () =>
  expect(startProcess(services, { MQTT_URL: undefined, MQTT_PORT: '0' })).rejects.toThrow(
    '这个数据库正由另一个进程使用',
  ))

const setValues = (process: Process, rows: DeviceRow[], values: Values) =>
  process.send(controlApi.start, {
    kind: 'set',
    projectId: 1,
    scope: { kind: 'devices', deviceIds: rows.map(({ id }) => id) },
    values,
  })
const waitForTask = (process: Process, { id }: Pick<ControlTask, 'id'>) =>
  waitUntil(
    () => process.send(controlApi.get, { id }),
    (task) => task.doneTime !== null,
  )
const readDevices = async (rows: DeviceRow[]) =>
  db
    .select()
    .from(device)
    .where(
      and(
        eq(device.projectId, 1),
        inArray(
          device.id,
          rows.map(({ id }) => id),
        ),
      ),
    )
const readLedger = (task: Pick<ControlTask, 'id'>) =>
  db.select().from(controlLedger).where(eq(controlLedger.taskId, task.id))

test('a device that posts quickly ends with its last value, and each message is processed once', async () => {
  const from = Date.now() - 1000
  await Promise.all(
    direct.map(async (row) => {
      const client = await connectAlinkDevice(services.mqttUrl, row)
      const publishEvent = (action: string, id: number, params: object) =>
        client.client.publish(
          `/sys/${row.productKey}/${row.deviceName}/thing/event/${action}/post`,
          JSON.stringify({ id: String(id), version: '1.0', sys: { ack: 0 }, params }),
        )
      for (let n = 1; n <= 100; n++) {
        publishEvent('property', n, { Brightness: { value: n, time: from + n } })
        if (n % 10 === 0) publishEvent('Error', 1000 + n, { code: n })
      }
      // This event is sent after all others and answered once they are processed.
      expect(await client.ask('thing/event/Error/post', { code: 0 })).toMatchObject({ code: 200 })
      await client.close()
    }),
  )
  const rows = await waitUntil(
    () => readDevices(direct),
    (rows) => rows.every(({ reported }) => reported.Brightness === 100),
  )
  expect(rows).toHaveLength(direct.length)
  for (const { id } of direct) {
    // The history is written in batches of its own, which may come after the reported state.
    const values = await waitUntil(
      () =>
        db
          .select({ value: propertyHistory.value })
          .from(propertyHistory)
          .where(eq(propertyHistory.deviceId, id))
          .orderBy(asc(propertyHistory.time)),
      (history) => history.length >= 100,
    )
    expect(values.map(({ value }) => value)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
    expect(await db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, id))).toHaveLength(11)
  }
})

test('every page sees every state and the progress of every task, whichever process serves it', async () => {
  const pages = await Promise.all([firstProcess.page(1), secondProcess.page(1)])
  for (const [processIndex, process] of [firstProcess, secondProcess].entries()) {
    const task = await waitForTask(
      process,
      await setValues(process, lamps, { Brightness: 20 + processIndex }),
    )
    // Reports of a lamp must reach the control task, whichever process handles the lamp.
    expect(task.counts).toMatchObject({ success: 100 })
    for (const page of pages) {
      await waitUntil(
        () =>
          new Set(
            page
              .states()
              .flatMap((row) => (row.reported.Brightness === 20 + processIndex ? row.id : [])),
          ).size,
        (deviceCount) => deviceCount === 100,
      )
      await waitUntil(
        () => page.tasks().some(({ id, doneTime }) => id === task.id && doneTime !== null),
        Boolean,
      )
    }
  }
})

test('both processes give the broker the same answer about the children of a gateway', async () => {
  const authorize = (process: Process) =>
    process.hook('authorize', {
      username: 'edge&pkEdge',
      action: 'subscribe',
      topic: `/sys/${lamp.productKey}/${lamp.deviceName}/thing/service/property/set`,
    })
  const authorizeBoth = () => Promise.all([authorize(firstProcess), authorize(secondProcess)])
  expect(await authorizeBoth()).toEqual(['allow', 'allow'])
  await gateway.logout(lamp)
  expect(await authorizeBoth()).toEqual(['deny', 'deny'])
  await gateway.login(lamp)
  expect(await authorizeBoth()).toEqual(['allow', 'allow'])
})

/** Connects a device that receives RRPC calls on the topics it subscribed to, and answers them. */
async function connectAnsweringPanel() {
  const device = await connectAlinkDevice(services.mqttUrl, panel)
  device.client.on('message', (topic, payload) => {
    const { id, code } = JSON.parse(payload.toString()) as { id: string; code?: number }
    if (code === undefined)
      device.client.publish(`${topic}_reply`, JSON.stringify({ id, code: 200, data: {} }))
  })
  await device.subscribe('/ext/rrpc/+/sys/pkPanel/panel/thing/service/Identify')
  // Mosquitto does not report connections, so a device counts as online once it sends a message.
  await device.ask('thing/event/property/post', { Brightness: 1 })
  await waitUntil(
    () => readDevices([panel]),
    ([row]) => row!.state === 'online',
  )
  return device
}
const callService = (process: Process) =>
  process.send(managedDeviceApi.service, { id: panel.id, identifier: 'Identify', params: {} })

test('a connection option reported to one process is used by both and by a process started later', async () => {
  const device = await connectAnsweringPanel()
  const { clientId, username, password } = connectOptions(panel)
  const clientid = clientId.replace(/\|$/, ',ext=1|')
  expect(await firstProcess.hook('authenticate', { clientid, username, password })).toBe('allow')
  for (const process of [firstProcess, secondProcess])
    expect(await callService(process)).toMatchObject({ code: 200 })
  const thirdProcess = await startProcess(services)
  await thirdProcess.signIn(authApi.login)
  expect(await callService(thirdProcess)).toMatchObject({ code: 200 })
  await thirdProcess.kill('SIGTERM')
  await device.close()
})

test('a task is cancelled through either', async () => {
  lampBehaviour = 'silent'
  const { id } = await setValues(firstProcess, lamps, { Brightness: 30 })
  await waitUntil(
    () => receivedKeys.size,
    (count) => count === 64,
  )
  expect(await secondProcess.send(controlApi.cancel, { id })).toMatchObject({ status: 'cancelled' })
  expect(await waitForTask(secondProcess, { id })).toMatchObject({
    status: 'cancelled',
    counts: { cancelled: 36, timeout: 64 },
  })
  expect(receivedKeys.size).toBe(64)
})

test('of opposite commands in two processes the later one is desired and the earlier one becomes 被覆盖', async () => {
  lampBehaviour = 'silent'
  const firstTask = await setValues(firstProcess, [lamp], { PowerSwitch: 1 })
  await waitUntil(
    async () => (await readLedger(firstTask))[0]!.state,
    (state) => state === 'sent',
  )
  const secondTask = await setValues(secondProcess, [lamp], { PowerSwitch: 0 })
  expect((await waitForTask(firstProcess, firstTask)).counts).toMatchObject({ overridden: 1 })
  expect(await readLedger(firstTask)).toMatchObject([
    { state: 'overridden', reason: 'admin：关闭 · lamp-0' },
  ])
  const readDesired = async () => (await readDevices([lamp]))[0]!.desired
  await waitUntil(readDesired, ({ PowerSwitch }) => PowerSwitch === 0)
  expect((await waitForTask(secondProcess, secondTask)).counts).toMatchObject({ timeout: 1 })
  expect(await readDesired()).toEqual({})
})

test('work of a killed process is carried on by the other: nothing is sent twice, and what had left is unknown', async () => {
  lampBehaviour = 'silent'
  const page = await secondProcess.page(1)
  const { id } = await setValues(secondProcess, lamps, { Brightness: 40 })
  await waitUntil(
    () => receivedKeys.size,
    (count) => count > 0,
  )
  await firstProcess.kill()
  const task = await waitForTask(secondProcess, { id })
  expect(task.counts.unknown! + task.counts.timeout!).toBe(100)
  expect(receivedKeys.size).toBe(100)
  expect(repeatedKeys).toEqual([])
  for (const row of await readLedger({ id }))
    if (row.state === 'unknown') expect(row.reason).toBe('执行任务的进程没有响应')
  await waitUntil(
    () => page.tasks().some((task) => task.id === id && task.doneTime !== null),
    Boolean,
  )
  expect(
    (await readDevices(lamps)).filter(({ desired }) => Object.keys(desired).length > 0),
  ).toEqual([])
})

test('the remaining process serves every device', async () => {
  for (const row of lamps) gateway.post(row, { Brightness: 41 })
  const rows = await waitUntil(
    () => readDevices(lamps),
    (rows) => rows.every(({ reported }) => reported.Brightness === 41),
  )
  expect(rows).toHaveLength(100)
  expect(
    (await waitForTask(secondProcess, await setValues(secondProcess, lamps, { Brightness: 42 })))
      .counts,
  ).toMatchObject({
    success: 100,
  })
})

test('a process takes over at once when the holder stops', async () => {
  firstProcess = await startProcess(services)
  await firstProcess.signIn(authApi.login)
  const secondExit = secondProcess.kill('SIGTERM')
  // Values at QoS 0 that arrive between the two holders are lost, so the lamps go on posting.
  await waitUntil(
    async () => {
      for (const row of lamps.slice(0, 20)) gateway.post(row, { Brightness: 55 })
      return readDevices(lamps.slice(0, 20))
    },
    (rows) => rows.every(({ reported }) => reported.Brightness === 55),
    10_000,
  )
  await secondExit
  expect(
    (await waitForTask(firstProcess, await setValues(firstProcess, lamps, { Brightness: 60 })))
      .counts,
  ).toMatchObject({
    success: 100,
  })
})
