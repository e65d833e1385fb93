import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import mqtt, { type IClientOptions } from 'mqtt'
import { connectionRefusal } from '../../tables/connectionRefusal'
import { device } from '../../tables/device'
import { connectOptions } from '../protocol/signature'
import { certificate, privateKey, renewedCertificate } from './testing.certificates'
import { deviceRow, insertDevices, productRow, startTestDevices } from '../testing'
import { waitUntil } from '../../core/until'
import { log } from '../../core/logging/log'

const runProcess = promisify(execFile)
const product = productRow('pkDirect', 'direct')
const firstDevice = deviceRow(product, 'one')
const secondDevice = deviceRow(product, 'two')
const flappingDevice = deviceRow(product, 'hasty')

let platform: Awaited<ReturnType<typeof startTestDevices>>
let folder: string
let paths: { certificate: string; key: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doors-'))
  paths = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
  await writeFile(paths.certificate, certificate)
  await writeFile(paths.key, privateKey)
  platform = await startTestDevices({
    mqttTlsPort: 0,
    mqttWsPort: 0,
    mqttWssPort: 0,
    mqttSecure: { ...paths, checkEvery: 50 },
    mqttConnectionsPerMinute: 15,
  })
  await insertDevices(platform.db, [product], [firstDevice, secondDevice, flappingDevice])
})
afterAll(async () => {
  await platform.close()
  await rm(folder, { recursive: true })
})
const getPort = (transport: 'tcp' | 'tls' | 'ws' | 'wss') => platform.devices.mqttPorts![transport]!
const readDeviceRow = async (row: typeof firstDevice) => {
  await platform.devices.states.flush()
  return (await platform.db.select().from(device).where(eq(device.id, row.id)))[0]!
}
/** Returns `in`, or the error of the client library. */
async function tryConnect(url: string, options: IClientOptions) {
  const client = mqtt.connect(url, { reconnectPeriod: 0, ...options })
  const result = await new Promise<'in' | (Error & { code?: number | string })>((resolve) => {
    client.on('connect', () => resolve('in'))
    client.on('error', resolve)
    client.on('close', () => resolve(new Error('closed without a word')))
  })
  await client.endAsync(true)
  return result
}

