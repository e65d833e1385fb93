import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { draft, errorAt, field, inDialog, save, unique } from './lists'

const address = paths.deviceAccess.config.brand()

test('creates a brand of a manufacturer and finds it by name', async ({ operator: page, api }) => {
  const maker = draft()
  await api.post('/v1/manufacturer', { data: maker })
  const name = unique('品牌')
  await visit(page, address)
  await page.getByRole('button', { name: '新建品牌' }).click()
  await field(page, '厂商').click()
  await field(page, '厂商').fill(maker.name)
  await page.getByTitle(maker.name).click()
  await field(page, '品牌名称').fill(name)
  await save(page)
  await page.getByPlaceholder('品牌名称').fill(name)
  await expect(page.getByText('共 1 条')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(`${name}.*${maker.name}`) })).toBeVisible()
})

test('says what is missing, at the field', async ({ operator: page }) => {
  await visit(page, address)
  await page.getByRole('button', { name: '新建品牌' }).click()
  await inDialog(page).getByRole('button', { name: '保存' }).click()
  for (const text of ['请选择厂商', '请输入品牌名称'])
    await expect(errorAt(page, text)).toBeVisible()
})
