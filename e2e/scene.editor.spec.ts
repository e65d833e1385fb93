import type { APIRequestContext, Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, reopenScreen, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { getDialog, createSender, createUniqueName } from './listHelpers'

type Lamp = { name: string; spaceId: string; productType: string; reported: object; state: string }
type Space = { id: string; name: string }

const hallName = '报告厅'
async function findHallLamps(api: APIRequestContext) {
  const send = createSender(api)
  const spaces = await send<Space[]>('get', '/v1/project/1/spaces')
  const { id } = spaces.find(({ name }) => name === hallName)!
  const { map } = await send<{ map: Record<string, Lamp> }>(
    'get',
    '/v1/device/map/info?projectId=1',
  )
  const lamps = Object.values(map).filter(
    (candidate) =>
      candidate.spaceId === id &&
      candidate.productType === 'SAFEWAY_LIGHT' &&
      candidate.state === 'online',
  )
  return { id, lamps }
}
/** Waits until all lamps report the values. */
const expectReported = (api: APIRequestContext, reported: Record<string, number>) =>
  expect(async () => {
    const { lamps } = await findHallLamps(api)
    expect(lamps).not.toEqual([])
    for (const lamp of lamps) expect(lamp.reported).toMatchObject(reported)
  }).toPass()
const setHallLamps = async (api: APIRequestContext, values: Record<string, number>) => {
  const { id: spaceId } = await findHallLamps(api)
  const scope = { kind: 'space', spaceId }
  await createSender(api)('post', '/v1/control/task', { kind: 'set', projectId: 1, scope, values })
  await expectReported(api, values)
}

const nameField = (page: Page) => page.getByLabel('场景名称', { exact: true })
const trialButton = (page: Page) => page.getByRole('button', { name: '试运行', exact: true })
/** Saves the scene, whose page stays open at its own address. */
async function saveScene(page: Page) {
  await page.getByRole('button', { name: /保\s?存/ }).click()
  await expect(trialButton(page)).toBeEnabled()
  await expect(page).toHaveURL(/\/home\/scene\/[0-9a-f-]{36}$/)
  // The address changes before the page of the stored scene replaces the one of the new scene.
  await expect(page.getByRole('heading', { name: '编辑场景', level: 1 })).toBeVisible()
}
const goHome = async (page: Page) => {
  await page.getByRole('button', { name: '返回首页' }).click()
  await expect(page).toHaveURL(/\/home$/)
}

async function selectPlace(page: Page, name: string) {
  await page.getByRole('combobox', { name: '范围' }).fill(name)
  await page.getByRole('treeitem', { name }).first().click()
  // Several places may be chosen, so the list stays open.
  await page.keyboard.press('Escape')
}
/** Chooses by the label, because the button covers its radio. */
const choosePreset = (page: Page, group: string, label: string) =>
  page.getByLabel(group, { exact: true }).getByText(label, { exact: true }).click()
const selectHall = (page: Page) => selectPlace(page, hallName)
const getSentence = (page: Page) => page.getByRole('status', { name: '场景概要' })
const listEffectsNow = (page: Page) => page.getByRole('list', { name: '如果现在执行' })

test('captures the current state of lamps as a scene, and restores it by a run', async ({
  operator: page,
  api,
}) => {
  const name = createUniqueName('排练')
  await setHallLamps(api, { PowerSwitch: 1, Brightness: 35 })
  await visit(page, paths.home())
  await page.getByRole('button', { name: '新建场景' }).click()
  await nameField(page).fill(name)
  await page.getByRole('button', { name: '添加动作' }).click()
  await selectHall(page)
  await expect(trialButton(page)).toBeDisabled()
  await page.getByRole('button', { name: '取当前值' }).click()
  await expect(page.getByRole('spinbutton', { name: '亮度' }).first()).toHaveValue('35')
  await saveScene(page)
  await goHome(page)

  await setHallLamps(api, { PowerSwitch: 1, Brightness: 90 })
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  const dialog = getDialog(page).filter({ hasText: `执行场景“${name}”` })
  await expect(dialog).toContainText('将控制')
  await dialog.getByRole('button', { name: '执行' }).click()
  await expectReported(api, { PowerSwitch: 1, Brightness: 35 })

  await page.getByRole('button', { name: `场景“${name}”的更多操作` }).click()
  await page.getByRole('menuitem', { name: '执行记录' }).click()
  await expect(
    getDialog(page).getByRole('row', { name: /已执行.*成功.*手动.*平台管理员/ }),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await getDialog(page).waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: `场景“${name}”的更多操作` }).click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  // A button that moves while the fields are loading loses the press that it was meant for.
  const positionWhileLoading = await trialButton(page).boundingBox()
  await expect(listEffectsNow(page)).toBeVisible()
  expect(await trialButton(page).boundingBox()).toEqual(positionWhileLoading)
  await trialButton(page).click()
  const trialDialog = getDialog(page).filter({ hasText: '将控制' })
  await trialDialog.getByRole('button', { name: '试运行' }).click()
  const { lamps } = await findHallLamps(api)
  const result = getDialog(page).filter({ hasText: `试运行场景“${name}”的结果` })
  await expect(result.getByRole('status')).toHaveText('已执行')
  for (const lamp of lamps)
    await expect(
      result.getByRole('row', { name: new RegExp(`${lamp.name} .*${hallName} 成功`) }),
    ).toBeVisible()
  await page.keyboard.press('Escape')
  await result.waitFor({ state: 'hidden' })

  // Captured values count as a change like typed ones: a trial run would use the stored scene, and closing would lose
  // them.
  await setHallLamps(api, { PowerSwitch: 1, Brightness: 60 })
  await page.getByRole('button', { name: '取当前值' }).first().click()
  await expect(page.getByRole('spinbutton', { name: '亮度' }).first()).toHaveValue('60')
  await expect(trialButton(page)).toBeDisabled()
  await page.reload()
  await expect(page.getByRole('spinbutton', { name: '亮度' }).first()).toHaveValue('60')
  await expect(trialButton(page)).toBeDisabled()
  // Leaving asks, and a confirmed loss removes the draft as well.
  await page.getByRole('button', { name: '返回首页' }).click()
  await getDialog(page)
    .getByRole('button', { name: /放\s?弃/ })
    .click()
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByText('有未保存的场景')).toBeHidden()
})

