import { expect, keepToken, signedInAs, test, visit } from './fixtures'
import { field, inDialog, save, unique } from './lists'

test('creates a user, shows the password once, disables and enables them', async ({
  operator: page,
}) => {
  const username = unique('u')
  const name = `赵六${username}`
  await visit(page, '/enterprise/user')
  await page.getByRole('button', { name: '新建用户' }).click()
  await field(page, '账号').fill(username)
  await field(page, '姓名').fill(name)
  await field(page, '角色').click()
  await page.getByTitle('运维值班').last().click()
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  const secret = page.getByRole('dialog', { name: '请记下密码' })
  await expect(secret.getByText(username)).toBeVisible()
  await expect(secret.locator('code')).toHaveText(/^\S{8,}$/)
  await secret.getByRole('button', { name: '我已记下' }).click()

  await visit(page, `/enterprise/user?username=${username}`)
  for (const [action, state] of [
    ['禁用', '禁用'],
    ['启用', '正常'],
  ] as const) {
    await page.getByRole('button', { name: `${name}的更多操作` }).click()
    await page.getByRole('menuitem', { name: action }).click()
    const row = page.getByRole('row', { name: username })
    await expect(row.getByRole('cell', { name: state, exact: true })).toBeVisible()
  }
})

test('lets nobody remove themselves', async ({ operator: page }) => {
  await visit(page, '/enterprise/user?username=admin')
  await page.getByRole('button', { name: '平台管理员的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})

test('creates a role whose page is held without its other buttons', async ({ operator: page }) => {
  const name = unique('角色')
  await visit(page, '/enterprise/user?tab=role')
  await page.getByRole('button', { name: '新建角色' }).click()
  await field(page, '角色名称').fill(name)
  await field(page, '角色编码').fill(unique('r'))
  await inDialog(page)
    .getByRole('treeitem', { name: /企业管理/ })
    .locator('.ant-tree-checkbox')
    .click()
  await save(page)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
})

test('shows why a button cannot be pressed', async ({ page, api }) => {
  await keepToken(page, (await signedInAs('operator', api)).token)
  await page.goto('/deviceAccess/config/manufacturer')
  await expect(page.getByLabel('缺少权限：新建厂商')).toBeVisible()
  await expect(page.getByRole('button', { name: '新建厂商' })).toBeDisabled()
})
