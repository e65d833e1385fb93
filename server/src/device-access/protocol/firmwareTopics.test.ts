import { getPastTime, hourMs } from '@iot/shared/contract/duration'
import iot, { type SdkDevice } from 'alibabacloud-iot-device-sdk'
import { createHash } from 'node:crypto'
import { and, eq, like } from 'drizzle-orm'
import { device, deviceEvent, propertyHistory } from '../../tables/device'
import {
  deviceFirmware,
  deviceMessage,
  deviceShadow,
  deviceTag,
  productConfig,
} from '../../tables/deviceRecords'
import type { Reply } from './alink'
import { maxMessagesPerDirection } from '../history/messageLog'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  lampModel,
  productRow,
  signChild,
  startTestDevices,
  type AlinkDevice,
} from '../testing'
import { waitUntil } from '../../core/until'
import { log } from '../../core/logging/log'

/** Firmware on the market uses these topics unasked. None of them may close the connection. */
const products = {
  direct: productRow('pkDirect', 'direct'),
  edge: productRow('pkEdge', 'gateway'),
  lamp: productRow('pkLamp', 'sub'),
}
const directDevice = deviceRow(products.direct, 'one')
const sdkDevice = deviceRow(products.direct, 'sdkOne')
const edge = deviceRow(products.edge, 'edge')
const lamp = deviceRow(products.lamp, 'lamp', { gatewayId: edge.id })
const devicePath = 'pkDirect/one'

let platform: Awaited<ReturnType<typeof startTestDevices>>
let client: AlinkDevice
let sdk: SdkDevice
beforeAll(async () => {
  platform = await startTestDevices({ publicUrl: 'https://console.example/iot/' })
  await insertDevices(platform.db, Object.values(products), [directDevice, sdkDevice, edge, lamp])
  client = await connectAlinkDevice(platform.url, directDevice)
  const { productKey, deviceName, deviceSecret } = sdkDevice
  sdk = iot.device({ productKey, deviceName, deviceSecret, brokerUrl: platform.url })
  await new Promise((resolve) => sdk.on('connect', resolve))
})
afterAll(async () => {
  await client.close()
  sdk.end(true)
  await platform.close()
})
const waitForReply = (ask: (onReply: (reply: Reply) => void) => void) => new Promise<Reply>(ask)
const readDeviceRow = async (row = directDevice) => {
  await platform.devices.states.flush()
  return (
    await platform.db
      .select()
      .from(device)
      .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
  )[0]!
}
const isOfDevice = (
  table: typeof deviceTag | typeof deviceFirmware | typeof deviceMessage,
  row = directDevice,
) => eq(table.deviceId, row.id)

describe('the connection', () => {
  it.each([
    `/ota/device/inform/${devicePath}`,
    `/ota/device/request/${devicePath}`,
    `/ota/device/progress/${devicePath}`,
    `/ext/ntp/${devicePath}/request`,
    `/ext/rrpc/12/${devicePath}/user/get`,
    `/ext/config/${devicePath}/get`,
    `/shadow/update/${devicePath}`,
    `/${devicePath}/user/update`,
    `/${devicePath}/update`,
    `/sys/${devicePath}/thing/log/post`,
    `/sys/${devicePath}/thing/model/up_raw`,
    `/sys/${devicePath}/thing/awss/enrollee/match`,
    `/sys/${devicePath}/_thing/event/notify`,
    `/sys/${devicePath}/thing/service/property/set_reply`,
    `/sys/${devicePath}`,
    `/sys/${devicePath}/`,
    `/${devicePath}`,
    `/shadow/delete/${devicePath}`,
    `/ext/config_log/${devicePath}/x`,
    `/ota/device/upgrade/${devicePath}/x`,
    `/broadcast/${devicePath}/x`,
    `/sys/${devicePath}/${'x'.repeat(600)}`,
  ])('survives %s with any payload', async (topic) => {
    const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
    for (const payload of ['', 'hello', 'null', '{}', '{"id":"1","params":{}}', '[1,2'])
      await client.client.publishAsync(topic, payload, { qos: 1 })
    expect(await client.ask('thing/event/property/post', { Brightness: 1 })).toMatchObject({
      code: 200,
    })
    expect(client.client.connected).toBe(true)
    warnSpy.mockRestore()
  })
  it('is kept after messages to an unsupported topic, which are logged once', async () => {
    const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
    for (let n = 0; n < 3; n++)
      await client.client.publishAsync(`/sys/${devicePath}/thing/unheard/of`, '{}', { qos: 1 })
    expect(warnSpy.mock.calls).toEqual([
      [expect.anything(), expect.stringContaining('/thing/unheard/of')],
    ])
    warnSpy.mockRestore()
  })
})