test('names a make-up workday on which a scene runs, and the calendar names the scene', async ({
  operator: page,
  api,
}) => {
  const name = createUniqueName('加班')
  const send = createSender(api)
  // The date is a Saturday from next week on, in the time zone of Shanghai.
  const today = new Date(Date.now() + 8 * 3600_000)
  const daysAhead = ((6 - today.getUTCDay() + 7) % 7) + 7
  const date = new Date(today.getTime() + daysAhead * 86_400_000).toISOString().slice(0, 10)
  const calendars = await send<{ id: string; code: string }[]>('get', '/v1/calendar/list')
  const { id } = calendars.find(({ code }) => code === 'standard')!
  const makeupDay = { from: date, to: date, type: 'makeup', name: '补班', isOff: false, seen: {} }
  await send('post', `/v1/calendar/${id}/day`, makeupDay)
  try {
    await visit(page, paths.home())
    await page.getByRole('button', { name: '新建场景' }).click()
    await nameField(page).fill(name)
    await page.getByRole('button', { name: '添加动作' }).click()
    // Lamps of other tests elsewhere in the project may have no switch.
    await selectHall(page)
    await choosePreset(page, '常用设置', '关闭')
    await page.getByRole('button', { name: '添加触发' }).click()
    const preview = page.getByRole('list', { name: '未来的执行' })
    const makeup = preview.getByRole('listitem').filter({ hasText: date.slice(5) })
    await expect(makeup).toContainText('不执行')
    const enabled = page.getByRole('switch', { name: '启用' })
    await enabled.click()
    await expect(page.getByText('已禁用，启用后未来 60 天执行')).toBeVisible()
    await enabled.click()
    await expect(makeup).toContainText('但周六不在所选星期里')
    await choosePreset(page, '常用规则', '休息日')
    await choosePreset(page, '常用规则', '工作日（含调休上班）')
    await expect(page.getByRole('radio', { name: '休息日' })).not.toBeChecked()
    await expect(getSentence(page)).toHaveText(/^工作日（含调休上班）18:30 关闭 \d+ 盏$/)
    await expect(makeup).toHaveText(
      `${date.slice(5)}周六18:30执行${date.slice(5)} 调休上班（补班）`,
    )
    await saveScene(page)
    await goHome(page)
    const button = page.getByRole('button', { name: new RegExp(`^${name}`) })
    await expect(button).toContainText('18:30')

    await visit(page, `${paths.enterprise.holiday()}?calendar=standard`)
    const effects = page.getByRole('region', { name: '未来 60 天受影响的场景' })
    await expect(
      effects.getByRole('row', { name: new RegExp(`${date} 周六 ${name} .* 18:30 执行`) }),
    ).toBeVisible()
  } finally {
    await send('post', `/v1/calendar/${id}/day/clear`, { seen: { [date]: 1 } })
    const { list } = await send<{ list: Space[] }>('post', '/v1/scene/page', {
      projectId: 1,
      pageSize: 999,
    })
    const scene = list.find((candidate) => candidate.name === name)
    if (scene) await send('delete', `/v1/scene/${scene.id}`)
  }
})

