import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { errorLogApi } from '@iot/shared/contract/platform/errorLog.api'
import { exampleDataApi } from '@iot/shared/contract/project/exampleData.api'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { loginLogApi } from '@iot/shared/contract/access/loginLog.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import {
  registrationRecordApi,
  registrationRuleApi,
} from '@iot/shared/contract/device/registration.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { Cards } from '@iot/shared/contract/project/viewCard.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { sql } from 'drizzle-orm'
import { seedProjects } from 'server/src/modules/project/seed'
import { ownApp, type TestApp } from 'server/src/testing'
import { view } from 'server/src/tables/view'
import { addExampleSite } from './addExampleSite'

let app: TestApp
const simulation = { stop: jest.fn(async () => {}), start: jest.fn(async () => {}) }
const call: ReturnType<TestApp['as']>['call'] = (endpoint, input) =>
  app.as('admin').call(endpoint, input)

/** These tables record the calls and the work of the platform itself, so their rows differ. */
const ownTables = new Set([
  'action_log',
  'login_log',
  'session',
  'known_device',
  'job',
  'lease',
  'task',
])
async function countRows() {
  const { rows: tables } = await app.app.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'property_history_%'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables.filter((table) => !ownTables.has(table.name))) {
    const { rows } = await app.app.db.execute<{ n: number }>(
      sql`select count(*)::int as n from ${sql.identifier(name)}`,
    )
    counts[name] = rows[0]!.n
  }
  return counts
}

let before: Record<string, number>
beforeAll(async () => {
  app = await ownApp({ example: { add: async () => {}, ...simulation } })
  before = await countRows()
})
afterAll(() => app.close())

it('fills every list', async () => {
  expect(await addExampleSite(app.app.db)).toBe(true)
  expect(await addExampleSite(app.app.db)).toBe(false)

  const projectId = 1
  const lists = {
    manufacturer: await call(manufacturerApi.page, {}),
    brand: await call(brandApi.page, {}),
    product: await call(productApi.page, {}),
    icon: await call(iconApi.page, {}),
    rule: await call(registrationRuleApi.page, {}),
    record: await call(registrationRecordApi.page, { projectId }),
    user: await call(userApi.page, {}),
    group: await call(deviceGroupApi.page, { projectId }),
    scene: await call(sceneApi.page, { projectId }),
    snapshot: await call(snapshotApi.page, { projectId }),
    calendar: await call(calendarApi.page, {}),
    incident: await call(incidentApi.page, { status: 'all' }),
    error: await call(errorLogApi.page, {}),
    action: await call(actionLogApi.page, {}),
    failedLogin: await call(loginLogApi.page, { ok: 'false' }),
  }
  const recentControls = await call(controlApi.recent, { projectId })
  expect(recentControls[0]).toMatchObject({
    title: expect.stringContaining('会议中心 1 层'),
    createByName: '王磊',
    status: 'done',
  })
  for (const { counts, total, createTime } of recentControls) {
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total)
    expect(counts.success).toBeGreaterThan(0)
    expect(Date.parse(createTime)).toBeLessThan(Date.now())
  }
  expect((await call(deviceApi.problems, { projectId })).counts).toMatchObject({
    failed: 0,
    timeout: 0,
  })
  const empty = Object.entries(lists).filter(([, { total }]) => total === 0)
  expect(empty.map(([name]) => name)).toEqual([])
  expect((await call(productCategoryApi.list, {})).length).toBeGreaterThan(9)
  expect(lists.manufacturer.list.map(({ areaName }) => areaName)).not.toContain('')
  for (const row of lists.product.list) {
    expect(row).toMatchObject({ createBy: '示例数据', categoryVersion: 1 })
    expect([row.manufacturerName, row.brandName, row.categoryName, row.icon]).not.toContain('')
  }
  for (const { cards } of await app.app.db.select().from(view))
    expect(Cards.safeParse(cards).error).toBeUndefined()
  // An account whose password nobody knows must not count as the last administrator.
  expect(
    lists.user.list.filter(
      ({ roleNames, state }) => roleNames.includes('平台管理员') && state === 'normal',
    ),
  ).toHaveLength(1)
})

it('keeps what people changed or refer to when it is cleared, and names it', async () => {
  const maker = (await call(manufacturerApi.page, { name: '粤明' })).list[0]!
  await call(manufacturerApi.update, { ...maker, shortName: '改过的简称' })
  const product = (await call(productApi.page, { name: '电表' })).list[0]!
  await call(managedDeviceApi.create, {
    projectId: 1,
    productId: product.id,
    name: '自己的电表',
    deviceName: 'own-meter',
    spaceId: null,
    protected: false,
  })

  const preview = await call(exampleDataApi.preview, {})
  expect((await call(manufacturerApi.page, {})).total).toBe(4)
  const outcome = await call(exampleDataApi.clear, {})
  expect(outcome).toEqual(preview)
  expect(simulation.stop).toHaveBeenCalledTimes(1)
  expect(simulation.start).toHaveBeenCalledTimes(1)
  expect(outcome.kept.map(({ title, name, reason }) => `${title} ${name}：${reason}`)).toEqual([
    '产品 电表：正被 1 处使用，不能删除：设备“自己的电表”',
    '品牌 量安：正被 1 处使用，不能删除：产品“电表”',
    `厂商 ${maker.name}：admin 改过`,
    '厂商 江阴量安仪表有限公司：正被 2 处使用，不能删除：品牌“量安”、产品“电表”',
    '品类 能源：下面还有“电表”',
    '品类 电表：正被 1 处使用，不能删除：产品“电表”',
    '图标 电表：正被 1 处使用，不能删除：品类“电表”',
    '项目 科创园：正被 1 处使用，不能删除：设备“自己的电表”',
    '日历 科创园日历：正被 1 处使用，不能删除：项目“科创园”',
  ])
  expect(outcome.removed).toContainEqual({ title: '设备', count: 362 })
  expect(await call(exampleDataApi.read, {})).toMatchObject({
    clearedBy: 'admin',
    rowCount: outcome.keptCount,
  })
})

it('leaves nothing and removes nothing else once those are gone', async () => {
  for (const { id } of (await call(managedDeviceApi.page, { projectId: 1 })).list)
    await call(managedDeviceApi.remove, { id })
  expect(await call(exampleDataApi.clear, {})).toMatchObject({ keptCount: 1 })
  for (const { id } of (await call(manufacturerApi.page, {})).list)
    await call(manufacturerApi.remove, { id })
  expect(await countRows()).toEqual({
    ...before,
    // The platform remembers that it had an example site, and which row a person took over.
    example_site: 1,
    example_row: 1,
    project: 0,
    // Pictures stay, as everywhere: rows and snapshots refer to them by their hash.
    uploaded_file: 20,
    floor_plan: 12,
  })
  await seedProjects(app.app.db)
  expect((await call(managedProjectApi.page, {})).total).toBe(0)
})
