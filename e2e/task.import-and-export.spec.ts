import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createWorkbook } from '../server/src/core/tasks/sheetFile'
import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import {
  closeTasks,
  createManufacturerDraft,
  createSender,
  exportList,
  openTasks,
  createUniqueName,
} from './listHelpers'

const address = '/deviceAccess/config/manufacturer'
const headerLine =
  '厂商名称,简称,厂商编码,统一社会信用代码,所在地区,详细地址,联系人,联系电话,邮箱,网址,备注,状态'
const getImportDialog = (page: Page) => page.getByRole('dialog', { name: '导入厂商' })

async function importCsv(page: Page, lines: string[]) {
  await page.getByRole('button', { name: /^导\s?入$/ }).click()
  const buffer = Buffer.from([headerLine, ...lines].join('\n'))
  await getImportDialog(page)
    .locator('input[type=file]')
    .setInputFiles({ name: '厂商.csv', mimeType: 'text/csv', buffer })
}

test('previews an import, creates the valid rows after a confirmation, and returns the others with the reason', async ({
  operator: page,
}) => {
  const code = createUniqueName('imp')
  await visit(page, address)
  await importCsv(page, [
    `${code}甲,,${code},,广东省深圳市南山区,,,,,,,启用`,
    ',,bad code,,火星,,,,,,,启用',
  ])
  const dialog = getImportDialog(page)
  await expect(dialog.getByText('新增 1 行，拒绝 1 行；还没有导入')).toBeVisible()
  await expect(dialog.getByRole('row', { name: /2 新增.*广东省深圳市南山区/ })).toBeVisible()
  const failedRow = dialog.getByRole('row', { name: /3.*请输入厂商名称.*“火星”不能确定/ })
  await expect(failedRow.first()).toBeVisible()
  await dialog.getByRole('button', { name: '确认导入 1 行' }).click()
  await expect(dialog.getByText('成功 1 行，失败 1 行')).toBeVisible()
  await expect(failedRow).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '下载失败的行' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('厂商导入失败.xlsx')
  await dialog.getByRole('button', { name: /完\s?成/ }).click()
  await visit(page, `${address}?code=${code}`)
  await expect(page.getByRole('row', { name: /广东省 \/ 深圳市 \/ 南山区/ })).toHaveCount(1)
})

test('undoes an import, and keeps the row that was changed since with its reason', async ({
  operator: page,
  api,
}) => {
  const send = createSender(api)
  const code = createUniqueName('undo')
  await visit(page, address)
  await importCsv(
    page,
    ['a', 'b'].map((end) => `${code}${end},,${code}${end},,广东省深圳市南山区,,,,,,,启用`),
  )
  const dialog = getImportDialog(page)
  await dialog.getByRole('button', { name: '确认导入 2 行' }).click()
  await expect(dialog.getByText('成功 2 行，失败 0 行')).toBeVisible()
  const { list } = await send<{ list: { id: string; name: string }[] }>(
    'post',
    '/v1/manufacturer/page',
    { code, sort: 'code' },
  )
  await send('post', '/v1/manufacturer/status', { ids: [list[0]!.id], status: 'disabled' })

  await dialog.getByRole('button', { name: '撤销导入' }).click()
  const question = page.getByRole('dialog', { name: '撤销这次导入？' })
  await expect(question).toContainText('删除新增的 2 行')
  await question.getByRole('button', { name: '撤销导入' }).click()
  const result = page.getByRole('dialog', { name: '已撤销 1 行，保留 1 行' })
  await expect(result.getByRole('row', { name: `${code}a 导入后被修改` })).toBeVisible()
  await result.getByRole('button', { name: /知道了|确\s?定/ }).click()
  await visit(page, `${address}?code=${code}`)
  await expect(page.getByText('共 1 条')).toBeVisible()

  const tasks = await openTasks(page)
  await expect(tasks.getByRole('listitem', { name: '撤销导入厂商' }).first()).toBeVisible()
  await closeTasks(page)
})

test('refuses a workbook beyond the row limit and names the limit', async ({ operator: page }) => {
  const row = headerLine.split(',').map((title) => `${title}${title}`)
  const rows = Array.from({ length: 6000 }, (_, n) => row.with(2, `code-${n}`))
  await visit(page, address)
  await page.getByRole('button', { name: /^导\s?入$/ }).click()
  await getImportDialog(page)
    .locator('input[type=file]')
    .setInputFiles({
      name: '厂商.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await createWorkbook([headerLine.split(','), ...rows]),
    })
  await expect(getImportDialog(page).getByRole('alert')).toContainText('5000')
  await getImportDialog(page)
    .locator('input[type=file]')
    .setInputFiles({
      name: '厂商.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    })
  await expect(getImportDialog(page).getByRole('alert')).toHaveText(
    '这是旧版 Excel（.xls），请另存为 .xlsx',
  )
})

test('continues an import in the background, and cancels it from the header', async ({
  operator: page,
}) => {
  const code = createUniqueName('stop')
  await visit(page, address)
  const rows = Array.from({ length: 2500 }, (_, n) => `${code}-${n},,${code}-${n},,440305,,,,,,,`)
  await importCsv(page, [',,bad code,,火星,,,,,,,', ...rows])
  const dialog = getImportDialog(page)
  await dialog.getByRole('button', { name: '确认导入 2500 行' }).click()
  await expect(dialog.getByText(/已处理 [1-9]\d* \/ 2501 行/)).toBeVisible()
  await dialog.getByRole('button', { name: '在后台继续' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: '首页' }).first().click()
  await expect(page.getByRole('button', { name: '任务，1 个进行中' })).toBeVisible()
  const tasks = await openTasks(page)
  const line = tasks.getByRole('listitem', { name: '导入厂商' }).first()
  await line.getByRole('button', { name: /取\s?消/ }).click()
  await expect(line.getByText(/已取消，完成 [\d,]+ \/ 2,501/)).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    line.getByRole('button', { name: '下载结果' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('厂商导入失败.xlsx')
  await closeTasks(page)
})

test('exports the filtered rows at once with escaped formulas, and again from the header', async ({
  page,
  api,
}) => {
  const code = createUniqueName('exp')
  // Parallel tests export as the administrator, whose task list would show their tasks first, so this test has its own
  // user.
  await storeToken(page, (await createUserAndSignIn('platform-admin', api)).token)
  await api.post('/v1/manufacturer', {
    data: createManufacturerDraft({ code, name: `=1+1 ${code}` }),
  })
  await visit(page, `${address}?code=${code}`)
  const firstExport = await exportList(page, 'csv')
  const tasks = await openTasks(page)
  const [repeatedDownload] = await Promise.all([
    page.waitForEvent('download'),
    tasks
      .getByRole('listitem', { name: '导出厂商' })
      .first()
      .getByRole('button', { name: '下载结果' })
      .click(),
  ])
  await closeTasks(page)
  for (const file of [firstExport, repeatedDownload]) {
    expect(file.suggestedFilename()).toBe('厂商.csv')
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^'=1\+1 /)
  }
})
