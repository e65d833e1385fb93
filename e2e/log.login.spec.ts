import { expect, signInByApi, createUserAndSignIn, test, visit } from './fixtures'

test('shows successful sign-ins, and the reason of a failed one', async ({
  operator: page,
  api,
}) => {
  const { username } = await createUserAndSignIn('visitor', api)
  await signInByApi({ username, password: 'wrong-2026' }).catch(() => {})
  await visit(page, `/system/log/loginLog?username=${username}`)
  await expect(page.getByRole('row', { name: /失败 账号或密码错误/ })).toHaveCount(1)
  await expect(page.getByRole('row', { name: /成功.*在线/ })).toHaveCount(2)
  await page.getByRole('combobox', { name: '结果' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('失败').click()
  await expect(page.getByRole('row', { name: new RegExp(username) })).toHaveCount(1)
  await expect(page).toHaveURL(/ok=false/)
})

test('ends a session of a user', async ({ operator: page, api }) => {
  const user = await createUserAndSignIn('visitor', api)
  await visit(page, `/system/log/loginLog?online=true&username=${user.username}`)
  const rows = page.getByRole('row', { name: new RegExp(user.username) })
  await expect(rows).toHaveCount(2)
  await rows.first().getByRole('button', { name: '踢下线' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '踢下线' }).click()
  await expect(rows).toHaveCount(1)
  const answer = await (await user.api.get('/v1/auth/me')).json()
  expect(answer).toMatchObject({ code: 401, msg: '您已被踢下线' })
})
