import { eq } from 'drizzle-orm'
import { device } from '../../tables/device'
import { registrationRecord } from '../../tables/registration'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  signChild,
  startTestDevices,
  type AlinkDevice,
} from '../testing'

/** The tests follow the table of docs/alink.md row by row. */
const products = {
  direct: productRow('pkDirect', 'direct'),
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub', { dynamicRegister: true }),
  closed: productRow('pkClosed', 'sub'),
  open: productRow('pkOpen', 'direct', { dynamicRegister: true }),
}
const edge = deviceRow(products.edge, 'edge')
const otherGateway = deviceRow(products.edge, 'other')
const direct = deviceRow(products.direct, 'direct')
const buildLamp = (name: string, more = {}) => deviceRow(products.lamp, name, more)
const ownLamps = ['own1', 'own2'].map((name) => buildLamp(name, { gatewayId: edge.id }))
const freeLamps = ['free1', 'free2'].map((name) => buildLamp(name))
const otherGatewayLamp = buildLamp('taken', { gatewayId: otherGateway.id })
const reportedLamp = buildLamp('reported')
const disabledLamp = buildLamp('off', { gatewayId: edge.id, state: 'disabled' })
const unregistrableLamp = deviceRow(products.closed, 'closed')
const directDeviceOnly = deviceRow(products.open, 'open')
const contestedLamps = Array.from({ length: 8 }, (_, n) => buildLamp(`wanted${n}`))

let platform: Awaited<ReturnType<typeof startTestDevices>>
let gateway: AlinkDevice
beforeAll(async () => {
  platform = await startTestDevices()
  await insertDevices(platform.db, Object.values(products), [
    edge,
    otherGateway,
    direct,
    ...ownLamps,
    ...freeLamps,
    otherGatewayLamp,
    reportedLamp,
    disabledLamp,
    unregistrableLamp,
    directDeviceOnly,
    ...contestedLamps,
  ])
  gateway = await connectAlinkDevice(platform.url, edge)
})
afterAll(async () => {
  await gateway.close()
  await platform.close()
})
const signWrongly = (row: typeof edge) => ({ ...signChild(row), sign: '0'.repeat(64) })
const pickIdentity = ({ productKey, deviceName }: { productKey: string; deviceName: string }) => ({
  productKey,
  deviceName,
})
const readGatewayId = async (row: typeof edge) =>
  (await platform.db.select().from(device).where(eq(device.id, row.id)))[0]!.gatewayId
const readRecords = ({ deviceName } = otherGatewayLamp) =>
  platform.db
    .select()
    .from(registrationRecord)
    .where(eq(registrationRecord.deviceName, deviceName))
    .orderBy(registrationRecord.firstTime)

describe('thing/topo/add', () => {
  it.each([
    [460, 'nonsense', { hello: 1 }],
    [460, 'a gateway as a child', [signChild(otherGateway)]],
    [460, 'a directly connected device as a child', [signChild(direct)]],
    [401, 'a wrong signature', [signWrongly(freeLamps[0]!)]],
    [6100, 'an unknown device', [signChild(buildLamp('nobody'))]],
    [6204, 'a disabled device', [signChild(disabledLamp)]],
    [6402, 'itself', [signChild(edge)]],
    [6619, 'a child of another gateway', [signChild(otherGatewayLamp)]],
  ])('answers %i to %s', async (code, _, params) =>
    expect(await gateway.ask('thing/topo/add', params)).toMatchObject({ code }),
  )
  it('leaves the child of another gateway there and records a conflict', async () => {
    await gateway.ask('thing/topo/add', [signChild(otherGatewayLamp)])
    expect(await readGatewayId(otherGatewayLamp)).toBe(otherGateway.id)
    expect(await readRecords()).toMatchObject([
      { state: 'conflict', way: 'topology', gatewayId: edge.id, reason: '该设备已属于另一台网关' },
    ])
    expect((await readRecords())[0]!.count).toBeGreaterThan(1)
  })
  it('gives a child requested by two gateways to one of them', async () => {
    const otherClient = await connectAlinkDevice(platform.url, otherGateway)
    for (const child of contestedLamps) {
      const answers = await Promise.all(
        [gateway, otherClient].map((client) => client.ask('thing/topo/add', [signChild(child)])),
      )
      expect(answers.map(({ code }) => code).sort()).toEqual([200, 6619])
      const winner = answers[0]!.code === 200 ? edge : otherGateway
      expect(await readGatewayId(child)).toBe(winner.id)
    }
    await otherClient.close()
  })
  it('binds all or none and names those that failed', async () => {
    expect(
      await gateway.ask('thing/topo/add', [signChild(freeLamps[0]!), signWrongly(freeLamps[1]!)]),
    ).toMatchObject({ code: 401, data: [{ deviceName: 'free2', code: 401 }] })
    expect(await readGatewayId(freeLamps[0]!)).toBeNull()
    expect(await gateway.ask('thing/topo/add', freeLamps.map(signChild))).toMatchObject({
      code: 200,
      data: freeLamps.map(pickIdentity),
    })
    expect(await readGatewayId(freeLamps[0]!)).toBe(edge.id)
  })
})

