import type { RefusalReason } from '@iot/shared/contract/device/connectionRefusal.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { connectionRefusal as table } from '../../tables/connectionRefusal'
import { device } from '../../tables/device'
import { edgeHost } from '../../tables/deviceRecords'
import { ownApp, type TestApp } from '../../testing'
import { deviceRow, insertDevices, productRow } from '../testing'

let app: TestApp
const lamps = productRow('refusedLamp', 'direct')
const localDevice = deviceRow(lamps, 'refused-here')
const otherProjectDevice = deviceRow(lamps, 'refused-there', { projectId: 2 })
beforeAll(async () => {
  app = await ownApp()
  await insertDevices(app.app.db, [lamps], [localDevice, otherProjectDevice])
})
afterAll(() => app.close())

const { productKey } = lamps
const record = (
  deviceName: string,
  reason: RefusalReason,
  address = '10.0.0.7',
  knownDevice?: typeof localDevice,
) =>
  app.app.devices.refusals.record({
    productKey,
    deviceName,
    reason,
    address,
    clientId: `${deviceName}|securemode=3|`,
    device: knownDevice && { id: knownDevice.id!, projectId: knownDevice.projectId },
  })
const fetchPage = (query = {}, client: Pick<ReturnType<TestApp['as']>, 'call'> = app.as('admin')) =>
  client.call(networkApi.refusals, query)

it('the list of refusals is refused without a session and without the permission', async () => {
  await expect(fetchPage({}, app.stranger)).rejects.toMatchObject({ code: 401 })
  const operator = await app.join('refused-op', 'operator', [1])
  await expect(fetchPage({}, operator)).rejects.toMatchObject({ status: 403 })
})

it('repeated refusals are one row, found by name, address and reason', async () => {
  for (let n = 0; n < 1000; n++) record('stormy', 'unknownDevice')
  await app.app.devices.refusals.flush()
  for (let n = 0; n < 10; n++) record('stormy', 'unknownDevice')
  record('stormy', 'slowed', '10.0.0.8')
  expect((await fetchPage({ name: 'stormy', reason: 'unknownDevice' })).list).toMatchObject([
    { count: 1010, address: '10.0.0.7', reason: 'unknownDevice', deviceId: null },
  ])
  expect((await fetchPage({ address: '10.0.0.8' })).list).toMatchObject([{ reason: 'slowed' }])
  expect((await fetchPage({ name: productKey })).total).toBe(2)
})

it('refusals that could not be written are kept, and counted once they can be', async () => {
  const { db, devices } = app.app
  record('outage', 'unknownDevice')
  await db.execute(sql`alter table connection_refusal rename to connection_refusal_away`)
  await devices.refusals.flush()
  record('outage', 'unknownDevice')
  await db.execute(sql`alter table connection_refusal_away rename to connection_refusal`)
  expect((await fetchPage({ name: 'outage' })).list).toMatchObject([{ count: 2 }])
})

it('names and addresses that cannot be stored are kept readable, and do not keep others from being written', async () => {
  record('bad\0name\ud800', 'unknownDevice', '10.0.0.11\0')
  record('neighbour', 'unknownDevice', '10.0.0.11')
  record('灯'.repeat(63) + '💡灯', 'unknownDevice', '10.0.0.11')
  const { list } = await fetchPage({ address: '10.0.0.11' })
  expect(list.map(({ deviceName }) => deviceName).sort()).toEqual(
    ['bad\ufffdname\ufffd', 'neighbour', '灯'.repeat(63) + '💡'].sort(),
  )
})

it('the number of rows for unknown names is limited without dropping those of known devices', async () => {
  record(localDevice.deviceName, 'wrongSecret', '10.0.0.7', localDevice)
  for (let round = 0; round < 6; round++) {
    for (let n = 0; n < 600; n++) record(`invented-${round}-${n}`, 'unknownDevice')
    await app.app.devices.refusals.flush()
  }
  expect(await app.app.db.$count(table)).toBeLessThanOrEqual(2001)
  expect((await fetchPage({ name: localDevice.deviceName })).list).toMatchObject([
    { reason: 'wrongSecret' },
  ])
})

it('a refusal of a project device is visible with access to the project, one of an unregistered device only with all projects', async () => {
  record(otherProjectDevice.deviceName, 'wrongSecret', '10.0.0.7', otherProjectDevice)
  record('not-registered', 'unknownDevice')
  const name = productKey
  const visibleNames = (await app.app.devices.refusals.findNewest({ productKey }, [1], 100)).map(
    ({ deviceName }) => deviceName,
  )
  expect(visibleNames).toEqual([localDevice.deviceName])
  expect((await fetchPage({ name })).list.map(({ deviceName }) => deviceName)).toEqual(
    expect.arrayContaining([otherProjectDevice.deviceName, 'not-registered']),
  )
})

it('a refusal appears on the page of the device with the throttle time, and on the page of the product', async () => {
  const slowedUntil = new Date(Date.now() + 60_000).toISOString()
  await app.app.db.update(device).set({ slowedUntil }).where(eq(device.id, localDevice.id!))
  record(localDevice.deviceName, 'slowed', '10.0.0.9', localDevice)
  const live = await app.as('admin').call(managedDeviceApi.live, { id: localDevice.id! })
  expect(live).toMatchObject({
    slowedUntil,
    refusals: [{ reason: 'slowed', address: '10.0.0.9' }, {}],
  })
  const { refusals } = await app.as('admin').call(productApi.access, { id: lamps.id! })
  expect(refusals[0]).toMatchObject({ deviceName: localDevice.deviceName, reason: 'slowed' })
  const past = new Date(Date.now() - 1000).toISOString()
  await app.app.db.update(device).set({ slowedUntil: past }).where(eq(device.id, localDevice.id!))
  expect(
    (await app.as('admin').call(managedDeviceApi.live, { id: localDevice.id! })).slowedUntil,
  ).toBeNull()
})

it('a refusal of a replaced host has the reason "replaced" instead of "disabled"', async () => {
  await app.app.db
    .insert(edgeHost)
    .values({ projectId: localDevice.projectId, deviceId: localDevice.id!, replacedBy: uuidv7() })
  record(localDevice.deviceName, 'disabled', '10.0.0.10', localDevice)
  expect((await fetchPage({ address: '10.0.0.10' })).list).toMatchObject([{ reason: 'replaced' }])
})
