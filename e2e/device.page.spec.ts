import { setTimeout as pause } from 'node:timers/promises'
import type { Route } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, storeToken, signInByApi, createUserAndSignIn, test, visit } from './fixtures'
import { alarmRuleDraft } from './alarmDrafts'
import { colourProperty, createLamp, stepsProperty } from './simulatedLamp'
import { exportList, createSender, createUniqueName } from './listHelpers'
import { createProjectDraft } from './projects'

test('shows a new value only after the lamp has confirmed it', async ({ operator: page, api }) => {
  const lampDevice = await createLamp(api)
  await visit(page, paths.deviceAccess.device({ name: lampDevice.name }))
  await page.getByRole('link', { name: lampDevice.name }).click()
  const power = page.getByRole('row', { name: /电源开关/ })
  const toggle = power.getByRole('switch', { name: '设置电源开关' })
  await expect(power).toContainText('关闭')
  await expect(toggle).not.toBeChecked()
  await toggle.click()
  await expect(power).toContainText('开启，等待确认')
  await expect(toggle).not.toBeChecked()
  await lampDevice.answer(200, { PowerSwitch: 1 })
  await expect(toggle).toBeChecked()
  await expect(power).not.toContainText('等待确认')

  const brightness = page.getByRole('row', { name: /亮度/ })
  await expect(brightness).toContainText('30 %')
  await brightness.getByRole('slider').focus()
  await page.keyboard.press('ArrowRight')
  await expect(brightness).toContainText('31 %，等待确认')
  await lampDevice.answer(200, { Brightness: 31 })
  await expect(brightness).not.toContainText('等待确认')
  await expect(brightness.getByRole('cell').nth(1)).toHaveText('31 %')
  await lampDevice.close()
})

test('shows times in the zone of the project and marks a wrong clock, in a browser of another zone three days ahead', async ({
  browser,
  api,
}) => {
  const { projectId, id } = await createSender(api)<{ projectId: number; id: string }>(
    'post',
    '/v1/project',
    createProjectDraft({ timeZone: 'Europe/Berlin' }),
  )
  const lampDevice = await createLamp(api, { projectId })
  const { token } = await signInByApi()
  const context = await browser.newContext({ timezoneId: 'America/New_York' })
  const page = await context.newPage()
  await page.clock.install({ time: Date.now() + 3 * 24 * 3600_000 })
  await storeToken(page, token)
  await page.goto(`${paths.deviceAccess.device()}/${lampDevice.id}`)
  const power = page.getByRole('row', { name: /电源开关/ })
  await expect(power).toContainText('关闭')
  lampDevice.post({ PowerSwitch: { value: 1, time: Date.UTC(2020, 5) }, Brightness: 101 })
  await expect(power).toContainText('开启')
  await expect(page.getByText('时钟不准', { exact: true })).toBeVisible()
  await expect(page.getByText(/^亮度：.*100/)).toBeVisible()
  const live = (await (await api.get(`/v1/device/${lampDevice.id}/live`)).json()) as {
    data: { reportedAt: Record<string, number> }
  }
  const formatInBerlin = (time: number | string) =>
    new Date(time).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
  await expect(power).toContainText(formatInBerlin(live.data.reportedAt.PowerSwitch!))

  await page.goto(`${paths.system.project()}/${id}`)
  const createdProject = (await (await api.get(`/v1/project/${id}`)).json()) as {
    data: { createTime: string }
  }
  await expect(page.getByText(formatInBerlin(createdProject.data.createTime)).first()).toBeVisible()
  await page.getByRole('button', { name: /编\s?辑/ }).click()
  const zone = page.getByRole('combobox', { name: '时区' })
  await zone.fill('kat')
  await page.getByTitle(/Asia\/Kat(hmandu|mandu)/).click()
  await page.getByRole('button', { name: /保\s?存/ }).click()
  await expect(page.getByText(/^Asia\/Kat(hmandu|mandu)$/)).toBeVisible()
  await expect(
    page
      .getByText(
        new Date(createdProject.data.createTime).toLocaleString('sv-SE', {
          timeZone: 'Asia/Kathmandu',
        }),
      )
      .first(),
  ).toBeVisible()
  await context.close()
  await lampDevice.close()
})

