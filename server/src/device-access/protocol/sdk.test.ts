import iot, { type SdkDevice } from 'alibabacloud-iot-device-sdk'
import { and, eq } from 'drizzle-orm'
import { device, deviceEvent } from '../../tables/device'
import type { Reply } from './alink'
import { deviceRow, insertDevices, productRow, startTestDevices } from '../testing'
import { waitUntil } from '../../core/until'

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

let platform: Awaited<ReturnType<typeof startTestDevices>>
const openDevices: SdkDevice[] = []
const pickTriple = ({ productKey, deviceName, deviceSecret }: typeof direct) => ({
  productKey,
  deviceName,
  deviceSecret,
})
const trackDevice = <T extends SdkDevice>(one: T) => (openDevices.push(one), one)
const connectDevice = (row: typeof direct) =>
  trackDevice(iot.device({ ...pickTriple(row), brokerUrl: platform.url }))
const waitForReply = (ask: (onReply: (reply: Reply) => void) => void) => new Promise<Reply>(ask)
const readDeviceRow = async (row: typeof direct) => {
  await platform.devices.states.flush()
  const [storedRow] = await platform.db
    .select()
    .from(device)
    .where(and(eq(device.projectId, 1), eq(device.id, row.id)))
  return storedRow!
}
const setValues = (row: typeof direct, values: Record<string, number>) =>
  new Promise<Reply>((resolve) => platform.devices.commands.set(row, values, () => {}, resolve))

beforeAll(async () => {
  platform = await startTestDevices()
  await insertDevices(platform.db, Object.values(products), [
    direct,
    gateway,
    stranger,
    ...children,
  ])
})
afterAll(async () => {
  for (const one of openDevices) one.end(true)
  await platform.close()
})

describe('the SDK as a direct device', () => {
  it('is refused with a wrong secret', async () => {
    const wrongDevice = trackDevice(
      iot.device({ ...pickTriple(direct), deviceSecret: 'wrong', brokerUrl: platform.url }),
    )
    const [error] = await new Promise<[Error]>((resolve) => wrongDevice.on('error', resolve))
    expect(error.message).toMatch(/refused|authorized/i)
    wrongDevice.end(true)
    expect((await readDeviceRow(direct)).state).toBe('inactive')
  })

  it('comes online, posts, receives a set and answers, goes offline', async () => {
    const lamp = connectDevice(direct)
    lamp.onProps((message) => {
      lamp.publish(
        `/sys/${direct.productKey}/${direct.deviceName}/thing/service/property/set_reply`,
        JSON.stringify({ id: message.id, code: 200, data: {} }),
      )
      lamp.postProps(message.params, () => {})
    })
    await waitUntil(
      () => readDeviceRow(direct),
      (row) => row.state === 'online',
    )

    expect(
      await waitForReply((onReply) => lamp.postProps({ PowerSwitch: 1, Brightness: 80 }, onReply)),
    ).toMatchObject({ code: 200 })
    expect(await readDeviceRow(direct)).toMatchObject({
      reported: { PowerSwitch: 1, Brightness: 80 },
    })
    // The reply names the invalid values, and the valid ones are stored.
    expect(
      await waitForReply((onReply) =>
        lamp.postProps({ PowerSwitch: 0, Brightness: 900, Unheard: 1 }, onReply),
      ),
    ).toMatchObject({
      code: 200,
      data: { Brightness: 'tsl parse: int specs error', Unheard: 'tsl parse: params not exist' },
    })
    expect(await readDeviceRow(direct)).toMatchObject({
      reported: { PowerSwitch: 0, Brightness: 80 },
    })
    await waitForReply((onReply) => lamp.postProps({ PowerSwitch: 1 }, onReply))

    expect(await setValues(direct, { PowerSwitch: 0 })).toMatchObject({ code: 200 })
    await waitUntil(
      () => readDeviceRow(direct),
      (row) => row.reported.PowerSwitch === 0,
    )

    lamp.end()
    await waitUntil(
      () => readDeviceRow(direct),
      (row) => row.state === 'offline',
    )
  })

  it('posts events and answers a service call', async () => {
    const lamp = connectDevice(direct)
    lamp.onService('Identify', (message, reply) =>
      reply({ id: message.id, code: 200, data: { seconds: message.params.seconds ?? 0 } }, 'async'),
    )
    await waitUntil(
      () => readDeviceRow(direct),
      (row) => row.state === 'online',
    )
    expect(
      await waitForReply((onReply) => lamp.postEvent('Error', { ErrorCode: 3 }, onReply)),
    ).toMatchObject({ code: 200 })
    expect(
      await platform.db.select().from(deviceEvent).where(eq(deviceEvent.deviceId, direct.id)),
    ).toMatchObject([{ identifier: 'Error', type: 'error', params: { ErrorCode: 3 } }])
    expect(await waitForReply((onReply) => lamp.postEvent('Nothing', {}, onReply))).toMatchObject({
      code: 6320,
    })
    expect(await platform.devices.commands.call(direct, 'Identify', { seconds: 2 })).toMatchObject({
      code: 200,
      data: { seconds: 2 },
    })
    lamp.end(true)
  })
})

