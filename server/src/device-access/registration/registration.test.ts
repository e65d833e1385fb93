import { maxUndecidedRecords, maxRefusedRecords } from '@iot/shared/contract/device/registration'
import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import iot from 'alibabacloud-iot-device-sdk'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import mqtt from 'mqtt'
import { device, deviceCredential } from '../../tables/device'
import { productConfig } from '../../tables/deviceRecords'
import { project } from '../../tables/project'
import { productCredential, registrationRecord, registrationRule } from '../../tables/registration'
import { testApp, type TestApp } from '../../testing'
import { isInNetworks } from './ruleChoice'
import { recordRegistration } from './registrationRecords'
import { computeHmac } from '../protocol/signature'
import { connectAlinkDevice, deviceRow, insertDevices, productRow } from '../testing'
import { waitUntil } from '../../core/until'

const products = {
  closed: productRow('pkClosed', 'direct'),
  twice: productRow('pkTwice', 'direct'),
  entered: productRow('pkEntered', 'direct'),
  free: productRow('pkFree', 'direct'),
  looked: productRow('pkLooked', 'direct'),
  near: productRow('pkNear', 'direct'),
  late: productRow('pkLate', 'direct'),
  stopped: productRow('pkStopped', 'direct'),
  lamp: productRow('pkLamp', 'sub'),
  edge: productRow('pkRegisteringEdge', 'gateway'),
  bulb: productRow('pkBulb', 'sub'),
  dim: productRow('pkDim', 'sub'),
  shade: productRow('pkShade', 'sub'),
  abroad: productRow('pkAbroad', 'sub'),
  ended: productRow('pkEnded', 'direct', { status: 'disabled' }),
  own: productRow('pkOwn', 'direct', { authType: 'deviceSecret' }),
  endedBulb: productRow('pkEndedBulb', 'sub', { status: 'disabled' }),
}
const freshDevice = deviceRow(products.entered, 'fresh')
const secondDevice = deviceRow(products.entered, 'second')
const activeDevice = deviceRow(products.entered, 'active', { onlineTime: new Date().toISOString() })
const disabledDevice = deviceRow(products.entered, 'off1', { state: 'disabled' })
const workingGateway = deviceRow(products.edge, 'edge-at-work')
const otherGateway = deviceRow(products.edge, 'edge-beside')
const stoppedGateway = deviceRow(products.edge, 'edge-at-rest', { projectId: 3 })
const earlierDevice = deviceRow(products.ended, 'before-end')
const buildProductSecret = (productKey: string) => `secret-of-${productKey}`

let app: TestApp
let url: string
beforeAll(async () => {
  app = await testApp({ mqttPort: 0, publicUrl: 'https://console.example' })
  const { db } = app.app
  const devices = [
    freshDevice,
    secondDevice,
    activeDevice,
    disabledDevice,
    workingGateway,
    otherGateway,
    stoppedGateway,
    earlierDevice,
  ]
  await insertDevices(db, Object.values(products), devices)
  await db.insert(productCredential).values(
    Object.values(products).map(({ productKey }) => ({
      productKey,
      productSecret: buildProductSecret(productKey),
    })),
  )
  const buildRule = (
    ruleProduct: { id: string },
    overrides: Partial<typeof registrationRule.$inferInsert>,
  ) => ({
    productId: ruleProduct.id,
    mode: 'free' as const,
    enabled: true,
    projectId: 1,
    createBy: 'test',
    updateBy: 'test',
    ...overrides,
  })
  await db
    .insert(registrationRule)
    .values([
      buildRule(products.entered, { mode: 'preregistered' }),
      buildRule(products.free, { quota: 2, nameTemplate: '大堂 {deviceName}' }),
      buildRule(products.looked, { approval: true }),
      buildRule(products.twice, { quota: 5 }),
      buildRule(products.near, { addresses: ['10.0.0.0/8'] }),
      buildRule(products.late, { expireTime: '2020-01-01T00:00:00Z' }),
      buildRule(products.stopped, { projectId: 3 }),
      buildRule(products.lamp, {}),
      buildRule(products.own, {}),
      buildRule(products.bulb, { mode: 'gateway' }),
      buildRule(products.dim, { mode: 'gateway', approval: true }),
      buildRule(products.ended, { quota: 5 }),
      buildRule(products.endedBulb, { mode: 'gateway' }),
      buildRule(products.abroad, { mode: 'gateway', projectId: 2 }),
      buildRule(products.shade, { mode: 'gateway', projectId: 3 }),
    ])
  await db.update(project).set({ status: 'stopped' }).where(eq(project.projectId, 3))
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.app.server.address() as { port: number }
  url = `http://127.0.0.1:${address.port}/auth/register/device`
})
afterAll(() => app.close())

