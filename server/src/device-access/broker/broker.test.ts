import { once, type EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { and, eq } from 'drizzle-orm'
import mqtt, { type MqttClient } from 'mqtt'
import { device } from '../../tables/device'
import { connectionRefusal } from '../../tables/connectionRefusal'
import { connectOptions } from '../protocol/signature'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  startTestDevices,
  type DeviceRow,
} from '../testing'
import { waitUntil } from '../../core/until'
import { log } from '../../core/logging/log'

const products = {
  direct: productRow('pkDirect', 'direct'),
}
const [firstDevice, otherDevice] = [
  deviceRow(products.direct, 'one'),
  deviceRow(products.direct, 'other'),
]
const disabledDevice = deviceRow(products.direct, 'off', { state: 'disabled' })

let platform: Awaited<ReturnType<typeof startTestDevices>>
const clients: MqttClient[] = []
const sockets: Socket[] = []

beforeAll(async () => {
  platform = await startTestDevices({
    mqttLimits: { packet: 2000, firstPacket: 500, connectionsPerAddress: 12, unread: 50_000 },
  })
  await insertDevices(platform.db, Object.values(products), [
    firstDevice,
    otherDevice,
    disabledDevice,
  ])
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)))
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => platform.close())

const openClient = (options: object) => {
  const client = mqtt.connect(platform.url, { reconnectPeriod: 0, ...options })
  client.on('error', () => {})
  clients.push(client)
  return client
}
const connectDevice = async (row: DeviceRow, options: object = connectOptions(row)) => {
  const client = openClient(options)
  const earlyClose = waitForEvent(client, 'close').then(() => Promise.reject(new Error('refused')))
  await Promise.race([waitForEvent(client, 'connect'), earlyClose])
  return client
}
const getRefusalCode = async (options: object) => {
  const client = openClient(options)
  const [error] = (await waitForEvent(client, 'error')) as [Error & { code: number }]
  return error.code
}
/** mqtt.js types its events differently from `EventEmitter`. */
const waitForEvent = (client: MqttClient, event: string) =>
  once(client as unknown as EventEmitter, event)
