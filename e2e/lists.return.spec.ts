import { paths } from '@iot/shared/screens/paths'
import { expect, test } from './fixtures'
import { draft, unique } from './lists'

test('shows who comes back the rows, the choice and the place of before at once', async ({
  newcomer: page,
  api,
}) => {
  const code = unique('back')
  for (let n = 0; n < 19; n++)
    await api.post('/v1/manufacturer', { data: draft({ code: `${code}-${n}` }) })
  const main = page.getByRole('main')
  await page.goto(`/deviceAccess/config/manufacturer?code=${code}`)
  await page.getByRole('checkbox', { name: `选择“厂商 ${code}-3”` }).check()
  await main.evaluate((element) => void (element.scrollTop = 90))
  await page.getByRole('link', { name: '品牌管理' }).click()
  await expect(page).toHaveURL(/brand/)

  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/v1/manufacturer/page', async (route) => {
    await held
    await route.continue()
  })
  await page.goBack()
  await expect(page.getByText(`厂商 ${code}-3`, { exact: true })).toBeVisible()
  await expect(page.getByText('已选 1 条')).toBeVisible()
  await expect.poll(() => main.evaluate(({ scrollTop }) => scrollTop)).toBe(90)
  answer()
})

test('asks for a row once, opened by its address or from the list, whatever tabs are looked at', async ({
  newcomer: page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && /\/v1\/product\/[^/]+$/.test(request.url()))
      asked.push(request.url())
  })
  const list = paths.deviceAccess.config.product()
  await page.goto(list)
  const link = page.getByRole('main').locator(`a[href^="${list}/"]`).first()
  await link.click()
  await page.getByRole('tab', { name: '变更记录' }).click()
  await expect(page.getByRole('tabpanel', { name: '变更记录' })).toBeVisible()
  await page.getByRole('tab', { name: '基本信息' }).click()
  await expect(page.getByRole('tabpanel', { name: '基本信息' })).toBeVisible()
  expect(asked).toHaveLength(1)

  await page.goBack()
  await page.goBack()
  await page.goBack()
  await link.click()
  await expect(page.getByRole('tabpanel', { name: '基本信息' })).toBeVisible()
  expect(asked).toHaveLength(2)
  await page.reload()
  await expect(page.getByRole('tabpanel', { name: '基本信息' })).toBeVisible()
  expect(asked).toHaveLength(3)
})
