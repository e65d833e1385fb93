import { eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { openDatabase } from '../../core/db/openDatabase'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { device, product } from '../../tables/device'
import { energyDay, energyRun } from '../../tables/energy'
import { createTestDatabase } from '../../testing.database'
import { whereDeviceIn, settleBatch } from './settle'

const meterProduct = productRow('pkCounter', 'sub', { productType: 'ELECTRICITY_METER' })

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openDatabase(await createTestDatabase()))
  await db.insert(product).values(meterProduct)
})
afterAll(() => close())

/** A clock time with the count in kWh at this time, and the last one before a drop that was not settled. */
type Reading = [clock: string, kilowattHours: number, lastCounter?: number]
let meterCount = 0

async function insertMeter() {
  const row = deviceRow(meterProduct, `meter-${++meterCount}`, { state: 'online' })
  await insertDevices(db, [], [row])
  return row.id
}
async function settleReadings(id: string, readings: Reading[]) {
  for (const [clock, kilowattHours, lastCounter] of readings) {
    const reported = { TotalActiveEnergy: kilowattHours }
    await db.update(device).set({ reported }).where(eq(device.id, id))
    const lastCounters = new Map(lastCounter === undefined ? [] : [[id, lastCounter]])
    const time = new Date(`2026-03-01T${clock}:00+08:00`)
    await settleBatch(db, time, whereDeviceIn([id]), { lastCounters })
  }
}
async function readTotal(id: string) {
  const days = await db.select().from(energyDay).where(eq(energyDay.deviceId, id))
  const wattHours = days.reduce((sum, { measured }) => sum + (measured ?? 0), 0)
  return Math.round(wattHours) / 1000
}
async function measure(...readings: Reading[]) {
  const id = await insertMeter()
  await settleReadings(id, readings)
  return readTotal(id)
}

describe('a count that drops and returns adds only the difference', () => {
  it.each<[string, Reading[]]>([
    [
      'a single zero',
      [
        ['10:10', 0],
        ['10:20', 10_000.2],
      ],
    ],
    [
      'a single low value',
      [
        ['10:10', 37.2],
        ['10:20', 10_000.2],
      ],
    ],
    [
      'several different low values',
      [
        ['10:01', 37.2],
        ['10:02', 0],
        ['10:03', 900],
        ['10:20', 10_000.2],
      ],
    ],
    [
      'a negative value',
      [
        ['10:10', -1],
        ['10:20', 10_000.2],
      ],
    ],
    [
      'the same low value for eight hours',
      [
        ['10:10', 12],
        ['14:00', 12],
        ['18:00', 12],
        ['18:10', 10_000.2],
      ],
    ],
    [
      'a low value after zeros for eight hours',
      [
        ['10:10', 0],
        ['18:00', 0],
        ['18:10', 5],
        ['18:20', 10_000.2],
      ],
    ],
    [
      'two drops',
      [
        ['10:10', 0],
        ['10:20', 10_000.1],
        ['10:30', 0],
        ['10:40', 10_000.2],
      ],
    ],
    [
      'an older value that arrives late',
      [
        ['10:10', 10_000.15],
        ['10:20', 10_000.1],
        ['10:30', 10_000.2],
      ],
    ],
    [
      'a count that returns exactly',
      [
        ['10:10', 0],
        ['10:20', 10_000],
        ['10:30', 10_000.2],
      ],
    ],
  ])('%s', async (_case, readings) => {
    expect(await measure(['10:00', 10_000], ...readings)).toBe(0.2)
  })
  it('values before the drop that were not settled are counted once', async () => {
    expect(
      await measure(
        ['10:00', 10_000],
        ['10:09', 0, 10_000.5],
        ['10:15', 0, 10_000.6],
        ['10:20', 10_001],
      ),
    ).toBe(1)
  })
})

describe('a count that begins anew', () => {
  it('is counted from its first value once it has risen for half an hour', async () => {
    const id = await insertMeter()
    await settleReadings(id, [
      ['10:00', 10_000],
      ['10:10', 0.5],
      ['10:20', 1],
      ['10:30', 1.5],
    ])
    expect(await readTotal(id)).toBe(0)
    await settleReadings(id, [
      ['10:40', 2],
      ['10:50', 2.25],
    ])
    expect(await readTotal(id)).toBe(1.75)
  })
  it('is counted also if nothing is used at first', async () => {
    expect(
      await measure(['10:00', 10_000], ['10:10', 0], ['12:00', 0], ['12:10', 1], ['12:40', 2]),
    ).toBe(2)
  })
  it('is counted past the value at which the former one ended', async () => {
    expect(
      await measure(
        ['08:00', 5],
        ['08:10', 0],
        ['09:00', 3],
        ['10:00', 4.9],
        ['11:00', 5.1],
        ['12:00', 6],
      ),
    ).toBe(6)
  })
  it('is counted after a rollover', async () => {
    expect(
      await measure(['10:00', 99_999], ['10:10', 0.5, 99_999.9], ['10:40', 1], ['10:50', 1.5]),
    ).toBe(1.9)
  })
  it('is counted if the meter was exchanged while the platform was down', async () => {
    expect(await measure(['01:00', 10_000], ['20:00', 3], ['20:30', 4], ['21:00', 5])).toBe(2)
  })
})

describe('a count that jumps', () => {
  it('is not counted for a single value that no building can have used', async () => {
    expect(await measure(['10:00', 10_000], ['10:10', 4_294_967.295], ['10:20', 10_000.2])).toBe(
      0.2,
    )
    expect(
      await measure(['10:00', 10_000], ['10:10', 10_000.1, 42_949_672.95], ['10:20', 10_000.2]),
    ).toBe(0.2)
  })
  it('is not counted where a zero came before the first real value', async () => {
    expect(
      await measure(['10:00', 0], ['10:10', 10_000], ['10:40', 10_000.5], ['11:00', 10_001]),
    ).toBe(1)
  })
  it('is counted from a zero that a new meter shows', async () => {
    expect(await measure(['10:00', 0], ['10:10', 0.5], ['10:20', 40])).toBe(40)
  })
})

test('rows of the former version go on counting', async () => {
  const id = await insertMeter()
  await db.insert(energyRun).values({
    projectId: 1,
    deviceId: id,
    since: '2026-03-01T01:00:00Z',
    look: 'unknown',
    isMeasured: false,
    counter: 50,
  })
  await settleReadings(id, [
    ['10:00', 51],
    ['10:10', 0],
    ['10:20', 52],
  ])
  expect(await readTotal(id)).toBe(2)
})