describe('the SDK as a gateway with two children', () => {
  it('binds and signs in its children, reports for them and unbinds them', async () => {
    const edge = trackDevice(iot.gateway({ ...pickTriple(gateway), brokerUrl: platform.url }))
    await waitUntil(
      () => readDeviceRow(gateway),
      (row) => row.state === 'online',
    )

    // The first login is refused because the device is not in the topology, the second because of its signature.
    expect(
      await waitForReply((onReply) =>
        edge.login(pickTriple(stranger), onReply).on('error', () => {}),
      ),
    ).toMatchObject({ code: 6401 })
    expect(
      await waitForReply((onReply) =>
        edge.addTopo([{ ...pickTriple(stranger), deviceSecret: 'wrong' }], onReply),
      ),
    ).toMatchObject({ code: 401 })
    expect(
      await waitForReply((onReply) =>
        edge.logout({ productKey: 'pkLamp', deviceName: 'lamp-9' }, onReply),
      ),
    ).toMatchObject({ code: 520 })

    expect(
      await waitForReply((onReply) =>
        edge.regiestSubDevice([{ productKey: 'pkLamp', deviceName: 'lamp-2' }], onReply),
      ),
    ).toMatchObject({
      code: 200,
      data: [{ deviceName: 'lamp-2', deviceSecret: 'secret-of-lamp-2' }],
    })
    expect(
      await waitForReply((onReply) =>
        edge.regiestSubDevice([{ productKey: 'pkDirect', deviceName: 'direct-1' }], onReply),
      ),
    ).toMatchObject({ code: 6288 })
    expect(
      await waitForReply((onReply) => edge.addTopo(children.map(pickTriple), onReply)),
    ).toMatchObject({
      code: 200,
    })
    expect(await waitForReply((onReply) => edge.getTopo(onReply))).toMatchObject({
      data: [{ deviceName: 'lamp-1' }, { deviceName: 'lamp-2' }],
    })

    for (const child of children) {
      const loginResult = await new Promise<{ reply: Reply; lamp: SdkDevice }>((resolve) => {
        const lamp: SdkDevice = edge.login(pickTriple(child), (reply) => resolve({ reply, lamp }))
        lamp.onProps((message) => {
          lamp.publish(
            `/sys/${child.productKey}/${child.deviceName}/thing/service/property/set_reply`,
            JSON.stringify({ id: message.id, code: 200, data: {} }),
          )
          lamp.postProps(message.params, () => {})
        })
      })
      expect(loginResult.reply).toMatchObject({ code: 200 })
      expect(
        await waitForReply((onReply) => loginResult.lamp.postProps({ PowerSwitch: 1 }, onReply)),
      ).toMatchObject({ code: 200 })
      expect(await setValues(child, { PowerSwitch: 0, Brightness: 10 })).toMatchObject({
        code: 200,
      })
      await waitUntil(
        () => readDeviceRow(child),
        (row) =>
          row.state === 'online' &&
          row.reported.PowerSwitch === 0 &&
          row.reported.Brightness === 10,
      )
    }

    expect(
      await waitForReply((onReply) =>
        edge.logout({ productKey: 'pkLamp', deviceName: 'lamp-1' }, onReply),
      ),
    ).toMatchObject({ code: 200 })
    expect((await readDeviceRow(children[0]!)).state).toBe('offline')
    expect(
      await waitForReply((onReply) =>
        edge.removeTopo([{ productKey: 'pkLamp', deviceName: 'lamp-1' }], onReply),
      ),
    ).toMatchObject({ code: 200 })
    expect((await readDeviceRow(children[0]!)).gatewayId).toBeNull()

    edge.end(true)
    await waitUntil(
      () => readDeviceRow(children[1]!),
      (row) => row.state === 'offline',
    )
  })
})
