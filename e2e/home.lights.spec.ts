import type { Page } from '@playwright/test'
import type { ProductType } from '@iot/shared/contract/product/productType.schema'
import { refusingLamp, setLampValues } from './buildingLamps'
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

const findLamp = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}`) })
const findLampCard = (page: Page) => page.getByRole('region', { name: /的详情$/ })

test('shows all floors side by side, turns a building off, names the two lamps that did not follow, and undoes it', async ({
  operator,
}) => {
  await visit(operator, '/home?scope=project')
  const counts = operator.getByRole('status', { name: '灯的统计' })
  await expect(counts).toHaveText(/开 317.*关 0.*离线 \d+.*受保护 \d+/)
  const firstFloor = operator.getByRole('button', { name: /^科创大厦 A 座 1 层/ })
  await expect(firstFloor).toHaveAccessibleName(/亮 28 盏，共 \d+ 盏/)

  const floors = operator.getByRole('button', { name: /层，亮 \d+ 盏，共 \d+ 盏$/ })
  await expect(floors).toHaveCount(12)
  const topFloor = operator.getByRole('button', { name: /^会议中心 3 层/ })
  await expect(topFloor).toContainText(/25\/25.*°C.*kW.*(正常|条告警)/)
  await operator.getByRole('button', { name: '关 会议中心 3 层' }).click()
  const dialog = operator.getByRole('dialog')
  await expect(dialog).toContainText('将关闭 25 盏')
  await dialog.getByRole('button', { name: '取消' }).click()

  await operator.getByRole('button', { name: '关 整个项目（312 盏）' }).click()
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

  await topFloor.click()
  await expect(findLamp(operator, 'C座3F-报告厅-01')).toBeVisible()
})

test('shows clicks, delayed commands, pending and failed lamps at once on another page', async ({
  operator,
}) => {
  const name = 'A座1F-茶水间-01'
  await visit(operator, '/home')
  await expect(findLamp(operator, name)).toHaveAccessibleName(`${name} 开`)
  const otherPage = await operator.context().newPage()
  await otherPage.goto('/home')
  await expect(findLamp(otherPage, name)).toHaveAccessibleName(`${name} 开`)

  await test.step('a click switches the lamp by one call', async () => {
    const controlCalls: string[] = []
    operator.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/v1\/(control|device\/map)\//.test(pathname))
        controlCalls.push(`${request.method()} ${pathname}`)
    })
    await findLamp(operator, name).click()
    await expect(findLamp(operator, name)).toHaveAccessibleName(`${name} 关`)
    await expect(findLamp(otherPage, name)).toHaveAccessibleName(`${name} 关`)
    await findLamp(otherPage, name).click()
    await expect(findLamp(operator, name)).toHaveAccessibleName(`${name} 开`)
    expect(controlCalls).toEqual(['POST /v1/control/task'])
  })

  await test.step('a command of the card is delayed, and cancelled by the other page', async () => {
    const findDelayed = (page: Page) =>
      page.getByRole('article', { name: new RegExp(`${name}，延时控制$`) })
    await findLamp(operator, name).click({ button: 'right' })
    const card = operator.getByRole('region', { name: `${name}的详情` })
    await card.getByRole('button', { name: /延时(关闭|打开)$/ }).click()
    await operator.getByRole('menuitem', { name: /^10 分钟后(关闭|打开)$/ }).click()
    const dialog = operator.getByRole('dialog').filter({ hasText: `10 分钟后：关 ${name}` })
    await expect(dialog).toContainText('将控制 1 盏')
    await dialog.getByRole('button', { name: '10 分钟后执行' }).click()
    await expect(findDelayed(operator)).toBeVisible()
    // The live channel tells the other page, which else reads once a minute.
    await expect(findDelayed(otherPage)).toBeVisible({ timeout: 5000 })
    await findDelayed(otherPage).getByRole('button', { name: /^取消/ }).click()
    await expect(findDelayed(operator)).toBeHidden({ timeout: 5000 })
    await card.getByRole('button', { name: '关闭', exact: true }).click()
    await expect(card).toBeHidden()
  })

  await test.step('a lamp that never answers is pending, then failed with its reason', async () => {
    const silentName = 'B座4F-研发一区-05'
    for (const page of [operator, otherPage]) {
      await selectBuilding(page, '科创大厦 B 座')
      await floorTab(page, '4 层').click()
      await expect(findLamp(page, silentName)).toHaveAccessibleName(
        /^B座4F-研发一区-05 开(，命令超时.*)?$/,
      )
    }
    await findLamp(operator, silentName).click()
    // The lamp never answers and times out after ten seconds; the message may be gone before the steps here end.
    const failureMessage = operator
      .getByText(`${silentName}：10 秒内没有应答`)
      .waitFor({ timeout: 60_000 })
    for (const page of [operator, otherPage])
      await expect(findLamp(page, silentName)).toHaveAccessibleName(
        /^B座4F-研发一区-05 开，等待确认/,
      )
    await findLamp(otherPage, silentName).click()
    await expect(otherPage.getByText(`${silentName}正在等待设备确认`)).toBeVisible()
    await failureMessage
    for (const page of [operator, otherPage])
      await expect(findLamp(page, silentName)).toHaveAccessibleName(
        /^B座4F-研发一区-05 开，命令超时：10 秒内没有应答$/,
      )
  })
  await otherPage.close()
})

test('loads and controls only the chosen floor, kept in the URL, and receives the number of lit lamps of the others', async ({
  operator,
  api,
}) => {
  const readFloors: string[] = []
  operator.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/device/map/info') readFloors.push(searchParams.get('floorId') ?? 'all')
  })
  const dialog = operator.getByRole('dialog')
  const name = 'A座1F-茶水间-01'
  await visit(operator, '/home')

  await test.step('only viewed floors are read', async () => {
    await expect(findLamp(operator, name)).toBeVisible()
    await floorTab(operator, '2 层').click()
    await expect(findLamp(operator, 'A座2F-茶水间-01')).toHaveAccessibleName('A座2F-茶水间-01 开')
    await expect(findLamp(operator, name)).toBeHidden()
    expect(readFloors).not.toContain('all')
    expect(new Set(readFloors).size).toBe(2)
  })

  await test.step('the tab of another floor counts its lit lamps', async () => {
    const title = await floorTab(operator, '1 层').getAttribute('title')
    const litCount = Number(/亮 (\d+)/.exec(title!)![1])
    for (const [PowerSwitch, expectedLit] of [
      [0, litCount - 1],
      [1, litCount],
    ] as const) {
      await setLampValues(api, [name], { PowerSwitch })
      await expect(floorTab(operator, '1 层')).toHaveAttribute(
        'title',
        new RegExp(`亮 ${expectedLit} 盏`),
      )
    }
    await floorTab(operator, '1 层').click()
    await expect(findLamp(operator, name)).toHaveAccessibleName(`${name} 开`)
  })

  await test.step('the floor tabs set the scope, which the buttons name', async () => {
    await expect(operator.getByRole('button', { name: '关 1 层（27 盏）' })).toBeVisible()
    await floorTab(operator, '4 层').click()
    await operator.getByRole('button', { name: '关 4 层（27 盏）' }).click()
    await expect(dialog).toContainText('关科创大厦 A 座 4 层的灯')
    await expect(dialog).toContainText('将关闭 27 盏；跳过 1 盏（离线 1）')
    await dialog.getByRole('button', { name: '取消' }).click()
    await floorTab(operator, '全部楼层').click()
    await expect(operator.getByRole('button', { name: /^关 科创大厦 A 座（/ })).toBeVisible()
  })

  await test.step('floor and scope outlast a reload', async () => {
    await selectBuilding(operator, '会议中心')
    await floorTab(operator, '3 层').click()
    const offButton = operator.getByRole('button', { name: '关 3 层（25 盏）' })
    await expect(offButton).toBeVisible()
    await operator.reload()
    await expect(findLamp(operator, 'C座3F-报告厅-01')).toBeVisible()
    await offButton.click()
    await expect(dialog).toContainText('关会议中心 3 层的灯')
    await expect(dialog).toContainText('将关闭 25 盏')
    await dialog.getByRole('button', { name: '取消' }).click()
  })
})

test('switches a room by one click or a sentence, undoes it, and asks before a wider command', async ({
  operator,
}) => {
  await visit(operator, '/home')
  const name = 'A座1F-茶水间-01'
  const light = findLamp(operator, name)

  await test.step('a click on the room, undone from the message', async () => {
    await operator.getByRole('button', { name: '茶水间 1/1，关灯' }).click()
    await expect(light).toHaveAccessibleName(`${name} 关`)
    await expect(operator.getByRole('button', { name: '茶水间 0/1，开灯' })).toBeVisible()
    const message = operator.locator('.ant-message-notice', { hasText: '茶水间灯光已全部关闭' })
    await message.getByRole('button', { name: '恢复原状' }).click()
    await expect(light).toHaveAccessibleName(`${name} 开`)
  })

  await test.step('sentences, of which an unclear one is reported', async () => {
    await operator.getByRole('button', { name: '口令' }).click()
    const commandBox = operator.getByRole('searchbox', { name: '口令' })
    const enterCommand = async (sentence: string) => {
      await commandBox.fill(sentence)
      await commandBox.press('Enter')
    }
    await enterCommand('把茶水间的灯关掉')
    await expect(light).toHaveAccessibleName(`${name} 关`)
    await enterCommand('打开一楼茶水间')
    await expect(light).toHaveAccessibleName(`${name} 开`)
    await enterCommand('打开游泳池的灯')
    await expect(operator.getByText('没有找到“游泳池”')).toBeVisible()
    await enterCommand('关闭所有灯')
    const dialog = operator.getByRole('dialog')
    await expect(dialog).toContainText('将关闭 312 盏')
    await dialog.getByRole('button', { name: '取消' }).click()
  })
})

test('says what is wrong with a failed, an offline and a protected lamp', async ({
  operator,
  api,
}) => {
  await setLampValues(api, [refusingLamp], { PowerSwitch: 0 })
  await visit(operator, '/home')
  const card = findLampCard(operator)

  await test.step('a failed command is an incident with its age, and a fault at the lamp', async () => {
    await operator.getByRole('button', { name: /^现在有问题/ }).click()
    const drawer = operator.getByRole('dialog', { name: '现在有问题' })
    const incident = drawer.getByRole('listitem').filter({ hasText: '控制任务失败' })
    await expect(incident).toContainText(/刚刚|分钟/)
    await operator.keyboard.press('Escape')
    await floorTab(operator, '2 层').click()
    await expect(findLamp(operator, refusingLamp)).toHaveAccessibleName(/命令失败.*驱动电源故障/)
    await findLamp(operator, refusingLamp).click({ button: 'right' })
    await expect(card).toContainText('驱动电源故障')
    await card.getByRole('button', { name: '关闭', exact: true }).click()
  })

  await test.step('an offline lamp cannot be switched', async () => {
    await floorTab(operator, '4 层').click()
    await operator.locator('svg').getByRole('button', { name: /离线$/ }).click()
    await expect(operator.getByText(/离线，不能控制/).first()).toBeVisible()
    await expect(card).toContainText('从未上报')
    await card.getByRole('button', { name: '关闭' }).click()
  })

  await test.step('a protected lamp asks before it is switched, dimmed or flashed', async () => {
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

test('switches protected lamps after the approval of a colleague only, and tells the colleague what changed below a note', async ({
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

  await test.step('a refusal', async () => {
    await requestApproval()
    await getRequestCard(colleague).getByRole('button', { name: '拒绝' }).click()
    await expect(getRequestCard(colleague)).toBeHidden()
    await expect(getRequestCard(page)).toContainText('平台管理员 已拒绝，没有执行')
    await getRequestCard(page).getByRole('button', { name: '知道了' }).click()
    await expect(findLamp(page, 'A座1F-走廊-应急')).toHaveAccessibleName(/开/)
  })

  await test.step('an approval', async () => {
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

  await test.step('a note with its reason and later changes, until it is removed', async () => {
    const name = 'A座1F-茶水间-01'
    const switchTitle = `关闭 · ${name}`
    const task = colleague.waitForResponse((answer) => answer.url().endsWith('/v1/control/task'))
    await findLamp(colleague, name).click()
    await task
    await expect(findLamp(colleague, name)).toHaveAccessibleName(`${name} 关`)
    const taskArticle = colleague.getByRole('article', { name: switchTitle, exact: true }).first()
    await taskArticle.getByRole('button', { name: '备注' }).click()
    const dialog = colleague.getByRole('dialog')
    await expect(dialog).toContainText('不会拦住定时场景和别人的操作')
    await dialog.getByRole('textbox', { name: '原因' }).fill('茶水间检修')
    await dialog.getByRole('button', { name: '添加', exact: true }).click()
    const holdNote = colleague.getByRole('article', { name: `${switchTitle}，值班备注` })
    await expect(holdNote).toContainText('平台管理员：茶水间检修')
    await expect(holdNote).toContainText('直到手动解除')

    await setLampValues(requester.api, [name], { PowerSwitch: 1 })
    await expect(holdNote).toContainText(`${requester.name} 的“打开 · ${name}”改动了其中 1 盏`)
    await holdNote.getByRole('button', { name: '解除' }).click()
    await expect(holdNote).toBeHidden()
    await expect(colleague.getByText('值班备注', { exact: true })).toBeHidden()
  })
})

test('shows the preflight of a scene before running it, and moves the plan to the lamp of a ledger line', async ({
  operator,
  api,
}) => {
  await setLampValues(api, ['C座3F-报告厅-01', 'C座3F-报告厅-02'], { Brightness: 81 })
  await visit(operator, '/home')

  await test.step('the scene', async () => {
    await operator.getByRole('button', { name: /^演讲/ }).click()
    const dialog = operator.getByRole('dialog')
    await expect(dialog).toContainText('将控制 29 盏；跳过 1 盏（离线 1）')
    await dialog.getByRole('button', { name: '执行' }).click()
    const task = operator.getByRole('article', { name: '场景 · 演讲', exact: true }).first()
    await expect(task).toContainText('成功 29')
    await task.getByRole('button', { name: '恢复原状' }).click()
    await expect(task.getByRole('button', { name: '已恢复' })).toBeVisible()
  })

  await test.step('the ledger line', async () => {
    const task = operator.getByRole('article', { name: /^亮度调到 81%/ }).first()
    await task.getByRole('button', { name: '明细' }).click()
    await operator.getByRole('dialog').getByRole('button', { name: 'C座3F-报告厅-01' }).click()
    await expect(operator).toHaveURL(/device=/)
    const light = findLamp(operator, 'C座3F-报告厅-01')
    await expect(light).toBeInViewport()
    // The zoom is high enough to tell the lamp from its neighbours.
    const measureGap = async () =>
      (await findLamp(operator, 'C座3F-报告厅-02').boundingBox())!.x -
      (await light.boundingBox())!.x
    await expect.poll(measureGap).toBeGreaterThan(120)
    await setLampValues(api, ['C座3F-报告厅-01', 'C座3F-报告厅-02'], { Brightness: 80 })
  })
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
