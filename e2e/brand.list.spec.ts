import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import {
  createManufacturerDraft,
  getFieldError,
  getField,
  getDialog,
  saveDialog,
  createUniqueName,
} from './listHelpers'

const address = paths.deviceAccess.config.brand()

test('creates a brand of a manufacturer and finds it by name', async ({ operator: page, api }) => {
  const maker = createManufacturerDraft()
  await api.post('/v1/manufacturer', { data: maker })
  const name = createUniqueName('品牌')
  await visit(page, address)
  await page.getByRole('button', { name: '新建品牌' }).click()
  await getField(page, '厂商').click()
  await getField(page, '厂商').fill(maker.name)
  await page.getByTitle(maker.name).click()
  await getField(page, '品牌名称').fill(name)
  await saveDialog(page)
  await page.getByPlaceholder('品牌名称').fill(name)
  await expect(page.getByText('共 1 条')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(`${name}.*${maker.name}`) })).toBeVisible()
})

test('reports missing values at their fields', async ({ operator: page }) => {
  await visit(page, address)
  await page.getByRole('button', { name: '新建品牌' }).click()
  await getDialog(page).getByRole('button', { name: '保存' }).click()
  for (const text of ['请选择厂商', '请输入品牌名称'])
    await expect(getFieldError(page, text)).toBeVisible()
})
