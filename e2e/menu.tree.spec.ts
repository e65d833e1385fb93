import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const byName = (name: string) => ({ name: new RegExp(name) })

test('creates a page, marks it as not deployed, moves it up and deletes it', async ({
  operator: page,
}) => {
  const name = createUniqueName('测试菜单')
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '新建菜单' }).click()
  await getDialog(page).getByText('菜单', { exact: true }).click()
  await getField(page, '名称').fill(name)
  await getField(page, '路径').fill(`/system/${name.replace(/\D/g, '') || 'x'}`)
  await getField(page, '路由名').fill(createUniqueName('test'))
  await saveDialog(page)
  const row = page.getByRole('treeitem', byName(name))
  await expect(row.getByText('无页面')).toBeVisible()

  const findPosition = async () =>
    (await page.getByRole('treeitem').allInnerTexts()).findIndex((text) => text.includes(name))
  const positionBefore = await findPosition()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '上移' }).click()
  await expect.poll(findPosition).toBeLessThan(positionBefore)

  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(row).toHaveCount(0)
})

test('moves a folder into another by dragging', async ({ operator: page }) => {
  const [inner, outer] = [createUniqueName('内层目录'), createUniqueName('外层目录')]
  await visit(page, '/system/menu')
  for (const name of [outer, inner]) {
    await page.getByRole('button', { name: '新建菜单' }).click()
    await getField(page, '名称').fill(name)
    await saveDialog(page)
  }
  const row = (name: string) => page.getByRole('treeitem', byName(name))
  // Both rows must be visible, because scrolling would move other rows below the pressed mouse.
  await row('设备接入').locator('.ant-tree-switcher').click()
  const getLeftX = async (name: string) => (await row(name).getByText(name).boundingBox())!.x
  // A drop further right than the start means into the row, not beside it.
  await row(inner).dragTo(row(outer), {
    sourcePosition: { x: 60, y: 16 },
    targetPosition: { x: 160, y: 24 },
    steps: 5,
  })
  await expect
    .poll(async () => (await getLeftX(inner)) - (await getLeftX(outer)))
    .toBeGreaterThan(10)
})

test('finds a page by the permission code of a button, and expands all', async ({
  operator: page,
}) => {
  await visit(page, '/system/menu')
  await expect(page.getByRole('treeitem', { name: /用户管理.*\d+ 个按钮/ })).toBeVisible()
  await page.getByPlaceholder('名称、路径或权限码').fill('enterprise:user:resetPassword')
  await expect(page.getByRole('treeitem', { name: /菜单管理/ })).toHaveCount(0)
  await expect(page.getByRole('treeitem', { name: /enterprise:user:resetPassword/ })).toBeVisible()
  await expect(page).toHaveURL(/name=enterprise/)
  await page.getByPlaceholder('名称、路径或权限码').fill('没有这个菜单')
  await expect(page.getByText('没有符合条件的菜单')).toBeVisible()
  await page.getByPlaceholder('名称、路径或权限码').fill('')
  await page.getByRole('button', { name: '全部展开' }).click()
  await expect(page.getByRole('treeitem', { name: /system:menu:add/ })).toBeAttached()
  await page.getByRole('button', { name: '全部收起' }).click()
  await expect(page.getByRole('treeitem', { name: /菜单管理/ })).toHaveCount(0)
})

test('refuses to delete built-in menus', async ({ operator: page }) => {
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '菜单管理的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})

test('reports a duplicate route name at its field', async ({ operator: page }) => {
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '新建菜单' }).click()
  await getDialog(page).getByText('菜单', { exact: true }).click()
  await getField(page, '名称').fill(createUniqueName('重名'))
  await getField(page, '路径').fill(`/system/${createUniqueName('m')}`)
  await getField(page, '路由名').fill('system.menu')
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(getDialog(page).getByText('路由名“system.menu”已存在')).toBeVisible()
})

test('previews the side menu of a chosen role', async ({ operator: page }) => {
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '以此角色预览' }).click()
  await getDialog(page).getByRole('combobox', { name: '角色' }).click()
  await page.getByTitle('只读访客').last().click()
  const menu = page.getByRole('navigation', { name: '预览的菜单' })
  await expect(menu.getByText('首页')).toBeVisible()
  await expect(menu.getByText('菜单管理')).toHaveCount(0)
  await getDialog(page).getByRole('combobox', { name: '角色' }).click()
  await page.getByTitle('平台管理员').last().click()
  await expect(menu.getByText('菜单管理')).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /^(Close|关闭)$/ })
    .click()
})
