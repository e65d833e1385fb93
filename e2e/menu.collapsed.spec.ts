import { expect, test, visit } from './fixtures'

test('opens no folder by itself when collapsed, and shows the current page when expanded', async ({
  newcomer: page,
}) => {
  await page.setViewportSize({ width: 853, height: 533 })
  await page.goto('/system/log/actionLog')
  await expect(page.getByRole('button', { name: '导出' })).toBeVisible()
  const currentItem = page.getByRole('menuitem', { name: '操作日志' })
  await expect(currentItem).toBeHidden()
  // Pressed by keyboard, a folder opens beside its icon and takes the focus.
  const popupItem = page.getByRole('menuitem', { name: '菜单管理' })
  await page.getByRole('menuitem', { name: '系统管理' }).press('Enter')
  await expect(popupItem).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(popupItem).toBeHidden()
  await page.getByRole('menuitem', { name: '系统管理' }).click()
  await popupItem.click()
  await expect(page).toHaveURL(/\/system\/menu$/)
  await expect(popupItem).toBeHidden()
  await visit(page, '/system/log/actionLog')
  await expect(page.getByRole('button', { name: '导出' })).toBeVisible()
  await page.getByRole('button', { name: '展开菜单' }).click()
  await expect(currentItem).toBeVisible()
})
