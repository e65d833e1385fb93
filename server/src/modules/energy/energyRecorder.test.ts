import { EventEmitter } from 'node:events'
import { eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { openDatabase } from '../../core/db/openDatabase'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { device, product } from '../../tables/device'
import { energyDay } from '../../tables/energy'
import { createTestDatabase } from '../../testing.database'
import { createEnergyRecorder } from './energyRecorder'

const meterProduct = productRow('pkRecorded', 'sub', { productType: 'ELECTRICITY_METER' })
const meter = deviceRow(meterProduct, 'meter', { state: 'online' })

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openDatabase(await createTestDatabase()))
  await db.insert(product).values(meterProduct)
  await insertDevices(db, [], [meter])
})
afterAll(() => close())

/** Starts a recorder as a process of its own; `report` stores a count and tells the recorder of it. */
function startRecorder() {
  const events = new EventEmitter()
  const access = {
    states: { events, flush: () => Promise.resolve() },
    partitions: { holdsAny: () => true },
  }
  const recorder = createEnergyRecorder(db, access as unknown as DeviceAccess, true, () => true)
  return {
    async report(kilowattHours: number) {
      const reported = { TotalActiveEnergy: kilowattHours }
      await db.update(device).set({ reported }).where(eq(device.id, meter.id))
      events.emit('changed', [{ id: meter.id, state: 'online', reported, stale: {} }])
    },
    settle: () => recorder.bringUpToDate(1),
    stop: () => recorder.close(),
  }
}

test('a count that drops to zero and returns is counted once, also across restarts', async () => {
  const first = startRecorder()
  await first.report(10_000)
  await first.stop()
  // The last reading before the drop and the wrong ones come within a second.
  const second = startRecorder()
  for (const kilowattHours of [10_001, 0, 37, 0]) await second.report(kilowattHours)
  await second.stop()
  const third = startRecorder()
  await third.report(0)
  await third.stop()
  const fourth = startRecorder()
  await fourth.report(10_003)
  await fourth.settle()
  await fourth.stop()
  const days = await db.select().from(energyDay).where(eq(energyDay.deviceId, meter.id))
  expect(Math.round(days.reduce((sum, { measured }) => sum + measured!, 0))).toBe(3000)
})
