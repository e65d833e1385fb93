import type { Page } from '@playwright/test'
import { expect, keepToken, signedInAs, test, visit } from './fixtures'

// One building for all: what switches every lamp runs in one file, in order.
test.describe.configure({ mode: 'serial' })

const choose = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: '楼栋' }).getByText(name).click()
const floorTab = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: '楼层' }).getByTitle(new RegExp(`^${name}：亮`))

test('turns a building off, names the two lamps that did not follow, and puts everything back', async ({
  operator,
}) => {
  await visit(operator, '/home?scope=project')
  const counts = operator.getByRole('status', { name: '灯的统计' })
  await expect(counts).toHaveText(/开 317.*关 0.*离线 3.*受保护 5/)
  const firstFloor = operator.getByRole('button', { name: /^科创大厦 A 座 1 层/ })
  await expect(firstFloor).toHaveAccessibleName(/亮 28 盏，共 28 盏/)

  await operator.getByRole('button', { name: '关 整个项目（312 盏）' }).click()
  const dialog = operator.getByRole('dialog')
  await expect(dialog).toContainText('将关闭 312 盏；跳过 8 盏（受保护 5，离线 3）')
  await dialog.getByRole('button', { name: '全关' }).click()

  const task = operator.getByRole('region', { name: /全关/ }).first()
  await expect(firstFloor).toHaveAccessibleName(/亮 1 盏，共 28 盏/)
  // The silent lamp is given its ten seconds.
  await expect(task).toContainText('失败 2', { timeout: 25_000 })
  await expect(task).toContainText('成功 310')
  await expect(task).toContainText('跳过 8')
  // Five protected ones and the two that failed stay on.
  await expect(counts).toHaveText(/开 7.*关 310/)
  await expect(task).toContainText(/驱动电源故障/)

  await task.getByRole('button', { name: '逐台结果' }).click()
  const ledger = operator.getByRole('dialog')
  const rows = ledger.getByRole('row')
  await expect(rows.filter({ hasText: 'A座2F-' }).first()).toContainText('失败')
  await expect(rows.nth(1)).toContainText(/失败|超时/)
  await expect(rows.nth(2)).toContainText(/失败|超时/)
  await expect(ledger).toContainText('B座4F-研发一区-05')
  // 320 rows, 50 a page.
  await expect(ledger.getByText('成功', { exact: true }).first()).toBeVisible()
  await ledger.getByTitle('7', { exact: true }).click()
  await expect(rows).toHaveCount(21)
  await ledger.getByText('失败 2', { exact: true }).click()
  await expect(rows).toHaveCount(3)
  await ledger.getByRole('button', { name: /关闭|Close/ }).click()

  await task.getByRole('button', { name: '恢复原状' }).click()
  await expect(counts).toHaveText(/开 317.*关 0/, { timeout: 20_000 })
  // What was put back is not tried again.
  await expect(task.getByRole('button', { name: '已恢复' })).toBeVisible()
  await expect(task.getByRole('button', { name: '重试失败' })).toBeHidden()
})

test('switches one lamp by a click on the plan, and another page sees it', async ({ operator }) => {
  await visit(operator, '/home')
  const lamp = (page: typeof operator) => page.getByRole('button', { name: /^A座1F-茶水间-01/ })
  await expect(lamp(operator)).toHaveAccessibleName('A座1F-茶水间-01 开')
  const other = await operator.context().newPage()
  await other.goto('/home')
  await expect(lamp(other)).toHaveAccessibleName('A座1F-茶水间-01 开')

  const calls: string[] = []
  operator.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/v1\/(control|device\/map)\//.test(pathname))
      calls.push(`${request.method()} ${pathname}`)
  })
  await lamp(operator).click()
  await expect(lamp(operator)).toHaveAccessibleName('A座1F-茶水间-01 关')
  await expect(lamp(other)).toHaveAccessibleName('A座1F-茶水间-01 关')
  await lamp(other).click()
  await expect(lamp(operator)).toHaveAccessibleName('A座1F-茶水间-01 开')
  expect(calls).toEqual(['POST /v1/control/task'])
  await other.close()
})

