import { menuRecords } from '@iot/shared/screens/all'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'

for (const { path, name } of menuRecords.filter(({ type }) => type === 'page'))
  test(`opens ${path}`, async ({ operator: page }) => {
    await visit(page, path)
    await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
    // A remote that fails to load or that lacks the page would show one of these.
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    await expect(page.getByText('页面不存在')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(path))
  })

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

for (const [address, title] of [
  ['/404', '页面不存在'],
  ['/serviceUnavailable', '服务暂时不可用'],
  ['/login', '物联云平台'],
] as const)
  test(`opens ${address} without a session`, async ({ page }) => {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
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
