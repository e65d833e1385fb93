import { and, asc, eq } from 'drizzle-orm'
import { device, propertyHistory } from '../../tables/device'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  signChild,
  startTestDevices,
  type AlinkDevice,
  type DeviceRow,
} from '../testing'
import { waitUntil } from '../../core/until'

const products = {
  direct: productRow('pkDirect', 'direct'),
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub'),
}
const edge = deviceRow(products.edge, 'edge')
const lamp = deviceRow(products.lamp, 'lamp', { gatewayId: edge.id })
const postAction = 'thing/event/property/post'
const buildTopic = (row: DeviceRow, action = postAction) =>
  `/sys/${row.productKey}/${row.deviceName}/${action}`

let platform: Awaited<ReturnType<typeof startTestDevices>>
let deviceCount = 0
const openClients: AlinkDevice[] = []

beforeAll(async () => {
  // Timers follow this process's own time, so that a device on a slow machine is not queried before it can report.
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  platform = await startTestDevices()
  await insertDevices(platform.db, Object.values(products), [edge, lamp])
})
afterEach(() => Promise.all(openClients.splice(0).map((one) => one.close())))
afterAll(() => {
  jest.useRealTimers()
  return platform.close()
})

/** Each test uses a new device without any stored state. */
async function newDevice() {
  const row = deviceRow(products.direct, `device-${++deviceCount}`)
  await insertDevices(platform.db, [], [row])
  return row
}
async function connect(row: DeviceRow) {
  const client = await connectAlinkDevice(platform.url, row)
  openClients.push(client)
  await waitUntil(
    () => readDeviceRow(row),
    ({ state }) => state === 'online',
  )
  return client
}
async function disconnect(client: AlinkDevice, row: DeviceRow) {
  await client.close()
  await waitUntil(
    () => readDeviceRow(row),
    ({ state }) => state === 'offline',
  )
}
async function readDeviceRow({ id }: DeviceRow) {
  await platform.devices.states.flush()
  const isDevice = and(eq(device.projectId, 1), eq(device.id, id))
  return (await platform.db.select().from(device).where(isDevice))[0]!
}
const readHistory = ({ id }: DeviceRow) =>
  platform.db
    .select({
      identifier: propertyHistory.identifier,
      value: propertyHistory.value,
      time: propertyHistory.time,
    })
    .from(propertyHistory)
    .where(eq(propertyHistory.deviceId, id))
    .orderBy(asc(propertyHistory.time))

test('a report after a device restart is stored, also with a reused message id', async () => {
  const row = await newDevice()
  const message = { id: '1', version: '1.0', params: { Brightness: 10 } }
  const other = { id: '2', version: '1.0', params: { Brightness: 20 } }
  let client = await connect(row)
  await client.subscribe(buildTopic(row, `${postAction}_reply`))
  for (const reportedMessage of [message, other]) {
    await client.send(buildTopic(row), reportedMessage)
    expect(await client.next(buildTopic(row, `${postAction}_reply`))).toMatchObject({ code: 200 })
  }
  expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 20 })
  await disconnect(client, row)

  client = await connect(row)
  await client.subscribe(buildTopic(row, `${postAction}_reply`))
  await client.send(buildTopic(row), message)
  expect(await client.next(buildTopic(row, `${postAction}_reply`))).toMatchObject({ code: 200 })
  expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 10 })
})

test('a report of a child that signed in again is stored, also with a reused message id', async () => {
  const gateway = await connect(edge)
  const login = () => gateway.ask('combine/login', signChild(lamp))
  const report = async (id: string, params: object) => {
    await gateway.send(buildTopic(lamp), { id, version: '1.0', params })
    await gateway.next(buildTopic(lamp, `${postAction}_reply`))
  }
  expect(await login()).toMatchObject({ code: 200 })
  await gateway.subscribe(buildTopic(lamp, `${postAction}_reply`))
  await report('1', { Brightness: 10 })
  await report('2', { Brightness: 20 })
  expect((await readDeviceRow(lamp)).via).toBe(edge.id)
  await login()
  await report('1', { Brightness: 10 })
  expect((await readDeviceRow(lamp)).reported).toEqual({ Brightness: 10 })
  await disconnect(gateway, edge)
  expect(await readDeviceRow(lamp)).toMatchObject({ state: 'offline', via: null })
})

