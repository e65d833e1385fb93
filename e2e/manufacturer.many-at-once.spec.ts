import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures'
import { draft, unique } from './lists'

const address = '/deviceAccess/config/manufacturer'

test('disables and removes what is selected', async ({ operator: page, api }) => {
  const code = unique('batch')
  for (const n of [1, 2])
    await api.post('/v1/manufacturer', { data: draft({ code: `${code}-${n}` }) })
  await page.goto(`${address}?code=${code}`)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /禁\s?用/ })
    .click()
  await expect(page.getByText('已禁用 2 条')).toBeVisible()
  await expect(page.getByRole('cell', { name: '禁用' })).toHaveCount(2)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('imports the right rows and gives the others back with the reason', async ({
  operator: page,
}) => {
  const code = unique('imp')
  const csv = `厂商名称,简称,厂商编码,统一社会信用代码,所在地区,详细地址,联系人,联系电话,邮箱,网址,备注,状态\n${code}甲,,${code},,广东省深圳市南山区,,,,,,,启用\n,,bad code,,火星,,,,,,,启用\n`
  await page.goto(address)
  await page.getByRole('button', { name: '导入导出' }).click()
  await page.getByRole('menuitem', { name: '导入…' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: '厂商.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(page.getByText('成功 1 行，失败 1 行')).toBeVisible()
  await expect(page.getByRole('row', { name: /3.*请输入名称.*请选择省、市、区/ })).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载失败的行' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('厂商导入失败.xlsx')
  await page.getByRole('button', { name: /完\s?成/ }).click()
  await page.goto(`${address}?code=${code}`)
  await expect(page.getByRole('row', { name: /广东省 \/ 深圳市 \/ 南山区/ })).toHaveCount(1)
})

test('exports what the filter shows, with formulas made harmless', async ({
  operator: page,
  api,
}) => {
  const code = unique('exp')
  await api.post('/v1/manufacturer', { data: draft({ code, name: `=1+1 ${code}` }) })
  await page.goto(`${address}?code=${code}`)
  await page.getByRole('button', { name: '导入导出' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: '导出 .csv' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^'=1\+1 /)
})
