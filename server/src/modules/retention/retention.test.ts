import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { openDatabase } from '../../core/db/openDatabase'
import { createHistoryWriter } from '../../device-access/history/history'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { actionLog } from '../../tables/actionLog'
import { device, deviceCredential, product } from '../../tables/device'
import { energyDay } from '../../tables/energy'
import { errorLog } from '../../tables/errorLog'
import { job } from '../../tables/job'
import { loginLog } from '../../tables/loginLog'
import { project } from '../../tables/project'
import { sharedApp, type TestApp } from '../../testing'
import { createTestDatabase } from '../../testing.database'
import { retentionQueries } from './queries'
import { removeEnergy, removeHistory, removeOldLogs } from './retention'

let app: TestApp
const daysAgo = (days: number) => getPastTime(days * dayMs)
beforeAll(async () => {
  app = await sharedApp()
})

test('runs in one process a day, and not immediately on a new platform', async () => {
  const { db } = app.app
  const { claimJob } = retentionQueries(db)
  const name = uuidv7()
  expect(await claimJob(name, 23)).toBe(false)
  await db
    .update(job)
    .set({ lastTime: daysAgo(1) })
    .where(eq(job.name, name))
  const claims = await Promise.all([claimJob(name, 23), claimJob(name, 23), claimJob(name, 23)])
  expect(claims.filter(Boolean)).toHaveLength(1)
})

test('deletes only expired rows of each log, and records the counts in the audit log', async () => {
  const { db } = app.app
  const username = `kept-${uuidv7()}`
  const createLogin = (time: string) => ({
    id: uuidv7(),
    time,
    username,
    ok: true,
    reason: '',
    address: '',
    browser: '',
    system: '',
  })
  // The number of rows exceeds one batch.
  const oldLogins = Array.from({ length: 5200 }, () => createLogin(daysAgo(200)))
  for (let offset = 0; offset < oldLogins.length; offset += 1000)
    await db.insert(loginLog).values(oldLogins.slice(offset, offset + 1000))
  await db.insert(loginLog).values(createLogin(daysAgo(100)))
  const createErrorKind = (lastTime: string) => ({
    fingerprint: uuidv7(),
    source: 'server' as const,
    message: username,
    stack: '',
    page: '',
    build: '',
    traceId: '',
    count: 1,
    firstTime: daysAgo(300),
    lastTime,
    status: 'done' as const,
  })
  await db.insert(errorLog).values([createErrorKind(daysAgo(100)), createErrorKind(daysAgo(10))])

  await removeOldLogs(db)
  const remainingLogins = await db.select().from(loginLog).where(eq(loginLog.username, username))
  expect(remainingLogins.map(({ time }) => time < daysAgo(150))).toEqual([false])
  expect(await db.$count(errorLog, eq(errorLog.message, username))).toBe(1)
  const { list } = await app.as('admin').call(actionLogApi.page, { username: '系统' })
  // The system also writes entries about other tests.
  const cleanupEntries = list.filter(({ verb }) => verb === '清理过期日志')
  const cleanupTexts = cleanupEntries.map(({ entity, entityName }) => `${entity} ${entityName}`)
  expect(cleanupTexts).toEqual([
    expect.stringMatching(/^错误日志 \d+ 条，超过 90 天$/),
    expect.stringMatching(/^登录日志 5\d{3} 条，超过 180 天$/),
  ])
})

test('uses the history retention of each project, or that of the platform', async () => {
  const { db, close } = await openDatabase(await createTestDatabase())
  const projectFields = { groupName: '片区', engineeringId: 1, sort: 1, createBy: '', updateBy: '' }
  await db.insert(project).values([
    { ...projectFields, projectId: 1, name: '短', code: 'short', historyDays: 10 },
    { ...projectFields, projectId: 2, name: '同平台', code: 'usual' },
    { ...projectFields, projectId: 3, name: '长', code: 'long', historyDays: 90 },
  ])
  const history = createHistoryWriter(db, 400)
  for (const projectId of [1, 2, 3])
    for (const ageDays of [60, 20, 5]) {
      const time = Date.parse(daysAgo(ageDays))
      history.add({ id: uuidv7(), projectId }, 'Brightness', ageDays, time)
    }
  await history.write()
  await removeHistory(db, 30)
  const { rows } = await db.execute<{ left: string }>(
    sql`select project_id || ':' || value as left from property_history order by project_id, value::integer`,
  )
  expect(rows.map(({ left: remainingValue }) => remainingValue)).toEqual([
    '1:5',
    '2:5',
    '2:20',
    '3:5',
    '3:20',
    '3:60',
  ])
  const auditEntries = await db.select({ name: actionLog.entityName }).from(actionLog)
  expect(auditEntries).toEqual([{ name: '3 条，超过各项目的保存天数' }])
  await close()
})

test('deletes daily lamp consumption after three years', async () => {
  const { db } = app.app
  const lampProduct = productRow(`pk${uuidv7().slice(-8)}`, 'sub')
  const lamp = deviceRow(lampProduct, uuidv7())
  await db.insert(product).values(lampProduct)
  await insertDevices(db, [], [lamp])
  const { projectId, id: deviceId } = lamp
  const retainedDay = daysAgo(1000).slice(0, 10)
  for (const day of [daysAgo(1200).slice(0, 10), retainedDay])
    await db.insert(energyDay).values({ projectId, deviceId, day, reckoned: 1 })
  await removeEnergy(db)
  const remainingDays = await db.select().from(energyDay).where(eq(energyDay.deviceId, deviceId))
  expect(remainingDays.map(({ day }) => day)).toEqual([retainedDay])
  // Other tests count the devices of this project.
  await db.delete(deviceCredential).where(eq(deviceCredential.deviceId, deviceId))
  await db.delete(device).where(eq(device.id, deviceId))
  await db.delete(product).where(eq(product.id, lampProduct.id))
})