type RegistrationInput = {
  productKey: string
  deviceName: string
  secret?: string
  signMethod?: string
}
const buildForm = ({
  productKey,
  deviceName,
  secret,
  signMethod = 'hmacsha256',
}: RegistrationInput) => {
  const fields = { productKey, deviceName, random: '12345' }
  return new URLSearchParams({
    ...fields,
    signMethod,
    sign: computeHmac(fields, signMethod, secret ?? buildProductSecret(productKey)) ?? 'none',
  }).toString()
}
const registerDevice = async (input: RegistrationInput) =>
  (
    await app.app.inject({
      method: 'POST',
      url: '/auth/register/device',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: buildForm(input),
    })
  ).json<{ code: number; data?: { deviceSecret: string } }>()
const readRecords = (deviceName: string) =>
  app.app.db.select().from(registrationRecord).where(eq(registrationRecord.deviceName, deviceName))
const findDevice = async (deviceName: string) =>
  (await app.app.db.select().from(device).where(eq(device.deviceName, deviceName)))[0]

it.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['10.1.2.3', '10.1.2.9/24', true],
  ['10.1.2.3', '10.1.2.3/32', true],
  ['10.1.2.3', '10.1.2.2/32', false],
  ['10.1.2.3', '10.1.2.2/31', true],
  ['11.0.0.1', '10.0.0.0/8', false],
  ['192.0.2.1', '0.0.0.0/0', true],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:DB8:0:0::1', '2001:db8::1', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['2001:db8::1', '0.0.0.0/0', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['::1', '127.0.0.0/8', false],
  ['', '0.0.0.0/0', false],
])('checks whether %j is in %s', (address, range, expected) => {
  expect(isInNetworks([range], address)).toBe(expected)
})

