import { readFile } from 'node:fs/promises'
import { expect, test, visit } from './fixtures'
import { createManufacturerDraft, exportList, createUniqueName } from './listHelpers'

// These tests cover bulk actions, import and export of every list, with manufacturers as the example.
const address = '/deviceAccess/config/manufacturer'

test('disables and deletes the selected rows', async ({ operator: page, api }) => {
  const code = createUniqueName('batch')
  for (const n of [1, 2])
    await api.post('/v1/manufacturer', { data: createManufacturerDraft({ code: `${code}-${n}` }) })
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

test('exports the selected rows only', async ({ operator: page, api }) => {
  const code = createUniqueName('ticked')
  for (const n of [1, 2])
    await api.post('/v1/manufacturer', { data: createManufacturerDraft({ code: `${code}-${n}` }) })
  await visit(page, `${address}?code=${code}`)
  const checkbox = page.getByRole('checkbox', { name: `选择“厂商 ${code}-1”` })
  await checkbox.check()
  const file = await exportList(page, 'csv', page.getByRole('toolbar', { name: '批量操作' }))
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain(`${code}-1`)
  expect(text).not.toContain(`${code}-2`)
  await checkbox.uncheck()
})

test('keeps rows selected while a bulk action is running', async ({ operator: page, api }) => {
  const code = createUniqueName('meanwhile')
  for (const n of [1, 2])
    await api.post('/v1/manufacturer', {
      data: createManufacturerDraft({ code: `${code}-${n}`, status: 'disabled' }),
    })
  await visit(page, `${address}?code=${code}`)
  const getCheckbox = (n: number) => page.getByRole('checkbox', { name: `选择“厂商 ${code}-${n}”` })
  let releaseAnswer = () => {}
  const answerGate = new Promise<void>((resolve) => (releaseAnswer = resolve))
  await page.route(/\/v1\/manufacturer\/status$/, (route) =>
    answerGate.then(() => route.continue()),
  )
  await getCheckbox(1).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /启\s?用/ })
    .click()
  await getCheckbox(2).check()
  releaseAnswer()
  await expect(page.getByText('已启用 1 条')).toBeVisible()
  await page.unrouteAll()
  await expect(getCheckbox(1)).not.toBeChecked()
  await expect(getCheckbox(2)).toBeChecked()
  // Rows are unticked, because the selection would last into the next test of this page.
  await getCheckbox(2).uncheck()
})
