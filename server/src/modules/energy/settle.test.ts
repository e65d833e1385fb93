import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { and, eq } from 'drizzle-orm'
import type { Values } from '@iot/shared/contract/device/device.schema'
import type { Db } from '../../core/db/db'
import { openDatabase } from '../../core/db/openDatabase'
import { deviceRow, insertDevices, lampModel, productRow } from '../../device-access/testing'
import { device, product } from '../../tables/device'
import { project } from '../../tables/project'
import { energyDay, energyRun } from '../../tables/energy'
import { createTestDatabase } from '../../testing.database'
import { whereDeviceIn, whereProject, settleBatch, settleAll } from './settle'

const lampProduct = productRow('pkLamp', 'sub', { ratedPower: 40, ratedLifeHours: 100 })
const unratedProduct = productRow('pkUnrated', 'sub', { ratedPower: null })
const smartProduct = productRow('pkSmart', 'sub', {
  ratedPower: 40,
  model: ThingModel.parse({
    ...lampModel,
    properties: [
      ...lampModel.properties,
      {
        identifier: 'ActivePower',
        name: '功率',
        accessMode: 'r',
        dataType: { type: 'double', specs: { min: 0, max: 10, unit: 'kW' } },
      },
    ],
  }),
})
const meterProduct = productRow('pkMeter', 'sub', { productType: 'ELECTRICITY_METER' })

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  const database = await openDatabase(await createTestDatabase())
  ;({ db, close } = database)
  await db.insert(product).values([lampProduct, unratedProduct, smartProduct, meterProduct])
})
afterAll(() => close())

let deviceCount = 0
/** Inserts a device in this state. */
async function insertDevice(
  deviceProduct: typeof lampProduct,
  reported: Values,
  overrides: object = {},
) {
  const row = deviceRow(deviceProduct, `one-${++deviceCount}`, {
    state: 'online',
    reported,
    ...overrides,
  })
  await insertDevices(db, [], [row])
  return row
}
const updateDevice = (id: string, change: Partial<typeof device.$inferInsert>) =>
  db.update(device).set(change).where(eq(device.id, id))
/** Clock times in this test are local time in Shanghai. */
const parseClock = (clock: string) => new Date(`2026-03-${clock}+08:00`)
const readDays = (id: string) =>
  db
    .select({
      day: energyDay.day,
      on: energyDay.onSeconds,
      off: energyDay.offSeconds,
      reckoned: energyDay.reckoned,
      measured: energyDay.measured,
    })
    .from(energyDay)
    .where(and(eq(energyDay.projectId, 1), eq(energyDay.deviceId, id)))
    .orderBy(energyDay.day)
const readLifeSeconds = async (id: string) =>
  (await db.select().from(energyRun).where(eq(energyRun.deviceId, id)))[0]?.lifeSeconds
const noEnergy = { on: 0, off: 0, reckoned: null, measured: null }

test('a day follows the time zone of the project, an hour shorter or longer at a clock change', async () => {
  const berlin = { projectId: 77, name: '柏林', groupName: '海外', code: 'berlin' }
  await db
    .insert(project)
    .values({ ...berlin, timeZone: 'Europe/Berlin', engineeringId: 1, sort: 1 })
  const { id } = await insertDevice(lampProduct, { PowerSwitch: 1 }, { projectId: 77 })
  const readDailyHours = async (from: string, to: string) => {
    await db.delete(energyDay).where(eq(energyDay.projectId, 77))
    await db.delete(energyRun).where(eq(energyRun.projectId, 77))
    await settleBatch(db, new Date(from), whereDeviceIn([id]))
    await settleBatch(db, new Date(to), whereDeviceIn([id]))
    const rows = await db
      .select({ day: energyDay.day, on: energyDay.onSeconds })
      .from(energyDay)
      .where(eq(energyDay.projectId, 77))
      .orderBy(energyDay.day)
    return rows.map(({ day, on }) => `${day} ${on / 3600}`)
  }
  expect(await readDailyHours('2026-03-28T22:00:00Z', '2026-03-29T23:00:00Z')).toEqual([
    '2026-03-28 1',
    '2026-03-29 23',
    '2026-03-30 1',
  ])
  expect(await readDailyHours('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toEqual([
    '2026-10-25 25',
  ])
})

