import type { APIRequestContext, Page } from '@playwright/test'
import type { ProductType } from '@iot/shared/contract/product/productType.schema'
import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { createSender, createUniqueName } from './listHelpers'

// There is one simulated building, so tests that switch all lamps run in one file and in order.
test.describe.configure({ mode: 'serial' })

async function selectBuilding(page: Page, name: string) {
  const buildings = page.getByRole('radiogroup', { name: '楼栋' })
  await buildings.getByText(name).click()
  // The previous building's floors are shown until the choice is checked.
  await expect(buildings.getByRole('radio', { name })).toBeChecked()
}
const floorTab = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: '楼层' }).getByTitle(new RegExp(`^${name}：亮`))

/** This simulated lamp has a broken driver and refuses commands. */
const refusingLamp = 'A座2F-南办公区-03'
const findLamp = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}`) })
const findLampCard = (page: Page) => page.getByRole('region', { name: /的详情$/ })

async function findDeviceByName(api: APIRequestContext, name: string) {
  const answer = await api.get(`/v1/device/search?projectId=1&text=${encodeURIComponent(name)}`)
  return (await answer.json()).data.list[0] as { id: string; name: string }
}
/** Sets values of lamps by name through the API, as another user would, and waits until all entries have finished. */
async function setLampValues(
  api: APIRequestContext,
  names: string[],
  values: Record<string, number>,
) {
  const devices = await Promise.all(names.map((name) => findDeviceByName(api, name)))
  const scope = { kind: 'devices', deviceIds: devices.map(({ id }) => id) }
  const data = { kind: 'set', projectId: 1, scope, values }
  const task = (await (await api.post('/v1/control/task', { data })).json()).data as { id: string }
  await expect(async () => {
    const taskState = await (await api.get(`/v1/control/task/${task.id}`)).json()
    expect(taskState.data.doneTime).not.toBeNull()
  }).toPass()
}

test('turns a building off, names the two lamps that did not follow, and undoes it', async ({
  operator,
}) => {
  await visit(operator, '/home?scope=project')
  const counts = operator.getByRole('status', { name: '灯的统计' })
  await expect(counts).toHaveText(/开 317.*关 0.*离线 \d+.*受保护 \d+/)
  const firstFloor = operator.getByRole('button', { name: /^科创大厦 A 座 1 层/ })
  await expect(firstFloor).toHaveAccessibleName(/亮 28 盏，共 \d+ 盏/)

  await operator.getByRole('button', { name: '关 整个项目（312 盏）' }).click()
  const dialog = operator.getByRole('dialog')
  // The number of skipped lamps varies, because other tests leave lamps that are offline.
  await expect(dialog).toContainText(/将关闭 312 盏；跳过 \d+ 盏（受保护 \d+，离线 \d+/)
  await dialog.getByRole('button', { name: '关闭 312 盏' }).click()

  const task = operator.getByRole('article', { name: '灯光全关 · 整个项目', exact: true }).first()
  await expect(firstFloor).toHaveAccessibleName(/亮 1 盏，共 \d+ 盏/)
  // The lamp that never answers times out after ten seconds.
  await expect(task).toContainText('失败 2')
  await expect(task).toContainText('成功 310')
  await expect(task).toContainText(/跳过 \d+/)
  // Seven lamps stay on: five protected ones and the two that failed.
  await expect(counts).toHaveText(/开 7.*关 310/)
  await expect(task).toContainText(/驱动电源故障/)

  await task.getByRole('button', { name: '明细' }).click()
  const ledger = operator.getByRole('dialog')
  const rows = ledger.getByRole('row')
  await expect(rows.filter({ hasText: 'A座2F-' }).first()).toContainText('失败')
  await expect(rows.nth(1)).toContainText(/失败|超时/)
  await expect(rows.nth(2)).toContainText(/失败|超时/)
  await expect(ledger).toContainText('B座4F-研发一区-05')
  // The ledger has more than 300 rows on pages of 50.
  await expect(ledger.getByText('成功', { exact: true }).first()).toBeVisible()
  await ledger.getByTitle('7', { exact: true }).click()
  await expect(rows.nth(20)).toBeVisible()
  await ledger.getByText('失败 2', { exact: true }).click()
  await expect(rows).toHaveCount(3)
  await ledger.getByRole('button', { name: /关闭|Close/ }).click()

  await task.getByRole('button', { name: '恢复原状' }).click()
  await expect(counts).toHaveText(/开 317.*关 0/)
  // A restored entry is not retried.
  await expect(task.getByRole('button', { name: '已恢复' })).toBeVisible()
  await expect(task.getByRole('button', { name: '重试失败' })).toBeHidden()
})

test('switches one lamp by a click on the plan, visible on another page', async ({ operator }) => {
  await visit(operator, '/home')
  const getLamp = (page: typeof operator) => page.getByRole('button', { name: /^A座1F-茶水间-01/ })
  await expect(getLamp(operator)).toHaveAccessibleName('A座1F-茶水间-01 开')
  const otherPage = await operator.context().newPage()
  await otherPage.goto('/home')
  await expect(getLamp(otherPage)).toHaveAccessibleName('A座1F-茶水间-01 开')

  const controlCalls: string[] = []
  operator.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/v1\/(control|device\/map)\//.test(pathname))
      controlCalls.push(`${request.method()} ${pathname}`)
  })
  await getLamp(operator).click()
  await expect(getLamp(operator)).toHaveAccessibleName('A座1F-茶水间-01 关')
  await expect(getLamp(otherPage)).toHaveAccessibleName('A座1F-茶水间-01 关')
  await getLamp(otherPage).click()
  await expect(getLamp(operator)).toHaveAccessibleName('A座1F-茶水间-01 开')
  expect(controlCalls).toEqual(['POST /v1/control/task'])
  await otherPage.close()
})

test('loads only the viewed floor, and receives the number of lit lamps of the others', async ({
  operator,
  api,
}) => {
  const readFloors: string[] = []
  operator.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/device/map/info') readFloors.push(searchParams.get('floorId') ?? 'all')
  })
  await visit(operator, '/home')
  const getLamp = (name: string) => operator.getByRole('button', { name: new RegExp(`^${name}`) })
  const getFloorTab = (name: string) => floorTab(operator, name)
  await expect(getLamp('A座1F-茶水间-01')).toBeVisible()
  await getFloorTab('2 层').click()
  await expect(getLamp('A座2F-茶水间-01')).toHaveAccessibleName('A座2F-茶水间-01 开')
  await expect(getLamp('A座1F-茶水间-01')).toBeHidden()
  expect(readFloors).not.toContain('all')
  expect(new Set(readFloors).size).toBe(2)

  const litCount = Number(/亮 (\d+)/.exec((await getFloorTab('1 层').getAttribute('title'))!)![1])
  const { data: searchResult } = await (
    await api.get(`/v1/device/search?projectId=1&text=${encodeURIComponent('A座1F-茶水间-01')}`)
  ).json()
  const scope = { kind: 'devices', deviceIds: [searchResult.list[0].id] }
  for (const [PowerSwitch, expectedLit] of [
    [0, litCount - 1],
    [1, litCount],
  ]) {
    const data = { kind: 'set', projectId: 1, scope, values: { PowerSwitch } }
    await api.post('/v1/control/task', { data })
    await expect(getFloorTab('1 层')).toHaveAttribute('title', new RegExp(`亮 ${expectedLit} 盏`))
  }
  await getFloorTab('1 层').click()
  await expect(getLamp('A座1F-茶水间-01')).toHaveAccessibleName('A座1F-茶水间-01 开')
})

test('shows a pending lamp on every page, and the reason when it fails', async ({ operator }) => {
  const getLamp = (page: typeof operator) =>
    page.getByRole('button', { name: /^B座4F-研发一区-05/ })
  const otherPage = await operator.context().newPage()
  for (const page of [operator, otherPage]) {
    await page.goto('/home')
    await selectBuilding(page, '科创大厦 B 座')
    await floorTab(page, '4 层').click()
    await expect(getLamp(page)).toHaveAccessibleName(/^B座4F-研发一区-05 开(，命令超时.*)?$/)
  }
  await getLamp(operator).click()
  for (const page of [operator, otherPage])
    await expect(getLamp(page)).toHaveAccessibleName(/^B座4F-研发一区-05 开，等待确认/)
  await getLamp(otherPage).click()
  await expect(otherPage.getByText('B座4F-研发一区-05正在等待设备确认')).toBeVisible()
  // The lamp never answers and times out after ten seconds.
  await expect(operator.getByText('B座4F-研发一区-05：10 秒内没有应答')).toBeVisible()
  for (const page of [operator, otherPage])
    await expect(getLamp(page)).toHaveAccessibleName(
      /^B座4F-研发一区-05 开，命令超时：10 秒内没有应答$/,
    )
  await otherPage.close()
})

test('gives the reason why an offline lamp cannot be switched, and asks before a protected one', async ({
  operator,
}) => {
  await visit(operator, '/home')
  await floorTab(operator, '4 层').click()
  await operator.locator('svg').getByRole('button', { name: /离线$/ }).click()
  await expect(operator.getByText(/离线，不能控制/).first()).toBeVisible()
  const card = operator.getByRole('region', { name: /的详情$/ })
  await expect(card).toContainText('从未上报')
  await card.getByRole('button', { name: '关闭' }).click()

  await floorTab(operator, '1 层').click()
  await operator.getByRole('button', { name: /应急/ }).click()
  const question = operator.getByRole('dialog').filter({ hasText: '批量操作不会动它' })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: '取消' }).click()
  await operator.getByRole('button', { name: /应急/ }).click({ button: 'right' })
  const brightness = card.getByRole('slider', { name: '亮度' })
  const initialBrightness = await brightness.getAttribute('aria-valuenow')
  await brightness.press('ArrowLeft')
  await expect(question).toContainText('单独调节')
  await question.getByRole('button', { name: '取消' }).click()
  await expect(brightness).toHaveAttribute('aria-valuenow', initialBrightness!)
  await card.getByRole('button', { name: '闪灯定位' }).click()
  await expect(question).toContainText('单独闪动')
  await question.getByRole('button', { name: '取消' }).click()
})

test('acts on the chosen floor only, and keeps floor and scope in the URL', async ({
  operator,
}) => {
  await visit(operator, '/home')
  await selectBuilding(operator, '会议中心')
  await floorTab(operator, '3 层').click()
  const offButton = operator.getByRole('button', { name: '关 3 层（25 盏）' })
  await expect(offButton).toBeVisible()
  await operator.reload()
  await expect(operator.getByRole('button', { name: /^C座3F-报告厅-01/ })).toBeVisible()
  await offButton.click()
  await expect(operator.getByRole('dialog')).toContainText('关会议中心 3 层的灯')
  await expect(operator.getByRole('dialog')).toContainText('将关闭 25 盏')
  await operator.getByRole('dialog').getByRole('button', { name: '取消' }).click()
})

test('switches only the lamps of a group chosen beside the floors', async ({
  operator: page,
  api,
}) => {
  const send = createSender(api)
  const name = createUniqueName('走廊组')
  const listCorridorLamps = async () => {
    const text = encodeURIComponent('A座1F-走廊')
    type Lamp = { id: string; name: string; reported: { PowerSwitch?: number } }
    const path = `/v1/device/search?projectId=1&text=${text}`
    const { list } = await send<{ list: Lamp[] }>('get', path)
    return list.filter((candidate) => /^A座1F-走廊-0[1-3]$/.test(candidate.name))
  }
  const expectSwitchStates = (...values: number[]) =>
    expect
      .poll(async () => (await listCorridorLamps()).map(({ reported }) => reported.PowerSwitch))
      .toEqual(values)
  const lamps = await listCorridorLamps()
  await expectSwitchStates(1, 1, 1)
  const { id } = await send<{ id: string }>('post', '/v1/device-group', {
    projectId: 1,
    name,
    kind: 'hand',
    description: '',
    productIds: [],
    spaceIds: [],
    tags: [],
    deviceIds: lamps.slice(0, 2).map((lamp) => lamp.id),
  })
  await visit(page, '/home')
  await page.getByRole('combobox', { name: '设备组' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(name, { exact: true }).click()
  await expect(page.getByRole('row', { name: /^A座1F-走廊-01.*开/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /^A座1F-走廊-03/ })).toHaveCount(0)
  await page.getByRole('button', { name: `关 ${name}（2 盏）` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('将关闭 2 盏')
  await dialog.getByRole('button', { name: '关闭 2 盏' }).click()
  await expectSwitchStates(0, 0, 1)
  await expect(page.getByRole('row', { name: /^A座1F-走廊-01.*关/ })).toBeVisible()
  const task = page.getByRole('article', { name: `灯光全关 · ${name}`, exact: true }).first()
  await task.getByRole('button', { name: '恢复原状' }).click()
  await expectSwitchStates(1, 1, 1)
  await page.getByRole('button', { name: '口令' }).click()
  await page.getByRole('searchbox', { name: '口令' }).fill(`关闭 ${name}`)
  await page.getByRole('searchbox', { name: '口令' }).press('Enter')
  await expect(dialog).toContainText(`关${name}的灯`)
  await expect(dialog).toContainText('将关闭 2 盏')
  await dialog.getByRole('button', { name: '取消' }).click()
  await send('delete', `/v1/device-group/${id}`)
})

test('switches protected lamps with others after an approval, and not after a refusal', async ({
  page,
  operator: colleague,
  api,
}) => {
  // The request comes from another user than the administrator, because the answer would appear on the pages of other
  // tests.
  const requester = await createUserAndSignIn('operator', api, [1])
  await storeToken(page, requester.token)
  await visit(colleague, '/home')
  await expect(findLamp(colleague, 'A座1F-走廊-应急')).toHaveAccessibleName(/开/)
  await page.goto('/home')
  const title = '灯光全关 · 选中的 2 盏'
  const getRequestCard = (viewerPage: Page) =>
    viewerPage
      .getByRole('complementary', { name: '控制申请' })
      .getByRole('article', { name: title })
  async function requestApproval() {
    await findLamp(page, 'A座1F-走廊-应急').click({ modifiers: ['Shift'] })
    await findLamp(page, 'A座1F-茶水间-01').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('toolbar', { name: '选中的灯' })
    await bar.getByRole('button', { name: '关', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('将关闭 1 盏；跳过 1 盏（受保护 1）')
    await dialog.getByRole('checkbox', { name: /也控制受保护的灯/ }).check()
    await expect(dialog).toContainText('将关闭 2 盏')
    await dialog.getByRole('textbox', { name: '原因' }).fill('消防测试')
    await dialog.getByRole('button', { name: '提交申请' }).click()
    await expect(getRequestCard(page)).toContainText('等待同事同意')
    await expect(getRequestCard(page).getByRole('button', { name: '同意' })).toHaveCount(0)
    await expect(getRequestCard(colleague)).toContainText(`${requester.name} 申请控制受保护回路`)
    await expect(getRequestCard(colleague)).toContainText('共 2 盏，其中受保护 1 盏')
    await expect(getRequestCard(colleague)).toContainText('原因：消防测试')
    await bar.getByRole('button', { name: '取消选择' }).click()
  }

  await requestApproval()
  await getRequestCard(colleague).getByRole('button', { name: '拒绝' }).click()
  await expect(getRequestCard(colleague)).toBeHidden()
  await expect(getRequestCard(page)).toContainText('平台管理员 已拒绝，没有执行')
  await getRequestCard(page).getByRole('button', { name: '知道了' }).click()
  await expect(findLamp(page, 'A座1F-走廊-应急')).toHaveAccessibleName(/开/)

  await requestApproval()
  await getRequestCard(colleague).getByRole('button', { name: '同意' }).click()
  await expect(getRequestCard(page)).toContainText('平台管理员 已同意，任务已开始')
  await getRequestCard(page).getByRole('button', { name: '知道了' }).click()
  await expect(findLamp(page, 'A座1F-走廊-应急')).toHaveAccessibleName(/关/)
  await expect(findLamp(colleague, 'A座1F-茶水间-01')).toHaveAccessibleName('A座1F-茶水间-01 关')
  const task = page.getByRole('article', { name: title, exact: true }).first()
  await expect(task).toContainText('平台管理员 同意，含受保护的设备')
  await task.getByRole('button', { name: '恢复原状' }).click()
  await expect(findLamp(page, 'A座1F-走廊-应急')).toHaveAccessibleName(/开/)
  await expect(findLamp(page, 'A座1F-茶水间-01')).toHaveAccessibleName('A座1F-茶水间-01 开')
})

test('hands over a hold-off note with its reason and later changes, and ends it', async ({
  operator: page,
  api,
}) => {
  const name = 'A座1F-茶水间-01'
  await visit(page, '/home')
  const title = `关闭 · ${name}`
  await expect(page.getByRole('article').first()).toBeVisible()
  const task = page.waitForResponse((answer) => answer.url().endsWith('/v1/control/task'))
  await findLamp(page, name).click()
  await task
  await expect(findLamp(page, name)).toHaveAccessibleName(`${name} 关`)
  const taskArticle = page.getByRole('article', { name: title, exact: true }).first()
  await taskArticle.getByRole('button', { name: '备注' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('不会拦住定时场景和别人的操作')
  await dialog.getByRole('textbox', { name: '原因' }).fill('茶水间检修')
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  const holdNote = page.getByRole('article', { name: `${title}，值班备注` })
  await expect(holdNote).toContainText('平台管理员：茶水间检修')
  await expect(holdNote).toContainText('直到手动解除')

  const secondOperator = await createUserAndSignIn('operator', api, [1])
  await setLampValues(secondOperator.api, [name], { PowerSwitch: 1 })
  await expect(holdNote).toContainText(`${secondOperator.name} 的“打开 · ${name}”改动了其中 1 盏`)
  await holdNote.getByRole('button', { name: '解除' }).click()
  await expect(holdNote).toBeHidden()
  await expect(page.getByText('值班备注', { exact: true })).toBeHidden()
})

test('shows the preflight of a scene before running it', async ({ operator }) => {
  await visit(operator, '/home')
  await operator.getByRole('button', { name: /^演讲/ }).click()
  const dialog = operator.getByRole('dialog')
  await expect(dialog).toContainText('将控制 29 盏；跳过 1 盏（离线 1）')
  await dialog.getByRole('button', { name: '执行' }).click()
  const task = operator.getByRole('article', { name: '场景 · 演讲', exact: true }).first()
  await expect(task).toContainText('成功 29')
  await task.getByRole('button', { name: '恢复原状' }).click()
  await expect(task.getByRole('button', { name: '已恢复' })).toBeVisible()
})

test('gives a read-only visitor the reasons for disabled controls, and reports failed reads', async ({
  page,
  api,
}) => {
  const visitor = await createUserAndSignIn('visitor', api, [1])
  await storeToken(page, visitor.token)
  await page.goto('/home')
  const retryButton = page.getByRole('button', { name: '重试失败' }).first()
  const reason = '缺少权限：单灯控制'
  await expect(retryButton).toBeDisabled()
  await expect(page.getByRole('button', { name: '选灯' })).toBeDisabled()
  await expect(page.getByRole('button', { name: '编辑模式' })).toBeDisabled()
  // Content that loads later above the button moves it away from the mouse, so the hover is repeated.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await retryButton.hover({ force: true, timeout: 10_000 })
    await expect(page.getByRole('tooltip', { name: reason })).toBeVisible({ timeout: 5000 })
  }).toPass()

  await page.route('**/v1/control/recent?*', (route) => route.abort())
  await page.reload()
  const panel = page.locator('[data-card]', { hasText: '最近的控制' })
  await expect(panel.getByText(/没有取到数据/)).toBeVisible()
  await expect(panel.getByText('还没有控制记录')).toBeHidden()
  await page.unroute('**/v1/control/recent?*')
  await panel.getByRole('button', { name: '重试' }).click()
  await expect(retryButton).toBeVisible()
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

test('shows how to start when there is no building', async ({ newcomer: operator }) => {
  await operator.goto('/home')
  await operator.evaluate(() => localStorage.setItem('currentProjectId', '2'))
  await operator.reload()
  await expect(operator.getByText('还没有楼栋和设备')).toBeVisible()
  await operator.getByRole('link', { name: '去建楼栋' }).click()
  await expect(operator.getByRole('tab', { name: '空间', selected: true })).toBeVisible()
  await expect(operator.getByText('滨海酒店').first()).toBeVisible()
})

test('offers an action of another type under its name, with its required confirmation', async ({
  operator,
  api,
}) => {
  const send = createSender(api)
  const query = { name: 'CLIMATE_SENSOR' }
  const { list } = await send<{ list: ProductType[] }>('post', '/v1/product-type/page', query)
  const { id, name, categories, icon, color, description, sort, status, version } = list[0]!
  const baseFields = { name, categories, icon, color, description, sort, status }
  const action = { actionType: 'reset', name: '校准', identifier: 'Reset', value: 1 }
  const path = `/v1/product-type/${id}`
  const updatedType = await send<ProductType>('put', path, {
    ...baseFields,
    version,
    showOnHome: true,
    actions: [{ ...action, confirm: 'strict' }],
    // A standard category would limit the product to its own functions.
    categories: [],
  })
  await operator.goto('/home')
  await operator.getByRole('button', { name: '温湿度校准' }).click()
  const dialog = operator.getByRole('dialog')
  await expect(dialog).toContainText(/将控制 [1-9]\d* 台/)
  const start = dialog.getByRole('button', { name: '温湿度校准' })
  await expect(start).toBeDisabled()
  await dialog.getByRole('checkbox', { name: '已确认现场可以执行' }).check()
  await expect(start).toBeEnabled()
  const { version: currentVersion } = updatedType
  await send('put', path, {
    ...baseFields,
    version: currentVersion,
    showOnHome: false,
    actions: [],
  })
})

test('sets the scope by the floor tabs, and names it on the buttons', async ({ operator }) => {
  await visit(operator, '/home')
  await expect(operator.getByRole('button', { name: '关 1 层（27 盏）' })).toBeVisible()
  await floorTab(operator, '4 层').click()
  await operator.getByRole('button', { name: '关 4 层（27 盏）' }).click()
  const dialog = operator.getByRole('dialog')
  await expect(dialog).toContainText('关科创大厦 A 座 4 层的灯')
  await expect(dialog).toContainText('将关闭 27 盏；跳过 1 盏（离线 1）')
  await dialog.getByRole('button', { name: '取消' }).click()
  await floorTab(operator, '全部楼层').click()
  await expect(operator.getByRole('button', { name: /^关 科创大厦 A 座（/ })).toBeVisible()
})

test('filters the plan by a count', async ({ operator }) => {
  await visit(operator, '/home')
  const normalLamp = findLamp(operator, 'A座1F-茶水间-01')
  const emergencyLamp = findLamp(operator, 'A座1F-走廊-应急')
  const protectedCount = operator.getByRole('button', { name: '受保护 1' })
  await protectedCount.click()
  await expect(protectedCount).toHaveAttribute('aria-pressed', 'true')
  await expect(normalLamp).toHaveCSS('opacity', '0.16')
  await expect(emergencyLamp).toHaveCSS('opacity', '1')
  await protectedCount.click()
  await expect(normalLamp).toHaveCSS('opacity', '1')
})

test('switches a room by one click, and undoes it from the message', async ({ operator }) => {
  await visit(operator, '/home')
  const light = findLamp(operator, 'A座1F-茶水间-01')
  await operator.getByRole('button', { name: '茶水间 1/1，关灯' }).click()
  await expect(light).toHaveAccessibleName('A座1F-茶水间-01 关')
  await expect(operator.getByRole('button', { name: '茶水间 0/1，开灯' })).toBeVisible()
  const message = operator.locator('.ant-message-notice', { hasText: '茶水间灯光已全部关闭' })
  await message.getByRole('button', { name: '恢复原状' }).click()
  await expect(light).toHaveAccessibleName('A座1F-茶水间-01 开')
})

test('selects lamps, a lasso and a room with Shift, and shows the actions on the plan', async ({
  operator,
}) => {
  await visit(operator, '/home')
  const bar = operator.getByRole('toolbar', { name: '选中的灯' })
  await findLamp(operator, 'A座1F-茶水间-01').click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('已选 1 盏')
  await operator.getByRole('button', { name: /^大堂 \d/ }).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('已选 9 盏')
  await bar.getByRole('button', { name: '取消选择' }).click()
  await expect(bar).toBeHidden()

  // The rectangle surrounds the lamp of the lift lobby.
  const { x, y } = (await findLamp(operator, 'A座1F-电梯厅-01').boundingBox())!
  await operator.keyboard.down('Shift')
  await operator.mouse.move(x - 10, y + 50)
  await operator.mouse.down()
  for (const [dx, dy] of [
    [-10, -8],
    [44, -8],
    [44, 50],
  ] as const)
    await operator.mouse.move(x + dx, y + dy, { steps: 4 })
  await operator.mouse.up()
  await operator.keyboard.up('Shift')
  await expect(bar).toContainText('已选 1 盏')
  await bar.getByRole('button', { name: '关', exact: true }).click()
  await expect(operator.getByRole('dialog')).toContainText('将关闭 1 盏')
  await operator.getByRole('dialog').getByRole('button', { name: '取消' }).click()
})

test('is one tab stop for the plan, and clears the selection by Esc', async ({ operator }) => {
  await visit(operator, '/home')
  const plan = operator.getByRole('group', { name: /平面图$/ })
  await expect(findLamp(operator, 'A座1F-茶水间-01')).toBeVisible()
  await expect(plan.locator('[tabindex="0"]')).toHaveCount(1)
  await plan.locator('[tabindex="0"]').focus()
  const firstLabel = await plan.locator(':focus').getAttribute('aria-label')
  await operator.keyboard.press('ArrowRight')
  await expect(plan.locator(':focus')).not.toHaveAttribute('aria-label', firstLabel!)
  await expect(plan.locator('[tabindex="0"]')).toHaveCount(1)
  await operator.keyboard.press('Tab')
  await expect(plan.locator(':focus')).toHaveCount(0)
  await operator.keyboard.press('Shift+Tab')
  await expect(plan.locator(':focus')).toHaveCount(1)

  const bar = operator.getByRole('toolbar', { name: '选中的灯' })
  await findLamp(operator, 'A座1F-茶水间-01').click({ modifiers: ['Shift'] })
  await expect(bar).toBeVisible()
  await operator.keyboard.press('Escape')
  await expect(bar).toBeHidden()
})

test('shows and sets the properties of a lamp in its card', async ({ operator }) => {
  await visit(operator, '/home')
  await findLamp(operator, 'A座1F-接待室-01').click({ button: 'right' })
  const lampCard = findLampCard(operator)
  await expect(lampCard).toContainText('科创大厦 A 座 1 层 接待室')
  await expect(lampCard).toContainText('额定 40 W')
  await expect(lampCard).toContainText('A座边缘网关 1（在线）')
  const brightness = lampCard.getByRole('slider', { name: '亮度' })
  await expect(brightness).toHaveAttribute('aria-valuenow', '80')
  await brightness.press('ArrowLeft')
  await expect(lampCard).toContainText('79%')
  await expect(lampCard).toContainText(/平台管理员：亮度调到 79% · A座1F-接待室-01，成功/)
  // Single commands appear in the list with the user who sent them.
  const recent = operator.getByRole('article', { name: '亮度调到 79% · A座1F-接待室-01' })
  await expect(recent.first()).toContainText(/平台管理员.*成功/)
  await brightness.press('ArrowRight')
  await expect(lampCard).toContainText('80%')
  await lampCard.getByRole('button', { name: '闪灯定位' }).click()
  await expect(operator.getByText('A座1F-接待室-01正在闪灯')).toBeVisible()
  await lampCard.press('Escape')
  await expect(lampCard).toBeHidden()
})

test('lists a failed command as an incident with its age, and its fault at the lamp', async ({
  operator,
  api,
}) => {
  await setLampValues(api, [refusingLamp], { PowerSwitch: 0 })
  await visit(operator, '/home')
  await operator.getByRole('button', { name: /^现在有问题/ }).click()
  const drawer = operator.getByRole('dialog', { name: '现在有问题' })
  const incident = drawer.getByRole('listitem').filter({ hasText: '控制任务失败' })
  await expect(incident).toContainText(/刚刚|分钟/)
  await operator.keyboard.press('Escape')
  await selectBuilding(operator, '科创大厦 A 座')
  await floorTab(operator, '2 层').click()
  await expect(findLamp(operator, refusingLamp)).toHaveAccessibleName(/命令失败.*驱动电源故障/)
  await findLamp(operator, refusingLamp).click({ button: 'right' })
  await expect(findLampCard(operator)).toContainText('驱动电源故障')
})

test('moves the plan to the lamp of a ledger line', async ({ operator, api }) => {
  await setLampValues(api, ['C座3F-报告厅-01', 'C座3F-报告厅-02'], { Brightness: 81 })
  await visit(operator, '/home')
  const task = operator.getByRole('article', { name: /^亮度调到 81%/ }).first()
  await task.getByRole('button', { name: '明细' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: 'C座3F-报告厅-01' }).click()
  await expect(operator).toHaveURL(/device=/)
  const light = findLamp(operator, 'C座3F-报告厅-01')
  await expect(light).toBeInViewport()
  // The zoom is high enough to tell the lamp from its neighbours.
  const measureGap = async () =>
    (await findLamp(operator, 'C座3F-报告厅-02').boundingBox())!.x - (await light.boundingBox())!.x
  await expect.poll(measureGap).toBeGreaterThan(120)
  await setLampValues(api, ['C座3F-报告厅-01', 'C座3F-报告厅-02'], { Brightness: 80 })
})

test('shows the last day of a sensor', async ({ operator }) => {
  await visit(operator, '/home')
  const curve = operator.getByRole('tooltip').filter({ hasText: 'A座1F-温湿度' })
  // Content that loads later above the plan moves it away from the mouse, so the hover is repeated.
  await expect(async () => {
    await operator.mouse.move(0, 0)
    await operator.getByRole('img', { name: /^A座1F-温湿度/ }).hover({ timeout: 10_000 })
    await expect(curve).toContainText(/°C/, { timeout: 10_000 })
    await expect(curve).toContainText(/24 小时/, { timeout: 10_000 })
  }).toPass()
})

test('shows all floors side by side, each linked to its plan', async ({ operator }) => {
  await visit(operator, '/home?scope=project')
  const floors = operator.getByRole('button', { name: /层，亮 \d+ 盏，共 \d+ 盏$/ })
  await expect(floors).toHaveCount(12)
  const topFloor = operator.getByRole('button', { name: /^会议中心 3 层/ })
  await expect(topFloor).toContainText(/25\/25.*°C.*kW.*(正常|条告警)/)
  await operator.getByRole('button', { name: '关 会议中心 3 层' }).click()
  await expect(operator.getByRole('dialog')).toContainText('将关闭 25 盏')
  await operator.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await topFloor.click()
  await expect(findLamp(operator, 'C座3F-报告厅-01')).toBeVisible()
})

test('switches a room by a sentence, asks before a wider command, and reports an unclear one', async ({
  operator,
}) => {
  await visit(operator, '/home')
  await operator.getByRole('button', { name: '口令' }).click()
  const commandBox = operator.getByRole('searchbox', { name: '口令' })
  const light = findLamp(operator, 'A座1F-茶水间-01')
  const enterCommand = async (sentence: string) => {
    await commandBox.fill(sentence)
    await commandBox.press('Enter')
  }
  await enterCommand('把茶水间的灯关掉')
  await expect(light).toHaveAccessibleName('A座1F-茶水间-01 关')
  await enterCommand('打开一楼茶水间')
  await expect(light).toHaveAccessibleName('A座1F-茶水间-01 开')
  await enterCommand('打开游泳池的灯')
  await expect(operator.getByText('没有找到“游泳池”')).toBeVisible()
  await enterCommand('关闭所有灯')
  await expect(operator.getByRole('dialog')).toContainText('将关闭 312 盏')
  await operator.getByRole('dialog').getByRole('button', { name: '取消' }).click()
})

test('cycles through the floors on the wall display until it is closed', async ({ operator }) => {
  await visit(operator, '/home')
  await operator.getByRole('button', { name: '大屏' }).click()
  const wall = operator.getByRole('dialog', { name: '大屏' })
  await expect(wall.getByRole('heading', { level: 2 })).toContainText('科创大厦 A 座 1 层')
  await expect(wall).toContainText(/问题/)
  await wall.getByRole('combobox', { name: '每层停留' }).click()
  await wall.getByTitle('10 秒').click()
  const historyLength = await operator.evaluate(() => history.length)
  await expect(wall.getByRole('heading', { level: 2 })).toContainText('科创大厦 A 座 2 层')
  // Back leaves the wall display instead of walking through all floors shown.
  expect(await operator.evaluate(() => history.length)).toBe(historyLength)
  await wall.getByRole('button', { name: '退出大屏' }).click()
  await expect(wall).toBeHidden()
})

test('shows the time of the last update while the live connection is down', async ({
  newcomer: page,
}) => {
  const sockets: { close: () => Promise<void> }[] = []
  let isDown = false
  await page.routeWebSocket('**/v1/live', (socket) => {
    if (isDown) return void socket.close()
    socket.connectToServer()
    sockets.push(socket)
  })
  await page.goto('/home')
  await expect(findLamp(page, 'A座1F-茶水间-01')).toBeVisible()
  await expect(page.getByText(/数据截至/)).toBeHidden()
  isDown = true
  for (const socket of sockets) await socket.close()
  await expect(page.getByText(/数据截至 \d\d:\d\d/)).toBeVisible()
  await expect(page.getByRole('group', { name: /平面图$/ })).toHaveCSS('filter', 'grayscale(1)')
  isDown = false
  await expect(page.getByText(/数据截至/)).toBeHidden()
})
