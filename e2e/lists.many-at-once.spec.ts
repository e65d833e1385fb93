import { readFile } from 'node:fs/promises'
import { expect, test, visit } from './fixtures'
import { draft, exported, unique } from './lists'

// These tests cover bulk actions, import and export of every list, with manufacturers as the example.
const address = '/deviceAccess/config/manufacturer'

test('disables and removes what is selected', async ({ operator: page, api }) => {
  const code = unique('batch')
  for (const n of [1, 2])
    await api.post('/v1/manufacturer', { data: draft({ code: `${code}-${n}` }) })
  await visit(page, `${address}?code=${code}`)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /禁\s?用/ })
    .click()
  const question = page.getByRole('dialog', { name: '禁用选中的 2 条？' })
  const confirm = question.getByRole('button', { name: /禁\s?用/ })
  await confirm.click()
  await expect(page.getByText('已禁用 2 条')).toBeVisible()
  await expect(page.getByRole('cell', { name: '禁用' })).toHaveCount(2)
  await page.getByRole('button', { name: /撤\s?销/ }).click()
  await expect(page.getByText('已恢复启用 2 条')).toBeVisible()
  await expect(page.getByRole('cell', { name: '禁用' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /禁\s?用/ })
    .click()
  await confirm.click()
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

test('exports what is selected, and no more', async ({ operator: page, api }) => {
  const code = unique('ticked')
  for (const n of [1, 2])
    await api.post('/v1/manufacturer', { data: draft({ code: `${code}-${n}` }) })
  await visit(page, `${address}?code=${code}`)
  const box = page.getByRole('checkbox', { name: `选择“厂商 ${code}-1”` })
  await box.check()
  const file = await exported(page, 'csv', page.getByRole('toolbar', { name: '批量操作' }))
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain(`${code}-1`)
  expect(text).not.toContain(`${code}-2`)
  await box.uncheck()
})

test('leaves ticked what is ticked while others are being changed', async ({
  operator: page,
  api,
}) => {
  const code = unique('meanwhile')
  for (const n of [1, 2])
    await api.post('/v1/manufacturer', {
      data: draft({ code: `${code}-${n}`, status: 'disabled' }),
    })
  await visit(page, `${address}?code=${code}`)
  const box = (n: number) => page.getByRole('checkbox', { name: `选择“厂商 ${code}-${n}”` })
  let answer = () => {}
  const ticked = new Promise<void>((done) => (answer = done))
  await page.route(/\/v1\/manufacturer\/status$/, (route) => ticked.then(() => route.continue()))
  await box(1).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /启\s?用/ })
    .click()
  await box(2).check()
  answer()
  await expect(page.getByText('已启用 1 条')).toBeVisible()
  await page.unrouteAll()
  await expect(box(1)).not.toBeChecked()
  await expect(box(2)).toBeChecked()
  // Rows are unticked, because the selection would last into the next test of this page.
  await box(2).uncheck()
})
