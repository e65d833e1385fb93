import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { openDatabase } from '../../core/db/openDatabase'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { energyDay, energyMark } from '../../tables/energy'
import { project } from '../../tables/project'
import { space } from '../../tables/space'
import { createTestDatabase } from '../../testing.database'
import { recordMarks, estimateUsedEnergy } from './marks'

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openDatabase(await createTestDatabase()))
})
afterAll(() => close())
/** Clock times in this test are local time in Shanghai. */
const parseClock = (clock: string) => Date.parse(`2026-03-${clock}:00+08:00`)

test('an energy mark of a floor uses its meters, else its lamps, on the day in Shanghai', async () => {
  const [lampProduct, meterProduct, fanProduct] = [
    productRow('pkMarkLamp', 'sub'),
    productRow('pkMarkMeter', 'sub', { productType: 'ELECTRICITY_METER' }),
    productRow('pkMarkFan', 'sub', { productType: 'FAN' }),
  ]
  const [first, second] = [uuidv7(), uuidv7()]
  await db.insert(space).values(
    [first, second].map((id, at) => ({
      id,
      projectId: 1,
      parentId: null,
      type: 'floor' as const,
      sort: at + 1,
      name: `${at + 1} 层`,
    })),
  )
  const buildLamp = (name: string, floorId: string) =>
    deviceRow(lampProduct, name, { floorId, spaceId: floorId, reported: { PowerSwitch: 1 } })
  const [firstLamp, secondLamp] = [buildLamp('a', first), buildLamp('b', second)]
  const meter = deviceRow(meterProduct, 'meter', { floorId: first, spaceId: first })
  const fan = deviceRow(fanProduct, 'fan', { floorId: second, reported: { PowerSwitch: 1 } })
  await insertDevices(
    db,
    [lampProduct, meterProduct, fanProduct],
    [firstLamp, secondLamp, meter, fan],
  )
  const buildDay = (deviceId: string, more: object, day = '2026-03-02') => ({
    projectId: 1,
    deviceId,
    day,
    ...more,
  })
  await db
    .insert(energyDay)
    .values([
      buildDay(firstLamp.id, { reckoned: 100 }),
      buildDay(secondLamp.id, { reckoned: 40, measured: 2 }),
      buildDay(fan.id, { measured: 5 }),
      buildDay(meter.id, { measured: 300 }),
      buildDay(secondLamp.id, { reckoned: 7000 }, '2026-03-01'),
    ])
  await db.insert(project).values({
    projectId: 1,
    name: '园区',
    groupName: '片区',
    code: 'park',
    engineeringId: 1,
    sort: 1,
  })
  await recordMarks(db, parseClock('02T00:10'))
  expect(
    await estimateUsedEnergy(
      db,
      { projectId: 1, timeZone: 'Asia/Shanghai' },
      parseClock('02T00:10'),
    ),
  ).toBe(347)
  // Marks are deleted after three days.
  await recordMarks(db, parseClock('05T00:11'))
  expect(await db.select().from(energyMark)).toEqual([])
})

test('the consumption up to a time is interpolated between two marks and unknown without marks', async () => {
  const marks = {
    '01T23:50': 900,
    '02T00:10': 10,
    '02T08:00': 200,
    '02T08:10': 230,
    '02T23:55': 990,
  }
  await db.insert(energyMark).values(
    Object.entries(marks).map(([clock, wattHours]) => ({
      projectId: 2,
      time: new Date(parseClock(clock)).toISOString(),
      wattHours,
    })),
  )
  const estimateAt = (clock: string) =>
    estimateUsedEnergy(db, { projectId: 2, timeZone: 'Asia/Shanghai' }, parseClock(clock))
  expect(await estimateAt('02T08:05')).toBe(215)
  expect(await estimateAt('02T08:00')).toBe(200)
  expect(await estimateAt('02T08:12')).toBe(230)
  expect(await estimateAt('02T00:05')).toBe(5)
  expect(await estimateAt('02T23:58')).toBe(990)
  expect(await estimateAt('02T07:30')).toBeNull()
  expect(await estimateAt('02T12:00')).toBeNull()
  expect(
    await estimateUsedEnergy(
      db,
      { projectId: 3, timeZone: 'Asia/Shanghai' },
      parseClock('02T08:05'),
    ),
  ).toBeNull()
})

test('the consumption up to a time belongs to the day in the time zone of the project', async () => {
  const values = [
    { time: '2026-03-28T22:50:00.000Z', wattHours: 900 },
    { time: '2026-03-28T23:10:00.000Z', wattHours: 10 },
    { time: '2026-03-29T21:50:00.000Z', wattHours: 500 },
    { time: '2026-03-29T22:10:00.000Z', wattHours: 5 },
  ]
  await db.insert(energyMark).values(values.map((value) => ({ ...value, projectId: 78 })))
  const estimateAt = (time: string) =>
    estimateUsedEnergy(db, { projectId: 78, timeZone: 'Europe/Berlin' }, Date.parse(time))
  expect(await estimateAt('2026-03-28T22:55:00Z')).toBe(900)
  expect(await estimateAt('2026-03-28T23:05:00Z')).toBe(5)
  expect(await estimateAt('2026-03-29T21:55:00Z')).toBe(500)
  expect(await estimateAt('2026-03-29T22:10:00Z')).toBe(5)
})
