import { authApi } from '@iot/shared/contract/auth'
import { controlApi, type ControlTask } from '@iot/shared/contract/control'
import type { Values } from '@iot/shared/contract/device'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../src/core/db/db'
import { openDatabase } from '../src/core/db/open'
import { keyOf } from '../src/device-access/alink'
import { connectOptions } from '../src/device-access/signature'
import { connectEdge, type EdgeClient } from '../src/device-access/edgeClient'
import {
  alinkDevice,
  deviceRow,
  insertDevices,
  lampModel,
  productRow,
  until,
  type DeviceRow,
} from '../src/device-access/testing'
import { controlLedger } from '../src/tables/control'
import { device, deviceEvent, propertyHistory } from '../src/tables/device'
import { project } from '../src/tables/project'
import { startProcess, startServices, type Process, type Services } from './running'

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
let one: Process, other: Process
let db: Db
let closeDatabase: () => Promise<void>
let gateway: EdgeClient
/** Simulated lamps either follow commands or stay silent. */
let mood: 'follows' | 'silent' = 'follows'
const received = new Set<string>()

beforeAll(async () => {
  services = await startServices()
  ;[one, other] = await Promise.all([startProcess(services), startProcess(services)])
  for (const process of [one, other]) await process.signIn(authApi.login)
  const database = await openDatabase({ kind: 'server', url: services.databaseUrl })
  ;({ db } = database)
  closeDatabase = database.close
  const place = { groupName: '测试', engineeringId: 1, sort: 1 }
  const row = { ...place, projectId: 1, name: '测试', code: 'test' }
  await db.insert(project).values(row).onConflictDoNothing()
  await insertDevices(db, Object.values(products), [edge, panel, ...direct, ...lamps])
  gateway = await connectEdge({
    url: services.mqttUrl,
    gateway: edge,
    children: lamps,
    onSet(key, values, { reply, post }) {
      received.add(key)
      if (mood === 'silent') return
      reply(200)
      post(values)
    },
  })
})
afterAll(async () => {
  await gateway?.close()
  await closeDatabase?.()
  await Promise.all([one?.kill(), other?.kill()])
  await services?.close()
})
beforeEach(() => {
  mood = 'follows'
  received.clear()
})

test('a process with a broker of its own does not start beside them', () =>
  expect(startProcess(services, { MQTT_URL: undefined, MQTT_PORT: '0' })).rejects.toThrow(
    '这个数据库正由另一个进程使用',
  ))

const set = (process: Process, rows: DeviceRow[], values: Values) =>
  process.send(controlApi.start, {
    kind: 'set',
    projectId: 1,
    scope: { kind: 'devices', deviceIds: rows.map(({ id }) => id) },
    values,
  })
const ended = (process: Process, { id }: Pick<ControlTask, 'id'>) =>
  until(
    () => process.send(controlApi.get, { id }),
    (task) => task.doneTime !== null,
  )
const stored = async (rows: DeviceRow[]) =>
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
const ledger = (task: Pick<ControlTask, 'id'>) =>
  db.select().from(controlLedger).where(eq(controlLedger.taskId, task.id))

test('a device that posts quickly ends with its last value, and each of its messages is worked on once', async () => {
  const from = Date.now() - 1000
  await Promise.all(
    direct.map(async (row) => {
      const client = await alinkDevice(services.mqttUrl, row)
      const say = (action: string, id: number, params: object) =>
        client.client.publish(
          `/sys/${row.productKey}/${row.deviceName}/thing/event/${action}/post`,
          JSON.stringify({ id: String(id), version: '1.0', sys: { ack: 0 }, params }),
        )
      for (let n = 1; n <= 100; n++) {
        say('property', n, { Brightness: { value: n, time: from + n } })
        if (n % 10 === 0) say('Error', 1000 + n, { code: n })
      }
      // This event is sent after all others and answered once they are processed.
      expect(await client.ask('thing/event/Error/post', { code: 0 })).toMatchObject({ code: 200 })
      await client.close()
    }),
  )
  const rows = await until(
    () => stored(direct),
    (rows) => rows.every(({ reported }) => reported.Brightness === 100),
  )
  expect(rows).toHaveLength(direct.length)
  for (const { id } of direct) {
    const values = await db
      .select({ value: propertyHistory.value })
      .from(propertyHistory)
      .where(eq(propertyHistory.deviceId, id))
      .orderBy(asc(propertyHistory.time))
    expect(values.map(({ value }) => value)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
    expect(await db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, id))).toHaveLength(11)
  }
})

test('every page sees every state and the progress of every task, whichever process it is with', async () => {
  const pages = await Promise.all([one.page(1), other.page(1)])
  for (const [n, process] of [one, other].entries()) {
    const task = await ended(process, await set(process, lamps, { Brightness: 20 + n }))
    // Reports of a lamp must reach the control task, whichever process handles the lamp.
    expect(task.counts).toMatchObject({ success: 100 })
    for (const page of pages) {
      await until(
        () =>
          new Set(
            page.states().flatMap((row) => (row.reported.Brightness === 20 + n ? row.id : [])),
          ).size,
        (seen) => seen === 100,
      )
      await until(
        () => page.tasks().some(({ id, doneTime }) => id === task.id && doneTime !== null),
        Boolean,
      )
    }
  }
})