describe('thing/topo/delete and thing/sub/register', () => {
  it('removes all or none and names those that failed', async () => {
    expect(
      await gateway.ask('thing/topo/delete', [
        pickIdentity(ownLamps[0]!),
        pickIdentity(otherGatewayLamp),
      ]),
    ).toMatchObject({
      code: 6401,
      data: [{ deviceName: 'taken', code: 6401 }],
    })
    expect(await readGatewayId(ownLamps[0]!)).toBe(edge.id)
  })
  it.each([
    ['thing/topo/delete', 6401, 'a child of another gateway', [pickIdentity(otherGatewayLamp)]],
    ['thing/topo/delete', 460, 'nobody', []],
    [
      'thing/sub/register',
      6288,
      'a product without a registration rule',
      [pickIdentity(unregistrableLamp)],
    ],
    ['thing/sub/register', 6288, 'a directly connected device', [pickIdentity(directDeviceOnly)]],
    ['thing/sub/register', 6250, 'an unknown product', [{ productKey: 'pkNo', deviceName: 'a' }]],
    ['thing/sub/register', 6100, 'an unknown device', [{ productKey: 'pkLamp', deviceName: 'no' }]],
    ['thing/sub/register', 6619, 'a child of another gateway', [pickIdentity(otherGatewayLamp)]],
  ])('%s answers %i to %s', async (action, code, _, params) =>
    expect(await gateway.ask(action, params)).toMatchObject({ code }),
  )
})

