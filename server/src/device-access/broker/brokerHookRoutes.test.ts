import { eq } from 'drizzle-orm'
import { connectionRefusal } from '../../tables/connectionRefusal'
import { device } from '../../tables/device'
import { ownApp, type TestApp } from '../../testing'
import { connectOptions } from '../protocol/signature'
import { deviceRow, insertDevices, productRow } from '../testing'

const product = productRow('pkDirect', 'direct')
const directDevice = deviceRow(product, 'one')
const edgeProduct = productRow('pkEdge', 'gateway')
const lampProduct = productRow('pkLamp', 'sub')
const edge = deviceRow(edgeProduct, 'edge')
const lamp = deviceRow(lampProduct, 'lamp', { gatewayId: edge.id })
let app: TestApp
beforeAll(async () => {
  app = await ownApp({ mqttHookSecret: 'between-us' })
  await insertDevices(app.app.db, [product, edgeProduct, lampProduct], [directDevice, edge, lamp])
})
afterAll(() => app.close())

const callHook = async (path: string, payload: object, secret = 'between-us') => {
  const response = await app.app.inject({
    method: 'POST',
    url: `/v1/broker/${path}`,
    payload,
    headers: { authorization: `Bearer ${secret}` },
  })
  return { status: response.statusCode, ...response.json<{ result: string }>() }
}
const { clientId, username, password } = connectOptions(directDevice)

describe('the hooks of an external broker', () => {
  it('refuse a caller without the token', async () =>
    expect(
      await callHook('authenticate', { clientid: clientId, username, password }, 'guess'),
    ).toMatchObject({ status: 401, result: 'deny' }))
  it('deny a wrong signature, an unknown device and malformed input', async () => {
    expect(
      await callHook('authenticate', {
        clientid: clientId,
        username,
        password: password.replace(/./, 'x'),
      }),
    ).toMatchObject({ result: 'deny' })
    expect(
      await callHook('authenticate', { clientid: clientId, username: 'nobody&pkDirect', password }),
    ).toMatchObject({ result: 'deny' })
    expect(await callHook('authenticate', { hello: 1 })).toMatchObject({ result: 'deny' })
    expect(
      await callHook('authorize', {
        username,
        topic: '/sys/pkDirect/other/thing/event/property/post',
      }),
    ).toMatchObject({ result: 'deny' })
  })
  it('record a client that sends no user name, no password or too long a name', async () => {
    const peerhost = '10.9.8.7'
    const longName = 'x'.repeat(300)
    await callHook('authenticate', { clientid: 'nameless', username: null, peerhost })
    await callHook('authenticate', {
      clientid: longName,
      username: `${longName}&pkDirect`,
      peerhost,
    })
    await app.app.devices.refusals.flush()
    const rows = await app.app.db
      .select()
      .from(connectionRefusal)
      .where(eq(connectionRefusal.address, peerhost))
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'wrongFormat', clientId: 'nameless', deviceName: '' }),
        expect.objectContaining({
          reason: 'wrongFormat',
          clientId: longName.slice(0, 128),
          deviceName: longName.slice(0, 64),
          productKey: 'pkDirect',
        }),
      ]),
    )
  })
  it('deny a child that is not signed in, and a connection for registration only', async () => {
    expect(
      await callHook('authorize', {
        username: 'edge&pkEdge',
        topic: '/sys/pkLamp/lamp/thing/event/property/post',
        action: 'publish',
      }),
    ).toMatchObject({ status: 200, result: 'deny' })
    expect(
      await callHook('authenticate', {
        clientid: 'x|securemode=2,authType=register,random=1,signmethod=hmacsha1|',
        username,
        password,
      }),
    ).toMatchObject({ result: 'deny' })
  })
  it('deny a throttled device, also when another process throttled it', async () => {
    const setSlowedUntil = (slowedUntil: string) =>
      app.app.db.update(device).set({ slowedUntil }).where(eq(device.id, directDevice.id))
    const authenticate = async () =>
      callHook('authenticate', { clientid: clientId, username, password })
    await setSlowedUntil(new Date(Date.now() + 60_000).toISOString())
    expect(await authenticate()).toMatchObject({ result: 'deny' })
    await setSlowedUntil(new Date(Date.now() - 1000).toISOString())
    expect(await authenticate()).toMatchObject({ result: 'allow' })
  })
  it('allow a device and its own topics', async () => {
    expect(await callHook('authenticate', { clientid: clientId, username, password })).toEqual({
      status: 200,
      result: 'allow',
      is_superuser: false,
      clientid_override: 'pkDirect&one',
    })
    expect(
      await callHook('authorize', {
        username,
        topic: '/sys/pkDirect/one/thing/event/property/post',
      }),
    ).toMatchObject({ result: 'allow' })
  })
})
