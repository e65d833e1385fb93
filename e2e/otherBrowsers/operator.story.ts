import { expect, test, type APIRequestContext } from '@playwright/test'
import { address, admin, signInByApi } from '../fixtures'
import { createUniqueName } from '../listHelpers'
import { browsers } from './browsers'

const button = (name: string) => `//button[translate(normalize-space(.), ' ', '')='${name}']`
const field = (label: string) =>
  `//*[self::input or self::textarea][@id=//label[normalize-space(.)='${label}']/@for]`
const lamp = 'A座1F-茶水间-01'
const lampIn = (state: string) =>
  `//*[@role='button'][starts-with(@aria-label, '${lamp} ${state}')]`

/** Returns the errors that pages reported to the platform since this time, as an administrator finds them. */
async function listBrowserErrors(api: APIRequestContext, from: string) {
  const answer = await api.post('/v1/error-log/page', { data: { source: 'browser', from } })
  return ((await answer.json()) as { data: { list: { message: string }[] } }).data.list
}

for (const { name, open } of browsers)
  test(`signs in, switches a lamp, finds it in the ledger and saves a form in ${name}`, async ({}, testInfo) => {
    // A machine may lack some browsers; the report names those that were not tested.
    test.skip(!open, `${name} is not installed`)
    const startTime = new Date().toISOString()
    const { api } = await signInByApi()
    const page = await open!()
    testInfo.annotations.push({ type: 'version', description: page.version })
    try {
      await page.open(address)
      await page.type(field('账号'), admin.username)
      await page.type(field('密码'), admin.password)
      await page.click(button('登录'))

      // The plan shows the lamp as off only when the lamp has reported it over the live connection.
      await page.click(lampIn('开'))
      await page.waitFor(lampIn('关'))
      await page.waitFor(`//article[contains(@aria-label, '${lamp}')]//*[contains(., '成功')]`)
      await page.click(lampIn('关'))
      await page.waitFor(lampIn('开'))

      await page.open(`${address}/deviceAccess/config/manufacturer`)
      const manufacturer = createUniqueName('厂商')
      await page.click(button('新建厂商'))
      await page.type(field('厂商名称'), manufacturer)
      await page.type(field('厂商编码'), createUniqueName('m'))
      await page.type(field('所在地区'), '深圳南山')
      await page.click(`//*[@role='option'][contains(., '南山区')]`)
      await page.click(button('保存'))
      await page.waitFor(`//td[contains(., '${manufacturer}')]`)

      expect(await listBrowserErrors(api, startTime)).toEqual([])
    } finally {
      const body = Buffer.from(await page.takeScreenshot(), 'base64')
      await testInfo.attach('page', { body, contentType: 'image/png' })
      await page.close()
      await api.dispose()
    }
  })