test('no consumption is assumed before a lamp was first seen', async () => {
  const { id } = await insertDevice(lampProduct, { PowerSwitch: 1 })
  await settleBatch(db, parseClock('01T08:00:00'), whereDeviceIn([id]))
  expect(await readDays(id)).toEqual([])
})

test('consumption is rated power × time on × brightness, split at midnight', async () => {
  const { id } = await insertDevice(lampProduct, { PowerSwitch: 1, Brightness: 50 })
  await settleBatch(db, parseClock('01T22:00:00'), whereDeviceIn([id]))
  await settleBatch(db, parseClock('02T01:00:00'), whereDeviceIn([id]))
  expect(await readDays(id)).toEqual([
    { ...noEnergy, day: '2026-03-01', on: 7200, reckoned: 40 },
    { ...noEnergy, day: '2026-03-02', on: 3600, reckoned: 20 },
  ])
  await updateDevice(id, { reported: { PowerSwitch: 0, Brightness: 50 } })
  await settleBatch(db, parseClock('02T02:00:00'), whereDeviceIn([id]))
  await settleBatch(db, parseClock('02T05:00:00'), whereDeviceIn([id]))
  expect((await readDays(id))[1]).toEqual({
    day: '2026-03-02',
    on: 7200,
    off: 10800,
    reckoned: 40,
    measured: null,
  })
  expect(await readLifeSeconds(id)).toBe(4 * 3600)
})

test('settling twice or concurrently counts once', async () => {
  const { id } = await insertDevice(lampProduct, { PowerSwitch: 1 })
  await settleBatch(db, parseClock('01T10:00:00'), whereDeviceIn([id]))
  const settleAtEleven = () => settleBatch(db, parseClock('01T11:00:00'), whereDeviceIn([id]))
  await Promise.all([settleAtEleven(), settleAtEleven()])
  await settleAtEleven()
  expect(await readDays(id)).toEqual([{ ...noEnergy, day: '2026-03-01', on: 3600, reckoned: 40 }])
})

