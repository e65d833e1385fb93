import type { DeviceState } from '@iot/shared/contract/device/device.schema'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { device, product } from 'server/src/tables/device'
import { startTestDevices } from 'server/src/device-access/testing'
import { waitUntil } from 'server/src/core/until'
import { seedBuilding } from './seed'
import { readEdges, simulateBuilding } from './simulate'

let platform: Awaited<ReturnType<typeof startTestDevices>>
let building: Awaited<ReturnType<typeof simulateBuilding>>
const countDevices = async (state: DeviceState) =>
  (await platform.db.select({ id: device.id }).from(device).where(eq(device.state, state))).length

beforeAll(async () => {
  platform = await startTestDevices()
  expect(await seedBuilding(platform.db)).toBe(true)
  building = await simulateBuilding(platform.url, await readEdges(platform.db))
})
afterAll(async () => {
  await building.close()
  await platform.close()
})

it('signs in every device except the three lamps without power', async () => {
  // The building has 6 edge gateways, 317 powered lamps and 36 sensors.
  await waitUntil(
    () => countDevices('online'),
    (online) => online === 6 + 317 + 36,
  )
  expect([await countDevices('offline'), await countDevices('inactive')]).toEqual([3, 0])
})

it('has products whose models accept the values of their devices', async () => {
  const products = await platform.db.select().from(product)
  for (const { model } of products) expect(ThingModel.parse(model)).toEqual(model)
  const listSilentDevices = () =>
    platform.db
      .select({ name: device.name })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(
        and(ne(product.node, 'gateway'), eq(device.state, 'online'), isNull(device.reportedTime)),
      )
  await waitUntil(listSilentDevices, (devices) => devices.length === 0)
})

it('is seeded only once', async () => expect(await seedBuilding(platform.db)).toBe(false))

it('executes, refuses or ignores commands over a real connection', async () => {
  const lamps = (await readEdges(platform.db)).flatMap((edge) => edge.children)
  const sendCommand = (deviceName: string) =>
    new Promise<number>((resolve) =>
      platform.devices.commands.set(
        lamps.find((lamp) => lamp.deviceName === deviceName)!,
        { PowerSwitch: 0 },
        () => {},
        ({ code }) => resolve(code),
      ),
    )
  expect(await sendCommand('lamp-a1-001')).toBe(200)
  expect(await sendCommand('lamp-a2-023')).toBe(9201)
  const onAnswer = jest.fn()
  sendCommand('lamp-b4-005').then(onAnswer, onAnswer)
  // A neighbour at the same gateway that was commanded later has already answered.
  expect(await sendCommand('lamp-b4-006')).toBe(200)
  expect(onAnswer).not.toHaveBeenCalled()
  const readLamp = () =>
    platform.db.select().from(device).where(eq(device.deviceName, 'lamp-a1-001'))
  await waitUntil(readLamp, ([lamp]) => lamp!.reported.PowerSwitch === 0)
})

it('goes offline when it is closed', async () => {
  await building.close()
  await waitUntil(
    () => countDevices('online'),
    (online) => online === 0,
  )
})