test('sets a structure and a list by their members in one command, and shows them once reported', async ({
  operator: page,
  api,
}) => {
  const lampDevice = await createLamp(api, { extraProperties: [colourProperty, stepsProperty] })
  await visit(page, `${paths.deviceAccess.device()}/${lampDevice.id}`)
  const row = page.getByRole('row', { name: /^颜色/ })
  await row.getByRole('button', { name: '设置颜色…' }).click()
  const form = page.getByRole('dialog', { name: '设置颜色' })
  await form.getByLabel('红 Red').fill('12')
  await form.getByRole('button', { name: /下\s?发/ }).click()
  await expect(form.getByText('请填写蓝')).toBeVisible()
  await form.getByLabel('蓝 Blue').fill('7')
  // The read after the command is delayed, so that the read triggered by the desired value overtakes it.
  const delayRead = async (route: Route) => {
    await pause(1500)
    await route.continue()
  }
  await page.route('**/v1/device/*/live', delayRead, { times: 1 })
  await form.getByRole('button', { name: /下\s?发/ }).click()
  await expect(form).toBeHidden()
  await expect(row).toContainText('红 12，蓝 7，等待确认')
  await expect(row.getByRole('cell').nth(1)).toHaveText('未知')
  await expect(row.getByRole('button', { name: '设置颜色…' })).toBeDisabled()
  expect(await lampDevice.answer(200, { Colour: { Blue: 7, Red: 12 } })).toEqual({
    Colour: { Red: 12, Blue: 7 },
  })
  await expect(row.getByRole('cell').nth(1)).toHaveText('红 12，蓝 7')
  await expect(row).not.toContainText('等待确认')

  const listRow = page.getByRole('row', { name: /^步骤/ })
  await listRow.getByRole('button', { name: '设置步骤…' }).click()
  const itemsDialog = page.getByRole('dialog', { name: '设置步骤' })
  const add = itemsDialog.getByRole('button', { name: '添加步骤的一项' })
  await add.click()
  await itemsDialog.getByLabel('第 1 项', { exact: true }).fill('5')
  await add.click()
  await itemsDialog.getByLabel('第 2 项', { exact: true }).fill('6')
  await add.click()
  await expect(itemsDialog.getByRole('button', { name: '最多 3 项' })).toBeDisabled()
  await itemsDialog.getByRole('button', { name: '删除第 1 项' }).click()
  await itemsDialog.getByLabel('第 2 项', { exact: true }).fill('9')
  await itemsDialog.getByRole('button', { name: /下\s?发/ }).click()
  await expect(listRow).toContainText('6、9，等待确认')
  expect(await lampDevice.answer(200, { Steps: [6, 9] })).toEqual({ Steps: [6, 9] })
  await expect(listRow.getByRole('cell').nth(1)).toHaveText('6、9')
  await lampDevice.close()
})

test('asks for the members of a structure when calling a service', async ({
  operator: page,
  api,
}) => {
  const lampDevice = await createLamp(api)
  await visit(page, `${paths.deviceAccess.device()}/${lampDevice.id}?tab=service`)
  const callButton = page.getByRole('button', { name: /调\s?用/ })
  await page.getByLabel('红 Red').fill('12')
  await callButton.click()
  await expect(page.getByText('请填写蓝')).toBeVisible()
  await page.getByLabel('蓝 Blue').fill('7')
  await callButton.click()
  expect(await lampDevice.answer(200)).toEqual({ Colour: { Red: 12, Blue: 7 } })
  await expect(page.getByText('设备已应答')).toBeVisible()
  await lampDevice.close()
})

test('links lines of the audit log to the device, and to its result in a control task', async ({
  operator: page,
  api,
}) => {
  const lampDevice = await createLamp(api)
  await expect
    .poll(async () => (await (await api.get(`/v1/device/${lampDevice.id}`)).json()).data.state)
    .toBe('online')
  const task = await createSender(api)<{ id: string }>('post', '/v1/control/task', {
    kind: 'set',
    projectId: 1,
    scope: { kind: 'devices', deviceIds: [lampDevice.id] },
    values: { PowerSwitch: 1 },
  })
  await lampDevice.answer(200, { PowerSwitch: 1 })

  await visit(page, paths.system.log.actionLog({ entityId: lampDevice.id }))
  await page.getByRole('row', { name: lampDevice.name }).click()
  await page.getByRole('link', { name: '查看设备' }).click()
  await expect(page).toHaveURL(`${paths.deviceAccess.device()}/${lampDevice.id}`)
  await expect(page.getByRole('main').getByText(lampDevice.name).first()).toBeVisible()

  await visit(page, paths.system.log.actionLog({ entityId: task.id }))
  await page.getByRole('row', { name: /控制任务/ }).click()
  await page.getByRole('button', { name: '每台设备的结果' }).click()
  const ledger = page.getByRole('dialog')
  await expect(
    ledger.getByRole('row', { name: new RegExp(`${lampDevice.name}.*成功`) }),
  ).toBeVisible()
  await lampDevice.close()
})