describe('a client of another protocol version', () => {
  const sendBytes = async (bytes: number[]) => {
    const socket: Socket = connect(getPort('tcp'), '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    // The bytes are sent one by one, because the server must parse any fragmentation.
    for (const byte of bytes) socket.write(Buffer.from([byte]))
    await once(socket, 'close')
    return [...Buffer.concat(chunks)]
  }
  const buildConnectPacket = (name: string, level: number) => [
    0x10,
    14 + name.length,
    0,
    name.length,
    ...Buffer.from(name),
    level,
    2,
    0,
    60,
    0,
    8,
    ...Buffer.from('clientid'),
  ]
  it('of MQTT 5 gets the MQTT 5 refusal code', async () =>
    expect(
      await tryConnect(platform.url, { ...connectOptions(firstDevice), protocolVersion: 5 }),
    ).toMatchObject({ code: 132, message: expect.stringMatching(/protocol version/i) }))
  it.each([
    ['MQTT 5', buildConnectPacket('MQTT', 5), [0x20, 3, 0, 0x84, 0]],
    ['MQTT 6', buildConnectPacket('MQTT', 6), [0x20, 2, 0, 1]],
    ['protocol level 3 with the name of level 4', buildConnectPacket('MQTT', 3), [0x20, 2, 0, 1]],
    ['another protocol', buildConnectPacket('AMQP', 4), [0x20, 2, 0, 1]],
    ['a long protocol name', buildConnectPacket('MQTTTTTT', 4), [0x20, 2, 0, 1]],
  ])('gets the refusal code of its version: %s', async (_, bytes, answer) =>
    expect(await sendBytes(bytes)).toEqual(answer),
  )
  it('is recorded with the name it claims, over TCP and over WebSocket', async () => {
    const options = { ...connectOptions(secondDevice), protocolVersion: 5 } as const
    const will = { topic: 'gone', payload: 'x', properties: { willDelayInterval: 1 } } as never
    await tryConnect(platform.url, { ...options, will, properties: { receiveMaximum: 9 } })
    await tryConnect(`ws://127.0.0.1:${getPort('ws')}/mqtt`, options)
    const readRefusals = () =>
      platform.devices.refusals.findNewest({ productKey: secondDevice.productKey }, 'all', 50)
    const rows = await waitUntil(readRefusals, (rows) =>
      rows.some(({ reason, count }) => reason === 'protocolVersion' && count === 2),
    )
    expect(rows.find(({ reason }) => reason === 'protocolVersion')).toMatchObject({
      deviceName: 'two',
      deviceId: secondDevice.id,
      address: '127.0.0.1',
      clientId: options.clientId,
    })
  })
  it('of MQTT 3.1 is accepted', async () =>
    expect(
      await tryConnect(platform.url, {
        ...connectOptions(firstDevice),
        protocolId: 'MQIsdp',
        protocolVersion: 3,
      }),
    ).toBe('in'))
})

describe('a keep-alive out of range', () => {
  it.each([0, 1201, 65535])('of %i s is refused with a code', async (keepalive) => {
    const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
    expect(
      await tryConnect(platform.url, { ...connectOptions(firstDevice), keepalive }),
    ).toMatchObject({
      code: 5,
    })
    warnSpy.mockRestore()
  })
})

describe('TLS and WebSocket', () => {
  it('refuse a device without valid credentials', async () => {
    for (const url of [
      `mqtts://127.0.0.1:${getPort('tls')}`,
      `ws://127.0.0.1:${getPort('ws')}/mqtt`,
      `wss://127.0.0.1:${getPort('wss')}/mqtt`,
    ])
      expect(
        await tryConnect(url, {
          ...connectOptions(firstDevice),
          password: 'wrong',
          ca: [certificate],
        }),
      ).toMatchObject({ code: 4 })
  })
  it('answer no other path or protocol', async () => {
    const response = await fetch(`http://127.0.0.1:${getPort('ws')}/`)
    expect(response.status).toBe(426)
    const socket = connectTls({ port: getPort('tls'), host: '127.0.0.1', ca: [certificate] })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.write('GET / HTTP/1.1\r\n\r\n')
    await once(socket, 'close')
  })
  it('record a failed TLS handshake', async () => {
    const socket = connect(getPort('tls'), '127.0.0.1').on('error', () => {})
    socket.end('not TLS')
    await once(socket, 'close')
    const countTlsRefusals = async () => {
      await platform.devices.refusals.flush()
      return platform.db.$count(connectionRefusal, eq(connectionRefusal.reason, 'tls'))
    }
    await waitUntil(countTlsRefusals, (count) => count === 1)
  })
  it('close a connection that sends nothing', async () => {
    // This platform has its own short timeout, so that the other tests may be slow on a busy machine.
    const impatientPlatform = await startTestDevices({
      mqttTlsPort: 0,
      mqttConnectTimeout: 2000,
      mqttSecure: { ...paths, checkEvery: 50 },
    })
    const socket = connect(impatientPlatform.devices.mqttPorts!.tls!, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'close')
    await impatientPlatform.close()
  })
  it('accept the unmodified SDK', async () => {
    // The SDK runs in its own process, because Node reads its trusted certificates at startup.
    const script = `
      const iot = require('alibabacloud-iot-device-sdk')
      const [brokerUrl, device] = process.argv.slice(1)
      const one = iot.device({ ...JSON.parse(device), brokerUrl })
      one.on('error', ([error]) => { console.log(error.message); process.exit(1) })
      one.on('connect', () => one.postProps({ PowerSwitch: 1 }, ({ code }) => { console.log(code); process.exit(0) }))`
    for (const url of [
      `mqtts://127.0.0.1:${getPort('tls')}`,
      `ws://127.0.0.1:${getPort('ws')}/mqtt`,
      `wss://127.0.0.1:${getPort('wss')}/mqtt`,
    ]) {
      const { stdout } = await runProcess(
        process.execPath,
        ['-e', script, url, JSON.stringify(secondDevice)],
        {
          cwd: join(__dirname, '../../..'),
          env: { ...process.env, NODE_EXTRA_CA_CERTS: paths.certificate },
        },
      )
      expect(stdout.trim()).toBe('200')
      expect((await readDeviceRow(secondDevice)).address).toContain('127.0.0.1')
    }
  })
  it('serve a renewed certificate without a restart', async () => {
    const readCommonName = async () => {
      const socket = connectTls({
        port: getPort('tls'),
        host: '127.0.0.1',
        rejectUnauthorized: false,
      })
      await once(socket, 'secureConnect')
      const { subject } = socket.getPeerCertificate()
      socket.destroy()
      return subject.CN
    }
    expect(await readCommonName()).toBe('localhost')
    await writeFile(`${paths.certificate}.new`, renewedCertificate)
    await rename(`${paths.certificate}.new`, paths.certificate)
    expect(await waitUntil(readCommonName, (name) => name === 'renewed')).toBe('renewed')
  })
})

describe('a device that connects too often', () => {
  it('is throttled and shown in the console', async () => {
    const warnSpy = jest.spyOn(log, 'warn').mockImplementation(() => {})
    const results = []
    for (let n = 0; n < 17; n++)
      results.push(await tryConnect(platform.url, connectOptions(flappingDevice)))
    expect(results.slice(0, 15)).toEqual(Array(15).fill('in'))
    expect(results.slice(15)).toMatchObject([{ code: 3 }, { code: 3 }])
    const { slowedUntil } = await readDeviceRow(flappingDevice)
    expect(Date.parse(slowedUntil!)).toBeGreaterThan(Date.now() + 4 * 60_000)
    expect(warnSpy).toHaveBeenCalledTimes(1)
    expect(
      await platform.devices.refusals.findNewest({ deviceId: flappingDevice.id }, 'all'),
    ).toMatchObject([{ reason: 'slowed', count: 2 }])
    // Other devices are not throttled.
    expect(await tryConnect(platform.url, connectOptions(secondDevice))).toBe('in')
    warnSpy.mockRestore()
  })
})
