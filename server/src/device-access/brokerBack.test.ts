import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes, type Client } from 'aedes'
import { and, eq } from 'drizzle-orm'
import { device } from '../tables/device'
import { alinkDevice, deviceRow, insertDevices, productRow, testDevices, until } from './testing'
import { connected } from './presenceTopics'

const product = productRow('pkDirect', 'direct')
const row = deviceRow(product, 'one')
const get = '/sys/pkDirect/one/thing/service/property/get'

/** In this order, also after a failure. */
const atEnd: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of atEnd) await close()
})

/** An external broker, which lets the platform in when it is told to. */
async function startBroker(port = 0, open: Promise<unknown> = Promise.resolve()) {
  const broker = await Aedes.createBroker({
    authenticate: ({ id }: Client, _username, _password, done) =>
      void (id.startsWith('platform-') ? open : Promise.resolve()).then(() => done(null, true)),
  })
  const server = createServer((socket) => void broker.handle(socket)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** As EMQX says it of a device. */
    tellOnline: () =>
      new Promise<void>((resolve, reject) =>
        broker.publish(
          {
            ...{ cmd: 'publish', qos: 0, dup: false, retain: false, topic: connected('one') },
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

test('values of before the broker was away are of their time, until the device that is asked says them', async () => {
  const before = await startBroker()
  const url = `mqtt://127.0.0.1:${before.port}`
  const platform = await testDevices({ mqttUrl: url })
  atEnd.push(platform.close, before.close)
  await insertDevices(platform.db, [product], [row])
  const stored = async () => {
    await platform.devices.states.flush()
    const of = and(eq(device.projectId, 1), eq(device.id, row.id))
    return (await platform.db.select().from(device).where(of))[0]!
  }
  await until(() => platform.devices.siblings.owns('any'), Boolean)
  let one = await alinkDevice(url, row)
  await before.tellOnline()
  await one.ask('thing/event/property/post', { Brightness: 10 })
  const { reportedAt } = await until(stored, ({ state }) => state === 'online')

  await before.close()
  await until(
    () => platform.devices.broker(),
    (now) => now === 'away',
  )
  let letIn = () => {}
  const after = await startBroker(before.port, new Promise<void>((resolve) => (letIn = resolve)))
  one = await alinkDevice(url, row)
  await one.subscribe(get)
  atEnd.push(one.close, after.close)
  letIn()

  expect((await until(stored, ({ stale }) => 'Brightness' in stale)).stale).toEqual(reportedAt)
  const { id, params } = await one.next<{ id: string; params: string[] }>(get)
  expect(params).toEqual(['Brightness'])
  await one.say(`${get}_reply`, { id, code: 200, data: { Brightness: 33 } })
  expect((await until(stored, ({ reported }) => reported.Brightness === 33)).stale).toEqual({})
})
