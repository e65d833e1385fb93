import { TOTP } from 'otpauth'
import { expect, signedInAs, test, visit } from './fixtures'

const codeOf = (secret: string) => new TOTP({ secret }).generate()

test('is taken away by an administrator from who has lost the phone', async ({
  operator: page,
  api,
}) => {
  const user = await signedInAs('operator', api)
  const enrol = await user.api.post('/v1/auth/second-factor/enrol', {
    data: { password: user.password },
  })
  const { secret } = (await enrol.json()).data
  await user.api.post('/v1/auth/second-factor/confirm', { data: { code: codeOf(secret) } })

  await visit(page, `/enterprise/user?username=${user.username}`)
  await page.getByRole('button', { name: /的更多操作/ }).click()
  await page.getByRole('menuitem', { name: '重置两步验证' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '重置两步验证' }).click()
  await expect(page.getByText(/已重置.*的两步验证/)).toBeVisible()
  const again = await api.post('/v1/auth/login', {
    data: { username: user.username, password: user.password },
  })
  expect((await again.json()).code).toBe(0)
})

test('ticks off what a new password needs while one types', async ({ operator: page }) => {
  await visit(page, '/home')
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await page.getByRole('menuitem', { name: '个人中心' }).click()
  const wish = (name: string) => page.getByRole('listitem', { name })
  await expect(wish('8–64 位，未满足')).toBeVisible()
  await page.getByLabel('新密码').fill('abc45678')
  for (const name of ['8–64 位，已满足', '含字母，已满足', '含数字，已满足', '不含账号，已满足'])
    await expect(wish(name)).toBeVisible()
  await page.getByLabel('新密码').fill('admin')
  await expect(wish('不含账号，未满足')).toBeVisible()
  await page.getByRole('tab', { name: '我的会话' }).click()
  await expect(page.getByText('本机')).toBeVisible()
  await page.getByRole('button', { name: /^(Close|关闭)$/ }).click()
})
