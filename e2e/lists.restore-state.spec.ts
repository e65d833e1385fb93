import { paths } from '@iot/shared/screens/paths'
import { expect, test } from './fixtures'
import { createManufacturerDraft, createUniqueName } from './listHelpers'

test('restores rows, selection and scroll position on return', async ({ newcomer: page, api }) => {
  const code = createUniqueName('back')
  for (let n = 0; n < 19; n++)
    await api.post('/v1/manufacturer', { data: createManufacturerDraft({ code: `${code}-${n}` }) })
  const main = page.getByRole('main')
  await page.goto(`/deviceAccess/config/manufacturer?code=${code}`)
  await page.getByRole('checkbox', { name: `选择“厂商 ${code}-3”` }).check()
  await main.evaluate((element) => void (element.scrollTop = 90))
  await page.getByRole('link', { name: '品牌管理' }).click()
  await expect(page).toHaveURL(/brand/)

  let releaseAnswer = () => {}
  const answerGate = new Promise<void>((resolve) => (releaseAnswer = resolve))
  await page.route('**/v1/manufacturer/page', async (route) => {
    await answerGate
    await route.continue()
  })
  await page.goBack()
  await expect(page.getByText(`厂商 ${code}-3`, { exact: true })).toBeVisible()
  await expect(page.getByText('已选 1 条')).toBeVisible()
  await expect.poll(() => main.evaluate(({ scrollTop }) => scrollTop)).toBe(90)
  releaseAnswer()
})

test('requests a row once, by its URL or from the list, across its tabs', async ({
  newcomer: page,
}) => {
  const requestUrls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && /\/v1\/product\/[^/]+$/.test(request.url()))
      requestUrls.push(request.url())
  })
  const listPath = paths.deviceAccess.config.product()
  await page.goto(listPath)
  const link = page.getByRole('main').locator(`a[href^="${listPath}/"]`).first()
  await link.click()
  await page.getByRole('tab', { name: '变更记录' }).click()
  await expect(page.getByRole('tabpanel', { name: '变更记录' })).toBeVisible()
  await page.getByRole('tab', { name: '基本信息' }).click()
  await expect(page.getByRole('tabpanel', { name: '基本信息' })).toBeVisible()
  expect(requestUrls).toHaveLength(1)

  await page.goBack()
  await page.goBack()
  await page.goBack()
  await link.click()
  await expect(page.getByRole('tabpanel', { name: '基本信息' })).toBeVisible()
  expect(requestUrls).toHaveLength(2)
  await page.reload()
  await expect(page.getByRole('tabpanel', { name: '基本信息' })).toBeVisible()
  expect(requestUrls).toHaveLength(3)
})