describe('the NTP topic', () => {
  it('answers with the receive and send time of the server', async () => {
    await client.subscribe(`/ext/ntp/${devicePath}/response`)
    const before = Date.now()
    await client.send(`/ext/ntp/${devicePath}/request`, { deviceSendTime: '1571724098000' })
    const reply = await client.next<Record<string, string>>(`/ext/ntp/${devicePath}/response`)
    expect(reply.deviceSendTime).toBe('1571724098000')
    expect(Number(reply.serverRecvTime)).toBeGreaterThanOrEqual(before)
    expect(Number(reply.serverSendTime)).toBeGreaterThanOrEqual(Number(reply.serverRecvTime))
  })
})

describe('firmware', () => {
  const readFirmware = () =>
    platform.db
      .select()
      .from(deviceFirmware)
      .where(isOfDevice(deviceFirmware))
      .orderBy(deviceFirmware.module)
  it('is stored by module with the progress of an update', async () => {
    await client.send(`/ota/device/inform/${devicePath}`, { id: 1, params: { version: '1.0.1' } })
    await client.send(`/ota/device/inform/${devicePath}`, {
      id: 2,
      params: { version: '7', module: 'mcu' },
    })
    await client.send(`/ota/device/progress/${devicePath}`, {
      id: 3,
      params: { step: '-2', desc: 'no network', module: 'mcu' },
    })
    await client.send(`/ota/device/inform/${devicePath}`, { id: 4, params: { version: '1.0.2' } })
    expect(await client.ask('thing/ota/firmware/get', {})).toMatchObject({ code: 200, data: {} })
    expect(
      await waitUntil(readFirmware, (rows) => rows[0]?.version === '1.0.2' && rows[1]?.step === -2),
    ).toMatchObject([
      { module: 'default', version: '1.0.2', step: null },
      { module: 'mcu', version: '7', step: -2, description: 'no network' },
    ])
  })
})

describe('firmware reports of unknown modules', () => {
  it('are limited to fifty rows per device', async () => {
    const isOfEdge = and(eq(deviceFirmware.projectId, 1), eq(deviceFirmware.deviceId, edge.id))
    const gateway = await connectAlinkDevice(platform.url, edge)
    for (let n = 0; n < 55; n++)
      await gateway.send('/ota/device/inform/pkEdge/edge', {
        params: { version: '1', module: `m${n}` },
      })
    // Messages of a device are handled in order, so this reply comes after them.
    await gateway.ask('thing/ota/firmware/get', {})
    expect(await platform.db.select().from(deviceFirmware).where(isOfEdge)).toHaveLength(50)
    await gateway.close()
  })
})

