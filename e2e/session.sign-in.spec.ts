import type { Page } from '@playwright/test'
import { admin, expect, keepToken, signedIn, test } from './fixtures'

const signIn = async (page: Page, { username, password } = admin) => {
  await page.getByLabel('账号').fill(username)
  await page.getByLabel('密码').fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

test('signs in and stays signed in after a reload', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page).toHaveURL(/\/home/)
  await page.reload()
  await expect(page.getByRole('navigation').getByText('首页')).toBeVisible()
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('userInfo')!).username)).toBe('admin')
})

test('says what is missing at the field and what was wrong once', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page.getByText('请输入账号')).toBeVisible()
  await expect(page.getByText('请输入密码')).toBeVisible()

  await signIn(page, { username: 'nobody-here', password: 'Wrong-2026' })
  await expect(page.getByText(/账号或密码/)).toBeVisible()
  await expect(page.getByLabel('账号')).toHaveValue('nobody-here')
  await signIn(page, { username: 'nobody-here', password: 'Wrong-2026' })
  await expect(page.getByLabel('验证码', { exact: true })).toBeVisible()
})

test('returns to the page that asked for a sign-in', async ({ page }) => {
  await page.goto('/system/menu')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page).toHaveURL(/\/system\/menu/)
  await expect(page.getByText('首页').first()).toBeVisible()
})

test('ends at login with the reason when the session was ended elsewhere', async ({ page }) => {
  const { token, api } = await signedIn()
  await keepToken(page, token)
  await page.goto('/enterprise/user')
  await expect(page.getByText('admin').first()).toBeVisible()

  await api.post('/v1/auth/logout', { data: {} })
  await page.getByRole('menuitem', { name: '菜单管理' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText(/重新登录/)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('another tab follows when one signs out', async ({ context }) => {
  const first = await context.newPage()
  await first.goto('/login')
  await signIn(first)
  await expect(first).toHaveURL(/\/home/)
  const second = await context.newPage()
  await second.goto('/home')
  await expect(second.getByRole('navigation').getByText('首页')).toBeVisible()

  await first.getByRole('button', { name: /用户菜单|管理员/ }).click()
  await first.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(first).toHaveURL(/\/login/)
  await expect(second).toHaveURL(/\/login/)
})

test('an address nobody knows answers 404, and the unavailable screen returns by itself', async ({ operator }) => {
  await operator.goto('/system/network')
  await expect(operator.getByText('404')).toBeVisible()
  await operator.goto('/nowhere/at/all')
  await expect(operator.getByText('404')).toBeVisible()
  await operator.goto('/serviceUnavailable')
  await expect(operator).toHaveURL(/\/home/)
})
