import type { APIRequestContext, Page } from '@playwright/test'
import { expect, reopenScreen, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { getDialog, createSender, createUniqueName } from './listHelpers'

type View = { id: string; version: number; name: string; path: string }
type CardConfig = Record<string, unknown> & { kind: string }

const createdViewIds: string[] = []
async function createView(api: APIRequestContext, configs: CardConfig[], change: object = {}) {
  const send = createSender(api)
  const draft = {
    parentId: null,
    name: createUniqueName('视图'),
    path: createUniqueName('v'),
    icon: '',
    roleIds: [],
    projectIds: [1],
    visible: true,
    isDefault: false,
    sort: 90,
    status: 'enabled',
    ...change,
  }
  const view = await send<View>('post', '/v1/view', draft)
  createdViewIds.push(view.id)
  const cards = configs.map((config, n) => ({
    id: `c${n}`,
    title: '',
    projectId: 1,
    x: n * 4,
    y: 0,
    w: 4,
    h: 4,
    config,
  }))
  return configs.length === 0 ? view : arrange(api, view, cards)
}
const arrange = async (api: APIRequestContext, view: View, cards: object[]) => {
  const { id, version } = view
  const input = { version, projectId: 1, cards }
  return { ...view, ...(await createSender(api)<View>('put', `/v1/view/${id}/cards`, input)) }
}
const findFloorId = async (api: APIRequestContext, name: string) => {
  const spaces = await createSender(api)<{ id: string; name: string; type: string }[]>(
    'get',
    '/v1/project/1/spaces',
  )
  return spaces.find((space) => space.type === 'floor' && space.name === name)!.id
}
const getViewTab = (page: Page, { name }: View) =>
  page.getByRole('radiogroup', { name: '视图' }).getByText(name)
const getEditButton = (page: Page) => page.getByRole('button', { name: '编辑模式' })
/** Leaves edit mode, which would last into the next test of this page. */
async function leaveEditMode(page: Page) {
  await getEditButton(page).click()
  await expect(getEditButton(page)).toHaveAttribute('aria-pressed', 'false')
}
const getCard = (page: Page, name: string) =>
  page.getByRole('group', { name: new RegExp(`^${name}，第`) })
const getSaveButton = (page: Page) =>
  page.getByRole('toolbar', { name: '编排视图' }).getByRole('button', { name: /保\s?存/ })

// The views are removed, because other tests expect home without views.
test.afterEach(async ({ api }) => {
  for (const id of createdViewIds.splice(0)) await api.delete(`/v1/view/${id}`)
})

test('shows the cards of a view to its role, with live data, and hides a view from users without its role', async ({
  page,
  api,
}) => {
  const roles = await createSender(api)<{ id: string; code: string }[]>('get', '/v1/role/list')
  const findRoleIds = (roleCode: string) =>
    roles.filter(({ code }) => code === roleCode).map(({ id }) => id)
  const floor = await findFloorId(api, '3 层')
  const configs = [
    { kind: 'plan', spaceId: floor },
    { kind: 'actions', spaceId: floor },
    { kind: 'note', text: '夜班先看 3 层' },
  ]
  const view = await createView(api, configs, { roleIds: findRoleIds('operator') })
  const visitorNote = { kind: 'note', text: '访客' }
  const visitorView = await createView(api, [visitorNote], { roleIds: findRoleIds('visitor') })
  const publicView = await createView(api, [{ kind: 'note', text: '所有人' }])
  const dutyOperator = await createUserAndSignIn('operator', api, [1])
  await storeToken(page, dutyOperator.token)
  await page.goto('/home')
  await getViewTab(page, view).click()
  await expect(page).toHaveURL(new RegExp(`view=${view.path}`))
  await expect(page.getByText('夜班先看 3 层')).toBeVisible()
  await expect(page.getByRole('group', { name: '3 层平面图' })).toBeVisible()
  for (const name of ['口令', '能耗'])
    await expect(page.getByRole('button', { name })).toBeVisible()
  await page.getByRole('button', { name: /^关 3 层（\d+ 盏）/ }).click()
  await expect(getDialog(page)).toContainText('将关闭')
  await getDialog(page)
    .getByRole('button', { name: /取\s?消/ })
    .click()
  await page.getByRole('radiogroup', { name: '视图' }).getByText('总览', { exact: true }).click()
  await expect(page.getByRole('radiogroup', { name: '楼栋' })).toBeVisible()

  await visit(page, `/home?view=${visitorView.path}`)
  await expect(page.getByText(`没有视图“${visitorView.path}”`)).toBeVisible()
  await expect(getViewTab(page, publicView)).toBeVisible()
  await expect(getViewTab(page, visitorView)).toBeHidden()
})

test('shows the overview for a view without cards, and adds its first card in edit mode', async ({
  operator: page,
  api,
}) => {
  const view = await createView(api, [])
  await visit(page, `/home?view=${view.path}`)
  await expect(page.getByRole('radiogroup', { name: '楼层' })).toBeVisible()
  await getEditButton(page).click()
  await page.getByRole('button', { name: `为“${view.name}”编排卡片` }).click()

  await page.getByRole('button', { name: '添加卡片' }).click()
  await page.getByRole('menuitem', { name: '备注' }).click()
  await getDialog(page)
    .getByRole('button', { name: /确\s?定/ })
    .click()
  await expect(getDialog(page).getByText('请输入备注内容')).toBeVisible()
  await getDialog(page).getByLabel('内容').fill('先看大堂')
  await getDialog(page)
    .getByRole('button', { name: /确\s?定/ })
    .click()
  await page.getByRole('button', { name: '添加卡片' }).click()
  await page.getByRole('menuitem', { name: '最近的控制' }).click()
  await expect(getCard(page, '最近的控制')).toBeFocused()

  // The second card is below the first until it is moved past it.
  await expect(getCard(page, '最近的控制')).toHaveAccessibleName(/第 1 列第 4 行/)
  await getCard(page, '最近的控制').focus()
  await page.keyboard.press('ArrowUp')
  await expect(getCard(page, '最近的控制')).toHaveAccessibleName(/第 1 列第 1 行/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(getCard(page, '最近的控制')).toHaveAccessibleName(/第 2 列第 1 行，宽 5 高 8/)
  await page.keyboard.press('Control+z')
  await expect(getCard(page, '最近的控制')).toHaveAccessibleName(/宽 4 高 8/)
  await page.keyboard.press('Control+Shift+z')
  await expect(getCard(page, '最近的控制')).toHaveAccessibleName(/宽 5 高 8/)
  await getSaveButton(page).click()
  await expect(page.getByText(`已保存“${view.name}”`)).toBeVisible()
  await expect(getEditButton(page)).toHaveAttribute('aria-pressed', 'false')

  await reopenScreen(page)
  await expect(page.getByText('先看大堂')).toBeVisible()
  await getEditButton(page).click()
  await expect(getCard(page, '最近的控制')).toHaveAccessibleName(/第 2 列第 1 行，宽 5 高 8/)
  await getCard(page, '备注').focus()
  await page.keyboard.press('Delete')
  await expect(getCard(page, '备注')).toBeHidden()
  await expect(getCard(page, '最近的控制')).toBeFocused()
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(getCard(page, '备注')).toBeVisible()
  await leaveEditMode(page)
})

test('moves a card by its title and resizes it by its corner', async ({ operator: page, api }) => {
  const view = await createView(api, [{ kind: 'note', text: '甲' }, { kind: 'recent' }])
  await visit(page, `/home?view=${view.path}`)
  await getEditButton(page).click()
  const note = getCard(page, '备注')
  const title = note.getByText('备注', { exact: true })
  await title.hover()
  await page.mouse.down()
  const { width } = (await note.boundingBox())!
  const from = (await title.boundingBox())!
  await page.mouse.move(from.x + width * 2 + 40, from.y + 10, { steps: 8 })
  await page.mouse.up()
  await expect(note).toHaveAccessibleName(/第 9 列第 1 行/)

  const corner = (await note.locator('.react-resizable-handle').boundingBox())!
  await page.mouse.move(corner.x + 10, corner.y + 10)
  await page.mouse.down()
  await page.mouse.move(corner.x + 10, corner.y + 10 + 104, { steps: 5 })
  await page.mouse.up()
  await expect(note).toHaveAccessibleName(/宽 4 高 6/)
  await getSaveButton(page).click()
  await expect(page.getByText(`已保存“${view.name}”`)).toBeVisible()
})

test('merges concurrent edits of a view, and asks about a card both changed', async ({
  operator: page,
  api,
}) => {
  const view = await createView(api, [{ kind: 'note', text: '原来' }])
  await visit(page, `/home?view=${view.path}`)
  await getEditButton(page).click()
  await getCard(page, '备注').focus()
  await page.keyboard.press('Enter')
  await getDialog(page).getByLabel('内容').fill('我写的')
  await getDialog(page)
    .getByRole('button', { name: /确\s?定/ })
    .click()

  const cardPosition = { projectId: 1, x: 0, y: 0, w: 4, h: 4 }
  await arrange(api, view, [
    { ...cardPosition, id: 'c0', title: '', config: { kind: 'note', text: '同事写的' } },
    { ...cardPosition, id: 'new', title: '同事加的', y: 4, config: { kind: 'problems' } },
  ])
  await getSaveButton(page).click()
  await expect(getDialog(page)).toContainText('这条记录刚被别人修改过')
  await expect(getDialog(page)).toContainText('备注：我写的')
  await getDialog(page)
    .getByRole('radio', { name: /备注：同事写的/ })
    .check()
  await getDialog(page).getByRole('button', { name: '合并保存' }).click()
  await expect(page.getByText(`已保存“${view.name}”`)).toBeVisible()
  await expect(page.getByText('同事写的')).toBeVisible()
  await expect(page.getByText(/^现在没?有问题/)).toBeVisible()
})

test('asks before leaving or switching the project with changes, and restores them after a reload', async ({
  operator: page,
  api,
}) => {
  const view = await createView(api, [{ kind: 'note', text: '原来' }])
  await visit(page, `/home?view=${view.path}`)
  const note = getCard(page, '备注')
  const dialog = getDialog(page)
  const keepEditing = () => dialog.getByRole('button', { name: '继续编辑' }).click()
  const discardChanges = () => dialog.getByRole('button', { name: /放\s?弃/ }).click()
  const project = page.getByRole('combobox', { name: '切换项目' })
  const switchProject = async (name: string) => {
    await project.fill(name)
    await page.keyboard.press('Enter')
  }

  await test.step('leaving edit mode asks only if there are changes', async () => {
    await getEditButton(page).click()
    await expect(note).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(getEditButton(page)).toHaveAttribute('aria-pressed', 'false')
    await getEditButton(page).click()
    await note.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await expect(dialog).toContainText('放弃未保存的修改？')
    await keepEditing()
    await expect(note).toHaveAccessibleName(/第 2 列/)
  })

  await test.step('switching the project asks, and keeps the project', async () => {
    await switchProject('滨海酒店')
    await expect(dialog).toContainText('放弃未保存的修改？')
    await keepEditing()
    await expect(page.getByRole('banner')).toContainText('科创园')
    await expect(note).toHaveAccessibleName(/第 2 列/)
  })

  await test.step('a reload offers the changes again', async () => {
    await page.reload()
    await page
      .getByRole('alert')
      .filter({ hasText: /未保存的编排/ })
      .getByRole('button', { name: /继\s?续/ })
      .click()
    await expect(page.getByText(/已恢复 .* 未保存的编排/)).toBeVisible()
    await expect(note).toHaveAccessibleName(/第 2 列/)
  })

  await test.step('choosing another view asks, and discards the changes', async () => {
    await page.getByRole('radiogroup', { name: '视图' }).getByText('总览', { exact: true }).click()
    await expect(dialog).toContainText('放弃未保存的修改？')
    await discardChanges()
    await expect(page.getByRole('radiogroup', { name: '楼栋' })).toBeVisible()
    await getViewTab(page, view).click()
    await expect(note).toHaveAccessibleName(/第 1 列/)
  })

  await test.step('switching the project discards the changes, and a project without a building shows how to start', async () => {
    await note.focus()
    await page.keyboard.press('ArrowRight')
    await switchProject('滨海酒店')
    await expect(dialog).toContainText('放弃未保存的修改？')
    await discardChanges()
    await expect(page.getByRole('banner')).toContainText('滨海酒店')
    await expect(note).toHaveCount(0)
    await expect(page.getByText('还没有楼栋和设备')).toBeVisible()
    await page.getByRole('link', { name: '去建楼栋' }).click()
    await expect(page.getByRole('tab', { name: '空间', selected: true })).toBeVisible()
    await expect(page.getByRole('main').getByText('滨海酒店').first()).toBeVisible()

    await switchProject('科创园')
    await visit(page, '/home')
    await getViewTab(page, view).click()
    await expect(page.getByText('原来')).toBeVisible()
    await getEditButton(page).click()
    await expect(note).toHaveAccessibleName(/第 1 列/)
    await leaveEditMode(page)
  })
})

test('shows the current devices of a group on its card, and that the group was deleted', async ({
  operator: page,
  api,
}) => {
  const send = createSender(api)
  const name = createUniqueName('茶水间组')
  const { list: lamps } = await send<{ list: { id: string; name: string }[] }>(
    'get',
    `/v1/device/search?projectId=1&text=${encodeURIComponent('茶水间')}`,
  )
  const [first, second] = lamps as [(typeof lamps)[number], (typeof lamps)[number]]
  const draft = {
    projectId: 1,
    name,
    kind: 'hand',
    deviceIds: [first.id],
    description: '',
    productIds: [],
    spaceIds: [],
    tags: [],
  }
  const group = await send<{ id: string; version: number }>('post', '/v1/device-group', draft)
  const listCard = { kind: 'devices', spaceId: null, groupId: group.id, state: null }
  const view = await createView(api, [listCard])
  await visit(page, `/home?view=${view.path}`)
  await expect(page.getByText(`设备列表 · ${name}`)).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(first.name) })).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(second.name) })).toHaveCount(0)

  await getEditButton(page).click()
  await page.getByRole('button', { name: '添加卡片' }).click()
  await page.getByRole('menuitem', { name: '批量操作' }).click()
  await getDialog(page).getByRole('combobox', { name: '范围' }).fill(name)
  await page.locator('.ant-select-dropdown:visible').getByTitle(name, { exact: true }).click()
  await expect(getDialog(page).getByRole('checkbox', { name: /只在当前项目显示/ })).toBeChecked()
  await getDialog(page)
    .getByRole('button', { name: /确\s?定/ })
    .click()
  await getSaveButton(page).click()
  await expect(page.getByText(`已保存“${view.name}”`)).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`^关 ${name}（\\d+ 盏）`) }).click()
  await expect(getDialog(page)).toContainText(`关${name}的灯`)
  await expect(getDialog(page)).toContainText('将关闭')
  await getDialog(page)
    .getByRole('button', { name: /取\s?消/ })
    .click()

  const deviceIds = [first.id, second.id]
  const { version } = group
  await send('put', `/v1/device-group/${group.id}`, {
    kind: 'hand',
    name,
    description: '',
    deviceIds,
    version,
    productIds: [],
    spaceIds: [],
    tags: [],
  })
  await reopenScreen(page)
  await expect(page.getByRole('row', { name: new RegExp(second.name) })).toBeVisible()
  await send('delete', `/v1/device-group/${group.id}`)
  await reopenScreen(page)
  await expect(page.getByText('这张卡片的设备组已被删除，请在编辑模式里重新选择')).toHaveCount(2)
})