describe('tags', () => {
  const readTags = () =>
    platform.db.select().from(deviceTag).where(isOfDevice(deviceTag, sdkDevice))
  it.each([
    ['none', []],
    ['a key with a space', [{ attrKey: 'a b', attrValue: '1' }]],
    ['no value', [{ attrKey: 'a' }]],
    ['text that cannot be stored', [{ attrKey: 'a', attrValue: '\0' }]],
    ['an object instead of a list', { attrKey: 'a', attrValue: '1' }],
  ])('are refused with 460: %s', async (_, params) =>
    expect(await client.ask('thing/deviceinfo/update', params)).toMatchObject({ code: 460 }),
  )
  it('are limited to a hundred', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ({ attrKey: `k${n}`, attrValue: '1' }))
    expect(await client.ask('thing/deviceinfo/update', many)).toMatchObject({ code: 460 })
    expect(await client.ask('thing/deviceinfo/update', many.slice(1))).toMatchObject({ code: 200 })
    expect(await client.ask('thing/deviceinfo/update', many.slice(1, 3))).toMatchObject({
      code: 200,
    })
    expect(await client.ask('thing/deviceinfo/update', many.slice(0, 1))).toMatchObject({
      code: 460,
    })
  })
  it('are stored, changed and removed by the SDK', async () => {
    const postTag = (attrKey: string, attrValue: string) =>
      waitForReply((onReply) => sdk.postTags([{ attrKey, attrValue }], onReply))
    expect(await postTag('vendor', '明纬')).toMatchObject({ code: 200 })
    expect(await postTag('vendor', '雷士')).toMatchObject({ code: 200 })
    expect(await postTag('rack', 'B2')).toMatchObject({ code: 200 })
    expect(await waitForReply((onReply) => sdk.deleteTags(['rack'], onReply))).toMatchObject({
      code: 200,
    })
    expect(await readTags()).toMatchObject([{ key: 'vendor', value: '雷士' }])
  })
})

describe('the remote configuration', () => {
  it('is answered as empty until one exists', async () =>
    expect(await waitForReply((onReply) => sdk.getConfig(onReply))).toMatchObject({ code: 6710 }))
  it('is answered with its URL, size and digest', async () => {
    const content = '{"interval":30,"说明":"大堂"}'
    const [row] = await platform.db
      .insert(productConfig)
      .values({
        productId: products.direct.id,
        enabled: true,
        content,
        createBy: 'test',
        updateBy: 'test',
      })
      .returning()
    const sign = createHash('sha256').update(content).digest('hex')
    expect(await waitForReply((onReply) => sdk.getConfig(onReply))).toMatchObject({
      code: 200,
      data: {
        configId: row!.id,
        configSize: Buffer.byteLength(content),
        sign,
        signMethod: 'Sha256',
        url: `https://console.example/iot/v1/device/config/${row!.id}/${sign}`,
      },
    })
  })
})

describe('the shadow', () => {
  const nextReply = () =>
    client.next<{ payload: Record<string, unknown> }>(`/shadow/get/${devicePath}`)
  const sendShadow = async (message: unknown) => {
    await client.subscribe(`/shadow/get/${devicePath}`)
    await client.send(`/shadow/update/${devicePath}`, message)
    return (await nextReply()).payload
  }
  it.each([
    ['400', 'hello'],
    ['401', {}],
    ['402', { method: 'update' }],
    ['403', { method: 'update', state: { reported: { a: 1 } }, version: 'x' }],
    ['404', { method: 'update', state: {}, version: 1 }],
    ['405', { method: 'update', state: { reported: 5 }, version: 1 }],
    ['406', { method: 'dance' }],
  ])('answers %s', async (errorcode, message) =>
    expect(await sendShadow(message)).toMatchObject({ status: 'error', content: { errorcode } }),
  )
  it('is stored with increasing versions', async () => {
    const version = Date.now()
    const update = (reported: object, at: number) =>
      sendShadow({ method: 'update', state: { reported }, version: at })
    expect(await update({ color: 'red', mode: 1 }, version)).toEqual({ status: 'success', version })
    expect(await update({ color: 'blue' }, version)).toMatchObject({
      content: { errorcode: '409' },
    })
    expect(await update({ color: 'green' }, version + 1)).toMatchObject({ status: 'success' })
    expect(await sendShadow({ method: 'get' })).toMatchObject({
      status: 'success',
      state: { reported: { color: 'green', mode: 1 }, desired: {} },
      metadata: { reported: { color: { timestamp: expect.any(Number) } } },
      version: version + 1,
    })
    await sendShadow({
      method: 'delete',
      state: { reported: { mode: 'null' } },
      version: version + 2,
    })
    expect(await sendShadow({ method: 'get' })).toMatchObject({
      state: { reported: { color: 'green' } },
    })
    await sendShadow({ method: 'delete', state: { reported: 'null' }, version: version + 3 })
    expect(
      (
        await platform.db
          .select()
          .from(deviceShadow)
          .where(eq(deviceShadow.deviceId, directDevice.id))
      )[0],
    ).toMatchObject({ state: { reported: {}, desired: {} } })
  })
  it('is readable and writable by the SDK', async () => {
    const replies: Record<string, unknown>[] = []
    sdk.onShadow(({ payload }) => replies.push(payload))
    sdk.postShadow({ color: 'red' })
    await waitUntil(
      () => replies.length,
      (count) => count === 1,
    )
    sdk.getShadow()
    await waitUntil(
      () => replies.length,
      (count) => count === 2,
    )
    expect(replies).toMatchObject([
      { status: 'success' },
      { state: { reported: { color: 'red' } } },
    ])
  })
})

