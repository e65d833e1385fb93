import { dayMs, minuteMs } from '@iot/shared/contract/duration'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { toEpochMs, toZonedDate } from '@iot/shared/contract/timeZone'
import { eq, sql } from 'drizzle-orm'
import { project } from '../../tables/project'
import { removeOldHistory } from '../../core/db/historyPartitions'
import { createHistoryWriter } from '../../device-access/history/history'
import { deviceRow, insertDevices, lampModel, productRow } from '../../device-access/testing'
import { ownApp, type ErrorAnswer, type TestApp } from '../../testing'

let app: TestApp
const product = productRow('a1history01', 'direct', { model: lampModel })
const lamp = deviceRow(product, 'history-lamp')
/** The period starts at midnight in Shanghai, three days ago. */
const startMs =
  Math.floor((Date.now() + 8 * 60 * minuteMs) / dayMs) * dayMs - 8 * 60 * minuteMs - 3 * dayMs
const toIso = (time: number) => new Date(time).toISOString()

type HistoryRequest = {
  id?: string
  identifier?: string
  from?: string
  to?: string
  step?: number
}
const requestHistory = (
  change: HistoryRequest = {},
  client: Pick<TestApp['stranger'], 'call'> = app.as('admin'),
) =>
  client.call(managedDeviceApi.history, {
    id: lamp.id,
    identifier: 'Brightness',
    from: toIso(startMs),
    to: toIso(startMs + dayMs),
    step: 3600,
    ...change,
  })
const getFieldErrors = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data }: ErrorAnswer) => (data as { fields?: object } | null)?.fields,
  )

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [product], [lamp])
  const history = createHistoryWriter(app.app.db)
  for (let n = 0; n < 120; n++) history.add(lamp, 'Brightness', n % 100, startMs + n * minuteMs)
  history.add(lamp, 'PowerSwitch', 1, startMs - minuteMs)
  history.add(lamp, 'PowerSwitch', 0, startMs + 10 * minuteMs)
  history.add(lamp, 'PowerSwitch', 1, startMs + 20 * minuteMs)
  history.add(lamp, 'PowerSwitch', 0, startMs + 90 * minuteMs)
  await history.write()
})
afterAll(() => app.close())

describe('a history request is refused', () => {
  it('without a session, and for a device out of sight as if it did not exist', async () => {
    await expect(requestHistory({}, app.stranger)).rejects.toMatchObject({ code: 401 })
    const otherProjectAdmin = await app.join('historyelsewhere', 'project-admin', [2])
    await expect(requestHistory({}, otherProjectAdmin)).rejects.toMatchObject({ code: 404 })
    await expect(
      otherProjectAdmin.call(managedDeviceApi.exportHistory, {
        id: lamp.id,
        identifier: 'Brightness',
        from: toIso(startMs),
        to: toIso(startMs + dayMs),
        step: 0,
      }),
    ).rejects.toMatchObject({ code: 404 })
  })
  it('for an unknown property, a reversed range, and too many points', async () => {
    expect(await getFieldErrors(requestHistory({ identifier: 'Nothing' }))).toEqual({
      identifier: '产品没有这个属性',
    })
    expect(await getFieldErrors(requestHistory({ to: toIso(startMs) }))).toEqual({
      to: '结束时间须晚于开始时间',
    })
    expect(await getFieldErrors(requestHistory({ from: toIso(startMs - 400 * dayMs) }))).toEqual({
      from: '一次最多查看 366 天',
    })
    expect(
      await getFieldErrors(requestHistory({ from: toIso(startMs - 200 * dayMs), step: 60 })),
    ).toEqual({
      step: '一次最多 45000 段，请加长间隔或缩短时间',
    })
    expect(await getFieldErrors(requestHistory({ step: -1 }))).toEqual({ step: '间隔不能为负' })
    expect(await getFieldErrors(requestHistory({ from: '昨天' }))).toEqual({
      from: '时间格式不正确',
    })
  })
})