describe('POST /auth/register/device', () => {
  it.each([
    [6250, 'an unknown product', { productKey: 'pkNo', deviceName: 'dev-1', secret: 'x' }],
    [6288, 'a product without a rule', { productKey: 'pkClosed', deviceName: 'dev-1' }],
    [6288, 'sub-devices', { productKey: 'pkLamp', deviceName: 'dev-1' }],
    [6288, 'an expired rule', { productKey: 'pkLate', deviceName: 'dev-1' }],
    [6288, 'a rule of a stopped project', { productKey: 'pkStopped', deviceName: 'shut-1' }],
    [6288, 'a product with one secret per device', { productKey: 'pkOwn', deviceName: 'own-1' }],
    [6288, 'an address outside the permitted range', { productKey: 'pkNear', deviceName: 'dev-1' }],
    [
      6292,
      'an unknown sign method',
      { productKey: 'pkFree', deviceName: 'dev-1', signMethod: 'rot13' },
    ],
    [6600, 'a wrong signature', { productKey: 'pkFree', deviceName: 'dev-1', secret: 'guess' }],
    [6100, 'an unregistered serial', { productKey: 'pkEntered', deviceName: 'nobody' }],
    [6289, 'an activated device', { productKey: 'pkEntered', deviceName: 'active' }],
    [6204, 'a disabled device', { productKey: 'pkEntered', deviceName: 'off1' }],
    [6280, 'a name with a slash', { productKey: 'pkFree', deviceName: 'a/b/c' }],
  ])('answers %i to %s', async (code, _, input) => {
    const reply = await registerDevice(input)
    expect(reply.code).toBe(code)
    expect(reply.data).toBeUndefined()
  })
  it('keeps the address of the device behind the web server of the guide', () => {
    const config = readFileSync(join(__dirname, '../../../../deploy/nginx.conf'), 'utf8')
    const header = 'proxy_set_header X-Forwarded-For $remote_addr;'
    // A location inherits the headers of the server unless it sets one itself.
    const [server, ...locations] = config.slice(config.indexOf('listen 443')).split(/^ *location /m)
    expect(server).toContain(header)
    for (const location of locations.filter((text) => text.includes('proxy_set_header')))
      expect(location).toContain(header)
  })
  it('answers 460 to a malformed form', async () => {
    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', 'hello'],
      ['application/json', '{"productKey":1}'],
    ])
      expect(
        (
          await app.app.inject({
            method: 'POST',
            url: '/auth/register/device',
            headers: { 'content-type': type },
            payload,
          })
        ).json(),
      ).toMatchObject({ code: 460 })
  })
  it('answers 460 to characters that PostgreSQL cannot store, without a query', async () => {
    for (const hostilePair of ['pk\0Free&dev-1', 'pkFree&dev\0-1']) {
      const [productKey, deviceName] = hostilePair.split('&') as [string, string]
      expect(await registerDevice({ productKey, deviceName, secret: 'x' })).toMatchObject({
        code: 460,
      })
    }
  })
  it('answers concurrent requests for one serial with the same secret', async () => {
    const input = { productKey: 'pkTwice', deviceName: 'twice-1' }
    const replies = await Promise.all([
      registerDevice(input),
      registerDevice(input),
      registerDevice(input),
    ])
    const secrets = replies.map(({ data }) => data?.deviceSecret)
    expect(replies.map(({ code }) => code)).toEqual([200, 200, 200])
    expect(new Set(secrets).size).toBe(1)
    const [rule] = await app.app.db
      .select()
      .from(registrationRule)
      .where(eq(registrationRule.productId, products.twice.id))
    expect(rule).toMatchObject({ quota: 4 })
  })
  it('records the reason of a refusal', async () => {
    expect(await readRecords('nobody')).toMatchObject([
      { way: 'http', state: 'refused', reason: '序列号没有登记', address: '127.0.0.1' },
    ])
    expect(await findDevice('nobody')).toBeUndefined()
    expect(await readRecords('shut-1')).toMatchObject([
      { projectId: 3, state: 'refused', reason: '项目已停用，不能登记或移入设备' },
    ])
    expect(await findDevice('shut-1')).toBeUndefined()
    expect(await readRecords('own-1')).toMatchObject([
      { state: 'refused', reason: '产品的认证方式是一机一密，设备须逐台登记' },
    ])
    expect(await findDevice('own-1')).toBeUndefined()
    expect(await readRecords(disabledDevice.deviceName)).toMatchObject([
      { state: 'refused', reason: '设备已禁用' },
    ])
    const traces = await app.app.devices.refusals.findNewest({ productKey: 'pkFree' }, 'all', 50)
    expect(traces.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['wrongSignMethod', 'wrongProductSecret']),
    )
    // The signature is not stored, because a reader could replay it.
    const [row] = await readRecords('nobody')
    expect(row!.payload).toEqual({
      productKey: 'pkEntered',
      deviceName: 'nobody',
      random: '12345',
      signMethod: 'hmacsha256',
    })
  })

  it('drops the oldest undecided and refused records beyond the limit and reports how many', async () => {
    const { db } = app.app
    const buildAttempt = (deviceName: string) => ({
      projectId: 1,
      productKey: products.near.productKey,
      deviceName,
      way: 'http' as const,
      state: 'refused' as const,
      reason: '地址不在允许范围内',
      address: '',
      payload: null,
    })
    const time = '2026-01-01T00:00:00.000Z'
    const oldRecords = Array.from({ length: maxUndecidedRecords + 5 }, (_, n) => ({
      ...buildAttempt(`flood-${n}`),
      firstTime: time,
      lastTime: time,
    }))
    await db.insert(registrationRecord).values(oldRecords)
    const refusals = Array.from({ length: maxRefusedRecords + 5 }, (_, n) => ({
      ...oldRecords[0]!,
      deviceName: `said-no-${n}`,
      decideBy: '李工',
      lastTime: n === 0 ? '2026-01-02T00:00:00.000Z' : time,
    }))
    for (let from = 0; from < refusals.length; from += 1000)
      await db.insert(registrationRecord).values(refusals.slice(from, from + 1000))
    for (let n = 0; n < 50; n++) await recordRegistration(db, buildAttempt(`newer-${n}`))
    const isOfProduct = eq(registrationRecord.productKey, products.near.productKey)
    const remainingRecords = await db.select().from(registrationRecord).where(isOfProduct)
    expect(remainingRecords).toHaveLength(maxUndecidedRecords + maxRefusedRecords)
    const names = remainingRecords.map(({ deviceName }) => deviceName)
    expect(names).toEqual(expect.arrayContaining(['said-no-0', 'newer-0', 'newer-49']))
    const [dropped] = await app.as('admin').call(registrationRecordApi.dropped, { projectId: 1 })
    expect(dropped).toMatchObject({ productName: 'pkNear' })
    // Records of the other tests count too: all beyond the limit are dropped.
    expect(dropped!.count).toBeGreaterThanOrEqual(60)
  })

  it('gives the SDK the secret of a registered device, which then connects', async () => {
    const reply = await new Promise<{ code: number; data?: { deviceSecret: string } }>((onReply) =>
      iot.register(
        {
          productKey: 'pkEntered',
          deviceName: 'fresh',
          productSecret: buildProductSecret('pkEntered'),
          registerURL: url,
        },
        onReply,
      ),
    )
    expect(reply).toMatchObject({ code: 200, data: { deviceSecret: freshDevice.deviceSecret } })
    const client = await connectAlinkDevice(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, {
      ...freshDevice,
      deviceSecret: reply.data!.deviceSecret,
    })
    await waitUntil(
      () => findDevice('fresh'),
      (row) => row?.state === 'online',
    )
    await client.close()
    expect(await readRecords('fresh')).toMatchObject([{ state: 'done' }])
    // The product secret is refused once the device is active.
    await app.app.devices.states.flush()
    expect(await registerDevice({ productKey: 'pkEntered', deviceName: 'fresh' })).toMatchObject({
      code: 6289,
    })
  })

  it('creates unregistered devices up to the quota', async () => {
    expect(await registerDevice({ productKey: 'pkFree', deviceName: 'SN-0001' })).toMatchObject({
      code: 200,
    })
    expect(await findDevice('SN-0001')).toMatchObject({
      name: '大堂 SN-0001',
      projectId: 1,
      state: 'inactive',
    })
    const again = await registerDevice({ productKey: 'pkFree', deviceName: 'SN-0001' })
    expect(again).toMatchObject({ code: 200 })
    expect(await registerDevice({ productKey: 'pkFree', deviceName: 'SN-0002' })).toMatchObject({
      code: 200,
    })
    expect(await registerDevice({ productKey: 'pkFree', deviceName: 'SN-0003' })).toMatchObject({
      code: 6288,
    })
    // The version has changed, so that a form opened earlier cannot restore the quota.
    const [rule] = await app.app.db
      .select()
      .from(registrationRule)
      .where(eq(registrationRule.productId, products.free.id))
    expect(rule).toMatchObject({ quota: 0, version: 3 })
    expect(await findDevice('SN-0003')).toBeUndefined()
    expect(await readRecords('SN-0003')).toMatchObject([{ state: 'refused', reason: '名额已用完' }])
  })

  it('creates no device of an obsolete product, but gives registered ones their secret', async () => {
    expect(await registerDevice({ productKey: 'pkEnded', deviceName: 'late-1' })).toMatchObject({
      code: 6288,
    })
    expect(await findDevice('late-1')).toBeUndefined()
    expect(await readRecords('late-1')).toMatchObject([
      { state: 'refused', reason: '产品已停用，不能登记设备' },
    ])
    const [rule] = await app.app.db
      .select()
      .from(registrationRule)
      .where(eq(registrationRule.productId, products.ended.id))
    expect(rule).toMatchObject({ quota: 5 })
    const earlierReply = await registerDevice({ productKey: 'pkEnded', deviceName: 'before-end' })
    expect(earlierReply).toMatchObject({ code: 200 })
  })

  it('keeps a serial pending when its rule requires approval', async () => {
    const input = { productKey: 'pkLooked', deviceName: 'SN-0009' }
    expect(await registerDevice(input)).toMatchObject({ code: 6288 })
    expect(await readRecords('SN-0009')).toMatchObject([{ state: 'pending', reason: '等待审批' }])
    const id = (await readRecords('SN-0009'))[0]!.id
    const admin = app.as('admin')
    const rejection = { ids: [id], projectId: 1, reason: '' }
    await admin.call(registrationRecordApi.reject, rejection)
    expect(await registerDevice(input)).toMatchObject({ code: 6288 })
    expect(await readRecords('SN-0009')).toMatchObject([{ state: 'refused', reason: '已被拒绝' }])
    const approval = { id, projectId: 1, state: 'refused' as const, name: '九号', spaceId: null }
    await admin.call(registrationRecordApi.approve, approval)
    expect(await registerDevice(input)).toMatchObject({ code: 200 })
    expect(await readRecords('SN-0009')).toMatchObject([{ state: 'done' }])
  })
})

