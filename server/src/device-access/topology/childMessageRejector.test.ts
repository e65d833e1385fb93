import { once, type EventEmitter } from 'node:events'
import { and, eq } from 'drizzle-orm'
import { device } from '../../tables/device'
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
import { log } from '../../core/logging/log'

const products = {
  direct: productRow('pkDirect', 'direct'),
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub'),
}
const direct = deviceRow(products.direct, 'direct')
const edge = deviceRow(products.edge, 'edge')
const otherGateway = deviceRow(products.edge, 'other')
const loggedInLamp = deviceRow(products.lamp, 'lit', { gatewayId: edge.id })
const loggedOutLamp = deviceRow(products.lamp, 'away', { gatewayId: edge.id })
const movedLamp = deviceRow(products.lamp, 'moved', { gatewayId: otherGateway.id })
const otherProjectLamp = deviceRow(products.lamp, 'elsewhere', { projectId: 2 })
const removedLamp = deviceRow(products.lamp, 'removed')

let platform: Awaited<ReturnType<typeof startTestDevices>>
let gateway: AlinkDevice
const buildPostTopic = ({ productKey, deviceName }: DeviceRow) =>
  `/sys/${productKey}/${deviceName}/thing/event/property/post`
const doNothing = () => {}
const buildPost = (id: string) => ({ id, version: '1.0', params: { PowerSwitch: 1 } })
const readDeviceRow = async (row: DeviceRow) => {
  await platform.devices.states.flush()
  const [storedRow] = await platform.db
    .select()
    .from(device)
    .where(and(eq(device.projectId, row.projectId), eq(device.id, row.id)))
  return storedRow!
}

beforeAll(async () => {
  platform = await startTestDevices()
  await insertDevices(platform.db, Object.values(products), [
    direct,
    edge,
    otherGateway,
    loggedInLamp,
    loggedOutLamp,
    movedLamp,
    otherProjectLamp,
  ])
})
beforeEach(async () => {
  gateway = await connectAlinkDevice(platform.url, edge)
  expect(await gateway.ask('combine/login', signChild(loggedInLamp))).toMatchObject({ code: 200 })
  await gateway.subscribe('/ext/error/pkEdge/edge')
})
afterEach(() => gateway.close())
afterAll(() => platform.close())

describe('a gateway that publishes for a child', () => {
  it.each([
    ['another gateway', otherGateway],
    ['a directly connected device', direct],
  ])('is disconnected when the child is %s', async (_, row) => {
    const connectionClosed = once(gateway.client as unknown as EventEmitter, 'close')
    gateway.client.publish(buildPostTopic(row), JSON.stringify(buildPost('1')))
    await connectionClosed
    expect((await readDeviceRow(row)).reported).toEqual({})
  })

  it.each([
    ['signed out', loggedOutLamp],
    ['moved to another gateway', movedLamp],
    ['moved to another project', otherProjectLamp],
    ['removed', removedLamp],
  ])('gets 520 when the child is %s, and keeps its connection', async (_, row) => {
    await gateway.send(buildPostTopic(row), buildPost('8125'))
    expect(await gateway.next('/ext/error/pkEdge/edge')).toMatchObject({
      id: '8125',
      code: 520,
      data: { productKey: 'pkLamp', deviceName: row.deviceName },
    })
    expect(
      await gateway.ask('thing/event/property/post', { PowerSwitch: 1 }, loggedInLamp),
    ).toMatchObject({
      code: 200,
    })
    expect(gateway.client.connected).toBe(true)
    expect((await readDeviceRow(loggedInLamp)).state).toBe('online')
    if (row !== removedLamp) expect((await readDeviceRow(row)).reported).toEqual({})
  })

  it('keeps its connection when a topic is not supported for a child', async () => {
    const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
    for (const topic of ['/sys/pkLamp/lit', '/shadow/delete/pkLamp/lit', '/sys/pkLamp/lit/unheard'])
      await gateway.client.publishAsync(topic, '{}', { qos: 1 })
    expect(
      await gateway.ask('thing/event/property/post', { PowerSwitch: 1 }, loggedInLamp),
    ).toMatchObject({
      code: 200,
    })
    warnSpy.mockRestore()
  })

  it('is refused for a child moved to another gateway, which alone receives its messages', async () => {
    const reassignedLamp = deviceRow(products.lamp, 'given', { gatewayId: edge.id })
    await insertDevices(platform.db, [], [reassignedLamp])
    expect(await gateway.ask('combine/login', signChild(reassignedLamp))).toMatchObject({
      code: 200,
    })
    const setTopic = '/sys/pkLamp/given/thing/service/property/set'
    await gateway.subscribe(setTopic)
    await platform.db
      .update(device)
      .set({ gatewayId: otherGateway.id })
      .where(eq(device.id, reassignedLamp.id))
    await platform.devices.forget([reassignedLamp], false)

    await gateway.send(buildPostTopic(reassignedLamp), buildPost('77'))
    expect(await gateway.next('/ext/error/pkEdge/edge')).toMatchObject({ id: '77', code: 520 })
    expect(await readDeviceRow(reassignedLamp)).toMatchObject({
      state: 'offline',
      via: null,
      reported: {},
    })

    const newGatewayClient = await connectAlinkDevice(platform.url, otherGateway)
    expect(await newGatewayClient.ask('combine/login', signChild(reassignedLamp))).toMatchObject({
      code: 200,
    })
    await newGatewayClient.subscribe(setTopic)
    platform.devices.commands.set(reassignedLamp, { PowerSwitch: 1 }, doNothing, doNothing)
    expect(await newGatewayClient.next(setTopic)).toMatchObject({ params: { PowerSwitch: 1 } })
    // Earlier messages have been delivered by now, because messages keep their order.
    expect(await gateway.ask('thing/topo/get', {})).toMatchObject({ code: 200 })
    expect(gateway.receivedMessages.filter(({ topic }) => topic === setTopic)).toEqual([])
    await newGatewayClient.close()
  })

  it('gets the refusal on the topic of the child too, after having subscribed to it', async () => {
    expect(await gateway.ask('combine/login', signChild(loggedOutLamp))).toMatchObject({
      code: 200,
    })
    expect(
      await gateway.ask('thing/event/property/post', { PowerSwitch: 0 }, loggedOutLamp),
    ).toMatchObject({
      code: 200,
    })
    expect(
      await gateway.ask('combine/logout', { productKey: 'pkLamp', deviceName: 'away' }),
    ).toMatchObject({ code: 200 })
    await waitUntil(
      () => readDeviceRow(loggedOutLamp),
      (row) => row.state === 'offline',
    )
    await gateway.send(buildPostTopic(loggedOutLamp), { ...buildPost('9') })
    expect(await gateway.next(`${buildPostTopic(loggedOutLamp)}_reply`)).toMatchObject({
      id: '9',
      code: 520,
    })
    expect((await readDeviceRow(loggedOutLamp)).reported).toEqual({ PowerSwitch: 0 })
  })

  it('causes no loop of errors when it replies for a child that is signed out', async () => {
    await gateway.send('/sys/pkLamp/away/thing/service/property/set_reply', { id: '1', code: 200 })
    expect(await gateway.next('/ext/error/pkEdge/edge')).toMatchObject({ code: 520 })
  })
})