test('reads the floor that is looked at, and learns of the others how many lamps are lit', async ({
  operator,
  api,
}) => {
  const read: string[] = []
  operator.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/device/map/info') read.push(searchParams.get('floorId') ?? 'all')
  })
  await visit(operator, '/home')
  const lamp = (name: string) => operator.getByRole('button', { name: new RegExp(`^${name}`) })
  const floor = (name: string) => floorTab(operator, name)
  await expect(lamp('A座1F-茶水间-01')).toBeVisible()
  await floor('2 层').click()
  await expect(lamp('A座2F-茶水间-01')).toHaveAccessibleName('A座2F-茶水间-01 开')
  await expect(lamp('A座1F-茶水间-01')).toBeHidden()
  expect(read).not.toContain('all')
  expect(new Set(read).size).toBe(2)

  const lit = Number(/亮 (\d+)/.exec((await floor('1 层').getAttribute('title'))!)![1])
  const { data: found } = await (
    await api.get(`/v1/device/search?projectId=1&text=${encodeURIComponent('A座1F-茶水间-01')}`)
  ).json()
  const scope = { kind: 'devices', deviceIds: [found.list[0].id] }
  for (const [PowerSwitch, now] of [
    [0, lit - 1],
    [1, lit],
  ]) {
    const data = { kind: 'set', projectId: 1, scope, values: { PowerSwitch } }
    await api.post('/v1/control/task', { data })
    await expect(floor('1 层')).toHaveAttribute('title', new RegExp(`亮 ${now} 盏`))
  }
  await floor('1 层').click()
  await expect(lamp('A座1F-茶水间-01')).toHaveAccessibleName('A座1F-茶水间-01 开')
})

test('shows on every page that a lamp was asked and has not answered, and says why it did not', async ({
  operator,
}) => {
  const lamp = (page: typeof operator) => page.getByRole('button', { name: /^B座4F-研发一区-05/ })
  const other = await operator.context().newPage()
  for (const page of [operator, other]) {
    await page.goto('/home')
    await choose(page, '科创大厦 B 座')
    await floorTab(page, '4 层').click()
    await expect(lamp(page)).toHaveAccessibleName(/^B座4F-研发一区-05 开(，命令超时.*)?$/)
  }
  await lamp(operator).click()
  for (const page of [operator, other])
    await expect(lamp(page)).toHaveAccessibleName(/^B座4F-研发一区-05 开，等待确认/)
  await lamp(other).click()
  await expect(other.getByText('B座4F-研发一区-05正在等待设备确认')).toBeVisible()
  // It never answers, and is given its ten seconds.
  await expect(operator.getByText('B座4F-研发一区-05：10 秒内没有应答')).toBeVisible({
    timeout: 20_000,
  })
  for (const page of [operator, other])
    await expect(lamp(page)).toHaveAccessibleName(
      /^B座4F-研发一区-05 开，命令超时：10 秒内没有应答$/,
    )
  await other.close()
})

test('says why an offline lamp cannot be switched and asks before a protected one', async ({
  operator,
}) => {
  await visit(operator, '/home')
  await floorTab(operator, '4 层').click()
  await operator.getByRole('button', { name: /离线$/ }).click()
  await expect(operator.getByText(/离线，不能控制/).first()).toBeVisible()
  const card = operator.getByRole('region', { name: /的详情$/ })
  await expect(card).toContainText('从未上报')
  await card.getByRole('button', { name: '关闭' }).click()

  await floorTab(operator, '1 层').click()
  await operator.getByRole('button', { name: /应急/ }).click()
  await expect(operator.getByRole('dialog')).toContainText('批量操作不会动它')
  await operator.getByRole('dialog').getByRole('button', { name: '取消' }).click()
})

test('acts on a chosen floor only, and keeps floor and scope in the address', async ({
  operator,
}) => {
  await visit(operator, '/home')
  await choose(operator, '会议中心')
  await floorTab(operator, '3 层').click()
  await operator.reload()
  await expect(operator.getByRole('button', { name: /^C座3F-报告厅-01/ })).toBeVisible()
  await operator.getByRole('button', { name: '关 3 层（25 盏）' }).click()
  await expect(operator.getByRole('dialog')).toContainText('关会议中心 3 层的灯')
  await expect(operator.getByRole('dialog')).toContainText('将关闭 25 盏')
  await operator.getByRole('dialog').getByRole('button', { name: '取消' }).click()
})

