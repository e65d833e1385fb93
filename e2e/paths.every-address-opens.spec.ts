import { paths } from '../shared/src/paths'
import { expect, test } from './fixtures'

// Its first screen, the categories, is not built yet.
const { notFound, login, serviceUnavailable, deviceAccess, ...rest } = paths

for (const address of Object.values(rest).map((path) => path()))
  test(`${address} opens`, async ({ operator: page }) => {
    await page.goto(address)
    await expect(page.getByRole('main')).toContainText(/\S/)
    await expect(page.getByText('页面不存在')).toHaveCount(0)
    await expect(page).not.toHaveURL(/\/(404|login|serviceUnavailable)/)
  })

test('an area whose first screen is not built says that there is no such page', async ({
  operator: page,
}) => {
  await page.goto(deviceAccess())
  await expect(page.getByText('页面不存在')).toBeVisible()
})

for (const address of [notFound(), serviceUnavailable(), login()])
  test(`${address} opens without a session`, async ({ page }) => {
    await page.goto(address)
    await expect(page.locator('body')).not.toBeEmpty()
    await expect(page).toHaveURL(new RegExp(address))
  })