describe('registration over MQTT', () => {
  const connect = (options: {
    clientId: string
    username: string
    password: string
    keepalive?: number
  }) => {
    const client = mqtt.connect(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, {
      reconnectPeriod: 0,
      keepalive: 0,
      ...options,
    })
    const answer = new Promise<{ topic: string; data: Record<string, string> }>(
      (resolve, reject) => {
        client.on('error', reject)
        client.on('message', (topic, payload) =>
          resolve({ topic, data: JSON.parse(payload.toString()) as Record<string, string> }),
        )
      },
    )
    return answer.finally(() => client.end(true))
  }
  const buildConnectOptions = (
    authType: string,
    productKey: string,
    deviceName: string,
    secret?: string,
  ) => ({
    clientId: `any|securemode=-2,authType=${authType},random=77,signmethod=hmacsha1|`,
    username: `${deviceName}&${productKey}`,
    password: computeHmac(
      { deviceName, productKey, random: '77' },
      'hmacsha1',
      secret ?? buildProductSecret(productKey),
    )!,
  })

  it.each([
    ['a wrong signature', buildConnectOptions('register', 'pkEntered', 'second', 'guess')],
    ['an unregistered serial', buildConnectOptions('register', 'pkEntered', 'nobody')],
    ['an activated device', buildConnectOptions('register', 'pkEntered', 'active')],
    ['an exhausted quota', buildConnectOptions('regnwl', 'pkFree', 'SN-0003')],
    [
      'a character PostgreSQL cannot store',
      buildConnectOptions('register', 'pkEntered', 'sec\0ond'),
    ],
  ])('refuses %s', async (_, options) => {
    await expect(connect(options)).rejects.toMatchObject({ code: 4 })
  })
  it('returns the secret of a registered device', async () =>
    expect(await connect(buildConnectOptions('register', 'pkEntered', 'second'))).toEqual({
      topic: '/ext/register',
      data: {
        productKey: 'pkEntered',
        deviceName: 'second',
        deviceSecret: secondDevice.deviceSecret,
      },
    }))
  it('returns a client id and a token for an unregistered device, which then connects with them', async () => {
    await app.app.db
      .update(registrationRule)
      .set({ quota: 1 })
      .where(eq(registrationRule.productId, products.free.id))
    const { topic, data } = await connect(buildConnectOptions('regnwl', 'pkFree', 'SN-0005'))
    expect(topic).toBe('/ext/regnwl')
    expect(data).toMatchObject({ deviceName: 'SN-0005', productKey: 'pkFree' })
    const credentials = {
      clientId: `${data.clientId}|securemode=-2,authType=connwl|`,
      username: 'SN-0005&pkFree',
      password: data.deviceToken!,
      keepalive: 60,
    }
    await expect(connect({ ...credentials, password: 'guess' })).rejects.toMatchObject({ code: 4 })
    await expect(
      connect({ ...credentials, clientId: 'x|securemode=-2,authType=connwl|' }),
    ).rejects.toMatchObject({ code: 4 })
    const client = mqtt.connect(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, credentials)
    await waitUntil(
      () => findDevice('SN-0005'),
      (row) => row?.state === 'online',
    )
    await client.endAsync(true)
  })
  it('can neither publish nor subscribe to topics of a device', async () => {
    const options = buildConnectOptions('register', 'pkEntered', 'second')
    const client = mqtt.connect(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, {
      reconnectPeriod: 0,
      ...options,
    })
    await new Promise<void>((resolve) => client.on('connect', () => resolve()))
    await client.subscribeAsync('/ext/register')
    await expect(client.subscribeAsync('/sys/pkEntered/second/#')).rejects.toThrow()
    const connectionClosed = new Promise<void>((resolve) => client.on('close', () => resolve()))
    client.publish('/sys/pkEntered/second/thing/event/property/post', '{}')
    await connectionClosed
  })
  it('stores the secret in the credentials and not in the registration record', async () => {
    const [row] = await app.app.db
      .select()
      .from(deviceCredential)
      .where(
        and(eq(deviceCredential.productKey, 'pkFree'), eq(deviceCredential.deviceName, 'SN-0001')),
      )
    expect(row!.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify(await readRecords('SN-0001'))).not.toContain(row!.deviceSecret)
  })
})

