import { paths } from '@iot/shared/screens/paths'
import { expect, test } from './fixtures'
import { draft } from './lists'

test('what was not read is never called empty: rows of a table, choices of a filter', async ({
  newcomer: page,
  api,
}) => {
  const made = draft()
  await api.post('/v1/manufacturer', { data: made })
  const broken = /\/v1\/(manufacturer|network)\/list/
  const down = { status: 502, contentType: 'text/plain', body: 'bad gateway' }
  await page.route(broken, (route) => route.fulfill(down))

  await page.goto(paths.system.network())
  await expect(page.getByText(/没有取到数据/).first()).toBeVisible()
  await expect(page.getByText('暂无数据')).toHaveCount(0)

  await page.goto(paths.deviceAccess.config.brand())
  const choice = page.getByRole('combobox', { name: '厂商' })
  await choice.click()
  await expect(page.getByText('还没有取到选项')).toBeVisible()
  await page.unroute(broken)
  await choice.fill(made.name)
  await expect(page.getByTitle(made.name)).toBeVisible()
})
