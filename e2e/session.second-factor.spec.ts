import { TOTP } from 'otpauth'
import { expect, createUserAndSignIn, signIn, test, visit } from './fixtures'

/** Returns the current code or one of a later 30-second step, because each code can be used once only. */
const generateCode = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })

test('enables a second factor, signs in with its code, then with a recovery code', async ({
  page,
  api,
}) => {
  const { username, password } = await createUserAndSignIn('operator', api)
  const openProfile = async () => {
    await page.getByRole('button', { name: /用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '个人中心' }).click()
    await page.getByRole('tab', { name: '两步验证' }).click()
  }
  const signOut = async () => {
    await page.getByRole('button', { name: /用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(page).toHaveURL(/\/login/)
  }
  const codeInput = page.getByLabel('动态验证码')

  await page.goto('/login')
  await signIn(page, { username, password })
  await expect(page).toHaveURL(/\/home/)
  await openProfile()
  await page.getByRole('button', { name: '开启两步验证' }).click()
  await page.getByLabel('密码', { exact: true }).fill('wrong-2026')
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByText('密码不正确')).toBeVisible()
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '下一步' }).click()

  await expect(page.getByRole('img', { name: '两步验证二维码' })).toBeVisible()
  const secret = (await page.getByRole('dialog').locator('code').innerText()).replaceAll(/\W/g, '')
  await codeInput.fill(generateCode(secret))
  await page.getByRole('button', { name: /开\s?启/ }).click()
  const codes = page.getByRole('list', { name: '恢复码' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCodes = await codes.allInnerTexts()
  await page.getByRole('button', { name: '我已保存' }).click()
  await expect(page.getByText('10 个')).toBeVisible()
  await page.getByRole('button', { name: /^(Close|关闭)$/ }).click()

  await signOut()
  await signIn(page, { username, password })
  await expect(page.getByText('请输入动态验证码')).toBeVisible()
  await expect(codeInput).toBeFocused()
  await codeInput.fill(generateCode(secret, 1))
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page).toHaveURL(/\/home/)

  await signOut()
  await signIn(page, { username, password })
  await codeInput.fill(recoveryCodes[0]!)
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page).toHaveURL(/\/home/)
  await openProfile()
  await expect(page.getByText('9 个')).toBeVisible()
})

test('is disabled by an administrator for a user who lost the phone', async ({
  operator: page,
  api,
}) => {
  const user = await createUserAndSignIn('operator', api)
  const enrolAnswer = await user.api.post('/v1/auth/second-factor/enrol', {
    data: { password: user.password },
  })
  const { secret } = (await enrolAnswer.json()).data
  await user.api.post('/v1/auth/second-factor/confirm', { data: { code: generateCode(secret) } })

  await visit(page, `/enterprise/user?username=${user.username}`)
  await page.getByRole('button', { name: /的更多操作/ }).click()
  await page.getByRole('menuitem', { name: '重置两步验证' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '重置两步验证' }).click()
  await expect(page.getByText(/已重置.*的两步验证/)).toBeVisible()
  const signInAnswer = await api.post('/v1/auth/login', {
    data: { username: user.username, password: user.password },
  })
  expect((await signInAnswer.json()).code).toBe(0)
})

test('marks fulfilled password rules while typing', async ({ operator: page }) => {
  await visit(page, '/deviceAccess/config/brand')
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await page.getByRole('menuitem', { name: '个人中心' }).click()
  const findRequirement = (name: string) => page.getByRole('listitem', { name })
  await expect(findRequirement('8–64 位，未满足')).toBeVisible()
  await page.getByLabel('新密码').fill('abc45678')
  for (const name of ['8–64 位，已满足', '含字母，已满足', '含数字，已满足', '不含账号，已满足'])
    await expect(findRequirement(name)).toBeVisible()
  await page.getByLabel('新密码').fill('admin')
  await expect(findRequirement('不含账号，未满足')).toBeVisible()
  await page.getByRole('tab', { name: '我的会话' }).click()
  await expect(page.getByText('本机')).toBeVisible()
  await page.getByRole('button', { name: /^(Close|关闭)$/ }).click()
})
