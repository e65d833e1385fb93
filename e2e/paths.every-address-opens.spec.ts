import { menu } from '@iot/shared/screens/all'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'

for (const { path, name } of menu.filter(({ type }) => type === 'page'))
  test(`${path} opens`, async ({ operator: page }) => {
    await visit(page, path)
    await expect(page.getByRole('banner')).toContainText(name)
    await expect(page.getByRole('main')).toContainText(/\S/)
    await expect(page.getByText('页面不存在')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(path))
  })

for (const [folder, first] of [
  ['/', paths.home()],
  [paths.deviceAccess.config(), paths.deviceAccess.config.manufacturer()],
  [paths.system(), paths.system.menu()],
  [paths.enterprise(), paths.enterprise.user()],
])
  test(`${folder} leads to ${first}`, async ({ operator: page }) => {
    await visit(page, folder!)
    await expect(page).toHaveURL(new RegExp(`${first}(\\?|$)`))
  })

test('an area whose first screen is not built says that there is no such page', async ({
  operator: page,
}) => {
  await visit(page, paths.deviceAccess())
  await expect(page.getByText('页面不存在')).toBeVisible()
})

for (const address of ['/404', '/serviceUnavailable', '/login'])
  test(`${address} opens without a session`, async ({ page }) => {
    await page.goto(address)
    await expect(page.locator('body')).not.toBeEmpty()
    await expect(page).toHaveURL(new RegExp(address))
  })