describe('the history of a property', () => {
  it('by day starts at midnight in the time zone of the project', async () => {
    const timeZone = 'Europe/Berlin'
    const setZone = (zone: string) =>
      app.app.db.update(project).set({ timeZone: zone }).where(eq(project.projectId, 1))
    await setZone(timeZone)
    try {
      const midnight = toEpochMs(toZonedDate(startMs, timeZone), '00:00', timeZone)
      for (const step of [86_400, 21_600]) {
        const { times, counts } = await requestHistory({ step })
        expect(times).toEqual([
          midnight + (step === 86_400 ? 0 : 12 * 60 * minuteMs),
          ...times.slice(1),
        ])
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120)
      }
    } finally {
      await setZone('Asia/Shanghai')
    }
  })
  it('of numbers contains mean, minimum and maximum of each step, aligned to the hour', async () => {
    const { times, counts, avg, min, max } = await requestHistory()
    expect(times).toEqual([startMs, startMs + 60 * minuteMs])
    expect({ counts, avg, min, max }).toEqual({
      counts: [60, 60],
      avg: [29.5, 56.1667],
      min: [0, 0],
      max: [59, 99],
    })
    // A day begins at midnight in Shanghai even if the requested period begins later.
    const dailyHistory = await requestHistory({
      from: toIso(startMs + 30 * minuteMs),
      step: 86_400,
    })
    expect(dailyHistory.times).toEqual([startMs])
  })
  it('of a state contains the last value of each step and the value before the range', async () => {
    const hourlyHistory = await requestHistory({ identifier: 'PowerSwitch' })
    expect(hourlyHistory).toMatchObject({
      before: 1,
      last: [1, 0],
      times: [startMs, startMs + 60 * minuteMs],
    })
    const unsteppedHistory = await requestHistory({ identifier: 'PowerSwitch', step: 0 })
    expect(unsteppedHistory.last).toEqual([0, 1, 0])
  })
  it('is exported as shown, in a file that names the device and property', async () => {
    const task = await app.as('admin').call(managedDeviceApi.exportHistory, {
      id: lamp.id,
      identifier: 'Brightness',
      from: toIso(startMs),
      to: toIso(startMs + dayMs),
      step: 3600,
      format: 'csv',
    })
    const file = { name: `${lamp.name} 亮度历史.csv` }
    expect(task).toMatchObject({ status: 'done', total: 2, file })
  })
  it('is dropped by whole days after its retention, and values older than that are not stored', async () => {
    const listPartitions = async () => {
      const { rows } = await app.app.db.execute<{ name: string }>(
        sql`select relname as name from pg_class where relispartition and relkind = 'r'`,
      )
      return rows.map(({ name }) => name)
    }
    const historyWith60Days = createHistoryWriter(app.app.db, 60)
    historyWith60Days.add(lamp, 'Brightness', 1, startMs - 40 * dayMs)
    historyWith60Days.add(lamp, 'Brightness', 1, startMs - 70 * dayMs)
    await historyWith60Days.write()
    const partitionsBefore = await listPartitions()
    const retentionDays = { usual: 30, projects: new Map() }
    expect(await removeOldHistory(app.app.db, retentionDays)).toEqual({ days: 1, rows: 0 })
    expect(await listPartitions()).toHaveLength(partitionsBefore.length - 1)
    const remainingHistory = await requestHistory({
      from: toIso(startMs - 300 * dayMs),
      step: 86_400,
    })
    expect(remainingHistory.times).toEqual([startMs])
  })
})

test('values that could not be written are stored when the history is closed', async () => {
  const { db } = app.app
  const history = createHistoryWriter(db)
  await db.execute(sql`alter table property_history rename to property_history_away`)
  history.add(lamp, 'Held', 1, startMs)
  await history.write()
  await db.execute(sql`alter table property_history_away rename to property_history`)
  await history.close()
  const { rows } = await db.execute(
    sql`select value from property_history where device_id = ${lamp.id} and identifier = 'Held'`,
  )
  expect(rows).toEqual([{ value: 1 }])
})
