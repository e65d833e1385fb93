import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { toMoment, toZonedDate } from '@iot/shared/contract/timeZone'
import { eq, sql } from 'drizzle-orm'
import { project } from '../../tables/project'
import { removeOldHistory } from '../../device-access/historyParts'
import { openHistory } from '../../device-access/history'
import { deviceRow, insertDevices, lampModel, productRow } from '../../device-access/testing'
import { testApp, type Refused, type TestApp } from '../../testing'

let app: TestApp
const product = productRow('a1history01', 'direct', { model: lampModel })
const lamp = deviceRow(product, 'history-lamp')
const minute = 60_000
const day = 24 * 60 * minute
/** The period starts at midnight in Shanghai, three days ago. */
const start = Math.floor((Date.now() + 8 * 60 * minute) / day) * day - 8 * 60 * minute - 3 * day
const iso = (time: number) => new Date(time).toISOString()

type Change = { id?: string; identifier?: string; from?: string; to?: string; step?: number }
const ask = (change: Change = {}, who: Pick<TestApp['stranger'], 'call'> = app.as('admin')) =>
  who.call(managedDeviceApi.history, {
    id: lamp.id,
    identifier: 'Brightness',
    from: iso(start),
    to: iso(start + day),
    step: 3600,
    ...change,
  })
const wrong = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data }: Refused) => (data as { fields?: object } | null)?.fields,
  )

beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [product], [lamp])
  const history = openHistory(app.app.db)
  for (let n = 0; n < 120; n++) history.add(lamp, 'Brightness', n % 100, start + n * minute)
  history.add(lamp, 'PowerSwitch', 1, start - minute)
  history.add(lamp, 'PowerSwitch', 0, start + 10 * minute)
  history.add(lamp, 'PowerSwitch', 1, start + 20 * minute)
  history.add(lamp, 'PowerSwitch', 0, start + 90 * minute)
  await history.write()
})
afterAll(() => app.close())

describe('the history of a property is refused', () => {
  it('to a stranger, and to who does not see the project, as if there were no such device', async () => {
    await expect(ask({}, app.stranger)).rejects.toMatchObject({ code: 401 })
    const elsewhere = await app.join('historyelsewhere', 'project-admin', [2])
    await expect(ask({}, elsewhere)).rejects.toMatchObject({ code: 404 })
    await expect(
      elsewhere.call(managedDeviceApi.exportHistory, {
        id: lamp.id,
        identifier: 'Brightness',
        from: iso(start),
        to: iso(start + day),
        step: 0,
      }),
    ).rejects.toMatchObject({ code: 404 })
  })
  it('where it is no property, ends before it begins, or is too much at once', async () => {
    expect(await wrong(ask({ identifier: 'Nothing' }))).toEqual({ identifier: '产品没有这个属性' })
    expect(await wrong(ask({ to: iso(start) }))).toEqual({ to: '结束时间须晚于开始时间' })
    expect(await wrong(ask({ from: iso(start - 400 * day) }))).toEqual({
      from: '一次最多查看 366 天',
    })
    expect(await wrong(ask({ from: iso(start - 200 * day), step: 60 }))).toEqual({
      step: '一次最多 45000 段，请加长间隔或缩短时间',
    })
    expect(await wrong(ask({ step: -1 }))).toEqual({ step: '间隔不能为负' })
    expect(await wrong(ask({ from: '昨天' }))).toEqual({ from: '时间格式不正确' })
  })
})

describe('the history of a property', () => {
  it('by the day begins where a day of the zone of the project does', async () => {
    const timeZone = 'Europe/Berlin'
    const setZone = (zone: string) =>
      app.app.db.update(project).set({ timeZone: zone }).where(eq(project.projectId, 1))
    await setZone(timeZone)
    try {
      const midnight = toMoment(toZonedDate(start, timeZone), '00:00', timeZone)
      for (const step of [86_400, 21_600]) {
        const { times, counts } = await ask({ step })
        expect(times).toEqual([
          midnight + (step === 86_400 ? 0 : 12 * 60 * minute),
          ...times.slice(1),
        ])
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120)
      }
    } finally {
      await setZone('Asia/Shanghai')
    }
  })
  it('of numbers is mean, least and most of each step, beginning where an hour does', async () => {
    const { times, counts, avg, min, max } = await ask()
    expect(times).toEqual([start, start + 60 * minute])
    expect({ counts, avg, min, max }).toEqual({
      counts: [60, 60],
      avg: [29.5, 56.1667],
      min: [0, 0],
      max: [59, 99],
    })
    // A day begins at midnight in Shanghai even if the requested period begins later.
    const byDay = await ask({ from: iso(start + 30 * minute), step: 86_400 })
    expect(byDay.times).toEqual([start])
  })
  it('of a state is the last value of each step, and what it was before', async () => {
    const hourly = await ask({ identifier: 'PowerSwitch' })
    expect(hourly).toMatchObject({ before: 1, last: [1, 0], times: [start, start + 60 * minute] })
    const each = await ask({ identifier: 'PowerSwitch', step: 0 })
    expect(each.last).toEqual([0, 1, 0])
  })
  it('is exported as it is shown, in a file that says of what', async () => {
    const task = await app.as('admin').call(managedDeviceApi.exportHistory, {
      id: lamp.id,
      identifier: 'Brightness',
      from: iso(start),
      to: iso(start + day),
      step: 3600,
      format: 'csv',
    })
    const file = { name: `${lamp.name} 亮度历史.csv` }
    expect(task).toMatchObject({ status: 'done', total: 2, file })
  })
  it('goes by whole days once it is older than it is kept, and what comes too late is not taken', async () => {
    const parts = async () => {
      const { rows } = await app.app.db.execute<{ name: string }>(
        sql`select relname as name from pg_class where relispartition and relkind = 'r'`,
      )
      return rows.map(({ name }) => name)
    }
    const days = openHistory(app.app.db, 60)
    days.add(lamp, 'Brightness', 1, start - 40 * day)
    days.add(lamp, 'Brightness', 1, start - 70 * day)
    await days.write()
    const before = await parts()
    const kept = { usual: 30, projects: new Map() }
    expect(await removeOldHistory(app.app.db, kept)).toEqual({ days: 1, rows: 0 })
    expect(await parts()).toHaveLength(before.length - 1)
    const left = await ask({ from: iso(start - 300 * day), step: 86_400 })
    expect(left.times).toEqual([start])
  })
})
