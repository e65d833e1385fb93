import { hourMs } from '@iot/shared/contract/duration'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { eq, inArray } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
} from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { buildDeviceTopic } from '../../device-access/protocol/topics'
import { device } from '../../tables/device'
import { ownApp, type TestApp } from '../../testing'

let app: TestApp
const lampProduct = productRow('networkLamp', 'direct')
const [lamp, otherProjectLamp, slowedLamp] = ['net-lamp', 'net-other', 'net-slowed'].map(
  (name, n) => deviceRow(lampProduct, name, n === 1 ? { projectId: 2 } : {}),
) as [ReturnType<typeof deviceRow>, ReturnType<typeof deviceRow>, ReturnType<typeof deviceRow>]
const listComponents = () => app.as('admin').call(networkApi.list, {})
const listClients = (query: object = {}) => app.as('admin').call(networkApi.clients, query)
const findComponent = async (key: string) =>
  (await listComponents()).find((component) => component.key === key)!
const getBrokerUrl = () => `mqtt://127.0.0.1:${app.app.devices.mqttPort}`

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [lampProduct], [lamp, otherProjectLamp, slowedLamp])
})
afterAll(() => app.close())

describe('the network screen', () => {
  it('refuses without a session and without the permission', async () => {
    const operator = await app.join('on-shift', 'operator', [1])
    for (const caller of [app.stranger, operator]) {
      const refusal = caller === operator ? { status: 403 } : { code: 401 }
      await expect(caller.call(networkApi.list, {})).rejects.toMatchObject(refusal)
      await expect(caller.call(networkApi.clients, {})).rejects.toMatchObject(refusal)
      await expect(caller.call(networkApi.test, { key: 'tcp' })).rejects.toMatchObject(refusal)
      await expect(caller.call(networkApi.kick, { id: uuidv7() })).rejects.toMatchObject(refusal)
    }
  })
  it('tests only an open component, and ignores any other address', async () => {
    const testComponent = (input: object) => app.as('admin').call(networkApi.test, input as never)
    await expect(testComponent({ key: 'http://10.0.0.1' })).rejects.toMatchObject({ code: 422 })
    await expect(testComponent({ key: 'tcp', address: '10.0.0.1' })).rejects.toMatchObject({
      code: 422,
    })
    await expect(testComponent({ key: 'tls' })).rejects.toMatchObject({ msg: '这个组件没有开启' })
    await expect(testComponent({ key: 'external' })).rejects.toMatchObject({
      msg: '这个组件没有开启',
    })
    expect(await testComponent({ key: 'tcp' })).toMatchObject({ ok: true, reason: '' })
  })
  it('counts connections and messages, and disconnects a client', async () => {
    await expect(app.as('admin').call(networkApi.kick, { id: uuidv7() })).rejects.toMatchObject({
      code: 404,
    })
    expect(await findComponent('tls')).toMatchObject({
      state: 'off',
      port: null,
      connections: null,
    })
    // The platform has one connection of its own; those of the previous test may still be closing.
    const ownConnections = 1
    await waitUntil(
      () => findComponent('tcp'),
      (item) => item.connections === ownConnections,
    )
    const errorsBefore = (await findComponent('tcp')).errors!
    const connection = await connectAlinkDevice(getBrokerUrl(), lamp)
    await connection.send(buildDeviceTopic(lamp, 'thing/event/property/post'), {
      id: '1',
      params: { PowerSwitch: 1 },
    })
    expect(
      await waitUntil(
        () => findComponent('tcp'),
        (item) => item.connections === ownConnections + 1 && item.perMinute! > 0,
      ),
    ).toMatchObject({ state: 'running', port: app.app.devices.mqttPort, certificateEnd: null })
    await expect(
      connectAlinkDevice(getBrokerUrl(), { ...otherProjectLamp, deviceSecret: 'wrong' }),
    ).rejects.toThrow()
    await waitUntil(
      () => findComponent('tcp'),
      (item) => item.errors! > errorsBefore,
    )

    const onlineClients = await waitUntil(
      () => listClients({ name: 'net-lamp', state: 'online' }),
      ({ total }) => total === 1,
    )
    expect(onlineClients.list[0]).toMatchObject({ id: lamp.id, state: 'online', slowedUntil: null })
    expect(await app.as('admin').call(networkApi.get, { id: lamp.id })).toMatchObject({
      state: 'online',
      node: 'direct',
      connection: { transport: 'tcp', protocolVersion: 4, cleanSession: true },
      children: { total: 0, online: 0 },
    })
    const refusedClient = await app.as('admin').call(networkApi.get, { id: otherProjectLamp.id })
    expect(refusedClient).toMatchObject({
      state: null,
      connection: null,
      refusals: [{ reason: 'wrongSecret', deviceId: otherProjectLamp.id }],
    })
    const disconnection = new Promise<void>((resolve) =>
      connection.client.once('close', () => resolve()),
    )
    await app.as('admin').call(networkApi.kick, { id: lamp.id })
    await disconnection
    await waitUntil(
      () => listClients({ name: 'net-lamp' }),
      ({ total }) => total === 0,
    )
  })
  it('lists disabled and throttled devices separately, and no sub-device', async () => {
    const subProduct = productRow('networkSub', 'sub')
    const [bannedDevice, subDevice] = [
      deviceRow(lampProduct, 'net-banned'),
      deviceRow(subProduct, 'net-child'),
    ]
    const inOneHour = new Date(Date.now() + hourMs).toISOString()
    await insertDevices(app.app.db, [subProduct], [bannedDevice, subDevice])
    await app.app.db
      .update(device)
      .set({ state: 'disabled', slowedUntil: inOneHour })
      .where(inArray(device.id, [bannedDevice.id, subDevice.id]))
    const listByState = async (state?: 'banned' | 'slowed' | 'online') =>
      (await listClients({ state, name: 'net-' })).list
        .filter(({ id }) => [bannedDevice.id, subDevice.id].includes(id))
        .map(({ name, state }) => `${name} ${state}`)
    expect(await listByState('banned')).toEqual(['net-banned banned'])
    expect(await listByState()).toEqual(['net-banned banned'])
    expect([...(await listByState('slowed')), ...(await listByState('online'))]).toEqual([])
    await expect(app.as('admin').call(networkApi.get, { id: subDevice.id })).rejects.toMatchObject({
      code: 404,
    })
    await expect(
      app.as('admin').call(networkApi.kick, { id: bannedDevice.id }),
    ).rejects.toMatchObject({
      code: 404,
    })
  })
  it('lists a throttled device until its throttle ends', async () => {
    const setSlowedUntil = (slowedUntil: string) =>
      app.app.db.update(device).set({ slowedUntil }).where(eq(device.id, slowedLamp.id))
    const inOneHour = new Date(Date.now() + hourMs).toISOString()
    await setSlowedUntil(inOneHour)
    expect((await listClients({ state: 'slowed' })).list).toMatchObject([
      { id: slowedLamp.id, state: 'slowed', slowedUntil: inOneHour },
    ])
    expect((await listClients({ state: 'online', name: 'net-slowed' })).total).toBe(0)
    await setSlowedUntil(new Date(Date.now() - 1000).toISOString())
    expect((await listClients({ state: 'slowed' })).total).toBe(0)
  })
})
