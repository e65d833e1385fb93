import { expect, test, visit } from './fixtures'

test('finds the lamps of a place in order with the number of further ones, and finds places', async ({
  operator: page,
}) => {
  await visit(page, '/system/menu')
  await page.getByRole('button', { name: '搜索' }).waitFor()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: '搜索' })
  const options = page.getByRole('option')
  await box.fill('A座1F-大堂')
  await expect(options.nth(0)).toContainText('A座1F-大堂-01')
  await expect(options.nth(0)).toContainText(/(开|关) · .*1 层/)
  await expect(options.nth(5)).toContainText('A座1F-大堂-06')
  const moreOption = page.getByRole('option', { name: /还有 \d+ 台/ })
  const remainingCount = Number(/\d+/.exec((await moreOption.textContent())!)![0])
  await moreOption.click()
  await expect(options).toHaveCount(6 + remainingCount)
  await expect(options.nth(6)).toContainText('A座1F-大堂-07')

  await box.fill('会议中心')
  await page
    .getByRole('option')
    .filter({ hasText: /^位置会议中心/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/home\?scope=/)
})

test('asks before running a scene chosen on another screen, each time', async ({
  operator: page,
}) => {
  for (const path of ['/system/menu', '/enterprise/user']) {
    await visit(page, path)
    await page.getByRole('button', { name: '搜索' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: '搜索' }).fill('演讲')
    // Enter works before and after the scenes are loaded.
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog').filter({ hasText: '执行场景“演讲”' })
    await expect(dialog).toContainText('将控制')
    await dialog.getByRole('button', { name: '取消' }).click()
    await expect(page).toHaveURL(/\/home$/)
  }
})

test('keeps text typed before the search box has loaded, and opens the first result', async ({
  newcomer: page,
}) => {
  await page.goto('/system/menu')
  await page.getByRole('button', { name: '搜索' }).waitFor()
  // The keys are typed in one go, before the code of the search has loaded.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('czrz\n')
  await expect(page).toHaveURL(/\/system\/log\/actionLog/)
  await expect(page.getByRole('combobox', { name: '搜索' })).toHaveCount(0)
})
