import iot, { type SdkDevice } from 'alibabacloud-iot-device-sdk'
import { and, eq } from 'drizzle-orm'
import { device, deviceEvent } from '../tables/device'
import type { Reply } from './alink'
import { deviceRow, insertDevices, productRow, testDevices, until } from './testing'

/** The tests run Alibaba's own SDK unchanged; `brokerUrl` points it here. */
const products = {
  direct: productRow('pkDirect', 'direct'),
  gateway: productRow('pkGateway', 'gateway'),
  lamp: productRow('pkLamp', 'sub', { dynamicRegister: true }),
}
const direct = deviceRow(products.direct, 'direct-1')
const gateway = deviceRow(products.gateway, 'gateway-1')
// The SDK passes a child's messages to the first object of its name, even after a refused login, so this device is used
// for refusals only.
const stranger = deviceRow(products.lamp, 'lamp-9')
const children = [deviceRow(products.lamp, 'lamp-1'), deviceRow(products.lamp, 'lamp-2')]

let test: Awaited<ReturnType<typeof testDevices>>
const opened: SdkDevice[] = []
const tripleOf = ({ productKey, deviceName, deviceSecret }: typeof direct) => ({
  productKey,
  deviceName,
  deviceSecret,
})
const keep = <T extends SdkDevice>(one: T) => (opened.push(one), one)
const connect = (row: typeof direct) => keep(iot.device({ ...tripleOf(row), brokerUrl: test.url }))
const answered = (ask: (done: (reply: Reply) => void) => void) => new Promise<Reply>(ask)
const stored = async (row: typeof direct) => {
  await test.devices.states.flush()
  const [found] = await test.db
    .select()
    .from(device)
    .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
  return found!
}
const set = (row: typeof direct, values: Record<string, number>) =>
  new Promise<Reply>((resolve) => test.devices.commands.set(row, values, () => {}, resolve))

beforeAll(async () => {
  test = await testDevices()
  await insertDevices(test.db, Object.values(products), [direct, gateway, stranger, ...children])
})
afterAll(async () => {
  for (const one of opened) one.end(true)
  await test.close()
})

describe('the SDK as a direct device', () => {
  it('is refused with a wrong secret', async () => {
    const wrong = keep(
      iot.device({ ...tripleOf(direct), deviceSecret: 'wrong', brokerUrl: test.url }),
    )
    const [error] = await new Promise<[Error]>((resolve) => wrong.on('error', resolve))
    expect(error.message).toMatch(/refused|authorized/i)
    wrong.end(true)
    expect((await stored(direct)).state).toBe('inactive')
  })

  it('comes online, posts, receives a set and answers, goes offline', async () => {
    const lamp = connect(direct)
    lamp.onProps((message) => {
      lamp.publish(
        `/sys/${direct.productKey}/${direct.deviceName}/thing/service/property/set_reply`,
        JSON.stringify({ id: message.id, code: 200, data: {} }),
      )
      lamp.postProps(message.params, () => {})
    })
    await until(
      () => stored(direct),
      (row) => row.state === 'online',
    )

    expect(
      await answered((done) => lamp.postProps({ PowerSwitch: 1, Brightness: 80 }, done)),
    ).toMatchObject({ code: 200 })
    expect(await stored(direct)).toMatchObject({ reported: { PowerSwitch: 1, Brightness: 80 } })
    // The reply names the invalid values, and the valid ones are stored.
    expect(
      await answered((done) =>
        lamp.postProps({ PowerSwitch: 0, Brightness: 900, Unheard: 1 }, done),
      ),
    ).toMatchObject({
      code: 200,
      data: { Brightness: 'tsl parse: int specs error', Unheard: 'tsl parse: params not exist' },
    })
    expect(await stored(direct)).toMatchObject({ reported: { PowerSwitch: 0, Brightness: 80 } })
    await answered((done) => lamp.postProps({ PowerSwitch: 1 }, done))

    expect(await set(direct, { PowerSwitch: 0 })).toMatchObject({ code: 200 })
    await until(
      () => stored(direct),
      (row) => row.reported.PowerSwitch === 0,
    )

    lamp.end()
    await until(
      () => stored(direct),
      (row) => row.state === 'offline',
    )
  })

  it('posts events and answers a service call', async () => {
    const lamp = connect(direct)
    lamp.onService('Identify', (message, reply) =>
      reply({ id: message.id, code: 200, data: { seconds: message.params.seconds ?? 0 } }, 'async'),
    )
    await until(
      () => stored(direct),
      (row) => row.state === 'online',
    )
    expect(await answered((done) => lamp.postEvent('Error', { ErrorCode: 3 }, done))).toMatchObject(
      { code: 200 },
    )
    expect(
      await test.db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, direct.id)),
    ).toMatchObject([{ identifier: 'Error', type: 'error', params: { ErrorCode: 3 } }])
    expect(await answered((done) => lamp.postEvent('Nothing', {}, done))).toMatchObject({
      code: 6320,
    })
    expect(await test.devices.commands.call(direct, 'Identify', { seconds: 2 })).toMatchObject({
      code: 200,
      data: { seconds: 2 },
    })
    lamp.end(true)
  })
})