const readDeviceRow = async (row: DeviceRow) => {
  await platform.devices.states.flush()
  return (
    await platform.db
      .select()
      .from(device)
      .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
  )[0]!
}
const openRawSocket = async (target = platform) => {
  const socket = connect(target.devices.mqttPort!, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}
const waitForMessage = (client: MqttClient, topic: string) =>
  new Promise<Record<string, unknown>>((resolve) =>
    client.on(
      'message',
      (receivedTopic, payload) =>
        receivedTopic === topic &&
        resolve(JSON.parse(payload.toString()) as Record<string, unknown>),
    ),
  )

async function clearRefusals() {
  await platform.devices.refusals.flush()
  await platform.db.delete(connectionRefusal)
}

/** Resolves when all earlier messages of the client have been handled, because messages keep their order. */
async function waitForReply(client: MqttClient, row: DeviceRow) {
  const topic = `/sys/${row.productKey}/${row.deviceName}/thing/event/property/post`
  await client.subscribeAsync(`${topic}_reply`)
  const reply = waitForMessage(client, `${topic}_reply`)
  client.publish(topic, JSON.stringify({ id: '1', version: '1.0', params: {} }))
  await reply
}

describe('authentication at the broker', () => {
  it.each([
    ['no credentials', {}],
    ['a wrong signature', { ...connectOptions({ ...firstDevice, deviceSecret: 'wrong' }) }],
    ['an unknown device', { ...connectOptions({ ...firstDevice, deviceName: 'nobody' }) }],
    ['a disabled device', { ...connectOptions(disabledDevice) }],
    [
      'the username of the platform itself',
      { clientId: 'x', username: '$platform', password: 'guess' },
    ],
  ])('refuses %s', async (_, options) => expect(await getRefusalCode(options)).toBe(4))
  it('records each refusal with its reason, identical ones as one row', async () => {
    const wrongMethod = connectOptions(firstDevice)
    await getRefusalCode({
      ...wrongMethod,
      clientId: wrongMethod.clientId.replace('hmacsha256', 'md4'),
    })
    await getRefusalCode({ clientId: 'plain', username: 'lost&a1b2', password: 'x' })
    await getRefusalCode(connectOptions({ ...firstDevice, productKey: 'nowhere' }))
    await getRefusalCode(connectOptions({ ...firstDevice, deviceName: 'nobody' }))
    await platform.devices.refusals.flush()
    const rows = await platform.db.select().from(connectionRefusal)
    const find = (reason: string, deviceName: string) =>
      rows.find((row) => row.reason === reason && row.deviceName === deviceName)
    expect(find('wrongSecret', firstDevice.deviceName)).toMatchObject({
      productKey: firstDevice.productKey,
      address: '127.0.0.1',
      deviceId: expect.any(String),
    })
    expect(find('unknownDevice', 'nobody')).toMatchObject({ count: 2, deviceId: null })
    expect(find('disabled', disabledDevice.deviceName)).toBeDefined()
    expect(find('wrongSignMethod', firstDevice.deviceName)).toBeDefined()
    expect(find('wrongFormat', 'lost')).toMatchObject({ productKey: 'a1b2', clientId: 'plain' })
    expect(find('unknownProduct', firstDevice.deviceName)).toMatchObject({ productKey: 'nowhere' })
    expect(JSON.stringify(rows)).not.toContain(wrongMethod.password)
  })
  it('answers "server unavailable" while the database is away', async () => {
    const admitsSpy = jest
      .spyOn(platform.devices.authority, 'admits')
      .mockRejectedValueOnce(new Error('away'))
    expect(await getRefusalCode(connectOptions(firstDevice))).toBe(3)
    admitsSpy.mockRestore()
  })

  it('refuses a device without keep-alive', async () =>
    expect(await getRefusalCode({ ...connectOptions(firstDevice), keepalive: 0 })).toBe(5))

  it('closes a connection that sends nothing', async () => {
    // This platform has its own short timeout, so that the other tests may be slow on a busy machine.
    const impatientPlatform = await startTestDevices({ mqttConnectTimeout: 2000 })
    await once(await openRawSocket(impatientPlatform), 'close')
    await impatientPlatform.close()
  })
  it.each([
    ['a first packet that claims to be large', [0x10, 0xff, 0xff, 0xff, 0x7f]],
    ['an endless length', [0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('closes the connection at once after %s, and the broker continues', async (_, bytes) => {
    const silentSocket = await openRawSocket()
    const socket = await openRawSocket()
    socket.write(Buffer.from(bytes))
    await once(socket, 'close')
    // The connection was not closed for a missing first packet, because that timeout is longer.
    expect(silentSocket.destroyed).toBe(false)
    await connectDevice(firstDevice)
  })
  it.each([
    ['tlsOnPlainPort', 'a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex')],
    ['notMqtt', 'an HTTP request', Buffer.from('GET /mqtt HTTP/1.1\r\n\r\n')],
    ['notMqtt', 'another MQTT packet', Buffer.from([0xc0, 0x00])],
    [
      'connectTooLarge',
      'an endless length',
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
    ],
  ])('records "%s" for %s as the first packet', async (reason, _, bytes) => {
    await clearRefusals()
    const socket = await openRawSocket()
    socket.write(bytes)
    await once(socket, 'close')
    await platform.devices.refusals.flush()
    expect(await platform.db.select().from(connectionRefusal)).toMatchObject([
      { reason, count: 1, address: '127.0.0.1', deviceName: '' },
    ])
  })
  it('records which client sent a connect packet that is too large', async () => {
    await clearRefusals()
    const message = 'x'.repeat(900)
    const options = connectOptions(firstDevice)
    const will = { topic: 'a', payload: Buffer.from(message), qos: 0 as const, retain: false }
    await waitForEvent(openClient({ ...options, will }), 'close')
    await platform.devices.refusals.flush()
    expect(await platform.db.select().from(connectionRefusal)).toMatchObject([
      { reason: 'connectTooLarge', clientId: options.clientId, deviceId: firstDevice.id },
    ])
  })
  it('closes on a packet over the size limit without waiting for the rest', async () => {
    const client = await connectDevice(firstDevice)
    client.publish('/sys/pkDirect/one/thing/event/property/post', 'x'.repeat(3000))
    await waitForEvent(client, 'close')
  })
  it('limits the connections per address', async () => {
    const openedSockets = await Promise.all(Array.from({ length: 14 }, () => openRawSocket()))
    const countClosedSockets = () => openedSockets.filter((socket) => socket.destroyed).length
    // Twelve connections are allowed, and the platform itself is one of them.
    expect(await waitUntil(countClosedSockets, (count) => count > 2)).toBe(3)
    for (const socket of openedSockets) socket.destroy()
    const readRefusals = () =>
      platform.db
        .select()
        .from(connectionRefusal)
        .where(eq(connectionRefusal.reason, 'tooManyConnections'))
    await platform.devices.refusals.flush()
    expect(await waitUntil(readRefusals, (rows) => rows.length > 0)).toMatchObject([
      { count: 3, address: '127.0.0.1', deviceName: '' },
    ])
    // New connections are accepted again after the others have closed.
    const canConnect = () =>
      connectDevice(firstDevice).then(
        () => true,
        () => false,
      )
    await waitUntil(canConnect, (isConnected) => isConnected)
  })
})

describe('the topics of a device', () => {
  it.each([
    '/sys/pkDirect/other/thing/event/property/post',
    '/sys/pkLamp/a/thing/event/property/post',
    '$SYS/brokers/embedded/clients/pkDirect&other/disconnected',
  ])('exclude publishing to %s', async (topic) => {
    const client = await connectDevice(firstDevice)
    client.publish(topic, '{}')
    await waitForEvent(client, 'close')
  })
  it.each(['#', '/sys/#', '/sys/pkDirect/+/thing/service/property/set', '$SYS/#'])(
    'exclude subscribing to %s',
    async (topic) => {
      const client = await connectDevice(firstDevice)
      await expect(client.subscribeAsync(topic)).rejects.toThrow()
    },
  )
})

describe('a connection', () => {
  it('sets a device online, and its end sets it offline', async () => {
    const client = await connectDevice(otherDevice)
    await waitUntil(
      () => readDeviceRow(otherDevice),
      (row) => row.state === 'online' && row.address.includes('127.0.0.1'),
    )
    await client.endAsync(true)
    await waitUntil(
      () => readDeviceRow(otherDevice),
      (row) => row.state === 'offline',
    )
  })
  it('is replaced by a second one of the same device, which stays online', async () => {
    const firstClient = await connectDevice(otherDevice)
    const firstClientClosed = waitForEvent(firstClient, 'close')
    const secondClient = await connectDevice(otherDevice)
    await firstClientClosed
    await waitForReply(secondClient, otherDevice)
    expect((await readDeviceRow(otherDevice)).state).toBe('online')
    expect(secondClient.connected).toBe(true)
  })
  it('delivers the last will before the device goes offline', async () => {
    const will = {
      topic: '/sys/pkDirect/other/thing/event/property/post',
      payload: Buffer.from(JSON.stringify({ id: '1', params: { Brightness: 7 } })),
      qos: 1 as const,
      retain: true,
    }
    const client = await connectDevice(otherDevice, { ...connectOptions(otherDevice), will })
    client.stream.destroy()
    await waitUntil(
      () => readDeviceRow(otherDevice),
      (row) => row.state === 'offline' && row.reported.Brightness === 7,
    )
    // A will on a foreign topic is dropped.
    const topic = '/sys/pkDirect/one/thing/event/property/post'
    const foreignWillClient = await connectDevice(otherDevice, {
      ...connectOptions(otherDevice),
      will: { ...will, topic },
    })
    foreignWillClient.stream.destroy()
    await waitForReply(await connectDevice(otherDevice), otherDevice)
    expect((await readDeviceRow(firstDevice)).reported.Brightness).not.toBe(7)
  })
  it('of a device that does not read blocks no other and is closed', async () => {
    const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
    const [topic, payload] = ['/pkDirect/one/heard-by-itself', 'x'.repeat(1900)]
    const slowClient = await connectDevice(firstDevice)
    await slowClient.subscribeAsync(topic)
    slowClient.stream.unpipe()
    slowClient.stream.pause()
    const slowClientClosed = new Promise<void>((resolve) => slowClient.on('close', () => resolve()))
    // These are more messages than the buffers of both sockets hold.
    for (let n = 0; n < 10_000 && slowClient.connected; n++) {
      slowClient.publish(topic, payload)
      if (n % 100 === 0) await new Promise(setImmediate)
    }
    await waitForReply(await connectDevice(otherDevice), otherDevice)
    slowClient.stream.resume()
    await slowClientClosed
    expect(warnSpy.mock.calls.join()).toContain('pkDirect&one 的连接收取过慢，已断开')
    warnSpy.mockRestore()
  })
  it('does not deliver commands issued before it was opened', async () => {
    const topic = '/sys/pkDirect/other/thing/service/property/set'
    const options = { ...connectOptions(otherDevice), clean: false }
    const firstClient = await connectDevice(otherDevice, options)
    await firstClient.subscribeAsync(topic, { qos: 1 })
    await firstClient.endAsync(true)
    await waitUntil(
      () => readDeviceRow(otherDevice),
      (row) => row.state === 'offline',
    )
    platform.devices.commands.set(
      otherDevice,
      { PowerSwitch: 1 },
      () => {},
      () => {},
    )
    const receivedTopics: string[] = []
    const secondClient = await connectDevice(otherDevice, options)
    secondClient.on(
      'message',
      (receivedTopic) => receivedTopic === topic && receivedTopics.push(receivedTopic),
    )
    await secondClient.subscribeAsync(topic, { qos: 1 })
    await waitForReply(secondClient, otherDevice)
    expect(receivedTopics).toEqual([])
  })
})

describe('a message of a device', () => {
  const post = '/sys/pkDirect/one/thing/event/property/post'
  it.each([
    ['text', 'hello'],
    ['half of JSON', '{"id":"1"'],
    ['an array', '[]'],
    ['no id', '{"params":{}}'],
    ['nothing', ''],
    ['null', 'null'],
    ['no parameters', '{"id":"1"}'],
    ['a list of parameters', '{"id":"2","params":[1]}'],
    ['deep nesting', '['.repeat(900)],
  ])('is answered with 460 when it is %s', async (_, payload) => {
    const client = await connectDevice(firstDevice)
    const reply = waitForMessage(client, `${post}_reply`)
    await client.subscribeAsync(`${post}_reply`)
    client.publish(post, payload)
    expect(await reply).toMatchObject({ code: 460 })
  })
  it('in GBK is answered with 460 and its id, and nothing of it is stored', async () => {
    const client = await connectDevice(firstDevice)
    const reply = waitForMessage(client, `${post}_reply`)
    await client.subscribeAsync(`${post}_reply`)
    const inGbk = Buffer.concat([
      Buffer.from('{"id":"77","params":{"note":"'),
      // The bytes are 大堂 in GBK.
      Buffer.from([0xb4, 0xf3, 0xcc, 0xc3]),
      Buffer.from('"}}'),
    ])
    client.publish(post, inGbk)
    expect(await reply).toMatchObject({
      id: '77',
      code: 460,
      message: 'request parameter error -> payload is not UTF-8',
    })
  })
  it('is processed once when it arrives twice', async () => {
    const client = await connectDevice(firstDevice)
    const event = '/sys/pkDirect/one/thing/event/Error/post'
    const replies: string[] = []
    client.on('message', (_, payload) => replies.push(payload.toString()))
    await client.subscribeAsync(`${event}_reply`)
    for (let n = 0; n < 3; n++)
      client.publish(event, JSON.stringify({ id: '77', version: '1.0', params: { code: 1 } }), {
        qos: 1,
      })
    await waitUntil(
      () => replies.length,
      (count) => count === 3,
    )
    const { deviceEvent } = await import('../../tables/device')
    expect(
      await platform.db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, firstDevice.id)),
    ).toHaveLength(1)
  })
  it('is processed on its second delivery when the first could not be stored', async () => {
    const client = await connectAlinkDevice(platform.url, otherDevice)
    const topic = '/sys/pkDirect/other/thing/event/Error/post'
    await client.subscribe(`${topic}_reply`)
    const transaction = jest.spyOn(platform.db, 'transaction').mockRejectedValue(new Error('away'))
    const event = { id: '5', params: { code: 5 } }
    await client.send(topic, event)
    expect(await client.next(`${topic}_reply`)).toMatchObject({ code: 500 })
    expect(platform.errors.splice(0)).toMatchObject([{ message: 'away' }])
    transaction.mockRestore()
    await client.send(topic, event)
    expect(await client.next(`${topic}_reply`)).toMatchObject({ code: 200 })
    await client.close()
  })
  it('about the topology is refused for a device that is no gateway', async () => {
    const client = await connectDevice(firstDevice)
    const topic = '/sys/pkDirect/one/thing/topo/add'
    const reply = waitForMessage(client, `${topic}_reply`)
    await client.subscribeAsync(`${topic}_reply`)
    client.publish(topic, JSON.stringify({ id: '1', params: [] }))
    expect(await reply).toMatchObject({ code: 460 })
  })
  it('causes no error in the platform', () => expect(platform.errors).toEqual([]))
})