describe('a value with a device timestamp', () => {
  const minute = 60_000
  const timedValue = (time: number, value: number) => ({ Brightness: { value, time } })

  it('keeps that time, and an older one is stored in the history only', async () => {
    const row = await newDevice()
    const client = await connect(row)
    const now = Date.now()
    expect(await client.ask(postAction, timedValue(now - minute, 40))).toMatchObject({ code: 200 })
    expect(await readDeviceRow(row)).toMatchObject({
      reported: { Brightness: 40 },
      reportedAt: { Brightness: now - minute },
      reportedTime: new Date(now - minute).toISOString(),
    })
    await client.ask(postAction, timedValue(now - 5 * minute, 90))
    expect(await readDeviceRow(row)).toMatchObject({
      reported: { Brightness: 40 },
      reportedAt: { Brightness: now - minute },
    })
    expect((await readHistory(row)).map(({ value }) => value)).toEqual([90, 40])
    // The same holds within one message of one write, and for a bare value.
    await client.ask(postAction, { Brightness: 41, PowerSwitch: { value: 1, time: now } })
    await client.ask(postAction, { ...timedValue(now - 2 * minute, 91) })
    expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 41, PowerSwitch: 1 })
  })

  it.each([
    ['the future', () => Date.now() + 3600 * minute],
    ['1970', () => 12_345],
  ])('from %s gets the current time and does not block later values', async (_, time) => {
    const row = await newDevice()
    const client = await connect(row)
    const beforePost = Date.now()
    await client.ask(postAction, timedValue(time(), 50))
    const { reported, reportedAt } = await readDeviceRow(row)
    expect(reported).toEqual({ Brightness: 50 })
    expect(reportedAt.Brightness).toBeGreaterThanOrEqual(beforePost)
    expect(reportedAt.Brightness).toBeLessThanOrEqual(Date.now())
    await client.ask(postAction, { Brightness: 51 })
    expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 51 })
  })

  it('from a clock that is years behind gets the current time and marks the device until its clock is right', async () => {
    const row = await newDevice()
    const client = await connect(row)
    await client.ask(postAction, { Brightness: 1 })
    const beforePost = Date.now()
    await client.ask(postAction, timedValue(Date.UTC(2020, 5), 2))
    const currentRow = await readDeviceRow(row)
    expect(currentRow.reported).toEqual({ Brightness: 2 })
    expect(currentRow.reportedAt.Brightness).toBeGreaterThanOrEqual(beforePost)
    expect(currentRow.clockOffsetMs).toBeLessThan(-365 * 24 * 60 * minute)
    await client.ask(postAction, timedValue(Date.now(), 3))
    expect(await readDeviceRow(row)).toMatchObject({
      reported: { Brightness: 3 },
      clockOffsetMs: null,
    })
  })
  it('that answers a command is taken also if its clock is a second behind, but taken again only in order', async () => {
    const row = await newDevice()
    const client = await connect(row)
    await client.ask(postAction, { Brightness: 10 })
    platform.devices.states.setDesired({ id: row.id, projectId: 1 }, 'task', { Brightness: 60 })
    // The device still sends its old value after the command, without a time.
    await client.ask(postAction, { Brightness: 10 })
    const answers: unknown[] = []
    platform.devices.states.events.once('reported', (_, values) => answers.push(values))
    expect(await client.ask(postAction, timedValue(Date.now() - 1000, 60))).toMatchObject({
      data: {},
    })
    expect(answers).toEqual([{ Brightness: 60 }])
    expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 60 })
    // Somebody dims the lamp at its switch, and the gateway repeats the answer.
    await client.ask(postAction, { Brightness: 30 })
    platform.devices.states.events.once('reported', (_, values) => answers.push(values))
    await client.ask(postAction, timedValue(Date.now() - 1000, 60))
    expect(answers[1]).toEqual({})
    expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 30 })
  })
  it('of an invalid time is refused in the reply and listed at the device', async () => {
    const row = await newDevice()
    const client = await connect(row)
    const answer = await client.ask(postAction, {
      Brightness: { value: 5, time: 'noon' },
      PowerSwitch: 1,
    })
    expect(answer).toMatchObject({
      code: 200,
      data: { Brightness: 'tsl parse: time is not milliseconds' },
    })
    const { reported, dropped } = await readDeviceRow(row)
    expect(reported).toEqual({ PowerSwitch: 1 })
    expect(dropped).toEqual({
      Brightness: { reason: '时间不是毫秒数', time: expect.any(String) },
    })
  })
  it('older than the stored one is reported in the reply and listed at the device until a newer one is stored', async () => {
    const row = await newDevice()
    const client = await connect(row)
    await client.ask(postAction, timedValue(Date.now(), 5))
    const late = await client.ask(postAction, timedValue(Date.now() - 10 * minute, 6))
    const message = 'tsl parse: time is before that of the present value'
    expect(late).toMatchObject({ code: 200, data: { Brightness: message } })
    expect(await readDeviceRow(row)).toMatchObject({
      reported: { Brightness: 5 },
      dropped: { Brightness: { reason: '比现在的值旧，没有替换它' } },
    })
    expect(await client.ask(postAction, timedValue(Date.now(), 7))).toMatchObject({
      code: 200,
      data: {},
    })
    expect(await readDeviceRow(row)).toMatchObject({ reported: { Brightness: 7 }, dropped: {} })
  })
  it('older than one stored before this start is reported as well', async () => {
    const row = await newDevice()
    const reportedAt = { Brightness: Date.now() - minute }
    await platform.db
      .update(device)
      .set({ reported: { Brightness: 5 }, reportedAt })
      .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
    const client = await connect(row)
    expect(await client.ask(postAction, timedValue(Date.now() - 10 * minute, 6))).toMatchObject({
      data: { Brightness: expect.any(String) },
    })
    expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 5 })
  })
  it('is listed at the device with the reason when it is dropped', async () => {
    const row = await newDevice()
    const client = await connect(row)
    await client.ask(postAction, { Brightness: 101, PowerSwitch: '1', Colour: 3 })
    expect((await readDeviceRow(row)).dropped).toEqual({
      Brightness: { reason: expect.stringContaining('100'), time: expect.any(String) },
      PowerSwitch: { reason: expect.stringContaining('只能是'), time: expect.any(String) },
      Colour: { reason: '产品没有这个属性', time: expect.any(String) },
    })
  })
  it('sent as history does not replace the current value', async () => {
    const row = await newDevice()
    const client = await connect(row)
    await client.ask(postAction, { Brightness: 7 })
    const time = Date.now() - 20 * 24 * 60 * minute
    const batch = { properties: { Brightness: [{ value: 8, time }] }, events: {} }
    expect(await client.ask('thing/event/property/batch/post', batch)).toMatchObject({ code: 200 })
    expect(await readDeviceRow(row)).toMatchObject({
      reported: { Brightness: 7 },
      clockOffsetMs: null,
    })
    expect((await readHistory(row)).map(({ value }) => value)).toEqual([8, 7])
    // This value is older than the retention of the history.
    const expiredBatch = {
      properties: { Brightness: [{ value: 9, time: time - 11 * 24 * 60 * minute }] },
    }
    expect(
      await client.ask('thing/event/property/batch/post', { ...expiredBatch, events: {} }),
    ).toMatchObject({
      data: { Brightness: 'tsl parse: time is before the history that is kept' },
    })
    expect((await readDeviceRow(row)).dropped).toMatchObject({
      Brightness: { reason: '比历史的保存期还早，没有保存' },
    })
  })

  it('is accepted when the stored one has a time far in the future', async () => {
    const row = await newDevice()
    const client = await connect(row)
    await platform.db
      .update(device)
      .set({ reported: { Brightness: 1 }, reportedAt: { Brightness: Date.now() + 3600 * minute } })
      .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
    await client.ask(postAction, { Brightness: 2 })
    expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 2 })
  })
})

