import { expect, test, visit } from './fixtures'
import { field, inDialog, save, unique } from './lists'

const line = (name: string) => ({ name: new RegExp(name) })

test('creates a page, says that nothing serves it, moves it up and removes it', async ({
  operator: page,
}) => {
  const name = unique('测试菜单')
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '新建菜单' }).click()
  await inDialog(page).getByText('菜单', { exact: true }).click()
  await field(page, '名称').fill(name)
  await field(page, '路径').fill(`/system/${name.replace(/\D/g, '') || 'x'}`)
  await field(page, '路由名').fill(unique('test'))
  await save(page)
  const row = page.getByRole('treeitem', line(name))
  await expect(row.getByText('无页面')).toBeVisible()

  const order = async () =>
    (await page.getByRole('treeitem').allInnerTexts()).findIndex((text) => text.includes(name))
  const before = await order()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '上移' }).click()
  await expect.poll(order).toBeLessThan(before)

  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await inDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(row).toHaveCount(0)
})

test('drags a folder into another', async ({ operator: page }) => {
  const [inner, outer] = [unique('内层目录'), unique('外层目录')]
  await visit(page, '/system/menu')
  for (const name of [outer, inner]) {
    await page.getByRole('button', { name: '新建菜单' }).click()
    await field(page, '名称').fill(name)
    await save(page)
  }
  const row = (name: string) => page.getByRole('treeitem', line(name))
  // Both rows must be visible, because scrolling would move other rows below the pressed mouse.
  await row('设备接入').locator('.ant-tree-switcher').click()
  const left = async (name: string) => (await row(name).getByText(name).boundingBox())!.x
  // A drop further right than the start means into the row, not beside it.
  await row(inner).dragTo(row(outer), {
    sourcePosition: { x: 60, y: 16 },
    targetPosition: { x: 160, y: 24 },
    steps: 5,
  })
  await expect.poll(async () => (await left(inner)) - (await left(outer))).toBeGreaterThan(10)
})

test('finds a page by the permission code of a button, and opens all', async ({
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

test('keeps what is built in', async ({ operator: page }) => {
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '菜单管理的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})

test('says at the field that a route name is taken', async ({ operator: page }) => {
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '新建菜单' }).click()
  await inDialog(page).getByText('菜单', { exact: true }).click()
  await field(page, '名称').fill(unique('重名'))
  await field(page, '路径').fill(`/system/${unique('m')}`)
  await field(page, '路由名').fill('system.menu')
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(inDialog(page).getByText('路由名“system.menu”已存在')).toBeVisible()
})

test('shows the side menu as a chosen role has it', async ({ operator: page }) => {
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '以此角色预览' }).click()
  await inDialog(page).getByRole('combobox', { name: '角色' }).click()
  await page.getByTitle('只读访客').last().click()
  const menu = page.getByRole('navigation', { name: '预览的菜单' })
  await expect(menu.getByText('首页')).toBeVisible()
  await expect(menu.getByText('菜单管理')).toHaveCount(0)
  await inDialog(page).getByRole('combobox', { name: '角色' }).click()
  await page.getByTitle('平台管理员').last().click()
  await expect(menu.getByText('菜单管理')).toBeVisible()
  await inDialog(page)
    .getByRole('button', { name: /^(Close|关闭)$/ })
    .click()
})
