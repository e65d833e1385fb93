import iot from 'alibabacloud-iot-device-sdk'
import { request, type Locator, type Page } from '@playwright/test'
import { guidePath, paths } from '@iot/shared/screens/paths'
import { openPlatform } from './federation/platform'
import { expect, storeToken, test } from './fixtures'
import { createSender, getDialog, saveDialog } from './listHelpers'
import { createProjectDraft } from './projects'
import { takeScreenshot } from './screenshots'

/** More would make the guide slower than the screens that it replaces. */
const maxPresses = 50

/** Counts what an operator presses: every click, and every field that is clicked to type into it. */
function createOperator(page: Page) {
  let presses = 0
  return {
    countPresses: () => presses,
    async press(target: Locator) {
      presses++
      await target.click()
    },
    async type(target: Locator, text: string) {
      presses++
      await target.fill(text)
    },
    /** Opens a select and presses the option that typing has found. */
    async choose(select: Locator, text: string, option: Locator) {
      presses += 2
      await select.click()
      await select.pressSequentially(text)
      await option.first().click()
    },
    pressButton(name: string | RegExp, within: Page | Locator = page) {
      return this.press(within.getByRole('button', { name }))
    },
  }
}
type Operator = ReturnType<typeof createOperator>

const findTitle = (page: Page, title: string | RegExp) =>
  page.locator('.ant-select-dropdown:visible').getByTitle(title)
const findStep = (page: Page, title: string) =>
  page.getByRole('listitem', { name: new RegExp(`^${title}`) })
const expectDone = (page: Page, title: string) =>
  expect(page.getByRole('listitem', { name: `${title}，已完成` })).toBeVisible()

async function createProject(page: Page, operator: Operator) {
  const step = findStep(page, '项目和楼层')
  await operator.type(step.getByLabel('项目名称'), '一号园区')
  await operator.choose(
    step.getByLabel('所在地区'),
    '深圳南山',
    page.getByRole('option', { name: /南山区/ }),
  )
  await operator.pressButton('新建项目和楼层', step)
  await expectDone(page, '项目和楼层')
}

async function createProduct(page: Page, operator: Operator) {
  const categoryStep = findStep(page, '品类')
  await operator.choose(categoryStep.getByLabel('品类'), '灯', findTitle(page, '灯'))
  await operator.pressButton('选用', categoryStep)
  await expectDone(page, '品类')
  await operator.pressButton('新建产品', findStep(page, '产品'))
  const form = page.getByRole('dialog', { name: '新建产品' })
  await expect(form.getByTitle(/SAFEWAY_LIGHT/)).toBeVisible()
  await operator.type(form.getByLabel('产品名称'), '吸顶灯')
  await operator.press(form.getByLabel('厂商'))
  await operator.pressButton('新建厂商')
  const maker = page.getByRole('dialog', { name: '新建厂商' })
  await operator.type(maker.getByLabel('厂商名称'), '光明照明')
  await operator.type(maker.getByLabel('厂商编码'), 'guangming')
  await operator.choose(
    maker.getByLabel('所在地区'),
    '深圳南山',
    page.getByRole('option', { name: /南山区/ }),
  )
  await operator.pressButton(/保\s?存/, maker)
  await expect(maker).toBeHidden()
  // The outer form keeps its input and has the new manufacturer.
  await expect(form.getByLabel('产品名称')).toHaveValue('吸顶灯')
  await expect(form.getByTitle('光明照明')).toBeVisible()
  await operator.type(form.getByLabel('型号'), 'L-1')
  await operator.pressButton(/保\s?存/, form)
  await expect(form).toBeHidden()
  await operator.pressButton(/^发\s?布$/, findStep(page, '产品'))
  await operator.pressButton(/^发\s?布$/, getDialog(page))
  await expectDone(page, '产品')
}