describe('the desired properties', () => {
  it('are read and cleared by the device', async () => {
    await platform.db
      .update(device)
      .set({ desired: { PowerSwitch: 1, Brightness: 30 } })
      .where(eq(device.id, directDevice.id))
    expect(await client.ask('thing/property/desired/get', ['Brightness', 'Nope'])).toMatchObject({
      code: 200,
      data: { Brightness: { value: 30, version: expect.any(Number) } },
    })
    expect(
      await client.ask(
        'thing/property/desired/get',
        Array.from({ length: 201 }, () => 'a'),
      ),
    ).toMatchObject({ code: 6104 })
    expect(
      await client.ask('thing/property/desired/delete', { Brightness: { version: 1 } }),
    ).toMatchObject({ code: 200 })
    expect((await readDeviceRow()).desired).toEqual({ PowerSwitch: 1 })
    expect(await client.ask('thing/property/desired/delete', {})).toMatchObject({ code: 460 })
  })
})

describe('the thing model', () => {
  it('is answered as TSL', async () => {
    const { code, data } = await client.ask('thing/dsltemplate/get', {})
    expect(code).toBe(200)
    expect(data).toMatchObject({
      profile: { productKey: 'pkDirect', deviceName: 'one' },
      properties: lampModel.properties,
      events: [{ identifier: 'post' }, { identifier: 'Error', method: 'thing.event.Error.post' }],
      services: [
        { identifier: 'set', method: 'thing.service.property.set' },
        { identifier: 'get' },
        { identifier: 'Identify', method: 'thing.service.Identify' },
      ],
    })
  })
})

