import type { APIRequestContext } from '@playwright/test'
import { expect, test, visit } from './fixtures'
import { createUniqueName } from './listHelpers'

const reportError = (api: APIRequestContext, message: string) =>
  api.post('/v1/log/error/report', {
    data: {
      message,
      stack: `Error\n    at openLamp (main.js:1:2)`,
      component: '',
      address: '/home',
      build: 'build-7',
    },
  })

test('shows the source of an error, and marks a closed one that recurs', async ({
  operator: page,
  api,
}) => {
  const name = createUniqueName('lamp')
  await reportError(api, `${name} is gone`)
  await visit(page, `/system/log/errorLog?message=${name}`)
  await page.getByRole('button', { name: `${name} is gone` }).click()
  const detail = page.getByRole('dialog', { name: '错误详情' })
  await expect(detail).toContainText('at openLamp (main.js:1:2)')
  await expect(detail).toContainText('build-7')
  await detail.getByRole('button', { name: '标为已处理' }).click()
  await expect(detail.getByRole('button', { name: '标为未处理' })).toBeVisible()
  await detail.getByRole('button', { name: /关闭|Close/ }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('已处理')

  await reportError(api, `${name} is gone`)
  await visit(page, `/system/log/errorLog?message=${name}&status=open`)
  await expect(row).toContainText('又出现了')
  await expect(row).toContainText('2')
})

test('shows the source position of a browser error, and the reported one', async ({
  newcomer: page,
}) => {
  const search = '**/v1/brand/page'
  await page.route(search, (route) =>
    route.fulfill({ json: { code: 0, msg: 'ok', data: { list: [null], total: 1 } } }),
  )
  const errorReport = page.waitForResponse('**/v1/log/error/report')
  await page.goto('/deviceAccess/config/brand')
  const { message } = (await errorReport).request().postDataJSON() as { message: string }
  await page.unroute(search)

  await visit(page, '/system/log/errorLog?source=browser&sort=-lastTime')
  await page.getByRole('button', { name: message, exact: true }).first().click()
  const detail = page.getByRole('dialog', { name: '错误详情' })
  await expect(detail).toContainText('remote-device-access/src/pages/brand/BrandPage.tsx:')
  await detail.getByText('原文', { exact: true }).click()
  await expect(detail).toContainText(/remotes\/deviceAccess\/\w+\/\w+\.js:\d/)
})

test('ignores several errors at once', async ({ operator: page, api }) => {
  const name = createUniqueName('pir')
  for (const word of ['one', 'other']) await reportError(api, `${name} ${word}`)
  await visit(page, `/system/log/errorLog?message=${name}`)
  const rows = page.getByRole('row', { name: new RegExp(name) })
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page.getByRole('button', { name: '标为忽略' }).click()
  await expect(rows.getByText('忽略', { exact: true })).toHaveCount(2)
  await page.getByRole('combobox', { name: '状态' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('未处理').click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})