/** Registers a device and copies its connect parameters, as for any MQTT client. */
async function registerDevice(page: Page, operator: Operator, name: string, deviceName: string) {
  const step = findStep(page, '设备')
  await operator.pressButton('登记设备', step)
  const form = page.getByRole('dialog', { name: '登记设备' })
  await expect(form.getByTitle('1 号楼 / 1 层')).toBeVisible()
  await operator.type(form.getByLabel('设备名称'), name)
  await operator.type(form.getByLabel('DeviceName'), deviceName)
  await operator.pressButton(/保\s?存/, form)
  const secretDialog = page.getByRole('dialog', { name: '设备已登记' })
  await expect(secretDialog.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  const [productKey, , deviceSecret] = await secretDialog.locator('code').allInnerTexts()
  await operator.pressButton('已保存好')
  const row = step.getByRole('row', { name: new RegExp(name) })
  await operator.pressButton('连接参数', row)
  const dialog = page.getByRole('dialog', { name: `“${name}”的连接参数` })
  await operator.pressButton('复制全部', dialog)
  await takeScreenshot(page, `连接参数 ${name}`, 'light')
  const text = await page.evaluate(() => navigator.clipboard.readText())
  await operator.pressButton('关闭', dialog)
  expect(text).toContain(`用户名: ${deviceName}&${productKey!.trim()}`)
  const port = /端口: (\d+)/.exec(text)![1]!
  return {
    productKey: productKey!.trim(),
    deviceName,
    deviceSecret: deviceSecret!.trim(),
    brokerUrl: `mqtt://127.0.0.1:${port}`,
  }
}

/** Connects a lamp as its maker would: with the SDK, reporting what it is set to. */
function connectLamp(lamp: Parameters<typeof iot.device>[0]) {
  const device = iot.device(lamp)
  device.onProps(({ id, params }) => {
    const topic = `/sys/${lamp.productKey}/${lamp.deviceName}/thing/service/property/set_reply`
    device.publish(topic, JSON.stringify({ id, code: 200, data: {} }))
    device.postProps(params, () => {})
  })
  device.on('connect', () => device.postProps({ PowerSwitch: 1 }, () => {}))
  return device
}

let platform: Awaited<ReturnType<typeof openPlatform>>
test.beforeAll(async () => void (platform = await openPlatform()))
test.afterAll(() => platform.close())

test('leads from an empty platform to two obeying devices in at most 50 presses', async ({
  page,
  context,
}) => {
  const lamps: ReturnType<typeof connectLamp>[] = []
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await storeToken(page, platform.token)
    await page.goto(platform.origin)
    const operator = createOperator(page)
    await operator.press(page.getByRole('link', { name: '打开接入向导' }))
    await takeScreenshot(page, '接入向导 空', 'light')
    await createProject(page, operator)
    await createProduct(page, operator)
    for (const [name, deviceName] of [
      ['大堂灯', 'lamp-0001'],
      ['走廊灯', 'lamp-0002'],
    ] as const)
      lamps.push(connectLamp(await registerDevice(page, operator, name, deviceName)))
    await expectDone(page, '设备')

    // The guide stores nothing of its own: a new visit finds every step as it is.
    await page.goto(`${platform.origin}${guidePath}`)
    for (const title of ['项目和楼层', '品类', '产品', '设备']) await expectDone(page, title)
    const plan = page.getByRole('img', { name: /^1 层平面图/ })
    const planStep = findStep(page, '平面图')
    await expect(planStep.getByText('在图上单击“走廊灯”的位置')).toBeVisible()
    await operator.press(plan)
    await expect(planStep.getByText('在图上单击“大堂灯”的位置')).toBeVisible()
    await operator.press(plan)
    await expectDone(page, '平面图')

    for (const name of ['大堂灯', '走廊灯']) {
      const row = page.getByRole('row', { name: new RegExp(name) })
      const powerSwitch = row.getByRole('switch', { name: '设置电源开关' })
      await expect(powerSwitch).toBeChecked()
      await operator.press(powerSwitch)
      await expect(powerSwitch).not.toBeChecked()
      await expect(row.getByText('已执行过控制')).toBeVisible()
    }
    await takeScreenshot(page, '接入向导 完成', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await takeScreenshot(page, '接入向导 完成', 'dark')
    console.info(
      `presses from an empty platform to two obeying devices: ${operator.countPresses()}`,
    )
    expect(operator.countPresses()).toBeLessThanOrEqual(maxPresses)
  } finally {
    for (const lamp of lamps) lamp.end(true)
  }
})

/** The published version groups the projects of all users, so this test stays away from the shared platform. */
test('moves a project to another group for all users when published, and back with the former version', async ({
  page,
}) => {
  const extraHTTPHeaders = { satoken: `Bearer ${platform.token}` }
  const api = await request.newContext({ baseURL: platform.origin, extraHTTPHeaders })
  const send = createSender(api)
  for (const name of ['办公楼', '酒店楼'])
    await send('post', '/v1/project', createProjectDraft({ name, groupName: '华南片区' }))
  await storeToken(page, platform.token)
  await page.goto(`${platform.origin}${paths.system.mapEngineering()}`)

  await page.getByRole('button', { name: '新建地图工程版本' }).click()
  await getDialog(page).getByLabel('版本号').fill('V1.1')
  await pressSave(page)
  const drawer = page.getByRole('dialog', { name: '地图工程 · V1.1' })
  await drawer.getByRole('button', { name: '新建分组' }).click()
  await drawer.getByLabel('分组名称').last().fill('酒店组')
  await drawer.getByRole('combobox', { name: '酒店楼的分组' }).click()
  await page.getByTitle('酒店组', { exact: true }).last().click()
  await saveDialog(page)
  await publish(page, 'V1.1')
  await expectGroupInSwitcher(page, '酒店楼', '酒店组')
  await page.getByRole('button', { name: 'V1.1的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')

  await page.getByRole('row', { name: /V1\.0/ }).getByRole('button', { name: '查看' }).click()
  await expect(getDialog(page).getByText('酒店楼')).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /^(Close|关闭)$/ })
    .click()
  await page.getByRole('button', { name: 'V1.0的更多操作' }).click()
  await page.getByRole('menuitem', { name: '复制为草稿', exact: true }).click()
  await getDialog(page).getByLabel('版本号').fill('V1.2')
  await pressSave(page)
  await page
    .getByRole('dialog', { name: '地图工程 · V1.2' })
    .getByRole('button', { name: /取\s?消/ })
    .click()
  await publish(page, 'V1.2')
  await expectGroupInSwitcher(page, '酒店楼', '华南片区')
  await api.dispose()
})

const pressSave = (page: Page) =>
  getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()

async function publish(page: Page, name: string) {
  const row = page.getByRole('row', { name: new RegExp(name.replace('.', '\\.')) })
  await expect(row.getByText('草稿')).toBeVisible()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '发布', exact: true }).click()
  await page
    .getByRole('dialog', { name: `发布“${name}”？` })
    .getByRole('button', { name: /发\s?布/ })
    .click()
  await expect(row.getByText('已发布')).toBeVisible()
}

async function expectGroupInSwitcher(page: Page, name: string, group: string) {
  const choice = page.getByRole('combobox', { name: '切换项目' })
  await expect(async () => {
    await choice.click()
    await choice.fill(name)
    await expect(
      page.locator('.ant-select-item-group').getByText(group, { exact: true }),
    ).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await page.keyboard.press('Escape')
}
