import { and, asc, eq } from 'drizzle-orm'
import { device, propertyHistory } from '../tables/device'
import {
  alinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  signedChild,
  testDevices,
  until,
  type AlinkDevice,
  type DeviceRow,
} from './testing'

const products = {
  direct: productRow('pkDirect', 'direct'),
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub'),
}
const edge = deviceRow(products.edge, 'edge')
const lamp = deviceRow(products.lamp, 'lamp', { gatewayId: edge.id })
const post = 'thing/event/property/post'
const topic = (row: DeviceRow, action = post) =>
  `/sys/${row.productKey}/${row.deviceName}/${action}`

let platform: Awaited<ReturnType<typeof testDevices>>
let count = 0
const open: AlinkDevice[] = []

beforeAll(async () => {
  // Timers follow this process's own time, so that a device on a slow machine is not queried before it can report.
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  platform = await testDevices()
  await insertDevices(platform.db, Object.values(products), [edge, lamp])
})
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())))
afterAll(() => {
  jest.useRealTimers()
  return platform.close()
})

/** Each test uses a new device without any stored state. */
async function newDevice() {
  const row = deviceRow(products.direct, `device-${++count}`)
  await insertDevices(platform.db, [], [row])
  return row
}
async function connect(row: DeviceRow) {
  const one = await alinkDevice(platform.url, row)
  open.push(one)
  await until(
    () => stored(row),
    ({ state }) => state === 'online',
  )
  return one
}
async function leave(one: AlinkDevice, row: DeviceRow) {
  await one.close()
  await until(
    () => stored(row),
    ({ state }) => state === 'offline',
  )
}
async function stored({ id }: DeviceRow) {
  await platform.devices.states.flush()
  const of = and(eq(device.projectId, 1), eq(device.id, id))
  return (await platform.db.select().from(device).where(of))[0]!
}
const history = ({ id }: DeviceRow) =>
  platform.db
    .select({
      identifier: propertyHistory.identifier,
      value: propertyHistory.value,
      time: propertyHistory.time,
    })
    .from(propertyHistory)
    .where(eq(propertyHistory.deviceId, id))
    .orderBy(asc(propertyHistory.time))

test('what a device says after it started anew counts, also under an id it used before', async () => {
  const row = await newDevice()
  const message = { id: '1', version: '1.0', params: { Brightness: 10 } }
  const other = { id: '2', version: '1.0', params: { Brightness: 20 } }
  let one = await connect(row)
  await one.subscribe(topic(row, `${post}_reply`))
  for (const said of [message, other]) {
    await one.say(topic(row), said)
    expect(await one.next(topic(row, `${post}_reply`))).toMatchObject({ code: 200 })
  }
  expect((await stored(row)).reported).toEqual({ Brightness: 20 })
  await leave(one, row)

  one = await connect(row)
  await one.subscribe(topic(row, `${post}_reply`))
  await one.say(topic(row), message)
  expect(await one.next(topic(row, `${post}_reply`))).toMatchObject({ code: 200 })
  expect((await stored(row)).reported).toEqual({ Brightness: 10 })
})

test('so does what a child says that signed in anew', async () => {
  const gateway = await connect(edge)
  const signIn = () => gateway.ask('combine/login', signedChild(lamp))
  const say = async (id: string, params: object) => {
    await gateway.say(topic(lamp), { id, version: '1.0', params })
    await gateway.next(topic(lamp, `${post}_reply`))
  }
  expect(await signIn()).toMatchObject({ code: 200 })
  await gateway.subscribe(topic(lamp, `${post}_reply`))
  await say('1', { Brightness: 10 })
  await say('2', { Brightness: 20 })
  expect((await stored(lamp)).via).toBe(edge.id)
  await signIn()
  await say('1', { Brightness: 10 })
  expect((await stored(lamp)).reported).toEqual({ Brightness: 10 })
  await leave(gateway, edge)
  expect(await stored(lamp)).toMatchObject({ state: 'offline', via: null })
})

