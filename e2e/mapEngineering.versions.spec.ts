import type { Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getDialog, createUniqueName } from './listHelpers'

test('reports a duplicate version name at its field, and deletes a draft', async ({
  operator: page,
}) => {
  const name = createUniqueName('V')
  await visit(page, paths.system.mapEngineering())
  await page.getByRole('button', { name: '新建地图工程版本' }).click()
  await getDialog(page).getByLabel('版本号').fill('V1.0')
  await pressSave(page)
  await expect(getDialog(page).getByText('版本号“V1.0”已存在')).toBeVisible()
  await getDialog(page).getByLabel('版本号').fill(name)
  await pressSave(page)
  await page
    .getByRole('dialog', { name: `地图工程 · ${name}` })
    .getByRole('button', { name: /取\s?消/ })
    .click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByText('草稿')).toBeVisible()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page
    .getByRole('dialog', { name: `删除“${name}”？` })
    .getByRole('button', { name: '删除' })
    .click()
  await expect(row).toHaveCount(0)
})

const pressSave = (page: Page) =>
  getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
