import { paths } from '@iot/shared/screens/paths'
import { expect, clickRetry, navigateTo, test } from './fixtures'
import { createManufacturerDraft } from './listHelpers'

test('does not show failed reads as empty: table rows, filter options, parts of a product', async ({
  newcomer: page,
  api,
}) => {
  await api.post('/v1/manufacturer', { data: createManufacturerDraft() })
  const failingUrls = /\/v1\/((manufacturer|network)\/list|product\/[^/]+\/(changes|access))/
  const badGateway = { status: 502, contentType: 'text/plain', body: 'bad gateway' }
  await page.route(failingUrls, (route) => route.fulfill(badGateway))
  await page.clock.install()

  await test.step('rows of a list', async () => {
    await page.goto(paths.system.network())
    await expect(page.getByText(/没有取到数据/).first()).toBeVisible()
    await expect(page.getByText('暂无数据')).toHaveCount(0)
    // The error is shown in place of the rows and not as a message as well.
    await expect(page.getByText(/网关错误/)).toHaveCount(1)
  })

  await test.step('changes and access of a product', async () => {
    const products = paths.deviceAccess.config.product()
    await navigateTo(page, products)
    await page.getByRole('row').locator(`a[href^="${products}/"]`).first().click()
    await page.getByRole('tab', { name: '变更记录' }).click()
    await expect(page.getByText(/没有取到数据/).first()).toBeVisible()
    await expect(page.getByText('还没有变更')).toHaveCount(0)
    await page.getByRole('tab', { name: '接入信息' }).click()
    await expect(page.getByRole('row', { name: /连接地址.*未知/ })).toBeVisible()
  })

  await test.step('options of a filter, which are read again without help', async () => {
    await navigateTo(page, paths.deviceAccess.config.brand())
    await page.getByRole('combobox', { name: '厂商' }).click()
    await expect(page.getByText('还没有取到选项')).toBeVisible()
    await page.unroute(failingUrls)
    await page.clock.fastForward(10_000)
    await expect(page.locator('.ant-select-item-option')).not.toHaveCount(0)
  })
})

test('keeps home usable when parts of it cannot be read or loaded, and says which', async ({
  newcomer: page,
}) => {
  const lamp = page.getByRole('button', { name: /^A座1F-茶水间-01/ })
  const findCard = (title: string) => page.locator('[data-card]', { hasText: title })
  const failingUrls = /\/v1\/(hold|shift)\?/
  const pictureUrls = '**/v1/floor-plan/**'
  await page.route(failingUrls, (route) => route.abort())
  await page.route(pictureUrls, (route) => route.abort())
  // Live events caused by other tests are dropped, because they would make the page read again.
  await page.routeWebSocket('**/v1/live', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((text) => {
      if (!String(text).includes('"type":"shift"')) socket.send(text)
    })
  })
  await page.clock.install()
  await page.goto('/home')

  await test.step('the picture of the floor plan', async () => {
    const planError = page.getByRole('status').filter({ hasText: '没有读到平面图' })
    await expect(planError).toBeVisible()
    await expect(page.locator('svg image')).toHaveCount(0)
    await expect(lamp).toBeVisible()
    await page.unroute(pictureUrls)
    await clickRetry(planError)
    await expect(page.locator('svg image')).toHaveCount(1)
    await expect(planError).toBeHidden()
  })

  await test.step('manual overrides and events', async () => {
    await expect(findCard('值班备注').getByText(/没有取到数据/)).toBeVisible()
    await expect(page.getByRole('button', { name: '交接' })).toContainText('未读到')
    await page.unroute(failingUrls)
    await clickRetry(findCard('值班备注'))
    await expect(findCard('值班备注')).toBeHidden()
  })

  await test.step('scenes that are displayed', async () => {
    const scene = page.getByRole('button', { name: /^下班/ })
    await expect(scene).toBeVisible()
    await page.route('**/v1/scene/page', (route) => route.abort())
    await page.clock.fastForward(30_000)
    await expect(findCard('新建场景').getByText(/没有取到最新数据/)).toBeVisible()
    await expect(scene).toBeVisible()
  })

  await test.step('the code of the details of a lamp', async () => {
    await page.context().setOffline(true)
    await lamp.click({ button: 'right' })
    const loadErrorDialog = page.getByRole('dialog').filter({ hasText: '没有取到程序文件' })
    await loadErrorDialog.getByRole('button', { name: /关\s?闭/ }).click()
    await expect(lamp).toBeVisible()
    await page.context().setOffline(false)
    await lamp.click({ button: 'right' })
    await expect(page.getByRole('region', { name: 'A座1F-茶水间-01的详情' })).toBeVisible()
  })
})
