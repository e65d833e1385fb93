import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'

for (const [folder, first] of [
  ['/', paths.home()],
  [paths.deviceAccess(), paths.deviceAccess.productCategory()],
  [paths.deviceAccess.config(), paths.deviceAccess.config.manufacturer()],
  [paths.system(), paths.system.menu()],
  [paths.enterprise(), paths.enterprise.user()],
])
  test(`redirects ${folder} to ${first}`, async ({ operator: page }) => {
    await visit(page, folder!)
    await expect(page).toHaveURL(new RegExp(`${first}(\\?|$)`))
  })

test('logs no warning to the browser console on a first load', async ({ newcomer: page }) => {
  const consoleLines: string[] = []
  page.on('console', (line) => {
    if (['warning', 'error'].includes(line.type())) consoleLines.push(line.text())
  })
  await page.goto(paths.system.menu())
  await expect(page.getByRole('heading', { name: '菜单管理', level: 1 })).toBeVisible()
  expect(consoleLines).toEqual([])
})