describe('a value with the time of the device', () => {
  const minute = 60_000
  const at = (time: number, value: number) => ({ Brightness: { value, time } })

  it('keeps it, and one that is older than what stands there goes into the history only', async () => {
    const row = await newDevice()
    const one = await connect(row)
    const now = Date.now()
    expect(await one.ask(post, at(now - minute, 40))).toMatchObject({ code: 200 })
    expect(await stored(row)).toMatchObject({
      reported: { Brightness: 40 },
      reportedAt: { Brightness: now - minute },
      reportedTime: new Date(now - minute).toISOString(),
    })
    await one.ask(post, at(now - 5 * minute, 90))
    expect(await stored(row)).toMatchObject({
      reported: { Brightness: 40 },
      reportedAt: { Brightness: now - minute },
    })
    expect((await history(row)).map(({ value }) => value)).toEqual([90, 40])
    // The same holds within one message of one write, and for a bare value.
    await one.ask(post, { Brightness: 41, PowerSwitch: { value: 1, time: now } })
    await one.ask(post, { ...at(now - 2 * minute, 91) })
    expect((await stored(row)).reported).toEqual({ Brightness: 41, PowerSwitch: 1 })
  })

  it.each([
    ['the future', () => Date.now() + 3600 * minute],
    ['1970', () => 12_345],
  ])('of %s counts as of now, and what follows is not shut out', async (_, time) => {
    const row = await newDevice()
    const one = await connect(row)
    const before = Date.now()
    await one.ask(post, at(time(), 50))
    const { reported, reportedAt } = await stored(row)
    expect(reported).toEqual({ Brightness: 50 })
    expect(reportedAt.Brightness).toBeGreaterThanOrEqual(before)
    expect(reportedAt.Brightness).toBeLessThanOrEqual(Date.now())
    await one.ask(post, { Brightness: 51 })
    expect((await stored(row)).reported).toEqual({ Brightness: 51 })
  })

  it('of a clock that is years behind is shown as of now, with the device marked, until it is right', async () => {
    const row = await newDevice()
    const one = await connect(row)
    await one.ask(post, { Brightness: 1 })
    const before = Date.now()
    await one.ask(post, at(Date.UTC(2020, 5), 2))
    const now = await stored(row)
    expect(now.reported).toEqual({ Brightness: 2 })
    expect(now.reportedAt.Brightness).toBeGreaterThanOrEqual(before)
    expect(now.clockOffsetMs).toBeLessThan(-365 * 24 * 60 * minute)
    await one.ask(post, at(Date.now(), 3))
    expect(await stored(row)).toMatchObject({ reported: { Brightness: 3 }, clockOffsetMs: null })
  })
  it('that is no number is refused in the reply and named at the device', async () => {
    const row = await newDevice()
    const one = await connect(row)
    const answer = await one.ask(post, { Brightness: { value: 5, time: 'noon' }, PowerSwitch: 1 })
    expect(answer).toMatchObject({
      code: 200,
      data: { Brightness: 'tsl parse: time is not milliseconds' },
    })
    const { reported, dropped } = await stored(row)
    expect(reported).toEqual({ PowerSwitch: 1 })
    expect(dropped).toEqual({
      Brightness: { reason: '时间不是毫秒数', time: expect.any(String) },
    })
  })
  it('that is older than what stands is named in the reply and at the device, until a newer one is kept', async () => {
    const row = await newDevice()
    const one = await connect(row)
    await one.ask(post, at(Date.now(), 5))
    const late = await one.ask(post, at(Date.now() - 10 * minute, 6))
    const message = 'tsl parse: time is before that of the present value'
    expect(late).toMatchObject({ code: 200, data: { Brightness: message } })
    expect(await stored(row)).toMatchObject({
      reported: { Brightness: 5 },
      dropped: { Brightness: { reason: '比现在的值旧，没有替换它' } },
    })
    expect(await one.ask(post, at(Date.now(), 7))).toMatchObject({ code: 200, data: {} })
    expect(await stored(row)).toMatchObject({ reported: { Brightness: 7 }, dropped: {} })
  })
  it('that is older than what stood before this start is named, too', async () => {
    const row = await newDevice()
    const reportedAt = { Brightness: Date.now() - minute }
    await platform.db
      .update(device)
      .set({ reported: { Brightness: 5 }, reportedAt })
      .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
    const one = await connect(row)
    expect(await one.ask(post, at(Date.now() - 10 * minute, 6))).toMatchObject({
      data: { Brightness: expect.any(String) },
    })
    expect((await stored(row)).reported).toEqual({ Brightness: 5 })
  })
  it('or what else of a message is not kept is named at the device in words of an operator', async () => {
    const row = await newDevice()
    const one = await connect(row)
    await one.ask(post, { Brightness: 101, PowerSwitch: '1', Colour: 3 })
    expect((await stored(row)).dropped).toEqual({
      Brightness: { reason: expect.stringContaining('100'), time: expect.any(String) },
      PowerSwitch: { reason: expect.stringContaining('只能是'), time: expect.any(String) },
      Colour: { reason: '产品没有这个属性', time: expect.any(String) },
    })
  })
  it('of what comes as history does not replace what stands there', async () => {
    const row = await newDevice()
    const one = await connect(row)
    await one.ask(post, { Brightness: 7 })
    const time = Date.now() - 20 * 24 * 60 * minute
    const batch = { properties: { Brightness: [{ value: 8, time }] }, events: {} }
    expect(await one.ask('thing/event/property/batch/post', batch)).toMatchObject({ code: 200 })
    expect(await stored(row)).toMatchObject({ reported: { Brightness: 7 }, clockOffsetMs: null })
    expect((await history(row)).map(({ value }) => value)).toEqual([8, 7])
    // This value is older than the retention of the history.
    const gone = { properties: { Brightness: [{ value: 9, time: time - 11 * 24 * 60 * minute }] } }
    expect(await one.ask('thing/event/property/batch/post', { ...gone, events: {} })).toMatchObject(
      {
        data: { Brightness: 'tsl parse: time is before the history that is kept' },
      },
    )
    expect((await stored(row)).dropped).toMatchObject({
      Brightness: { reason: '比历史的保存期还早，没有保存' },
    })
  })

  it('that stands far ahead of our clock shuts nobody out', async () => {
    const row = await newDevice()
    const one = await connect(row)
    await platform.db
      .update(device)
      .set({ reported: { Brightness: 1 }, reportedAt: { Brightness: Date.now() + 3600 * minute } })
      .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
    await one.ask(post, { Brightness: 2 })
    expect((await stored(row)).reported).toEqual({ Brightness: 2 })
  })
})

