import { once, type EventEmitter } from 'node:events'
import { and, eq } from 'drizzle-orm'
import { device } from '../tables/device'
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
const direct = deviceRow(products.direct, 'direct')
const edge = deviceRow(products.edge, 'edge')
const other = deviceRow(products.edge, 'other')
const lit = deviceRow(products.lamp, 'lit', { gatewayId: edge.id })
const away = deviceRow(products.lamp, 'away', { gatewayId: edge.id })
const moved = deviceRow(products.lamp, 'moved', { gatewayId: other.id })
const elsewhere = deviceRow(products.lamp, 'elsewhere', { projectId: 2 })
const removed = deviceRow(products.lamp, 'removed')

let platform: Awaited<ReturnType<typeof testDevices>>
let gateway: AlinkDevice
const post = ({ productKey, deviceName }: DeviceRow) =>
  `/sys/${productKey}/${deviceName}/thing/event/property/post`
const fine = () => {}
const values = (id: string) => ({ id, version: '1.0', params: { PowerSwitch: 1 } })
const stored = async (row: DeviceRow) => {
  await platform.devices.states.flush()
  const [found] = await platform.db
    .select()
    .from(device)
    .where(and(eq(device.projectId, row.projectId), eq(device.id, row.id)))
  return found!
}

beforeAll(async () => {
  platform = await testDevices()
  await insertDevices(platform.db, Object.values(products), [
    direct,
    edge,
    other,
    lit,
    away,
    moved,
    elsewhere,
  ])
})
beforeEach(async () => {
  gateway = await alinkDevice(platform.url, edge)
  expect(await gateway.ask('combine/login', signedChild(lit))).toMatchObject({ code: 200 })
  await gateway.subscribe('/ext/error/pkEdge/edge')
})
afterEach(() => gateway.close())
afterAll(() => platform.close())

describe('a gateway that speaks for a device', () => {
  it.each([
    ['another gateway', other],
    ['a device with a connection of its own', direct],
  ])('is cut off when it is %s', async (_, row) => {
    const gone = once(gateway.client as unknown as EventEmitter, 'close')
    gateway.client.publish(post(row), JSON.stringify(values('1')))
    await gone
    expect((await stored(row)).reported).toEqual({})
  })

  it.each([
    ['signed out', away],
    ['a child of another gateway by now', moved],
    ['a child of another project by now', elsewhere],
    ['not known any more', removed],
  ])('is told 520 when it is %s, and keeps its connection', async (_, row) => {
    await gateway.say(post(row), values('8125'))
    expect(await gateway.next('/ext/error/pkEdge/edge')).toMatchObject({
      id: '8125',
      code: 520,
      data: { productKey: 'pkLamp', deviceName: row.deviceName },
    })
    expect(await gateway.ask('thing/event/property/post', { PowerSwitch: 1 }, lit)).toMatchObject({
      code: 200,
    })
    expect(gateway.client.connected).toBe(true)
    expect((await stored(lit)).state).toBe('online')
    if (row !== removed) expect((await stored(row)).reported).toEqual({})
  })

  it('keeps its connection when nobody takes what it says for a child', async () => {
    const said = jest.spyOn(console, 'warn').mockImplementation(() => {})
    for (const topic of ['/sys/pkLamp/lit', '/shadow/delete/pkLamp/lit', '/sys/pkLamp/lit/unheard'])
      await gateway.client.publishAsync(topic, '{}', { qos: 1 })
    expect(await gateway.ask('thing/event/property/post', { PowerSwitch: 1 }, lit)).toMatchObject({
      code: 200,
    })
    said.mockRestore()
  })

  it('speaks no more for a child that an engineer gave to another, which alone hears it then', async () => {
    const given = deviceRow(products.lamp, 'given', { gatewayId: edge.id })
    await insertDevices(platform.db, [], [given])
    expect(await gateway.ask('combine/login', signedChild(given))).toMatchObject({ code: 200 })
    const set = '/sys/pkLamp/given/thing/service/property/set'
    await gateway.subscribe(set)
    await platform.db.update(device).set({ gatewayId: other.id }).where(eq(device.id, given.id))
    await platform.devices.forget([given], false)

    await gateway.say(post(given), values('77'))
    expect(await gateway.next('/ext/error/pkEdge/edge')).toMatchObject({ id: '77', code: 520 })
    expect(await stored(given)).toMatchObject({ state: 'offline', via: null, reported: {} })

    const taker = await alinkDevice(platform.url, other)
    expect(await taker.ask('combine/login', signedChild(given))).toMatchObject({ code: 200 })
    await taker.subscribe(set)
    platform.devices.commands.set(given, { PowerSwitch: 1 }, fine, fine)
    expect(await taker.next(set)).toMatchObject({ params: { PowerSwitch: 1 } })
    // Earlier messages have been delivered by now, because messages keep their order.
    expect(await gateway.ask('thing/topo/get', {})).toMatchObject({ code: 200 })
    expect(gateway.heard.filter(({ topic }) => topic === set)).toEqual([])
    await taker.close()
  })

  it('is answered at the child too, where it listens since it was signed in', async () => {
    expect(await gateway.ask('combine/login', signedChild(away))).toMatchObject({ code: 200 })
    expect(await gateway.ask('thing/event/property/post', { PowerSwitch: 0 }, away)).toMatchObject({
      code: 200,
    })
    expect(
      await gateway.ask('combine/logout', { productKey: 'pkLamp', deviceName: 'away' }),
    ).toMatchObject({ code: 200 })
    await until(
      () => stored(away),
      (row) => row.state === 'offline',
    )
    await gateway.say(post(away), { ...values('9') })
    expect(await gateway.next(`${post(away)}_reply`)).toMatchObject({ id: '9', code: 520 })
    expect((await stored(away)).reported).toEqual({ PowerSwitch: 0 })
  })

  it('is not answered in a circle when it answers for a child that is signed out', async () => {
    await gateway.say('/sys/pkLamp/away/thing/service/property/set_reply', { id: '1', code: 200 })
    expect(await gateway.next('/ext/error/pkEdge/edge')).toMatchObject({ code: 520 })
  })
})
