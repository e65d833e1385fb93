import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Aedes, type Client } from 'aedes'
import mqtt from 'mqtt'
import { eq, sql } from 'drizzle-orm'
import { openDatabase } from '../../core/db/openDatabase'
import { createLeases } from '../../core/lease/leases'
import { log } from '../../core/logging/log'
import { waitUntil } from '../../core/until'
import { device } from '../../tables/device'
import { ingestPartition } from '../../tables/ingest'
import { createTestDatabase } from '../../testing.database'
import { startDeviceAccess, type DeviceAccess } from '../deviceAccess'
import { connectAlinkDevice, deviceRow, insertDevices, productRow } from '../testing'

const product = productRow('pkDirect', 'direct')
const row = deviceRow(product, 'one')

let database: Awaited<ReturnType<typeof openDatabase>>
let broker: Aedes
/** Subscriptions of ingest clients on these ports are refused. */
const refusedPorts = new Set<number>()
let refusedCount = 0

beforeAll(async () => {
  jest.spyOn(log, 'error').mockImplementation()
  jest.spyOn(log, 'warn').mockImplementation()
  database = await openDatabase(await createTestDatabase())
  await insertDevices(database.db, [product], [row])
  broker = await Aedes.createBroker({
    authorizeSubscribe({ id, conn }: Client, subscription, callback) {
      const isRefused =
        id.startsWith('platform-ingest-') && refusedPorts.has((conn as Socket).localPort!)
      if (isRefused) refusedCount++
      callback(null, isRefused ? null : subscription)
    },
  })
})
/** The functions run in reverse order, even after a failed test. */
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
  refusedPorts.clear()
  refusedCount = 0
})
afterAll(async () => {
  await new Promise<void>((resolve) => broker.close(resolve))
  await database.close()
})

/** Opens a port of the broker, so that the test can tell the processes apart. */
async function listen() {
  const server = createServer((socket) => void broker.handle(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return (server.address() as AddressInfo).port
}
async function startMember(port: number) {
  const leases = createLeases(database.db, { isOnlyProcess: false })
  const devices = await startDeviceAccess(
    database.db,
    { mqttUrl: `mqtt://127.0.0.1:${port}` },
    () => {},
    leases,
  )
  cleanups.push(() => devices.close())
  return devices
}
/** A device posts a value until it is stored. */
async function expectStored(brightness: number) {
  const client = await connectAlinkDevice(`mqtt://127.0.0.1:${await listen()}`, row)
  cleanups.push(() => client.close())
  await waitUntil(
    async () => {
      client.client.publish(
        `/sys/${row.productKey}/${row.deviceName}/thing/event/property/post`,
        JSON.stringify({ id: '1', params: { Brightness: brightness } }),
      )
      const [savedRow] = await database.db.select().from(device).where(eq(device.id, row.id))
      return savedRow!.reported.Brightness
    },
    (value) => value === brightness,
    20_000,
  )
}
const waitForBroker = (devices: DeviceAccess, state: string) =>
  waitUntil(
    () => devices.broker(),
    (current) => current === state,
    20_000,
  )

test('a new holder whose first subscription is refused subscribes again', async () => {
  const port = await listen()
  refusedPorts.add(port)
  const starting = startMember(port)
  await waitUntil(
    () => refusedCount,
    (count) => count > 0,
    20_000,
  )
  refusedPorts.clear()
  const member = await starting
  await expectStored(20)
  expect(member.broker()).toBe('connected')
})

test('a holder whose partition cannot be read tries again', async () => {
  const rename = (from: string, to: string) =>
    database.db.execute(sql.raw(`alter table ${from} rename to ${to}`))
  await rename('ingest_partition', 'ingest_partition_away')
  const member = await startMember(await listen())
  await waitUntil(
    () => member.partitions.holdsAny(),
    (holdsAny) => !holdsAny,
    20_000,
  )
  await rename('ingest_partition_away', 'ingest_partition')
  await expectStored(30)
  expect(member.broker()).toBe('connected')
})

test('a holder that cannot subscribe is not ready, and another process takes over', async () => {
  const [port, otherPort] = [await listen(), await listen()]
  refusedPorts.add(port)
  const member = await startMember(port)
  expect(member.partitions.owns(row)).toBe(true)
  await waitForBroker(member, 'away')
  const other = await startMember(otherPort)
  await waitUntil(() => other.partitions.owns(row), Boolean, 20_000)
  await expectStored(40)
  await waitForBroker(member, 'connected')
  expect(other.broker()).toBe('connected')
})

test('the first partition ends the sessions of partitions that are not used any more', async () => {
  const url = `mqtt://127.0.0.1:${await listen()}`
  const former = { number: 3, clientId: 'platform-ingest-3-former' }
  await database.db.insert(ingestPartition).values(former)
  const connectFormer = async () => {
    const client = mqtt.connect(url, { clientId: former.clientId, clean: false })
    const hadSession = await new Promise<boolean>((resolve) =>
      client.once('connect', ({ sessionPresent }) => resolve(sessionPresent)),
    )
    await client.subscribeAsync('/sys/pkDirect/+/thing/event/property/post', { qos: 1 })
    await client.endAsync()
    return hadSession
  }
  await connectFormer()
  expect(await connectFormer()).toBe(true)
  await startMember(await listen())
  await waitUntil(
    () => database.db.$count(ingestPartition, eq(ingestPartition.number, former.number)),
    (count) => count === 0,
    20_000,
  )
  expect(await connectFormer()).toBe(false)
})