describe('a batch post', () => {
  const eventTime = Date.now() - 60_000
  it('is stored in order, and wrong values are reported by name', async () => {
    expect(
      await client.ask('thing/event/property/batch/post', {
        properties: {
          PowerSwitch: [
            { value: 1, time: eventTime + 2 },
            { value: 0, time: eventTime + 1 },
          ],
          Nope: [{ value: 1, time: eventTime }],
        },
        events: { Error: [{ value: { code: 1 }, time: eventTime }], Unheard: [{ value: {} }] },
      }),
    ).toMatchObject({
      code: 200,
      data: { Nope: 'tsl parse: params not exist', Unheard: expect.stringContaining('tsl parse') },
    })
    expect((await readDeviceRow()).reported).toMatchObject({ PowerSwitch: 1 })
    expect(
      await platform.db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, directDevice.id)),
    ).toMatchObject([{ identifier: 'Error', time: new Date(eventTime).toISOString() }])
  })
  it.each([
    [460, 'batch/post', { properties: [] }],
    [6106, 'batch/post', { properties: { a: Array.from({ length: 201 }, () => ({ value: 1 })) } }],
    [6356, 'batch/post', { events: { Error: Array.from({ length: 201 }, () => ({ value: {} })) } }],
    [
      6357,
      'pack/post',
      {
        subDevices: Array.from({ length: 21 }, () => ({
          identity: { productKey: 'pkLamp', deviceName: 'lamp' },
        })),
      },
    ],
    [
      6401,
      'pack/post',
      { subDevices: [{ identity: { productKey: 'pkLamp', deviceName: 'lamp' } }] },
    ],
    [460, 'history/post', {}],
  ])('is answered with %i for a wrong %s', async (code, kind, params) =>
    expect(await client.ask(`thing/event/property/${kind}`, params)).toMatchObject({ code }),
  )
  it('is accepted for children that are signed in', async () => {
    const gateway = await connectAlinkDevice(platform.url, edge)
    const identity = { productKey: 'pkLamp', deviceName: 'lamp' }
    const postPack = () =>
      gateway.ask('thing/event/property/pack/post', {
        properties: {},
        subDevices: [
          {
            identity,
            properties: { Brightness: { value: 55, time: Date.now() }, Nope: { value: 1 } },
            events: { Error: { value: {}, time: eventTime } },
          },
        ],
      })
    expect(await postPack()).toMatchObject({ code: 520 })
    await gateway.ask('combine/login', signChild(lamp))
    expect(await postPack()).toMatchObject({
      code: 200,
      data: { Nope: 'tsl parse: params not exist' },
    })
    expect((await readDeviceRow(lamp)).reported).toEqual({ Brightness: 55 })
    expect(
      await gateway.ask('thing/event/property/history/post', [
        {
          identity,
          properties: [{ PowerSwitch: { value: 1, time: eventTime } }],
          events: [{ Error: { value: {}, time: eventTime } }],
        },
      ]),
    ).toMatchObject({ code: 200 })
    expect((await readDeviceRow(lamp)).reported).toEqual({ Brightness: 55, PowerSwitch: 1 })
    // A late value goes into the history and does not replace a newer one.
    await gateway.ask('thing/event/property/history/post', [
      { identity, properties: [{ Brightness: { value: 5, time: eventTime } }], events: [] },
    ])
    expect((await readDeviceRow(lamp)).reported).toMatchObject({ Brightness: 55 })
    expect(
      await platform.db
        .select()
        .from(propertyHistory)
        .where(
          and(
            eq(propertyHistory.deviceId, lamp.id),
            eq(propertyHistory.identifier, 'Brightness'),
            eq(propertyHistory.time, new Date(eventTime).toISOString()),
          ),
        ),
    ).toMatchObject([{ value: 5 }])
    expect(
      await platform.db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, lamp.id)),
    ).toHaveLength(2)
    await gateway.close()
  })
})

describe('a synchronous service call', () => {
  it('reaches the SDK and returns its answer', async () => {
    sdk.onService('Identify', (message, reply) =>
      reply({ id: message.id, code: 200, data: { seconds: message.params.seconds! } }, 'sync'),
    )
    expect(
      await platform.devices.commands.call(
        sdkDevice,
        'Identify',
        { seconds: 2 },
        { callType: 'sync' },
      ),
    ).toMatchObject({ code: 200, data: { seconds: 2 } })
  })
  it.each(['', '_reply'])(
    'uses the request topic of newer devices and the reply topic …%s',
    async (end) => {
      const { productKey, deviceName } = edge
      const extendedDevice = await connectAlinkDevice(platform.url, edge, {}, ',ext=1')
      const service = `/sys/${productKey}/${deviceName}/thing/service`
      await extendedDevice.subscribe(`/ext/rrpc/+${service}/+`)
      extendedDevice.client.on('message', (topic, payload) => {
        const { id, code } = JSON.parse(payload.toString()) as { id: string; code?: number }
        if (code === undefined)
          extendedDevice.client.publish(
            `${topic}${end}`,
            JSON.stringify({ id, code: 200, data: { a: 1 } }),
          )
      })
      expect(
        await platform.devices.commands.call(edge, 'Reboot', {}, { callType: 'sync' }),
      ).toMatchObject({ code: 200, data: { a: 1 } })
      await extendedDevice.close()
    },
  )
  it('times out without an answer', () =>
    expect(
      platform.devices.commands.call(
        directDevice,
        'Identify',
        {},
        { callType: 'sync', timeout: 50 },
      ),
    ).rejects.toThrow('设备没有应答'))
})