async function registerBehind(
  gateway: typeof workingGateway,
  deviceNames: string | string[],
  { productKey } = products.bulb,
) {
  const device = await connectAlinkDevice(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, gateway)
  const pairs = [deviceNames].flat().map((deviceName) => ({ productKey, deviceName }))
  const reply = await device.ask('thing/sub/register', pairs)
  await device.close()
  return reply
}

describe('thing/sub/register with a registration rule', () => {
  it('answers 6288 behind a gateway of a stopped project, creates no device, and records why', async () => {
    const reply = await registerBehind(stoppedGateway, 'shade-1', products.shade)
    expect(reply).toMatchObject({ code: 6288 })
    expect(await findDevice('shade-1')).toBeUndefined()
    expect(await readRecords('shade-1')).toMatchObject([
      {
        projectId: 3,
        way: 'gateway',
        gatewayId: stoppedGateway.id,
        state: 'refused',
        reason: '项目已停用，不能登记或移入设备',
      },
    ])
  })
  it('creates no child of an obsolete product', async () => {
    expect(await registerBehind(workingGateway, 'ended-1', products.endedBulb)).toMatchObject({
      code: 6288,
    })
    expect(await findDevice('ended-1')).toBeUndefined()
    expect(await readRecords('ended-1')).toMatchObject([{ reason: '产品已停用，不能登记设备' }])
  })
  it('records why a child is refused whose rule belongs to another, running project', async () => {
    const reply = await registerBehind(workingGateway, 'abroad-1', products.abroad)
    expect(reply).toMatchObject({ code: 6100 })
    expect(await findDevice('abroad-1')).toBeUndefined()
    expect(await readRecords('abroad-1')).toMatchObject([
      { projectId: 1, way: 'gateway', state: 'refused', reason: '注册规则属于另一个项目' },
    ])
  })
  it('creates a child of the gateway when the project runs', async () => {
    expect(await registerBehind(workingGateway, 'bulb-1')).toMatchObject({ code: 200 })
    expect(await findDevice('bulb-1')).toMatchObject({ projectId: 1, gatewayId: workingGateway.id })
    expect(await readRecords('bulb-1')).toMatchObject([{ state: 'done' }])
  })
})