describe('after an absence', () => {
  it('values are of their time until the device says them again, and it is asked for them', async () => {
    const row = await newDevice()
    let one = await connect(row)
    await one.ask(post, { Brightness: 10, PowerSwitch: 1 })
    const { reportedAt, stale } = await stored(row)
    expect(stale).toEqual({})
    await leave(one, row)

    one = await connect(row)
    const get = topic(row, 'thing/service/property/get')
    await one.subscribe(get)
    expect((await stored(row)).stale).toEqual(reportedAt)
    await one.ask(post, { PowerSwitch: 0 })
    expect((await stored(row)).stale).toEqual({ Brightness: reportedAt.Brightness })

    jest.advanceTimersByTime(3000)
    const { id, params } = await one.next<{ id: string; params: string[] }>(get)
    expect(params).toEqual(['Brightness'])
    await one.say(`${get}_reply`, { id, code: 200, data: { Brightness: 33 } })
    await until(
      () => stored(row),
      (now) => now.reported.Brightness === 33,
    )
    expect((await stored(row)).stale).toEqual({})
  })

  it('of the platform, too', async () => {
    const row = await newDevice()
    const one = await connect(row)
    await one.ask(post, { Brightness: 10 })
    const { reportedAt } = await stored(row)
    const back = reportedAt.Brightness! + 1
    await platform.devices.states.unsure([row.id], back)
    expect((await stored(row)).stale).toEqual(reportedAt)
    await one.ask(post, { Brightness: 11 })
    expect((await stored(row)).stale).toEqual({})
    await platform.devices.states.unsure([row.id], back)
    expect((await stored(row)).stale).toEqual({})
  })
})

test('a hundred values posted one after the other end with the last', async () => {
  const row = await newDevice()
  const one = await connect(row)
  for (let n = 1; n < 100; n++)
    one.client.publish(topic(row), JSON.stringify({ id: `${n}`, params: { Brightness: n } }))
  await one.ask(post, { Brightness: 100 })
  expect((await stored(row)).reported).toEqual({ Brightness: 100 })
})

test('nothing of this made the platform stumble', () => expect(platform.errors).toEqual([]))
