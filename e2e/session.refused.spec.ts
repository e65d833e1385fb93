import { expect, signIn, test } from './fixtures'

// Failures count against the address, so this file runs when no other test signs in any more (playwright.config.ts).
test('reports missing values at their fields, and a failed sign-in once', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page.getByText('请输入账号')).toBeVisible()
  await expect(page.getByText('请输入密码')).toBeVisible()

  await signIn(page, { username: 'nobody-here', password: 'Wrong-2026' })
  await expect(page.getByText(/账号或密码/)).toBeVisible()
  await expect(page.getByLabel('账号')).toHaveValue('nobody-here')
  await signIn(page, { username: 'nobody-here', password: 'Wrong-2026' })
  await expect(page.getByLabel('验证码', { exact: true })).toBeVisible()
  // Another browser does not know that the account needs a captcha until the platform says so.
  const captcha = page.getByLabel('验证码', { exact: true })
  await page.goto('/login')
  await expect(captcha).toBeHidden()
  await signIn(page, { username: 'nobody-here', password: 'Wrong-2026' })
  await expect(page.getByText('请输入验证码')).toBeVisible()
  await expect(captcha).toBeFocused()
  const picture = page.getByRole('button', { name: '换一张' }).locator('img')
  const firstSource = await picture.getAttribute('src')
  await page.getByRole('button', { name: '换一张' }).click()
  await expect(picture).not.toHaveAttribute('src', firstSource!)
  await expect(captcha).toBeFocused()
})