describe('thing/sub/register of several serials', () => {
  it('records each serial that waits for approval, not only the first', async () => {
    const reply = await registerBehind(workingGateway, ['many-1', 'many-2', 'many-3'], products.dim)
    expect(reply).toMatchObject({
      code: 6288,
      data: ['many-1', 'many-2', 'many-3'].map((deviceName) => ({
        deviceName,
        code: 6288,
        message: 'dynamic register is not allowed -> pending',
      })),
    })
    for (const deviceName of ['many-1', 'many-2', 'many-3'])
      expect(await readRecords(deviceName)).toMatchObject([{ state: 'pending' }])
  })
  it('names the refused serials and registers the others', async () => {
    const reply = await registerBehind(workingGateway, ['mixed-1', 'no such name', 'mixed-3'])
    expect(reply).toMatchObject({ code: 6280, data: [{ deviceName: 'no such name', code: 6280 }] })
    const rest = await registerBehind(workingGateway, ['mixed-1', 'mixed-3'])
    expect(rest).toMatchObject({ code: 200, data: [{}, {}] })
    expect(await readRecords('mixed-3')).toMatchObject([{ state: 'done', count: 2 }])
  })
})

describe('one serial registered behind two gateways', () => {
  it('is a conflict before and after a decision, and moves when the other gateway is chosen', async () => {
    const [one, other] = [
      await registerBehind(workingGateway, 'dim-1', products.dim),
      await registerBehind(otherGateway, 'dim-1', products.dim),
    ]
    expect([one.code, other.code]).toEqual([6288, 6288])
    const findGatewayRecord = async (gateway: typeof workingGateway) =>
      (await readRecords('dim-1')).find(({ gatewayId }) => gatewayId === gateway.id)!
    expect(await findGatewayRecord(workingGateway)).toMatchObject({
      state: 'pending',
      reason: '等待审批',
    })
    expect(await findGatewayRecord(otherGateway)).toMatchObject({
      state: 'conflict',
      reason: '另一台网关也上报了这个序列号',
    })
    const approve = async (gateway: typeof workingGateway) => {
      const { id, state } = await findGatewayRecord(gateway)
      return app.as('admin').call(registrationRecordApi.approve, {
        id,
        projectId: 1,
        state,
        name: '调光灯',
        spaceId: null,
      })
    }
    await approve(workingGateway)
    expect(await findGatewayRecord(otherGateway)).toMatchObject({
      state: 'conflict',
      reason: '该设备已属于另一台网关',
    })
    const formerGatewayClient = await connectAlinkDevice(
      `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
      workingGateway,
    )
    const topoChangeTopic = '/sys/pkRegisteringEdge/edge-at-work/thing/topo/change'
    await formerGatewayClient.subscribe(topoChangeTopic)
    await approve(otherGateway)
    expect(await findDevice('dim-1')).toMatchObject({ gatewayId: otherGateway.id })
    expect(await formerGatewayClient.next(topoChangeTopic)).toMatchObject({
      params: { status: 1, subList: [{ productKey: 'pkDim', deviceName: 'dim-1' }] },
    })
    await formerGatewayClient.close()
  })
})

describe('one serial in thing/list/found of two gateways', () => {
  it('is a conflict, and approving an outdated list does not move the device', async () => {
    const url = `mqtt://127.0.0.1:${app.app.devices.mqttPort}`
    const [one, other] = await Promise.all(
      [workingGateway, otherGateway].map((row) => connectAlinkDevice(url, row)),
    )
    const child = { productKey: products.dim.productKey, deviceName: 'dim-seen' }
    for (const gateway of [one!, other!, one!, other!])
      expect(await gateway.ask('thing/list/found', [child])).toMatchObject({ code: 200 })
    const findGatewayRecord = async ({ id }: typeof workingGateway) =>
      (await readRecords('dim-seen')).find(({ gatewayId }) => gatewayId === id)!
    const [first, second] = [
      await findGatewayRecord(workingGateway),
      await findGatewayRecord(otherGateway),
    ]
    expect(first).toMatchObject({ state: 'pending', reason: '' })
    expect(second).toMatchObject({ state: 'conflict', reason: '另一台网关也上报了这个序列号' })
    const approve = (id: string, state: 'pending' | 'conflict', ownerId: string | null) =>
      app.as('admin').call(registrationRecordApi.approve, {
        id,
        projectId: 1,
        state,
        ownerId,
        name: '见过的灯',
        spaceId: null,
      })
    await expect(approve(second.id, 'pending', null)).rejects.toMatchObject({
      code: 1001,
      msg: '这条记录现在是“冲突”：另一台网关也上报了这个序列号，请刷新后看过再通过',
    })
    await approve(first.id, 'pending', null)
    expect(await findDevice('dim-seen')).toMatchObject({ gatewayId: workingGateway.id })
    await expect(approve(second.id, 'conflict', null)).rejects.toMatchObject({
      msg: '这条记录现在是“冲突”：该设备已属于另一台网关，请刷新后看过再通过',
    })
    expect(await findDevice('dim-seen')).toMatchObject({ gatewayId: workingGateway.id })
    await approve(second.id, 'conflict', workingGateway.id)
    expect(await findDevice('dim-seen')).toMatchObject({ gatewayId: otherGateway.id })
    await Promise.all([one!.close(), other!.close()])
  })
})

describe('one serial found by a gateway and registered by another', () => {
  it('is a conflict for the first, whose record a person has not decided', async () => {
    const url = `mqtt://127.0.0.1:${app.app.devices.mqttPort}`
    const finder = await connectAlinkDevice(url, otherGateway)
    const child = { productKey: products.bulb.productKey, deviceName: 'bulb-seen' }
    await finder.ask('thing/list/found', [child])
    expect(await readRecords('bulb-seen')).toMatchObject([{ state: 'pending' }])
    expect(await registerBehind(workingGateway, 'bulb-seen')).toMatchObject({ code: 200 })
    expect(await findDevice('bulb-seen')).toMatchObject({ gatewayId: workingGateway.id })
    const records = await readRecords('bulb-seen')
    expect(records.find(({ gatewayId }) => gatewayId === otherGateway.id)).toMatchObject({
      state: 'conflict',
      reason: '该设备已属于另一台网关',
    })
    await finder.close()
  })
})

describe('concurrent thing/sub/register of one serial', () => {
  it('creates a child of one gateway and a conflict for the other', async () => {
    const url = `mqtt://127.0.0.1:${app.app.devices.mqttPort}`
    const gateways = await Promise.all(
      [workingGateway, otherGateway].map((row) => connectAlinkDevice(url, row)),
    )
    const child = { productKey: products.bulb.productKey, deviceName: 'bulb-both' }
    const replies = await Promise.all(gateways.map((one) => one.ask('thing/sub/register', [child])))
    expect(replies.map(({ code }) => code).sort()).toEqual([200, 6619])
    const states = (await readRecords('bulb-both')).map(({ state }) => state)
    expect(states.sort()).toEqual(['conflict', 'done'])
    const hostileChildren = [{ ...child, deviceName: 'bulb\0' }]
    expect(await gateways[0]!.ask('thing/sub/register', hostileChildren)).toMatchObject({
      code: 460,
    })
    await Promise.all(gateways.map((one) => one.close()))
  })
})

describe('GET /v1/device/config', () => {
  it('answers with the configuration only for a token given to the device', async () => {
    const content = '{"interval":30}'
    const [row] = await app.app.db
      .insert(productConfig)
      .values({
        productId: products.free.id,
        enabled: true,
        content,
        createBy: 'test',
        updateBy: 'test',
      })
      .returning()
    const sign = createHash('sha256').update(content).digest('hex')
    const get = (address: string) => app.app.inject({ url: `/v1/device/config/${address}` })
    expect(await get(`${row!.id}/${'0'.repeat(64)}`)).toMatchObject({ statusCode: 404 })
    expect(await get(`nonsense/${sign}`)).toMatchObject({ statusCode: 404 })
    expect(await get(`${row!.id}/${sign}`)).toMatchObject({ statusCode: 200, body: content })
  })
})
