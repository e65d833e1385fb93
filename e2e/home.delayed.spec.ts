import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures'

test('delays a single lamp from its card; another page sees it and its end at once', async ({
  operator: page,
}) => {
  await visit(page, '/home')
  const otherPage = await page.context().newPage()
  await otherPage.goto('/home')
  const findDelayed = (shownPage: Page) =>
    shownPage.getByRole('article', { name: /A座1F-茶水间-01，延时控制$/ })
  const lamp = page.getByRole('button', { name: /^A座1F-茶水间-01/ })
  await otherPage.getByRole('button', { name: /^A座1F-茶水间-01/ }).waitFor()
  await lamp.click({ button: 'right' })
  const card = page.getByRole('region', { name: 'A座1F-茶水间-01的详情' })
  await card.getByRole('button', { name: /延时(关闭|打开)$/ }).click()
  await page.getByRole('menuitem', { name: /^10 分钟后(关闭|打开)$/ }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: /10 分钟后：[关开] A座1F-茶水间-01/ })
  await expect(dialog).toContainText('将控制 1 盏')
  await dialog.getByRole('button', { name: '10 分钟后执行' }).click()
  await expect(findDelayed(page)).toBeVisible()
  // The live channel tells the other page, which else reads once a minute.
  await expect(findDelayed(otherPage)).toBeVisible({ timeout: 5000 })
  await findDelayed(otherPage).getByRole('button', { name: /^取消/ }).click()
  await expect(findDelayed(page)).toBeHidden({ timeout: 5000 })
  await otherPage.close()
})
