import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes, type Client } from 'aedes'
import { and, eq } from 'drizzle-orm'
import { device } from '../../tables/device'
import {
  connectAlinkDevice,
  deviceRow,
  insertDevices,
  productRow,
  startTestDevices,
} from '../testing'
import { waitUntil } from '../../core/until'
import { buildConnectedTopic } from './presenceTopics'

const product = productRow('pkDirect', 'direct')
const row = deviceRow(product, 'one')
const getTopic = '/sys/pkDirect/one/thing/service/property/get'

/** The functions run in this order, even after a failed test. */
const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of cleanups) await close()
})

/** Starts an external broker that lets the platform in as soon as `admission` resolves. */
async function startBroker(port = 0, admission: Promise<unknown> = Promise.resolve()) {
  const broker = await Aedes.createBroker({
    authenticate: ({ id }: Client, _username, _password, callback) =>
      void (id.startsWith('platform-') ? admission : Promise.resolve()).then(
        () => callback(null, true),
        () => callback(null, false),
      ),
  })
  const server = createServer((socket) => void broker.handle(socket)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Publishes the presence event of a device as EMQX does. */
    tellOnline: () =>
      new Promise<void>((resolve, reject) =>
        broker.publish(
          {
            cmd: 'publish',
            qos: 0,
            dup: false,
            retain: false,
            topic: buildConnectedTopic('one'),
            payload: JSON.stringify({ username: 'one&pkDirect', connected_at: Date.now() }),
          },
          (error) => (error ? reject(error) : resolve()),
        ),
      ),
    async close() {
      await new Promise<void>((resolve) => broker.close(resolve))
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('values from before a broker outage stay stale until the device reports them again', async () => {
  const firstBroker = await startBroker()
  const url = `mqtt://127.0.0.1:${firstBroker.port}`
  const platform = await startTestDevices({ mqttUrl: url })
  cleanups.push(platform.close, firstBroker.close)
  await insertDevices(platform.db, [product], [row])
  const readDeviceRow = async () => {
    await platform.devices.states.flush()
    const isDevice = and(eq(device.projectId, 1), eq(device.id, row.id))
    return (await platform.db.select().from(device).where(isDevice))[0]!
  }
  await waitUntil(() => platform.devices.partitions.owns(product), Boolean)
  let deviceClient = await connectAlinkDevice(url, row)
  await firstBroker.tellOnline()
  await deviceClient.ask('thing/event/property/post', { Brightness: 10 })
  const { reportedAt } = await waitUntil(readDeviceRow, ({ state }) => state === 'online')

  await firstBroker.close()
  await waitUntil(
    () => platform.devices.broker(),
    (now) => now === 'away',
  )
  let admitPlatform = () => {}
  const secondBroker = await startBroker(
    firstBroker.port,
    new Promise<void>((resolve) => (admitPlatform = resolve)),
  )
  deviceClient = await connectAlinkDevice(url, row)
  await deviceClient.subscribe(getTopic)
  cleanups.push(deviceClient.close, secondBroker.close)
  admitPlatform()

  expect((await waitUntil(readDeviceRow, ({ stale }) => 'Brightness' in stale)).stale).toEqual(
    reportedAt,
  )
  const { id, params } = await deviceClient.next<{ id: string; params: string[] }>(getTopic)
  expect(params).toEqual(['Brightness'])
  await deviceClient.send(`${getTopic}_reply`, { id, code: 200, data: { Brightness: 33 } })
  expect(
    (await waitUntil(readDeviceRow, ({ reported }) => reported.Brightness === 33)).stale,
  ).toEqual({})
})
