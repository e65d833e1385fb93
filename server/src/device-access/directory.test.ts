import { eq } from 'drizzle-orm'
import { DatabaseAway } from '../core/db/outage'
import { device } from '../tables/device'
import { openDirectory } from './directory'
import { deviceRow, insertDevices, productRow, testDevices, type DeviceRow } from './testing'

let platform: Awaited<ReturnType<typeof testDevices>>
const direct = productRow('a1direct', 'direct')
const lamps = Array.from({ length: 300 }, (_, at) => deviceRow(direct, `lamp-${at}`))
beforeAll(async () => {
  platform = await testDevices()
  await insertDevices(platform.db, [direct], lamps)
})
afterAll(() => platform.close())

const strangers = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ productKey: 'a1', deviceName: `${from + at}` }))

it('asks for hundreds in one query, and for strangers and devices alike', async () => {
  const select = jest.spyOn(platform.db, 'select')
  const { find } = openDirectory(platform.db)
  const found = await Promise.all([...lamps, ...strangers(0, 1)].map(find))
  expect(found.map((device) => device?.id)).toEqual([...lamps.map(({ id }) => id), undefined])
  expect(select).toHaveBeenCalledTimes(1)
  select.mockRestore()
})

it('goes on knowing who speaks however many strangers knock', async () => {
  // The clock stands still, so that the cache entry does not expire however slow the machine is.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now())
  const { find } = openDirectory(platform.db)
  const speaking = lamps[0]!
  await find(speaking)
  for (let from = 0; from < 60_000; from += 20_000) {
    await Promise.all(strangers(from, 20_000).map(find))
    const select = jest.spyOn(platform.db, 'select')
    await find(speaking)
    expect(select).not.toHaveBeenCalled()
    select.mockRestore()
  }
  jest.restoreAllMocks()
})

it('knows who spoke before while the database is away, however long that is', async () => {
  const [speaking, silent] = lamps as [DeviceRow, DeviceRow]
  const { find } = openDirectory(platform.db, undefined, 1)
  const before = await find(speaking)
  const away = jest.spyOn(platform.db, 'select').mockImplementation(() => {
    throw new DatabaseAway()
  })
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await find(speaking)).toEqual(before)
  }
  await expect(find(silent)).rejects.toThrow(DatabaseAway)
  away.mockRestore()
  await platform.db.update(device).set({ name: '新名' }).where(eq(device.id, speaking.id))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await find(speaking)).toMatchObject({ name: '新名' })
})
