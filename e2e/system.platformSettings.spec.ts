import type { APIRequestContext } from '@playwright/test'
import { address, createUserAndSignIn, expect, signIn, test } from './fixtures'

// Other tests run at the same time: the name still contains the product's own, and the colour is close to it.
const changedBranding = { name: '物联云平台 一号楼', themeColor: '#1a4fb0' }

async function readSettings(api: APIRequestContext) {
  const answer = await (await api.get('/v1/platform-settings')).json()
  return answer.data as Record<string, unknown>
}

async function restoreBranding(api: APIRequestContext, before: Record<string, unknown>) {
  const { name, slogon, logo, headerLogo, loginBg, favicon, themeColor, icp } = before
  const { id, version } = await readSettings(api)
  const data = { name, slogon, logo, headerLogo, loginBg, favicon, themeColor, icp, id, version }
  const answer = await (await api.put('/v1/platform-settings/branding', { data })).json()
  expect(answer).toMatchObject({ code: 0 })
}

test('shows a changed name and colour in the console, and at the first paint of the login page', async ({
  page,
  api,
}) => {
  const settingsBefore = await readSettings(api)
  const user = await createUserAndSignIn('platform-admin', api)
  const readBrandColour = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--brand').trim(),
    )
  try {
    await page.goto('/system/platformSettings')
    await signIn(page, user)
    await page.getByRole('button', { name: '编辑品牌' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('平台名称').fill(changedBranding.name)
    await dialog.getByLabel('主题色').fill(changedBranding.themeColor)
    await dialog.getByRole('button', { name: /保\s?存/ }).click()
    await expect(page.getByText('品牌已保存')).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(changedBranding.name))
    await expect.poll(readBrandColour).toBe(changedBranding.themeColor)

    await page.getByRole('button', { name: /用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByRole('heading', { name: changedBranding.name })).toBeVisible()

    // The page itself contains the branding that is painted before any script runs.
    const headers = { accept: 'text/html' }
    const html = await (await page.request.get(`${address}/login`, { headers })).text()
    expect(html).toContain(`<title>${changedBranding.name}</title>`)
    expect(html).toContain(`html{--brand:${changedBranding.themeColor}}`)
    await page.reload()
    await expect(page.getByRole('heading', { name: changedBranding.name })).toBeVisible()
    expect(await readBrandColour()).toBe(changedBranding.themeColor)
  } finally {
    await restoreBranding(api, settingsBefore)
    await user.api.dispose()
  }
})
