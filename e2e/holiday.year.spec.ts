import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const address = paths.enterprise.holiday()

test('imports the published holidays, keeps manual dates, and shows the make-up workday', async ({
  operator: page,
}) => {
  const name = createUniqueName('日历')
  await visit(page, `${address}?year=2026`)
  await page.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name: '新建日历' }).click()
  await getField(page, '日历名称').fill(name)
  await getField(page, '日历编码').fill(createUniqueName('cal'))
  await saveDialog(page)
  await page.getByRole('combobox', { name: '日历' }).click()
  await page.getByTitle(name).click()
  await expect(page.getByText(/2026 年放假安排已发布，还有 39 天没有导入/)).toBeVisible()

  await page.getByRole('button', { name: /^10 月 1 日 周四/ }).click()
  await getField(page, '类型').click()
  await page.getByTitle('工作日').click()
  await getField(page, '名称').fill('值守')
  await saveDialog(page)
  await expect(page.getByRole('button', { name: '10 月 1 日 周四 工作日 值守' })).toBeVisible()

  await page.getByRole('button', { name: '导入放假安排' }).click()
  await expect(
    getDialog(page).getByRole('row', { name: /2026-10-01.*手动设置，保留/ }),
  ).toBeVisible()
  await getDialog(page).getByRole('button', { name: '导入 38 天' }).click()
  await expect(
    page.getByRole('button', { name: '10 月 10 日 周六 调休上班 国庆节调休' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: '10 月 1 日 周四 工作日 值守' })).toBeVisible()

  await page.getByRole('button', { name: '从文件导入' }).click()
  const fileField = getDialog(page).locator('input[type=file]')
  const setFile = (text: string) =>
    fileField.setInputFiles({ name: '厂历.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await setFile('日期,类型\n五月四日,自定义')
  await expect(getDialog(page).getByText('第 2 行：日期“五月四日”请写成 2027-10-01')).toBeVisible()
  await setFile('日期,类型,名称\n2026-03-04,自定义,厂庆\n2026-10-01,自定义,厂庆')
  await expect(getDialog(page).getByRole('row', { name: /2026-03-04.*自定义 厂庆/ })).toBeVisible()
  await getDialog(page).getByRole('button', { name: '导入 1 天' }).click()
  await expect(page.getByRole('button', { name: '3 月 4 日 周三 自定义 厂庆' })).toBeVisible()
})

test('reports an unpublished year, and lists the special days of a published one', async ({
  operator: page,
}) => {
  await visit(page, `${address}?calendar=standard&year=2099`)
  await expect(page.getByText('本版本没有 2099 年的放假安排，暂按周末推算')).toBeVisible()
  await visit(page, `${address}?calendar=standard&year=2026&view=list`)
  await expect(page.getByRole('row', { name: /2026-02-17 周二.*法定节假日.*春节/ })).toBeVisible()
})