test('shows the hops of a command, the hop where it stopped, and its messages', async ({
  operator: page,
  api,
}) => {
  const lampDevice = await createLamp(api)
  const scope = { kind: 'devices', deviceIds: [lampDevice.id] }
  const sendCommand = (values: object) =>
    api.post('/v1/control/task', { data: { kind: 'set', projectId: 1, scope, values } })
  await expect
    .poll(async () => (await (await api.get(`/v1/device/${lampDevice.id}`)).json()).data.state)
    .toBe('online')
  await sendCommand({ PowerSwitch: 1 })
  await lampDevice.answer(200, { PowerSwitch: 1 })
  await visit(page, `${paths.deviceAccess.device()}/${lampDevice.id}?tab=commands`)
  const hops = page.getByRole('listitem')
  await expect(hops).toContainText([
    'admin',
    '平台已下发',
    '消息服务已转发',
    `设备 ${lampDevice.name}已应答`,
    '结果设备已上报新值',
  ])
  await sendCommand({ Brightness: 80 })
  await lampDevice.answer(9201)
  await expect(page.getByRole('row', { name: /亮度 80 %.*失败/ })).toBeVisible()
  await expect(hops.last()).toContainText('设备返回 9201 驱动电源故障')

  await page.getByRole('tab', { name: '报文' }).click()
  await page.getByText('下行', { exact: true }).first().click()
  await page.getByPlaceholder('Topic 或内容').fill('Brightness')
  await page.getByRole('row', { name: /thing\/service\/property\/set/ }).click()
  await expect(page.getByText('"Brightness": 80')).toBeVisible()
  await lampDevice.close()
})

test('gives a read-only user the reason why nothing can be set', async ({ page, api }) => {
  const lampDevice = await createLamp(api)
  const operator = await createUserAndSignIn('operator', api, [1])
  await storeToken(page, operator.token)
  await page.goto(`${paths.deviceAccess.device()}/${lampDevice.id}`)
  await expect(page.getByRole('button', { name: /编\s?辑/ })).toBeDisabled()
  await lampDevice.close()
  await page.getByRole('tab', { name: '实时数据' }).click()
  await expect(page.getByLabel('设备离线，不能控制').first()).toBeVisible()
})

test('shows the history of a property as a chart and as text, and exports it', async ({
  operator: page,
  api,
}) => {
  const lampDevice = await createLamp(api)
  await expect
    .poll(
      async () => (await (await api.get(`/v1/device/${lampDevice.id}`)).json()).data.reportedTime,
    )
    .toBeTruthy()
  await visit(
    page,
    `${paths.deviceAccess.device()}/${lampDevice.id}?tab=history&property=Brightness`,
  )
  await expect(page.getByText('1 次上报，最低 30 %，最高 30 %，平均 30 %')).toBeVisible()
  await expect(page.getByRole('img', { name: '亮度的历史曲线' })).toBeVisible()
  await page.getByText('近 7 天').click()
  await expect(page).toHaveURL(/range=week/)
  expect((await exportList(page, 'csv')).suggestedFilename()).toMatch(/ 亮度历史\.csv$/)
  await lampDevice.close()
})

test('moves a lamp to another product on its page, after it has shown what that means', async ({
  operator: page,
  api,
}) => {
  const [lampDevice, otherDevice] = [
    await createLamp(api, {
      extraProperties: [
        {
          identifier: 'Tone',
          name: '色温',
          accessMode: 'rw',
          dataType: { type: 'int', specs: { min: 0, max: 9000 } },
        },
      ],
    }),
    await createLamp(api),
  ]
  type Product = { name: string; productKey: string; version: number }
  const send = createSender(api)
  const productPath = `/v1/product/${otherDevice.productId}`
  const { name, productKey, version } = await send<Product>('get', productPath)
  await send('post', `${productPath}/status`, { version, status: 'published' })
  const ruleName = createUniqueName('规则')
  await send('post', '/v1/alarm-rule', {
    ...alarmRuleDraft,
    name: ruleName,
    source: { kind: 'offline', target: 'device' },
    productId: lampDevice.productId,
  })
  lampDevice.post({ Tone: 4000 })
  await visit(page, `${paths.deviceAccess.device()}/${lampDevice.id}`)
  await expect(page.getByRole('row', { name: /^色温/ })).toContainText('4000')
  await page.getByRole('button', { name: `${lampDevice.name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '更换产品' }).click()
  const dialog = page.getByRole('dialog', { name: `更换“${lampDevice.name}”的产品` })
  await dialog.getByLabel('新产品').fill(name)
  await page.getByTitle(new RegExp(name)).click()
  await expect(dialog.getByText(productKey)).toBeVisible()
  await expect(dialog.getByText('新产品没有这些属性，现在的值会清除：色温')).toBeVisible()
  await expect(dialog.getByText(`原产品的告警规则不再包含这些设备：${ruleName}`)).toBeVisible()
  await dialog.getByRole('button', { name: '更换 1 台' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { name: /^色温/ })).toHaveCount(0)
  await page.getByRole('tab', { name: '基本信息' }).click()
  await expect(page.getByRole('link', { name })).toBeVisible()
  await lampDevice.close()
  await otherDevice.close()
})