test('brokers are told the same by both about the children of a gateway', async () => {
  const touch = (process: Process) =>
    process.hook('authorize', {
      username: 'edge&pkEdge',
      action: 'subscribe',
      topic: `/sys/${lamp.productKey}/${lamp.deviceName}/thing/service/property/set`,
    })
  const both = () => Promise.all([touch(one), touch(other)])
  expect(await both()).toEqual(['allow', 'allow'])
  await gateway.logout(lamp)
  expect(await both()).toEqual(['deny', 'deny'])
  await gateway.login(lamp)
  expect(await both()).toEqual(['allow', 'allow'])
})

/** Connects a device that receives RRPC calls on the topics it subscribed to, and answers them. */
async function answering() {
  const device = await alinkDevice(services.mqttUrl, panel)
  device.client.on('message', (topic, payload) => {
    const { id, code } = JSON.parse(payload.toString()) as { id: string; code?: number }
    if (code === undefined)
      device.client.publish(`${topic}_reply`, JSON.stringify({ id, code: 200, data: {} }))
  })
  await device.subscribe('/ext/rrpc/+/sys/pkPanel/panel/thing/service/Identify')
  // Mosquitto does not report connections, so a device counts as online once it sends a message.
  await device.ask('thing/event/property/post', { Brightness: 1 })
  await until(
    () => stored([panel]),
    ([row]) => row!.state === 'online',
  )
  return device
}
const call = (process: Process) =>
  process.send(managedDeviceApi.service, { id: panel.id, identifier: 'Identify', params: {} })

test('both call a device the way it said to one of them, and so does one that comes later', async () => {
  const device = await answering()
  const { clientId, username, password } = connectOptions(panel)
  const clientid = clientId.replace(/\|$/, ',ext=1|')
  expect(await one.hook('authenticate', { clientid, username, password })).toBe('allow')
  for (const process of [one, other]) expect(await call(process)).toMatchObject({ code: 200 })
  const third = await startProcess(services)
  await third.signIn(authApi.login)
  expect(await call(third)).toMatchObject({ code: 200 })
  await third.kill('SIGTERM')
  await device.close()
})

test('a task is cancelled through either', async () => {
  mood = 'silent'
  const { id } = await set(one, lamps, { Brightness: 30 })
  await until(
    () => received.size,
    (count) => count === 64,
  )
  expect(await other.send(controlApi.cancel, { id })).toMatchObject({ status: 'cancelled' })
  expect(await ended(other, { id })).toMatchObject({
    status: 'cancelled',
    counts: { cancelled: 36, timeout: 64 },
  })
  expect(received.size).toBe(64)
})

test('of opposite wishes in two processes the later is what is asked for, and the earlier is 被后来的操作覆盖', async () => {
  mood = 'silent'
  const first = await set(one, [lamp], { PowerSwitch: 1 })
  await until(
    async () => (await ledger(first))[0]!.state,
    (state) => state === 'sent',
  )
  const second = await set(other, [lamp], { PowerSwitch: 0 })
  expect((await ended(one, first)).counts).toMatchObject({ overridden: 1 })
  expect(await ledger(first)).toMatchObject([
    { state: 'overridden', reason: 'admin：关闭 · lamp-0' },
  ])
  const desired = async () => (await stored([lamp]))[0]!.desired
  await until(desired, ({ PowerSwitch }) => PowerSwitch === 0)
  expect((await ended(other, second)).counts).toMatchObject({ timeout: 1 })
  expect(await desired()).toEqual({})
})

test('what a killed process left is closed by the other within ten seconds: nothing that left is called unsent', async () => {
  mood = 'silent'
  const page = await other.page(1)
  const { id } = await set(one, lamps, { Brightness: 40 })
  await until(
    () => received.size,
    (count) => count > 0,
  )
  await one.kill()
  const killed = Date.now()
  const task = await until(
    () => other.send(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
  expect(Date.now() - killed).toBeLessThan(10_000)
  expect(task.counts.unknown! + task.counts.failed!).toBe(100)
  for (const row of await ledger({ id })) {
    const { deviceName } = lamps.find((one) => one.id === row.deviceId)!
    const left = received.has(keyOf({ productKey: 'pkLamp', deviceName }))
    if (left) expect(row).toMatchObject({ state: 'unknown', reason: '执行任务的进程没有响应' })
    if (row.state === 'failed') expect(row.reason).toBe('执行任务的进程没有响应，未下发')
  }
  await until(() => page.tasks().some((told) => told.id === id && told.doneTime !== null), Boolean)
  expect((await stored(lamps)).filter(({ desired }) => Object.keys(desired).length > 0)).toEqual([])
})

test('the one that is left works on every device', async () => {
  for (const row of lamps) gateway.post(row, { Brightness: 41 })
  const rows = await until(
    () => stored(lamps),
    (rows) => rows.every(({ reported }) => reported.Brightness === 41),
  )
  expect(rows).toHaveLength(100)
  expect((await ended(other, await set(other, lamps, { Brightness: 42 }))).counts).toMatchObject({
    success: 100,
  })
})

test('one that starts takes its share, and one that stops leaves it: no value is lost in between', async () => {
  one = await startProcess(services)
  await one.signIn(authApi.login)
  let value = 50
  const posting = setInterval(() => {
    value++
    for (const row of lamps.slice(0, 20)) gateway.post(row, { Brightness: value % 100 })
  }, 20)
  await other.kill('SIGTERM')
  clearInterval(posting)
  await until(
    () => stored(lamps.slice(0, 20)),
    (rows) => rows.every(({ reported }) => reported.Brightness === value % 100),
  )
  expect((await ended(one, await set(one, lamps, { Brightness: 60 }))).counts).toMatchObject({
    success: 100,
  })
})