describe('the SDK as a gateway with two children', () => {
  it('binds, signs in, carries and loses them', async () => {
    const edge = keep(iot.gateway({ ...tripleOf(gateway), brokerUrl: test.url }))
    await until(
      () => stored(gateway),
      (row) => row.state === 'online',
    )

    // The first login is refused because the device is not in the topology, the second because of its signature.
    expect(
      await answered((done) => edge.login(tripleOf(stranger), done).on('error', () => {})),
    ).toMatchObject({ code: 6401 })
    expect(
      await answered((done) =>
        edge.addTopo([{ ...tripleOf(stranger), deviceSecret: 'wrong' }], done),
      ),
    ).toMatchObject({ code: 401 })
    expect(
      await answered((done) => edge.logout({ productKey: 'pkLamp', deviceName: 'lamp-9' }, done)),
    ).toMatchObject({ code: 520 })

    expect(
      await answered((done) =>
        edge.regiestSubDevice([{ productKey: 'pkLamp', deviceName: 'lamp-2' }], done),
      ),
    ).toMatchObject({
      code: 200,
      data: [{ deviceName: 'lamp-2', deviceSecret: 'secret-of-lamp-2' }],
    })
    expect(
      await answered((done) =>
        edge.regiestSubDevice([{ productKey: 'pkDirect', deviceName: 'direct-1' }], done),
      ),
    ).toMatchObject({ code: 6288 })
    expect(await answered((done) => edge.addTopo(children.map(tripleOf), done))).toMatchObject({
      code: 200,
    })
    expect(await answered((done) => edge.getTopo(done))).toMatchObject({
      data: [{ deviceName: 'lamp-1' }, { deviceName: 'lamp-2' }],
    })

    for (const child of children) {
      const replies = await new Promise<{ reply: Reply; lamp: SdkDevice }>((resolve) => {
        const lamp: SdkDevice = edge.login(tripleOf(child), (reply) => resolve({ reply, lamp }))
        lamp.onProps((message) => {
          lamp.publish(
            `/sys/${child.productKey}/${child.deviceName}/thing/service/property/set_reply`,
            JSON.stringify({ id: message.id, code: 200, data: {} }),
          )
          lamp.postProps(message.params, () => {})
        })
      })
      expect(replies.reply).toMatchObject({ code: 200 })
      expect(
        await answered((done) => replies.lamp.postProps({ PowerSwitch: 1 }, done)),
      ).toMatchObject({ code: 200 })
      expect(await set(child, { PowerSwitch: 0, Brightness: 10 })).toMatchObject({ code: 200 })
      await until(
        () => stored(child),
        (row) =>
          row.state === 'online' &&
          row.reported.PowerSwitch === 0 &&
          row.reported.Brightness === 10,
      )
    }

    expect(
      await answered((done) => edge.logout({ productKey: 'pkLamp', deviceName: 'lamp-1' }, done)),
    ).toMatchObject({ code: 200 })
    expect((await stored(children[0]!)).state).toBe('offline')
    expect(
      await answered((done) =>
        edge.removeTopo([{ productKey: 'pkLamp', deviceName: 'lamp-1' }], done),
      ),
    ).toMatchObject({ code: 200 })
    expect((await stored(children[0]!)).gatewayId).toBeNull()

    edge.end(true)
    await until(
      () => stored(children[1]!),
      (row) => row.state === 'offline',
    )
  })
})
