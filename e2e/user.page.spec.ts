import { createUserAndSignIn, expect, storeToken, test, visit } from './fixtures'

test('explains on the page of a user what they may do, and finds who else may', async ({
  operator: page,
  api,
}) => {
  const { username } = await createUserAndSignIn('operator', api)
  await visit(page, `/enterprise/user?username=${username}`)
  await page.getByRole('row', { name: username }).getByRole('link', { name: '值班' }).click()
  await expect(page).toHaveURL(/\/enterprise\/user\/[\da-f-]{36}$/)
  await expect(page.getByText(/^数据范围：.*科创园（分配给用户的项目）$/)).toBeVisible()
  await expect(page.getByRole('row', { name: /127\.0\.0\.1|::1/ }).first()).toBeVisible()
  await expect(page.getByText('修改密码').first()).toBeVisible()

  await page.getByRole('textbox', { name: '搜索权限或位置' }).fill('单灯控制')
  await expect(page.getByRole('row', { name: /单灯控制.*运维值班/ })).toBeVisible()
  await page.getByRole('textbox', { name: '搜索权限或位置' }).fill('删除 用户管理')
  await expect(page.getByText('没有找到')).toBeVisible()
  await page.getByText(/^不能做 \d+$/).click()
  await expect(page.getByRole('row', { name: /删除用户.*平台管理员/ })).toBeVisible()

  await page.getByRole('link', { name: '谁能删除用户' }).click()
  await expect(page).toHaveURL(/permission=enterprise/)
  await expect(page.getByRole('row', { name: /admin.*平台管理员/ }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: username })).toHaveCount(0)
  await expect(page.getByText('企业管理 / 用户管理 · 删除用户')).toBeVisible()
})

test('compares two roles right by right', async ({ operator: page }) => {
  await visit(page, '/enterprise/user?tab=role')
  await page.getByRole('button', { name: '对比角色' }).click()
  const dialog = page.getByRole('dialog', { name: '对比角色' })
  await dialog.getByRole('combobox', { name: '第一个角色' }).click()
  await page.getByTitle('只读访客').last().click()
  await dialog.getByRole('combobox', { name: '第二个角色' }).click()
  await page.getByTitle('运维值班').last().click()
  await expect(dialog.getByText(/“运维值班”比“只读访客”多 \d+ 项权限，少 0 项/)).toBeVisible()
  await expect(dialog.getByRole('row', { name: /＋ 多出/ }).first()).toBeVisible()
  await expect(dialog.getByRole('row', { name: /－ 缺少|＝ 相同/ })).toHaveCount(0)
})

test('shows users their own actions, also without access to the log', async ({ page, api }) => {
  const { token, api: ownApi } = await createUserAndSignIn('operator', api)
  const { data } = await (await ownApi.post('/v1/action-log/own/page', { data: {} })).json()
  await storeToken(page, token)
  await page.goto('/deviceAccess/config/manufacturer')
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await page.getByRole('menuitem', { name: '个人中心' }).click()
  await page.getByRole('tab', { name: '我的操作' }).click()
  await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(data.total)
  await expect(page.getByRole('tabpanel').getByText('修改密码')).toBeVisible()
})
