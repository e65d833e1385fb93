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

/** The functions run in this order, even after a failed test. */
const atEnd: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of atEnd) await close()
})

/** Starts an external broker that lets the platform in as soon as `open` resolves. */
async function startBroker(port = 0, open: Promise<unknown> = Promise.resolve()) {
  const broker = await Aedes.createBroker({
    authenticate: ({ id }: Client, _username, _password, done) =>
      void (id.startsWith('platform-') ? open : Promise.resolve()).then(() => done(null, true)),
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
            topic: connected('one'),
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

test('a time before a command that another process sent is no clock', async () => {
  const broker = await startBroker()
  const mqttUrl = `mqtt://127.0.0.1:${broker.port}`
  const platforms = [await testDevices({ mqttUrl }), await testDevices({ mqttUrl })]
  atEnd.push(...platforms.map(({ close }) => close), broker.close)
  for (const { db } of platforms) await insertDevices(db, [product], [row])
  const siblings = () => platforms.map(({ devices }) => devices.siblings)
  await until(
    () => siblings().filter((one) => one.hasOthers()).length,
    (count) => count === 2,
  )
  const [owner, other] = platforms.toSorted((one) =>
    one.devices.siblings.owns('pkDirect&one') ? -1 : 1,
  )
  const device1 = await alinkDevice(mqttUrl, row)
  const post = (value: number, time?: number) =>
    device1.ask('thing/event/property/post', { PowerSwitch: time ? { value, time } : value })
  await post(0)

  const heard = once(owner!.devices.siblings.events, 'commands')
  other!.devices.siblings.tell('commands', [{ id: row.id, values: { PowerSwitch: 1 } }])
  await heard
  const before = Date.now()
  await post(1, before - 3600_000)
  await owner!.devices.states.flush()
  const [now] = await owner!.db.select().from(device).where(eq(device.id, row.id))
  expect(now!.reported).toEqual({ PowerSwitch: 1 })
  expect(now!.reportedAt.PowerSwitch).toBeGreaterThanOrEqual(before)
  expect(now!.clockOffsetMs).toBeLessThan(-3500_000)
  await device1.close()
})

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
