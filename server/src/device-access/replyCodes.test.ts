import { eq } from 'drizzle-orm'
import { device } from '../tables/device'
import { registrationRecord } from '../tables/registration'
import {
  alinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  signedChild,
  testDevices,
  type AlinkDevice,
} from './testing'

/** The tests follow the table of docs/alink.md row by row. */
const products = {
  direct: productRow('pkDirect', 'direct'),
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub', { dynamicRegister: true }),
  closed: productRow('pkClosed', 'sub'),
  open: productRow('pkOpen', 'direct', { dynamicRegister: true }),
}
const edge = deviceRow(products.edge, 'edge')
const other = deviceRow(products.edge, 'other')
const direct = deviceRow(products.direct, 'direct')
const lamp = (name: string, more = {}) => deviceRow(products.lamp, name, more)
const own = ['own1', 'own2'].map((name) => lamp(name, { gatewayId: edge.id }))
const free = ['free1', 'free2'].map((name) => lamp(name))
const taken = lamp('taken', { gatewayId: other.id })
const off = lamp('off', { gatewayId: edge.id, state: 'disabled' })
const closed = deviceRow(products.closed, 'closed')
const open = deviceRow(products.open, 'open')
const wanted = Array.from({ length: 8 }, (_, n) => lamp(`wanted${n}`))

let platform: Awaited<ReturnType<typeof testDevices>>
let gateway: AlinkDevice
beforeAll(async () => {
  platform = await testDevices()
  await insertDevices(platform.db, Object.values(products), [
    edge,
    other,
    direct,
    ...own,
    ...free,
    taken,
    off,
    closed,
    open,
    ...wanted,
  ])
  gateway = await alinkDevice(platform.url, edge)
})
afterAll(async () => {
  await gateway.close()
  await platform.close()
})
const wrong = (row: typeof edge) => ({ ...signedChild(row), sign: '0'.repeat(64) })
const pair = ({ productKey, deviceName }: { productKey: string; deviceName: string }) => ({
  productKey,
  deviceName,
})
const gatewayOf = async (row: typeof edge) =>
  (await platform.db.select().from(device).where(eq(device.id, row.id)))[0]!.gatewayId
const records = () =>
  platform.db
    .select()
    .from(registrationRecord)
    .where(eq(registrationRecord.deviceName, taken.deviceName))

describe('thing/topo/add', () => {
  it.each([
    [460, 'nonsense', { hello: 1 }],
    [460, 'a gateway as a child', [signedChild(other)]],
    [460, 'a directly connected device as a child', [signedChild(direct)]],
    [401, 'a wrong signature', [wrong(free[0]!)]],
    [6100, 'an unknown device', [signedChild(lamp('nobody'))]],
    [6204, 'a disabled device', [signedChild(off)]],
    [6402, 'itself', [signedChild(edge)]],
    [6619, 'a child of another gateway', [signedChild(taken)]],
  ])('answers %i to %s', async (code, _, params) =>
    expect(await gateway.ask('thing/topo/add', params)).toMatchObject({ code }),
  )
  it('leaves the child of another gateway there, and the conflict for the engineer', async () => {
    await gateway.ask('thing/topo/add', [signedChild(taken)])
    expect(await gatewayOf(taken)).toBe(other.id)
    expect(await records()).toMatchObject([
      { state: 'conflict', way: 'topology', gatewayId: edge.id, reason: '该设备已属于另一台网关' },
    ])
    expect((await records())[0]!.count).toBeGreaterThan(1)
  })
  it('lets one of two have a child that both ask for', async () => {
    const rival = await alinkDevice(platform.url, other)
    for (const child of wanted) {
      const answers = await Promise.all(
        [gateway, rival].map((client) => client.ask('thing/topo/add', [signedChild(child)])),
      )
      expect(answers.map(({ code }) => code).sort()).toEqual([200, 6619])
      const winner = answers[0]!.code === 200 ? edge : other
      expect(await gatewayOf(child)).toBe(winner.id)
    }
    await rival.close()
  })
  it('binds all or none, and names who it failed for', async () => {
    expect(
      await gateway.ask('thing/topo/add', [signedChild(free[0]!), wrong(free[1]!)]),
    ).toMatchObject({ code: 401, data: [{ deviceName: 'free2', code: 401 }] })
    expect(await gatewayOf(free[0]!)).toBeNull()
    expect(await gateway.ask('thing/topo/add', free.map(signedChild))).toMatchObject({
      code: 200,
      data: free.map(pair),
    })
    expect(await gatewayOf(free[0]!)).toBe(edge.id)
  })
})

describe('thing/topo/delete and thing/sub/register', () => {
  it('removes all or none, and names who it failed for', async () => {
    expect(await gateway.ask('thing/topo/delete', [pair(own[0]!), pair(taken)])).toMatchObject({
      code: 6401,
      data: [{ deviceName: 'taken', code: 6401 }],
    })
    expect(await gatewayOf(own[0]!)).toBe(edge.id)
  })
  it.each([
    ['thing/topo/delete', 6401, 'a child of another gateway', [pair(taken)]],
    ['thing/topo/delete', 460, 'nobody', []],
    ['thing/sub/register', 6288, 'a product that may not', [pair(closed)]],
    ['thing/sub/register', 6288, 'a device with a connection of its own', [pair(open)]],
    ['thing/sub/register', 6250, 'an unknown product', [{ productKey: 'pkNo', deviceName: 'a' }]],
    ['thing/sub/register', 6100, 'an unknown device', [{ productKey: 'pkLamp', deviceName: 'no' }]],
    ['thing/sub/register', 6619, 'a child of another gateway', [pair(taken)]],
  ])('%s answers %i to %s', async (action, code, _, params) =>
    expect(await gateway.ask(action, params)).toMatchObject({ code }),
  )
})