describe('after a disconnection', () => {
  it('values are stale until the device reports them again, and they are requested', async () => {
    const row = await newDevice()
    let client = await connect(row)
    await client.ask(postAction, { Brightness: 10, PowerSwitch: 1 })
    const { reportedAt, stale } = await readDeviceRow(row)
    expect(stale).toEqual({})
    await disconnect(client, row)

    client = await connect(row)
    const getTopic = buildTopic(row, 'thing/service/property/get')
    await client.subscribe(getTopic)
    expect((await readDeviceRow(row)).stale).toEqual(reportedAt)
    await client.ask(postAction, { PowerSwitch: 0 })
    expect((await readDeviceRow(row)).stale).toEqual({ Brightness: reportedAt.Brightness })

    jest.advanceTimersByTime(3000)
    const { id, params } = await client.next<{ id: string; params: string[] }>(getTopic)
    expect(params).toEqual(['Brightness'])
    await client.send(`${getTopic}_reply`, { id, code: 200, data: { Brightness: 33 } })
    await waitUntil(
      () => readDeviceRow(row),
      (now) => now.reported.Brightness === 33,
    )
    expect((await readDeviceRow(row)).stale).toEqual({})
  })

  it('of the platform, values are stale until they are reported again', async () => {
    const row = await newDevice()
    const client = await connect(row)
    await client.ask(postAction, { Brightness: 10 })
    const { reportedAt } = await readDeviceRow(row)
    const reconnectTime = reportedAt.Brightness! + 1
    await platform.devices.states.markStale([row.id], reconnectTime)
    expect((await readDeviceRow(row)).stale).toEqual(reportedAt)
    await client.ask(postAction, { Brightness: 11 })
    expect((await readDeviceRow(row)).stale).toEqual({})
    await platform.devices.states.markStale([row.id], reconnectTime)
    expect((await readDeviceRow(row)).stale).toEqual({})
  })
})

test('a hundred values posted in sequence end with the last one', async () => {
  const row = await newDevice()
  const deviceClient = await connect(row)
  for (let n = 1; n < 100; n++)
    deviceClient.client.publish(
      buildTopic(row),
      JSON.stringify({ id: `${n}`, params: { Brightness: n } }),
    )
  await deviceClient.ask(postAction, { Brightness: 100 })
  expect((await readDeviceRow(row)).reported).toEqual({ Brightness: 100 })
})

test('none of these messages causes an error in the platform', () =>
  expect(platform.errors).toEqual([]))
