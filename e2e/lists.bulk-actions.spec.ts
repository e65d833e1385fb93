import { readFile } from 'node:fs/promises'
import { expect, test, visit } from './fixtures'
import { createManufacturerDraft, createSender, exportList, createUniqueName } from './listHelpers'

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

test('selects all rows of the filter, and leaves out those that left it or changed since', async ({
  operator: page,
  api,
}) => {
  const send = createSender(api)
  const code = createUniqueName('filtered')
  const ids: string[] = []
  for (let n = 1; n <= 23; n++) {
    const draft = createManufacturerDraft({ code: `${code}-${String(n).padStart(2, '0')}` })
    ids.push((await send<{ id: string }>('post', '/v1/manufacturer', draft)).id)
  }
  await visit(page, `${address}?name=${code}&sort=code`)
  const toolbar = page.getByRole('toolbar', { name: '批量操作' })
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await toolbar.getByRole('button', { name: '选择筛选出的全部 23 条' }).click()
  await expect(toolbar.getByText('已选 23 条')).toBeVisible()
  await expect(toolbar.getByRole('button', { name: /选择筛选出的全部/ })).toBeHidden()

  // Another person takes one row out of the filter and changes another.
  const change = async (id: string, changes: Record<string, string>) => {
    const row = await send<{ name: string; version: number }>('get', `/v1/manufacturer/${id}`)
    // The code of a manufacturer cannot be changed.
    const { code: _, ...draft } = createManufacturerDraft({ name: row.name, ...changes })
    await send('put', `/v1/manufacturer/${id}`, { ...draft, id, version: row.version })
  }
  await change(ids[21]!, { name: createUniqueName('改名的厂商') })
  await change(ids[22]!, { remark: '他人' })

  await toolbar.getByRole('button', { name: /删\s?除/ }).click()
  const question = page.getByRole('dialog', { name: '删除选中的 23 条（其中 3 条不在本页）？' })
  await expect(question).toContainText('执行前重新读取筛选结果')
  await question.getByRole('button', { name: /删\s?除/ }).click()
  const result = page.getByRole('dialog', { name: '删除：成功 21 条，失败 2 条' })
  await expect(result.getByText('已不符合选择时的筛选条件')).toBeVisible()
  await expect(result.getByText('选择后被修改，请核对后再操作')).toBeVisible()
  await result.getByRole('button', { name: /知道了|确\s?定/ }).click()
  await expect(page.getByTitle(`${code}-23`, { exact: true })).toBeVisible()
  await expect(toolbar.getByText('已选 2 条')).toBeVisible()
  await toolbar.getByRole('button', { name: '取消选择' }).click()
})
