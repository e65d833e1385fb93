import { expect, test } from './fixtures'

test('folded, the menu opens nothing by itself, and unfolded shows where one is', async ({
  newcomer: page,
}) => {
  await page.setViewportSize({ width: 853, height: 533 })
  await page.goto('/system/log/actionLog')
  await expect(page.getByRole('button', { name: '导出' })).toBeVisible()
  const here = page.getByRole('menuitem', { name: '操作日志' })
  await expect(here).toBeHidden()
  await page.getByRole('button', { name: '展开菜单' }).click()
  await expect(here).toBeVisible()
})
