import { eq } from 'drizzle-orm'
import { DatabaseUnavailableError } from '../core/db/outage'
import { device } from '../tables/device'
import { createDeviceDirectory } from './directory'
import { deviceRow, insertDevices, productRow, startTestDevices, type DeviceRow } from './testing'

let platform: Awaited<ReturnType<typeof startTestDevices>>
const direct = productRow('a1direct', 'direct')
const lamps = Array.from({ length: 300 }, (_, at) => deviceRow(direct, `lamp-${at}`))
beforeAll(async () => {
  platform = await startTestDevices()
  await insertDevices(platform.db, [direct], lamps)
})
afterAll(() => platform.close())

const buildUnknownIdentities = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ productKey: 'a1', deviceName: `${from + at}` }))

it('looks up hundreds of devices in one query, known and unknown ones', async () => {
  const select = jest.spyOn(platform.db, 'select')
  const { find } = createDeviceDirectory(platform.db)
  const foundDevices = await Promise.all([...lamps, ...buildUnknownIdentities(0, 1)].map(find))
  expect(foundDevices.map((device) => device?.id)).toEqual([
    ...lamps.map(({ id }) => id),
    undefined,
  ])
  expect(select).toHaveBeenCalledTimes(1)
  select.mockRestore()
})

it('keeps a known device cached however many unknown ones connect', async () => {
  // The clock stands still, so that the cache entry does not expire however slow the machine is.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now())
  const { find } = createDeviceDirectory(platform.db)
  const knownLamp = lamps[0]!
  await find(knownLamp)
  for (let from = 0; from < 60_000; from += 20_000) {
    await Promise.all(buildUnknownIdentities(from, 20_000).map(find))
    const select = jest.spyOn(platform.db, 'select')
    await find(knownLamp)
    expect(select).not.toHaveBeenCalled()
    select.mockRestore()
  }
  jest.restoreAllMocks()
})

it('keeps known devices cached while the database is away', async () => {
  const [knownLamp, unknownLamp] = lamps as [DeviceRow, DeviceRow]
  const { find } = createDeviceDirectory(platform.db, undefined, 1)
  const before = await find(knownLamp)
  const selectSpy = jest.spyOn(platform.db, 'select').mockImplementation(() => {
    throw new DatabaseUnavailableError()
  })
  for (let attempt = 0; attempt < 3; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await find(knownLamp)).toEqual(before)
  }
  await expect(find(unknownLamp)).rejects.toThrow(DatabaseUnavailableError)
  selectSpy.mockRestore()
  await platform.db.update(device).set({ name: '新名' }).where(eq(device.id, knownLamp.id))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await find(knownLamp)).toMatchObject({ name: '新名' })
})