test('the time a lamp is offline or stale is unknown', async () => {
  const { id } = await insertDevice(lampProduct, { PowerSwitch: 1 })
  await settleBatch(db, parseClock('01T10:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { state: 'offline' })
  await settleBatch(db, parseClock('01T11:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { state: 'online', stale: { PowerSwitch: 1 } })
  await settleBatch(db, parseClock('01T14:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { stale: {} })
  await settleBatch(db, parseClock('01T15:00:00'), whereDeviceIn([id]))
  await settleBatch(db, parseClock('01T16:00:00'), whereDeviceIn([id]))
  // The lamp was on from ten to eleven and from three to four.
  expect(await readDays(id)).toEqual([{ ...noEnergy, day: '2026-03-01', on: 7200, reckoned: 80 }])
})

test('the time a platform outage lasts is unknown for lamps, but meters count on', async () => {
  const { id } = await insertDevice(lampProduct, { PowerSwitch: 1 })
  const meter = await insertDevice(meterProduct, { TotalActiveEnergy: 100 })
  const both = whereDeviceIn([id, meter.id])
  await settleBatch(db, parseClock('01T10:00:00'), both)
  await settleAll(db, parseClock('01T11:00:00'), both)
  await updateDevice(meter.id, { reported: { TotalActiveEnergy: 103 } })
  await settleAll(db, parseClock('01T17:00:00'), both, { isLost: true })
  expect(await readDays(id)).toEqual([{ ...noEnergy, day: '2026-03-01', on: 3600, reckoned: 40 }])
  expect(await readDays(meter.id)).toEqual([{ ...noEnergy, day: '2026-03-01', measured: 3000 }])
  expect(await readLifeSeconds(id)).toBe(3600)
})

test('a lamp that measures its energy is used with its own unit', async () => {
  const { id } = await insertDevice(smartProduct, { PowerSwitch: 1, ActivePower: 0.025 })
  await settleBatch(db, parseClock('01T10:00:00'), whereDeviceIn([id]))
  await settleBatch(db, parseClock('01T12:00:00'), whereDeviceIn([id]))
  expect(await readDays(id)).toEqual([{ ...noEnergy, day: '2026-03-01', on: 7200, measured: 50 }])
})

test('without rated power the hours are known and the energy is unknown', async () => {
  const { id } = await insertDevice(unratedProduct, { PowerSwitch: 1 })
  await settleBatch(db, parseClock('01T10:00:00'), whereDeviceIn([id]))
  await settleBatch(db, parseClock('01T12:00:00'), whereDeviceIn([id]))
  expect(await readDays(id)).toEqual([{ ...noEnergy, day: '2026-03-01', on: 7200 }])
})

test('a meter reset counts from the new value, and its energy is spread over the elapsed days', async () => {
  const { id } = await insertDevice(meterProduct, { TotalActiveEnergy: 10 })
  await settleBatch(db, parseClock('01T22:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { TotalActiveEnergy: 14 } })
  await settleBatch(db, parseClock('02T02:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { TotalActiveEnergy: 1 } })
  await settleBatch(db, parseClock('02T03:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { TotalActiveEnergy: 3 } })
  await settleBatch(db, parseClock('02T04:00:00'), whereDeviceIn([id]))
  expect(await readDays(id)).toEqual([
    { ...noEnergy, day: '2026-03-01', measured: 2000 },
    { ...noEnergy, day: '2026-03-02', measured: 4000 },
  ])
})

test('a meter counts from its first value, also when its row was created without one', async () => {
  const { id } = await insertDevice(meterProduct, { PowerSwitch: 1 })
  await settleBatch(db, parseClock('01T10:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { PowerSwitch: 1, TotalActiveEnergy: 50 } })
  await settleBatch(db, parseClock('01T10:00:05'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { PowerSwitch: 1, TotalActiveEnergy: 51.612 } })
  await settleBatch(db, parseClock('01T10:20:00'), whereDeviceIn([id]))
  const [day] = await readDays(id)
  expect(Math.round(day!.measured!)).toBe(1612)
})

test('measured power is used until a meter counter is known', async () => {
  const { id } = await insertDevice(smartProduct, { PowerSwitch: 1, ActivePower: 0.6 })
  await settleBatch(db, parseClock('01T10:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { PowerSwitch: 1, ActivePower: 0.6, TotalActiveEnergy: 7 } })
  await settleBatch(db, parseClock('01T10:10:00'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { PowerSwitch: 1, ActivePower: 0.6, TotalActiveEnergy: 7.2 } })
  await settleBatch(db, parseClock('01T10:30:00'), whereDeviceIn([id]))
  const [day] = await readDays(id)
  expect(Math.round(day!.measured!)).toBe(300)
})

test('the last counter value before a meter reset is counted', async () => {
  const { id } = await insertDevice(meterProduct, { TotalActiveEnergy: 99_990 })
  await settleBatch(db, parseClock('01T10:00:00'), whereDeviceIn([id]))
  await updateDevice(id, { reported: { TotalActiveEnergy: 0.5 } })
  await settleBatch(db, parseClock('01T10:09:00'), whereDeviceIn([id]), {
    lastCounters: new Map([[id, 99_999]]),
  })
  await updateDevice(id, { reported: { TotalActiveEnergy: 1.5 } })
  await settleBatch(db, parseClock('01T10:40:00'), whereDeviceIn([id]))
  const [day] = await readDays(id)
  expect(Math.round(day!.measured!)).toBe(10_000)
})

test('with a time limit only devices not settled since then are settled', async () => {
  const { id } = await insertDevice(lampProduct, { PowerSwitch: 1 }, { projectId: 7 })
  await settleBatch(db, parseClock('01T10:00:00'), whereProject(7))
  const before = parseClock('01T09:00:00')
  expect(await settleBatch(db, parseClock('01T11:00:00'), whereProject(7), { before })).toBe(0)
  expect(await readLifeSeconds(id)).toBe(0)
})