describe('combine/login', () => {
  it('signs in again under an id it used before', async () => {
    const at = '/ext/session/pkEdge/edge/combine'
    await gateway.subscribe(`${at}/login_reply`)
    const login = { id: '1', params: signedChild(own[0]!) }
    for (let n = 0; n < 2; n++) {
      await gateway.say(`${at}/login`, login)
      expect(await gateway.next(`${at}/login_reply`)).toMatchObject({ id: '1', code: 200 })
      // The logout would return 520 if the sub-device were not logged in.
      expect(await gateway.ask('combine/logout', pair(own[0]!))).toMatchObject({ code: 200 })
    }
  })
  it.each([
    [460, 'nonsense', {}],
    [6100, 'an unknown device', signedChild(lamp('nobody'))],
    [6287, 'a wrong signature', wrong(own[0]!)],
    [522, 'a disabled device', signedChild(off)],
    [6401, 'a child of another gateway', signedChild(taken)],
  ])('answers %i to %s', async (code, _, params) =>
    expect(await gateway.ask('combine/login', params)).toMatchObject({ code }),
  )
  it('leaves a trace of who was kept out, for the project of the gateway', async () => {
    const rows = await platform.devices.refusals.newest({ productKey: 'pkLamp' }, [1], 50)
    const find = (name: string) => rows.filter(({ deviceName }) => deviceName === name)
    expect(find('nobody')).toMatchObject([
      { reason: 'unknownDevice', deviceId: null, address: '网关 edge' },
    ])
    expect(find('own1')).toMatchObject([{ reason: 'wrongSecret', deviceId: own[0]!.id }])
    expect(find('off')).toMatchObject([{ reason: 'disabled', deviceId: off.id }])
    expect(find('taken')).toMatchObject([{ reason: 'notInTopology', deviceId: taken.id }])
  })
  it('answers 520 to the end of a session that is not', async () =>
    expect(await gateway.ask('combine/logout', pair(own[0]!))).toMatchObject({ code: 520 }))
  it('signs a batch in whole or not at all, and names who it failed for', async () => {
    expect(
      await gateway.ask('combine/batch_login', {
        deviceList: [signedChild(own[0]!), wrong(own[1]!)],
      }),
    ).toMatchObject({ code: 6287, data: [{ deviceName: 'own2', code: 6287 }] })
    expect(await gateway.ask('combine/logout', pair(own[0]!))).toMatchObject({ code: 520 })
    expect(
      await gateway.ask('combine/batch_login', { deviceList: own.map(signedChild) }),
    ).toMatchObject({ code: 200, data: own.map(pair) })
    expect(
      await gateway.ask('combine/batch_logout', [...own.map(pair), pair(taken)]),
    ).toMatchObject({ code: 520, data: [{ deviceName: 'taken' }] })
    expect(await gateway.ask('combine/batch_logout', own.map(pair))).toMatchObject({ code: 200 })
  })
})

describe('thing/list/found', () => {
  it.each([
    [6250, 'an unknown product', { productKey: 'pkNo', deviceName: 'lamp-77' }],
    [6250, 'a product of gateways', { productKey: 'pkEdge', deviceName: 'edge-77' }],
    [6280, 'a name with a slash', { productKey: 'pkLamp', deviceName: 'a/b/c' }],
    [6280, 'a short name', { productKey: 'pkLamp', deviceName: 'abc' }],
  ])('answers %i to %s', async (code, _, found) =>
    expect(await gateway.ask('thing/list/found', [found])).toMatchObject({ code }),
  )
  it('is kept for the engineer', async () => {
    expect(
      await gateway.ask('thing/list/found', [{ productKey: 'pkLamp', deviceName: 'lamp-77' }]),
    ).toMatchObject({ code: 200 })
    expect(
      await platform.db
        .select()
        .from(registrationRecord)
        .where(eq(registrationRecord.deviceName, 'lamp-77')),
    ).toMatchObject([{ state: 'pending', way: 'found', gatewayId: edge.id, projectId: 1 }])
  })
})

describe('a device that was disabled while it is connected', () => {
  it('is answered 6204', async () => {
    const client = await alinkDevice(platform.url, direct)
    await platform.db.update(device).set({ state: 'disabled' }).where(eq(device.id, direct.id))
    await platform.devices.forget([direct], false)
    expect(await client.ask('thing/event/property/post', { PowerSwitch: 1 })).toMatchObject({
      code: 6204,
    })
    await client.close()
  })
})

describe('an event', () => {
  it.each([
    [6320, 'that the product does not have', 'Nothing', {}],
    [460, 'that is no object', 'Error', 'text'],
  ])('is answered %i when it is one %s', async (code, _, name, params) => {
    await gateway.ask('combine/login', signedChild(own[0]!))
    expect(await gateway.ask(`thing/event/${name}/post`, params, own[0]!)).toMatchObject({ code })
  })
})
