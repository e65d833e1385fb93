import { once, type EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { and, eq } from 'drizzle-orm'
import mqtt, { type MqttClient } from 'mqtt'
import { device } from '../tables/device'
import { connectionRefusal } from '../tables/connectionRefusal'
import { connectOptions } from './signature'
import {
  alinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  testDevices,
  until,
  type DeviceRow,
} from './testing'

const products = {
  direct: productRow('pkDirect', 'direct'),
}
const [one, other] = [deviceRow(products.direct, 'one'), deviceRow(products.direct, 'other')]
const off = deviceRow(products.direct, 'off', { state: 'disabled' })

let platform: Awaited<ReturnType<typeof testDevices>>
const clients: MqttClient[] = []
const sockets: Socket[] = []

beforeAll(async () => {
  platform = await testDevices({
    mqttLimits: { packet: 2000, firstPacket: 500, connectionsPerAddress: 12, unread: 50_000 },
  })
  await insertDevices(platform.db, Object.values(products), [one, other, off])
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)))
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => platform.close())

const open = (options: object) => {
  const client = mqtt.connect(platform.url, { reconnectPeriod: 0, ...options })
  client.on('error', () => {})
  clients.push(client)
  return client
}
const device1 = async (row: DeviceRow, options: object = connectOptions(row)) => {
  const client = open(options)
  const refused = next(client, 'close').then(() => Promise.reject(new Error('refused')))
  await Promise.race([next(client, 'connect'), refused])
  return client
}
const refusal = async (options: object) => {
  const client = open(options)
  const [error] = (await next(client, 'error')) as [Error & { code: number }]
  return error.code
}
/** mqtt.js types its events differently from `EventEmitter`. */
const next = (client: MqttClient, event: string) => once(client as unknown as EventEmitter, event)
const stateOf = async (row: DeviceRow) => {
  await platform.devices.states.flush()
  return (
    await platform.db
      .select()
      .from(device)
      .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
  )[0]!
}
const raw = async (of = platform) => {
  const socket = connect(of.devices.mqttPort!, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}
const published = (client: MqttClient, topic: string) =>
  new Promise<Record<string, unknown>>((resolve) =>
    client.on(
      'message',
      (at, payload) =>
        at === topic && resolve(JSON.parse(payload.toString()) as Record<string, unknown>),
    ),
  )

/** Resolves when all earlier messages of the client have been handled, because messages keep their order. */
async function answered(client: MqttClient, row: DeviceRow) {
  const topic = `/sys/${row.productKey}/${row.deviceName}/thing/event/property/post`
  await client.subscribeAsync(`${topic}_reply`)
  const reply = published(client, `${topic}_reply`)
  client.publish(topic, JSON.stringify({ id: '1', version: '1.0', params: {} }))
  await reply
}

describe('the door of the broker', () => {
  it.each([
    ['no credentials', {}],
    ['a wrong signature', { ...connectOptions({ ...one, deviceSecret: 'wrong' }) }],
    ['an unknown device', { ...connectOptions({ ...one, deviceName: 'nobody' }) }],
    ['a disabled device', { ...connectOptions(off) }],
    ["the platform's own name", { clientId: 'x', username: '$platform', password: 'guess' }],
  ])('is closed to %s', async (_, options) => expect(await refusal(options)).toBe(4))
  it('leaves a trace of each with its reason, once for those alike', async () => {
    const wrongMethod = connectOptions(one)
    await refusal({ ...wrongMethod, clientId: wrongMethod.clientId.replace('hmacsha256', 'md4') })
    await refusal({ clientId: 'plain', username: 'lost&a1b2', password: 'x' })
    await refusal(connectOptions({ ...one, productKey: 'nowhere' }))
    await refusal(connectOptions({ ...one, deviceName: 'nobody' }))
    await platform.devices.refusals.flush()
    const rows = await platform.db.select().from(connectionRefusal)
    const find = (reason: string, deviceName: string) =>
      rows.find((row) => row.reason === reason && row.deviceName === deviceName)
    expect(find('wrongSecret', one.deviceName)).toMatchObject({
      productKey: one.productKey,
      address: '127.0.0.1',
      deviceId: expect.any(String),
    })
    expect(find('unknownDevice', 'nobody')).toMatchObject({ count: 2, deviceId: null })
    expect(find('disabled', off.deviceName)).toBeDefined()
    expect(find('wrongSignMethod', one.deviceName)).toBeDefined()
    expect(find('wrongFormat', 'lost')).toMatchObject({ productKey: 'a1b2', clientId: 'plain' })
    expect(find('unknownProduct', one.deviceName)).toMatchObject({ productKey: 'nowhere' })
    expect(JSON.stringify(rows)).not.toContain(wrongMethod.password)
  })
  it('says that it is the platform that cannot, while the database is away', async () => {
    const asked = jest
      .spyOn(platform.devices.authority, 'admits')
      .mockRejectedValueOnce(new Error('away'))
    expect(await refusal(connectOptions(one))).toBe(3)
    asked.mockRestore()
  })

  it('is closed to a device without keep-alive', async () =>
    expect(await refusal({ ...connectOptions(one), keepalive: 0 })).toBe(5))

  it('is closed to who says nothing', async () => {
    // This platform has its own short timeout, so that the other tests may be slow on a busy machine.
    const hasty = await testDevices({ mqttConnectTimeout: 2000 })
    await once(await raw(hasty), 'close')
    await hasty.close()
  })
  it.each([
    ['a first packet that claims to be large', [0x10, 0xff, 0xff, 0xff, 0x7f]],
    ['an endless length', [0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('is closed at once to %s, and the broker lives on', async (_, bytes) => {
    const silent = await raw()
    const socket = await raw()
    socket.write(Buffer.from(bytes))
    await once(socket, 'close')
    // The connection was not closed for a missing first packet, because that timeout is longer.
    expect(silent.destroyed).toBe(false)
    await device1(one)
  })
  it('closes on a packet over the limit, whose rest it does not wait for', async () => {
    const client = await device1(one)
    client.publish('/sys/pkDirect/one/thing/event/property/post', 'x'.repeat(3000))
    await next(client, 'close')
  })
  it('lets an address open so many connections', async () => {
    const opened = await Promise.all(Array.from({ length: 14 }, () => raw()))
    const closed = () => opened.filter((socket) => socket.destroyed).length
    // Twelve connections are allowed, and the platform itself is one of them.
    expect(await until(closed, (count) => count > 2)).toBe(3)
    for (const socket of opened) socket.destroy()
    const traces = () =>
      platform.db
        .select()
        .from(connectionRefusal)
        .where(eq(connectionRefusal.reason, 'tooManyConnections'))
    await platform.devices.refusals.flush()
    expect(await until(traces, (rows) => rows.length > 0)).toMatchObject([
      { count: 3, address: '127.0.0.1', deviceName: '' },
    ])
    // New connections are accepted again after the others have closed.
    const isLetIn = () =>
      device1(one).then(
        () => true,
        () => false,
      )
    await until(isLetIn, (letIn) => letIn)
  })
})

describe('the topics of a device', () => {
  it.each([
    '/sys/pkDirect/other/thing/event/property/post',
    '/sys/pkLamp/a/thing/event/property/post',
    '$SYS/brokers/embedded/clients/pkDirect&other/disconnected',
  ])('exclude publishing to %s', async (topic) => {
    const client = await device1(one)
    client.publish(topic, '{}')
    await next(client, 'close')
  })
  it.each(['#', '/sys/#', '/sys/pkDirect/+/thing/service/property/set', '$SYS/#'])(
    'exclude hearing %s',
    async (topic) => {
      const client = await device1(one)
      await expect(client.subscribeAsync(topic)).rejects.toThrow()
    },
  )
})

describe('a connection', () => {
  it('makes a device online, its end offline', async () => {
    const client = await device1(other)
    await until(
      () => stateOf(other),
      (row) => row.state === 'online' && row.address.includes('127.0.0.1'),
    )
    await client.endAsync(true)
    await until(
      () => stateOf(other),
      (row) => row.state === 'offline',
    )
  })
  it('is replaced by a second one of the same device, which stays online', async () => {
    const first = await device1(other)
    const gone = next(first, 'close')
    const second = await device1(other)
    await gone
    await answered(second, other)
    expect((await stateOf(other)).state).toBe('online')
    expect(second.connected).toBe(true)
  })
  it('says its last will before it is gone', async () => {
    const will = {
      topic: '/sys/pkDirect/other/thing/event/property/post',
      payload: Buffer.from(JSON.stringify({ id: '1', params: { Brightness: 7 } })),
      qos: 1 as const,
      retain: true,
    }
    const client = await device1(other, { ...connectOptions(other), will })
    client.stream.destroy()
    await until(
      () => stateOf(other),
      (row) => row.state === 'offline' && row.reported.Brightness === 7,
    )
    // A will on a foreign topic is dropped.
    const topic = '/sys/pkDirect/one/thing/event/property/post'
    const foreign = await device1(other, { ...connectOptions(other), will: { ...will, topic } })
    foreign.stream.destroy()
    await answered(await device1(other), other)
    expect((await stateOf(one)).reported.Brightness).not.toBe(7)
  })
  it('whose device does not read holds up nobody, and is closed', async () => {
    const said = jest.spyOn(console, 'warn').mockImplementation(() => {})
    const [topic, payload] = ['/pkDirect/one/heard-by-itself', 'x'.repeat(1900)]
    const deaf = await device1(one)
    await deaf.subscribeAsync(topic)
    deaf.stream.unpipe()
    deaf.stream.pause()
    const closed = new Promise<void>((resolve) => deaf.on('close', () => resolve()))
    // These are more messages than the buffers of both sockets hold.
    for (let n = 0; n < 10_000 && deaf.connected; n++) {
      deaf.publish(topic, payload)
      if (n % 100 === 0) await new Promise(setImmediate)
    }
    await answered(await device1(other), other)
    deaf.stream.resume()
    await closed
    expect(said.mock.calls.join()).toContain('pkDirect&one 的连接收取过慢，已断开')
    said.mockRestore()
  })
  it('hands over no command of the time before', async () => {
    const topic = '/sys/pkDirect/other/thing/service/property/set'
    const options = { ...connectOptions(other), clean: false }
    const first = await device1(other, options)
    await first.subscribeAsync(topic, { qos: 1 })
    await first.endAsync(true)
    await until(
      () => stateOf(other),
      (row) => row.state === 'offline',
    )
    platform.devices.commands.set(
      other,
      { PowerSwitch: 1 },
      () => {},
      () => {},
    )
    const heard: string[] = []
    const second = await device1(other, options)
    second.on('message', (at) => at === topic && heard.push(at))
    await second.subscribeAsync(topic, { qos: 1 })
    await answered(second, other)
    expect(heard).toEqual([])
  })
})

describe('what a device sends', () => {
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
    const client = await device1(one)
    const reply = published(client, `${post}_reply`)
    await client.subscribeAsync(`${post}_reply`)
    client.publish(post, payload)
    expect(await reply).toMatchObject({ code: 460 })
  })
  it('is answered with 460 and its id when it is in GBK, and nothing of it is stored', async () => {
    const client = await device1(one)
    const reply = published(client, `${post}_reply`)
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
  it('is worked on once when it comes twice', async () => {
    const client = await device1(one)
    const event = '/sys/pkDirect/one/thing/event/Error/post'
    const replies: string[] = []
    client.on('message', (_, payload) => replies.push(payload.toString()))
    await client.subscribeAsync(`${event}_reply`)
    for (let n = 0; n < 3; n++)
      client.publish(event, JSON.stringify({ id: '77', version: '1.0', params: { code: 1 } }), {
        qos: 1,
      })
    await until(
      () => replies.length,
      (count) => count === 3,
    )
    const { deviceEvent } = await import('../tables/device')
    expect(
      await platform.db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, one.id)),
    ).toHaveLength(1)
  })
  it('counts when it comes again because it could not be kept', async () => {
    const client = await alinkDevice(platform.url, other)
    const topic = '/sys/pkDirect/other/thing/event/Error/post'
    await client.subscribe(`${topic}_reply`)
    const insert = jest.spyOn(platform.db, 'insert').mockImplementation(() => {
      throw new Error('away')
    })
    const event = { id: '5', params: { code: 5 } }
    await client.say(topic, event)
    expect(await client.next(`${topic}_reply`)).toMatchObject({ code: 500 })
    expect(platform.errors.splice(0)).toMatchObject([{ message: 'away' }])
    insert.mockRestore()
    await client.say(topic, event)
    expect(await client.next(`${topic}_reply`)).toMatchObject({ code: 200 })
    await client.close()
  })
  it('about a topology is refused to who is no gateway', async () => {
    const client = await device1(one)
    const topic = '/sys/pkDirect/one/thing/topo/add'
    const reply = published(client, `${topic}_reply`)
    await client.subscribeAsync(`${topic}_reply`)
    client.publish(topic, JSON.stringify({ id: '1', params: [] }))
    expect(await reply).toMatchObject({ code: 460 })
  })
  it('never made the platform stumble', () => expect(platform.errors).toEqual([]))
})
