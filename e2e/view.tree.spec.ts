import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.config.viewManager()
const createViewDraft = (name: string, change: object = {}) => ({
  parentId: null,
  name,
  path: createUniqueName('v'),
  icon: '',
  roleIds: [],
  projectIds: [],
  visible: true,
  isDefault: false,
  sort: 1,
  status: 'enabled',
  ...change,
})

test('creates a view and a child, and refuses to delete the parent', async ({ operator: page }) => {
  const [parentName, childName, path] = [
    createUniqueName('总览'),
    createUniqueName('灯光'),
    createUniqueName('v'),
  ]
  const findRow = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
  await visit(page, address)
  await page.getByRole('button', { name: '新建视图' }).click()
  await getField(page, '视图名称').fill(parentName)
  await getField(page, '路径').fill('/Lights')
  await expect(getDialog(page).getByText('路径以小写字母开头')).toBeVisible()
  await getField(page, '路径').fill(path)
  await saveDialog(page)
  await expect(findRow(parentName)).toContainText('所有角色')
  await page.getByRole('button', { name: `${parentName}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '新建下级' }).click()
  await getField(page, '视图名称').fill(childName)
  await getField(page, '路径').fill(createUniqueName('v'))
  await getField(page, '可见项目').fill('科创园')
  await page.locator('.ant-select-dropdown:visible').getByText('科创园').click()
  // The click closes the list of projects, which would cover the button if there are many.
  await getDialog(page).getByText('谁能看到').click()
  await saveDialog(page)
  await expect(findRow(childName)).toContainText('1 个项目')
  await page.getByRole('button', { name: `${parentName}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(getDialog(page).getByText(childName)).toBeVisible()
  await getDialog(page).getByRole('button', { name: '知道了' }).click()
})

test('moves a view before another, and hides it from the tabs of home', async ({
  operator: page,
  api,
}) => {
  const [first, second] = [createUniqueName('甲'), createUniqueName('乙')]
  for (const name of [first, second])
    await api.post('/v1/view', { data: createViewDraft(name, { sort: 99 }) })
  await visit(page, address)
  const findRow = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
  const listOrder = async () =>
    (await page.getByRole('treeitem').allInnerTexts()).flatMap((text) =>
      [first, second].filter((name) => text.includes(name)),
    )
  await expect.poll(listOrder).toEqual([first, second])
  await page.getByRole('button', { name: `${second}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '上移' }).click()
  await expect.poll(listOrder).toEqual([second, first])
  await findRow(second).getByRole('button', { name: '编辑' }).click()
  await getField(page, '显示').click()
  await saveDialog(page)
  await expect(findRow(second)).toContainText('不显示')
})