test('asks for a scope, takes several places in one action, and says what would change now', async ({
  operator: page,
  api,
}) => {
  const { lamps } = await findHallLamps(api)
  await setHallLamps(api, { PowerSwitch: 1, Brightness: 90 })
  await visit(page, paths.home())
  await page.getByRole('button', { name: '新建场景' }).click()
  await expect(page).toHaveURL(/\/home\/scene\/new\?project=1$/)
  await expect(page).toHaveTitle(/^新建场景/)
  await nameField(page).fill(createUniqueName('两处'))
  await page.getByRole('button', { name: '添加动作' }).click()
  await page.getByRole('button', { name: /保\s?存/ }).click()
  const scopeError = page.locator('.ant-form-item-explain-error').getByText('请选择范围')
  await expect(scopeError).toBeVisible()
  await expect(getSentence(page)).toHaveText('手动执行：……')

  await selectHall(page)
  await choosePreset(page, '常用设置', '打开')
  await choosePreset(page, '常用设置', '关闭')
  await expect(page.getByRole('radio', { name: '打开', exact: true })).not.toBeChecked()
  await expect(scopeError).toBeHidden()
  await expect(getSentence(page)).toHaveText(`手动执行：关闭 ${lamps.length} 盏`)
  await expect(listEffectsNow(page)).toContainText(`关闭 ${lamps.length} 盏`)

  await selectPlace(page, '茶水间')
  await expect(getSentence(page)).not.toHaveText(`手动执行：关闭 ${lamps.length} 盏`)
  const sentence = await getSentence(page).textContent()
  await saveScene(page)
  await reopenScreen(page)
  await expect(page).toHaveTitle(/^编辑场景/)
  await expect(getSentence(page)).toHaveText(sentence!)
  await expectReported(api, { PowerSwitch: 1 })
})

test('shows a deleted scene as missing at its address', async ({ operator: page }) => {
  await visit(page, '/home/scene/00000000-0000-7000-8000-000000000000')
  await expect(page.getByText('场景不存在或已被删除')).toBeVisible()
  await page.getByRole('button', { name: '返回列表' }).click()
  await expect(page).toHaveURL(/\/home$/)
})

test('restores an unsaved scene after a reload', async ({ operator: page }) => {
  const name = createUniqueName('未完')
  await visit(page, paths.home())
  await page.getByRole('button', { name: '新建场景' }).click()
  await nameField(page).fill(name)
  await page.getByRole('button', { name: '添加动作' }).click()
  await selectHall(page)
  await page.goto(paths.home())
  const draftAlert = page.getByRole('alert').filter({ hasText: '有未保存的新建场景' })
  await draftAlert.getByRole('button', { name: /继\s?续/ }).click()
  await expect(nameField(page)).toHaveValue(name)
  await expect(page.getByText(hallName).first()).toBeVisible()
})

test('gives the reason to users who may not edit scenes, and shows a scene without a field that takes input', async ({
  page,
  api,
}) => {
  const { list } = await createSender(api)<{ list: { id: string; name: string }[] }>(
    'post',
    '/v1/scene/page',
    { pageNo: 1, pageSize: 10, projectId: 1 },
  )
  const scene = list.find(({ name }) => name === '下班')!
  const operator = await createUserAndSignIn('operator', api, [1])
  await storeToken(page, operator.token)
  await page.goto('/home')
  await expect(page.getByRole('button', { name: '新建场景' })).toBeDisabled()
  await expect(page.getByLabel('缺少权限：新建场景')).toBeVisible()
  await expect(page.getByRole('button', { name: /^下班/ })).toBeEnabled()

  await visit(page, `/home/scene/${scene.id}`)
  await expect(page.getByText('缺少权限：修改场景，只能查看')).toBeVisible()
  await expect(nameField(page)).toHaveValue(scene.name)
  await expect(page.getByRole('button', { name: '添加动作' })).toBeDisabled()
  await expect(page.getByRole('button', { name: '取当前值' }).first()).toBeDisabled()
  // What is read, such as the preview, may still be filtered.
  const enabledFields = page.locator('fieldset').locator('input:enabled, button:enabled')
  await expect(enabledFields).toHaveCount(0)
  await expect(page.getByRole('button', { name: '返回首页' })).toBeEnabled()
})
