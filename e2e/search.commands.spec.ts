import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures'

async function typeInSearch(page: Page, text: string) {
  await page.getByRole('button', { name: '搜索' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '搜索' }).fill(text)
}
const findOption = (page: Page, text: RegExp) => page.getByRole('option').filter({ hasText: text })

test('reads a command, shows its preflight on home, and offers it again', async ({
  operator: page,
}) => {
  await visit(page, '/system/menu')
  await typeInSearch(page, '关 4 层')
  await expect(findOption(page, /^口令关科创大厦 A 座 4 层的灯/)).toBeVisible()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog').filter({ hasText: '关科创大厦 A 座 4 层的灯' })
  await expect(dialog).toContainText(/将关闭 \d+ 盏|没有可操作的灯/)
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await typeInSearch(page, '')
  await findOption(page, /^最近关 4 层/).click()
  await expect(page.getByRole('combobox', { name: '搜索' })).toHaveValue('关 4 层')
  await page.keyboard.press('Escape')
})

test('names what a command keeps, and refuses one that is not understood', async ({
  operator: page,
}) => {
  await visit(page, '/home')
  await typeInSearch(page, '关一楼的灯，茶水间留着')
  await findOption(page, /^口令关科创大厦 A 座 1 层（除茶水间）的灯/).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '除茶水间' })
  await expect(dialog).toContainText(/保留 1 盏（茶水间 1）；共 \d+ 盏/)
  await dialog.getByRole('button', { name: '取消' }).click()
  await typeInSearch(page, '明天关掉三层')
  await expect(page.getByRole('status').filter({ hasText: '请在场景里设置定时' })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Escape')
})

test('plans a command for later, shows when it starts, and cancels it', async ({
  operator: page,
}) => {
  await visit(page, '/home')
  await typeInSearch(page, '十分钟后关掉四层')
  await findOption(page, /^口令10 分钟后：关科创大厦 A 座 4 层的灯/).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '10 分钟后：关科创大厦 A 座 4 层的灯' })
  await expect(dialog).toContainText('到点时按当时的设备执行')
  await dialog.getByRole('button', { name: '10 分钟后执行' }).click()
  const delayed = page.getByRole('article', { name: /4 层.*，延时控制$/ })
  await expect(delayed).toContainText(/\d\d:\d\d 执行，(9|10) 分钟后 · 平台管理员/)
  await delayed.getByRole('button', { name: /^取消/ }).click()
  await expect(delayed).toBeHidden()
})

test('answers a question with what the lamps have reported', async ({ operator: page }) => {
  await visit(page, '/home')
  await typeInSearch(page, 'A座二层的灯都关了吗')
  await expect(findOption(page, /^口令科创大厦 A 座 2 层.*：亮 \d+ 盏，关 \d+ 盏/)).toBeVisible()
  await page.keyboard.press('Escape')
})
