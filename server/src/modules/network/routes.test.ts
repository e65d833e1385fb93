import { networkApi } from '@iot/shared/contract/network'
import { eq, inArray } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import {
  alinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  until,
} from '../../device-access/testing'
import { topicOf } from '../../device-access/topics'
import { device } from '../../tables/device'
import { testApp, type TestApp } from '../../testing'

let app: TestApp
const lamps = productRow('networkLamp', 'direct')
const [lamp, other, slowed] = ['net-lamp', 'net-other', 'net-slowed'].map((name, n) =>
  deviceRow(lamps, name, n === 1 ? { projectId: 2 } : {}),
) as [ReturnType<typeof deviceRow>, ReturnType<typeof deviceRow>, ReturnType<typeof deviceRow>]
const list = () => app.as('admin').call(networkApi.list, {})
const clients = (query: object = {}) => app.as('admin').call(networkApi.clients, query)
const component = async (key: string) => (await list()).find((one) => one.key === key)!
const url = () => `mqtt://127.0.0.1:${app.app.devices.mqttPort}`

beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [lamps], [lamp, other, slowed])
})
afterAll(() => app.close())

describe('the network screen', () => {
  it('refuses without a session and without the right', async () => {
    const operator = await app.join('on-shift', 'operator', [1])
    for (const who of [app.stranger, operator]) {
      const refused = who === operator ? { status: 403 } : { code: 401 }
      await expect(who.call(networkApi.list, {})).rejects.toMatchObject(refused)
      await expect(who.call(networkApi.clients, {})).rejects.toMatchObject(refused)
      await expect(who.call(networkApi.test, { key: 'tcp' })).rejects.toMatchObject(refused)
      await expect(who.call(networkApi.kick, { id: uuidv7() })).rejects.toMatchObject(refused)
    }
  })
  it('tests nothing but a component that is open, wherever a caller would rather go', async () => {
    const test = (input: object) => app.as('admin').call(networkApi.test, input as never)
    await expect(test({ key: 'http://10.0.0.1' })).rejects.toMatchObject({ code: 422 })
    await expect(test({ key: 'tcp', address: '10.0.0.1' })).rejects.toMatchObject({ code: 422 })
    await expect(test({ key: 'tls' })).rejects.toMatchObject({ msg: '这个组件没有开启' })
    await expect(test({ key: 'external' })).rejects.toMatchObject({ msg: '这个组件没有开启' })
    expect(await test({ key: 'tcp' })).toMatchObject({ ok: true, reason: '' })
  })
  it('counts what comes and goes, and cuts a client off', async () => {
    await expect(app.as('admin').call(networkApi.kick, { id: uuidv7() })).rejects.toMatchObject({
      code: 404,
    })
    expect(await component('tls')).toMatchObject({ state: 'off', port: null, connections: null })
    // The platform has one connection of its own; those of the previous test may still be closing.
    const own = 1
    await until(
      () => component('tcp'),
      (one) => one.connections === own,
    )
    const errors = (await component('tcp')).errors!
    const connected = await alinkDevice(url(), lamp)
    await connected.say(topicOf(lamp, 'thing/event/property/post'), {
      id: '1',
      params: { PowerSwitch: 1 },
    })
    expect(
      await until(
        () => component('tcp'),
        (one) => one.connections === own + 1 && one.perMinute! > 0,
      ),
    ).toMatchObject({ state: 'running', port: app.app.devices.mqttPort, certificateEnd: null })
    await expect(alinkDevice(url(), { ...other, deviceSecret: 'wrong' })).rejects.toThrow()
    await until(
      () => component('tcp'),
      (one) => one.errors! > errors,
    )

    const online = await until(
      () => clients({ name: 'net-lamp', state: 'online' }),
      ({ total }) => total === 1,
    )
    expect(online.list[0]).toMatchObject({ id: lamp.id, state: 'online', slowedUntil: null })
    const closed = new Promise<void>((resolve) => connected.client.once('close', () => resolve()))
    await app.as('admin').call(networkApi.kick, { id: lamp.id })
    await closed
    await until(
      () => clients({ name: 'net-lamp' }),
      ({ total }) => total === 0,
    )
  })
  it('lists who is disabled apart from who connected too often, and no sub-device', async () => {
    const behind = productRow('networkSub', 'sub')
    const [banned, child] = [deviceRow(lamps, 'net-banned'), deviceRow(behind, 'net-child')]
    const soon = new Date(Date.now() + 3600_000).toISOString()
    await insertDevices(app.app.db, [behind], [banned, child])
    await app.app.db
      .update(device)
      .set({ state: 'disabled', slowedUntil: soon })
      .where(inArray(device.id, [banned.id, child.id]))
    const of = async (state?: 'banned' | 'slowed' | 'online') =>
      (await clients({ state, name: 'net-' })).list
        .filter(({ id }) => [banned.id, child.id].includes(id))
        .map(({ name, state }) => `${name} ${state}`)
    expect(await of('banned')).toEqual(['net-banned banned'])
    expect(await of()).toEqual(['net-banned banned'])
    expect([...(await of('slowed')), ...(await of('online'))]).toEqual([])
    await expect(app.as('admin').call(networkApi.kick, { id: banned.id })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('lists who is kept out, until it is over', async () => {
    const until = (slowedUntil: string) =>
      app.app.db.update(device).set({ slowedUntil }).where(eq(device.id, slowed.id))
    const soon = new Date(Date.now() + 3600_000).toISOString()
    await until(soon)
    expect((await clients({ state: 'slowed' })).list).toMatchObject([
      { id: slowed.id, state: 'slowed', slowedUntil: soon },
    ])
    expect((await clients({ state: 'online', name: 'net-slowed' })).total).toBe(0)
    await until(new Date(Date.now() - 1000).toISOString())
    expect((await clients({ state: 'slowed' })).total).toBe(0)
  })
})