describe('combine/login', () => {
  it('accepts a message id that was used before', async () => {
    const sessionTopic = '/ext/session/pkEdge/edge/combine'
    await gateway.subscribe(`${sessionTopic}/login_reply`)
    const login = { id: '1', params: signChild(ownLamps[0]!) }
    for (let n = 0; n < 2; n++) {
      await gateway.send(`${sessionTopic}/login`, login)
      expect(await gateway.next(`${sessionTopic}/login_reply`)).toMatchObject({
        id: '1',
        code: 200,
      })
      // The logout would return 520 if the sub-device were not logged in.
      expect(await gateway.ask('combine/logout', pickIdentity(ownLamps[0]!))).toMatchObject({
        code: 200,
      })
    }
  })
  it.each([
    [460, 'nonsense', {}],
    [6100, 'an unknown device', signChild(buildLamp('nobody'))],
    [6287, 'a wrong signature', signWrongly(ownLamps[0]!)],
    [522, 'a disabled device', signChild(disabledLamp)],
    [6401, 'a child of another gateway', signChild(otherGatewayLamp)],
  ])('answers %i to %s', async (code, _, params) =>
    expect(await gateway.ask('combine/login', params)).toMatchObject({ code }),
  )
  it('records refused children in the project of the gateway', async () => {
    const rows = await platform.devices.refusals.findNewest({ productKey: 'pkLamp' }, [1], 50)
    const find = (name: string) => rows.filter(({ deviceName }) => deviceName === name)
    expect(find('nobody')).toMatchObject([
      { reason: 'unknownDevice', deviceId: null, address: '网关 edge' },
    ])
    expect(find('own1')).toMatchObject([{ reason: 'wrongSecret', deviceId: ownLamps[0]!.id }])
    expect(find('off')).toMatchObject([{ reason: 'disabled', deviceId: disabledLamp.id }])
    expect(find('taken')).toMatchObject([
      { reason: 'notInTopology', deviceId: otherGatewayLamp.id },
    ])
  })
  it('answers 520 to a logout without a session', async () =>
    expect(await gateway.ask('combine/logout', pickIdentity(ownLamps[0]!))).toMatchObject({
      code: 520,
    }))
  it('signs in a batch as a whole or not at all and names those that failed', async () => {
    expect(
      await gateway.ask('combine/batch_login', {
        deviceList: [signChild(ownLamps[0]!), signWrongly(ownLamps[1]!)],
      }),
    ).toMatchObject({ code: 6287, data: [{ deviceName: 'own2', code: 6287 }] })
    expect(await gateway.ask('combine/logout', pickIdentity(ownLamps[0]!))).toMatchObject({
      code: 520,
    })
    expect(
      await gateway.ask('combine/batch_login', { deviceList: ownLamps.map(signChild) }),
    ).toMatchObject({ code: 200, data: ownLamps.map(pickIdentity) })
    expect(
      await gateway.ask('combine/batch_logout', [
        ...ownLamps.map(pickIdentity),
        pickIdentity(otherGatewayLamp),
      ]),
    ).toMatchObject({ code: 520, data: [{ deviceName: 'taken' }] })
    expect(await gateway.ask('combine/batch_logout', ownLamps.map(pickIdentity))).toMatchObject({
      code: 200,
    })
  })
})

describe('thing/list/found', () => {
  it.each([
    [6250, 'an unknown product', { productKey: 'pkNo', deviceName: 'lamp-77' }],
    [6250, 'a gateway product', { productKey: 'pkEdge', deviceName: 'edge-77' }],
    [6280, 'a name with a slash', { productKey: 'pkLamp', deviceName: 'a/b/c' }],
    [6280, 'a short name', { productKey: 'pkLamp', deviceName: 'abc' }],
  ])('answers %i to %s', async (code, _, foundDevice) =>
    expect(await gateway.ask('thing/list/found', [foundDevice])).toMatchObject({ code }),
  )
  it('is stored for approval', async () => {
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
  it('is a conflict when another gateway binds the serial, and done for that one', async () => {
    const otherClient = await connectAlinkDevice(platform.url, otherGateway)
    for (const client of [gateway, otherClient])
      await client.ask('thing/list/found', [pickIdentity(reportedLamp)])
    expect(await readRecords(reportedLamp)).toMatchObject([
      { gatewayId: edge.id, state: 'pending' },
      { gatewayId: otherGateway.id, state: 'conflict' },
    ])
    const bind = (client: AlinkDevice) => client.ask('thing/topo/add', [signChild(reportedLamp)])
    expect(await bind(otherClient)).toMatchObject({ code: 200 })
    const states = [
      { gatewayId: edge.id, state: 'conflict', reason: '该设备已属于另一台网关' },
      { gatewayId: otherGateway.id, state: 'done', reason: '' },
    ]
    expect(await readRecords(reportedLamp)).toMatchObject(states)
    expect(await bind(gateway)).toMatchObject({ code: 6619 })
    expect(await readRecords(reportedLamp)).toMatchObject(states)
    expect(await readGatewayId(reportedLamp)).toBe(otherGateway.id)
    await otherClient.close()
  })
})

describe('a device that is disabled while connected', () => {
  it('is answered with 6204', async () => {
    const client = await connectAlinkDevice(platform.url, direct)
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
    [6320, 'an event the product does not have', 'Nothing', {}],
    [460, 'parameters that are no object', 'Error', 'text'],
  ])('is answered with %i for %s', async (code, _, name, params) => {
    await gateway.ask('combine/login', signChild(ownLamps[0]!))
    expect(await gateway.ask(`thing/event/${name}/post`, params, ownLamps[0]!)).toMatchObject({
      code,
    })
  })
})
