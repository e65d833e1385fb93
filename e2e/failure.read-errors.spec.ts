import { paths } from '@iot/shared/screens/paths'
import { expect, clickRetry, test } from './fixtures'
import { createManufacturerDraft } from './listHelpers'

test('does not show failed reads as empty, neither table rows nor filter options', async ({
  newcomer: page,
  api,
}) => {
  await api.post('/v1/manufacturer', { data: createManufacturerDraft() })
  const failingUrls = /\/v1\/(manufacturer|network)\/list/
  const badGateway = { status: 502, contentType: 'text/plain', body: 'bad gateway' }
  await page.route(failingUrls, (route) => route.fulfill(badGateway))

  await page.goto(paths.system.network())
  await expect(page.getByText(/没有取到数据/).first()).toBeVisible()
  await expect(page.getByText('暂无数据')).toHaveCount(0)
  // The error is shown in place of the rows and not as a message as well.
  await expect(page.getByText(/网关错误/)).toHaveCount(1)

  await page.goto(paths.deviceAccess.config.brand())
  const choice = page.getByRole('combobox', { name: '厂商' })
  await choice.click()
  await expect(page.getByText('还没有取到选项')).toBeVisible()
  await page.unroute(failingUrls)
  await expect(page.locator('.ant-select-item-option')).not.toHaveCount(0)
})

test('reports failed reads of the changes and the access of a product', async ({
  newcomer: page,
}) => {
  await page.route(/\/v1\/product\/[^/]+\/(changes|access)/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/plain', body: 'bad gateway' }),
  )
  await page.goto(paths.deviceAccess.config.product())
  await page.getByRole('row').getByRole('link').first().click()
  await page.getByRole('tab', { name: '变更记录' }).click()
  await expect(page.getByText(/没有取到数据/).first()).toBeVisible()
  await expect(page.getByText('还没有变更')).toHaveCount(0)
  await page.getByRole('tab', { name: '接入信息' }).click()
  await expect(page.getByRole('row', { name: /连接地址.*未知/ })).toBeVisible()
})

test('reports failed reads on home: manual overrides, events, displayed scenes', async ({
  newcomer: page,
}) => {
  const failingUrls = /\/v1\/(hold|shift)\?/
  await page.route(failingUrls, (route) => route.abort())
  // Live events caused by other tests are dropped, because they would make the page read again.
  await page.routeWebSocket('**/v1/live', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((text) => {
      if (!String(text).includes('"type":"shift"')) socket.send(text)
    })
  })
  await page.goto('/home')
  const findCard = (title: string) => page.locator('[data-card]', { hasText: title })
  await expect(findCard('值班备注').getByText(/没有取到数据/)).toBeVisible()
  await expect(page.getByRole('button', { name: '交接' })).toContainText('未读到')
  await page.unroute(failingUrls)
  await clickRetry(findCard('值班备注'))
  await expect(findCard('值班备注')).toBeHidden()

  const scene = page.getByRole('button', { name: /^下班/ })
  await expect(scene).toBeVisible()
  await page.route('**/v1/scene/page', (route) => route.abort())
  await expect(findCard('新建场景').getByText(/没有取到最新数据/)).toBeVisible()
  await expect(scene).toBeVisible()
})

test('keeps home usable when the code of a part cannot be fetched', async ({ newcomer: page }) => {
  await page.goto('/home')
  const lamp = page.getByRole('button', { name: /^A座1F-茶水间-01/ })
  await expect(lamp).toBeVisible()
  await page.context().setOffline(true)
  await lamp.click({ button: 'right' })
  const loadErrorDialog = page.getByRole('dialog').filter({ hasText: '没有取到程序文件' })
  await loadErrorDialog.getByRole('button', { name: /关\s?闭/ }).click()
  await expect(lamp).toBeVisible()
  await page.context().setOffline(false)
  await lamp.click({ button: 'right' })
  await expect(page.getByRole('region', { name: 'A座1F-茶水间-01的详情' })).toBeVisible()
})

test('keeps the lamps of a plan whose picture fails to load, and reports the failure', async ({
  newcomer: page,
}) => {
  await page.route('**/v1/floor-plan/**', (route) => route.abort())
  await page.goto('/home')
  const planError = page.getByRole('status').filter({ hasText: '没有读到平面图' })
  await expect(planError).toBeVisible()
  await expect(page.locator('svg image')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^A座1F-茶水间-01/ })).toBeVisible()
  await page.unroute('**/v1/floor-plan/**')
  await clickRetry(planError)
  await expect(page.locator('svg image')).toHaveCount(1)
  await expect(planError).toBeHidden()
})
