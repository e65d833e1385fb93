import type { RefusalReason } from '@iot/shared/contract/connectionRefusal'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { networkApi } from '@iot/shared/contract/network'
import { productApi } from '@iot/shared/contract/product'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { connectionRefusal as table } from '../tables/connectionRefusal'
import { device } from '../tables/device'
import { edgeHost } from '../tables/deviceRecords'
import { testApp, type TestApp } from '../testing'
import { deviceRow, insertDevices, productRow } from './testing'

let app: TestApp
const lamps = productRow('refusedLamp', 'direct')
const here = deviceRow(lamps, 'refused-here')
const there = deviceRow(lamps, 'refused-there', { projectId: 2 })
beforeAll(async () => {
  app = await testApp()
  await insertDevices(app.app.db, [lamps], [here, there])
})
afterAll(() => app.close())

const { productKey } = lamps
const record = (
  deviceName: string,
  reason: RefusalReason,
  address = '10.0.0.7',
  of?: typeof here,
) =>
  app.app.devices.refusals.record({
    productKey,
    deviceName,
    reason,
    address,
    clientId: `${deviceName}|securemode=3|`,
    device: of && { id: of.id!, projectId: of.projectId },
  })
const page = (query = {}, who: Pick<ReturnType<TestApp['as']>, 'call'> = app.as('admin')) =>
  who.call(networkApi.refusals, query)

it('is refused without a session and without the right', async () => {
  await expect(page({}, app.stranger)).rejects.toMatchObject({ code: 401 })
  const operator = await app.join('refused-op', 'operator', [1])
  await expect(page({}, operator)).rejects.toMatchObject({ status: 403 })
})

it('is one row for a storm, found by name, address and reason', async () => {
  for (let n = 0; n < 1000; n++) record('stormy', 'unknownDevice')
  await app.app.devices.refusals.flush()
  for (let n = 0; n < 10; n++) record('stormy', 'unknownDevice')
  record('stormy', 'slowed', '10.0.0.8')
  expect((await page({ name: 'stormy', reason: 'unknownDevice' })).list).toMatchObject([
    { count: 1010, address: '10.0.0.7', reason: 'unknownDevice', deviceId: null },
  ])
  expect((await page({ address: '10.0.0.8' })).list).toMatchObject([{ reason: 'slowed' }])
  expect((await page({ name: productKey })).total).toBe(2)
})

it('keeps no more of invented names than there is room for, and those of devices beside them', async () => {
  record(here.deviceName, 'wrongSecret', '10.0.0.7', here)
  for (let round = 0; round < 6; round++) {
    for (let n = 0; n < 600; n++) record(`invented-${round}-${n}`, 'unknownDevice')
    await app.app.devices.refusals.flush()
  }
  expect(await app.app.db.$count(table)).toBeLessThanOrEqual(2001)
  expect((await page({ name: here.deviceName })).list).toMatchObject([{ reason: 'wrongSecret' }])
})

it('shows a device of a project to who sees the project, and what is not registered to who sees all', async () => {
  record(there.deviceName, 'wrongSecret', '10.0.0.7', there)
  record('not-registered', 'unknownDevice')
  const name = productKey
  const seen = (await app.app.devices.refusals.newest({ productKey }, [1], 100)).map(
    ({ deviceName }) => deviceName,
  )
  expect(seen).toEqual([here.deviceName])
  expect((await page({ name })).list.map(({ deviceName }) => deviceName)).toEqual(
    expect.arrayContaining([there.deviceName, 'not-registered']),
  )
})

it('stands on the page of the device, with the pause, and beside the first message of the product', async () => {
  const slowedUntil = new Date(Date.now() + 60_000).toISOString()
  await app.app.db.update(device).set({ slowedUntil }).where(eq(device.id, here.id!))
  record(here.deviceName, 'slowed', '10.0.0.9', here)
  const live = await app.as('admin').call(managedDeviceApi.live, { id: here.id! })
  expect(live).toMatchObject({
    slowedUntil,
    refusals: [{ reason: 'slowed', address: '10.0.0.9' }, {}],
  })
  const { refusals } = await app.as('admin').call(productApi.access, { id: lamps.id! })
  expect(refusals[0]).toMatchObject({ deviceName: here.deviceName, reason: 'slowed' })
  const past = new Date(Date.now() - 1000).toISOString()
  await app.app.db.update(device).set({ slowedUntil: past }).where(eq(device.id, here.id!))
  expect(
    (await app.as('admin').call(managedDeviceApi.live, { id: here.id! })).slowedUntil,
  ).toBeNull()
})

it('tells a replaced host from a disabled device', async () => {
  await app.app.db
    .insert(edgeHost)
    .values({ projectId: here.projectId, deviceId: here.id!, replacedBy: uuidv7() })
  record(here.deviceName, 'disabled', '10.0.0.10', here)
  expect((await page({ address: '10.0.0.10' })).list).toMatchObject([{ reason: 'replaced' }])
})