test('runs a scene after saying what it will do', async ({ operator }) => {
  await visit(operator, '/home')
  await operator.getByRole('button', { name: '演讲' }).click()
  const dialog = operator.getByRole('dialog')
  await expect(dialog).toContainText('将影响 29 盏；跳过 1 盏（离线 1）')
  await dialog.getByRole('button', { name: '执行' }).click()
  const task = operator.getByRole('region', { name: '场景 · 演讲', exact: true }).first()
  await expect(task).toContainText('成功 29', { timeout: 15_000 })
  await task.getByRole('button', { name: '恢复原状' }).click()
  await expect(task.getByRole('button', { name: '已恢复' })).toBeVisible()
})

test('tells a read-only visitor why nothing can be done, and of what failed that it failed', async ({
  page,
  api,
}) => {
  const visitor = await signedInAs('visitor', api, [1])
  await keepToken(page, visitor.token)
  await page.goto('/home')
  const retry = page.getByRole('button', { name: '重试失败' }).first()
  const reason = '缺少权限：单灯控制'
  await expect(retry).toBeDisabled()
  await expect(page.getByRole('button', { name: '选灯' })).toBeDisabled()
  await expect(page.getByRole('button', { name: '编辑模式' })).toBeDisabled()
  await retry.hover({ force: true })
  await expect(page.getByRole('tooltip', { name: reason })).toBeVisible()

  await page.route('**/v1/control/recent?*', (route) => route.abort())
  await page.reload()
  const panel = page.locator('.ant-card', { hasText: '最近的控制' })
  await expect(panel.getByText(/没有取到数据/)).toBeVisible()
  await expect(panel.getByText('还没有控制记录')).toBeHidden()
  await page.unroute('**/v1/control/recent?*')
  await panel.getByRole('button', { name: '重试' }).click()
  await expect(retry).toBeVisible()
})

test('sends no command in edit mode', async ({ newcomer: operator }) => {
  await operator.goto('/home')
  await operator.getByRole('button', { name: '编辑模式' }).click()
  await expect(operator.getByRole('button', { name: /^关 1 层/ })).toBeDisabled()
  const lamp = operator.getByRole('button', { name: /^A座1F-茶水间-01/ })
  await lamp.click()
  await expect(operator.getByText('已选 1 盏')).toBeVisible()
  await expect(lamp).toHaveAccessibleName('A座1F-茶水间-01 开')
})

test('says what to do where there is no building', async ({ newcomer: operator }) => {
  await operator.goto('/home')
  await operator.evaluate(() => localStorage.setItem('currentProjectId', '2'))
  await operator.reload()
  await expect(operator.getByText('还没有楼栋和设备')).toBeVisible()
})

test('offers the action of another type under its name, and waits for the tick it asks for', async ({
  operator,
  api,
}) => {
  const type = {
    ...{ name: '温湿度', code: 'CLIMATE_SENSOR', categories: [], icon: '', color: '' },
    ...{ showOnHome: true, description: '', sort: 90, status: 'enabled' },
    actions: [
      {
        ...{ actionType: 'reset', name: '校准', identifier: 'Reset', value: 1 },
        confirm: 'strict',
      },
    ],
  }
  const { data } = await (await api.post('/v1/product-type', { data: type })).json()
  await operator.goto('/home')
  await operator.getByRole('button', { name: '温湿度校准' }).click()
  const dialog = operator.getByRole('dialog')
  await expect(dialog).toContainText(/将影响 [1-9]\d* 台/)
  const start = dialog.getByRole('button', { name: '温湿度校准' })
  await expect(start).toBeDisabled()
  await dialog.getByRole('checkbox', { name: '已确认现场可以执行' }).check()
  await expect(start).toBeEnabled()
  await api.delete(`/v1/product-type/${data.id}`)
})
