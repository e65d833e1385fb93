import { paths } from '@iot/shared/screens/paths'
import { expect, keepToken, signedInAs, test, visit } from './fixtures'
import { field, inDialog, save, unique } from './lists'

const address = paths.deviceAccess.config.viewManager()
const draft = (name: string, change: object = {}) => ({
  parentId: null,
  name,
  path: unique('v'),
  icon: '',
  roleIds: [],
  projectIds: [],
  visible: true,
  isDefault: false,
  sort: 1,
  status: 'enabled',
  ...change,
})

test('makes a view and one below it, which keeps the upper one from being deleted', async ({
  operator: page,
}) => {
  const [above, below, path] = [unique('总览'), unique('灯光'), unique('v')]
  const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
  await visit(page, address)
  await page.getByRole('button', { name: '新建视图' }).click()
  await field(page, '视图名称').fill(above)
  await field(page, '路径').fill('/Lights')
  await expect(inDialog(page).getByText('路径以小写字母开头')).toBeVisible()
  await field(page, '路径').fill(path)
  await save(page)
  await expect(row(above)).toContainText('所有角色')
  await page.getByRole('button', { name: `${above}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '新建下级' }).click()
  await field(page, '视图名称').fill(below)
  await field(page, '路径').fill(unique('v'))
  await field(page, '可见项目').fill('科创园')
  await page.locator('.ant-select-dropdown:visible').getByText('科创园').click()
  // The click closes the list of projects, which would cover the button if there are many.
  await inDialog(page).getByText('谁能看到').click()
  await save(page)
  await expect(row(below)).toContainText('1 个项目')
  await page.getByRole('button', { name: `${above}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await inDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(inDialog(page).getByText(below)).toBeVisible()
  await inDialog(page).getByRole('button', { name: '知道了' }).click()
})

test('moves a view before another, and takes it from the tabs of home', async ({
  operator: page,
  api,
}) => {
  const [first, second] = [unique('甲'), unique('乙')]
  for (const name of [first, second])
    await api.post('/v1/view', { data: draft(name, { sort: 99 }) })
  await visit(page, address)
  const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
  const order = async () =>
    (await page.getByRole('treeitem').allInnerTexts()).flatMap((text) =>
      [first, second].filter((name) => text.includes(name)),
    )
  await expect.poll(order).toEqual([first, second])
  await page.getByRole('button', { name: `${second}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '上移' }).click()
  await expect.poll(order).toEqual([second, first])
  await row(second).getByRole('button', { name: '编辑' }).click()
  await field(page, '显示').click()
  await save(page)
  await expect(row(second)).toContainText('不显示')
})

test('promises nothing to who may only look', async ({ page, api }) => {
  await keepToken(page, (await signedInAs('operator', api, [1])).token)
  await visit(page, address)
  await expect(page.getByText('首页的视图')).toBeVisible()
  await expect(page.getByText('拖动可调整顺序')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '新建视图' })).toBeDisabled()
})