describe('a raw or custom message of a device', () => {
  const readMessages = async () => {
    await platform.devices.messages.flush()
    return platform.db
      .select()
      .from(deviceMessage)
      .where(and(isOfDevice(deviceMessage), like(deviceMessage.topic, '%/user/%')))
      .orderBy(deviceMessage.id)
  }
  it('is stored as its message', async () => {
    await platform.db.delete(deviceMessage)
    await client.client.publishAsync(`/${devicePath}/user/update`, '{"a":"你好"}', { qos: 1 })
    await client.client.publishAsync(`/${devicePath}/user/raw`, Buffer.from([0, 255, 1]), {
      qos: 1,
    })
    expect(await waitUntil(readMessages, (rows) => rows.length === 2)).toMatchObject([
      { direction: 'up', topic: `/${devicePath}/user/update`, payload: '{"a":"你好"}' },
      { topic: `/${devicePath}/user/raw`, payload: '0x00ff01' },
    ])
  })
  it('is kept in a ring of two hundred for one day', async () => {
    await platform.db.delete(deviceMessage)
    const { up } = platform.devices.messages.counts
    for (let n = 0; n < maxMessagesPerDirection + 5; n++)
      platform.devices.messages.record(
        directDevice,
        'up',
        `/${devicePath}/user/n`,
        Buffer.from(String(n)),
      )
    expect(platform.devices.messages.counts.up - up).toBeGreaterThanOrEqual(
      maxMessagesPerDirection + 5,
    )
    await platform.devices.messages.sweep()
    const ring = await readMessages()
    expect(ring).toHaveLength(maxMessagesPerDirection)
    expect(ring.at(-1)!.payload).toBe(String(maxMessagesPerDirection + 4))
    await platform.db.update(deviceMessage).set({ time: getPastTime(25 * hourMs) })
    await platform.devices.messages.sweep()
    expect(await readMessages()).toEqual([])
  })
})

describe('a device that is disabled, enabled or deleted', () => {
  it('is notified, and so is its gateway, which loses the child', async () => {
    const gateway = await connectAlinkDevice(platform.url, edge)
    const childTopic = '/sys/pkLamp/lamp/thing'
    await gateway.ask('combine/login', signChild(lamp))
    await gateway.subscribe(
      `${childTopic}/disable`,
      `${childTopic}/enable`,
      `${childTopic}/delete`,
      '/sys/pkEdge/edge/thing/topo/change',
      '/ext/error/pkEdge/edge',
    )
    const subList = [{ productKey: 'pkLamp', deviceName: 'lamp' }]
    await platform.devices.notify([lamp], 'disabled')
    expect(await gateway.next(`${childTopic}/disable`)).toMatchObject({ method: 'thing.disable' })
    expect(await gateway.next('/sys/pkEdge/edge/thing/topo/change')).toMatchObject({
      params: { status: 8, subList },
    })
    expect(await gateway.next('/ext/error/pkEdge/edge')).toMatchObject({
      code: 522,
      data: subList[0],
    })
    expect(await gateway.ask('combine/logout', subList[0])).toMatchObject({ code: 520 })
    await platform.devices.notify([lamp], 'enabled')
    expect(await gateway.next(`${childTopic}/enable`)).toMatchObject({ method: 'thing.enable' })
    await platform.devices.notify([lamp], 'deleted')
    expect(await gateway.next(`${childTopic}/delete`)).toMatchObject({ method: 'thing.delete' })
    await gateway.close()
  })
})

it('no message causes an error in the platform', () => expect(platform.errors).toEqual([]))
