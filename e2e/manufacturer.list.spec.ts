import { expect, reopenScreen, test, visit } from './fixtures'
import {
  createManufacturerDraft,
  getField,
  getDialog,
  saveDialog,
  createUniqueName,
} from './listHelpers'

const address = '/deviceAccess/config/manufacturer'

test('creates a manufacturer with its region, and finds it again by the URL', async ({
  operator: page,
}) => {
  const name = createUniqueName('新厂商')
  await visit(page, address)
  await page.getByRole('button', { name: '新建厂商' }).click()
  await getField(page, '厂商名称').fill(name)
  await getField(page, '厂商编码').fill(createUniqueName('m'))
  await getField(page, '所在地区').click()
  await getField(page, '所在地区').pressSequentially('深圳南山')
  await page
    .getByRole('option', { name: /南山区/ })
    .first()
    .click()
  await saveDialog(page)
  await page.getByPlaceholder('厂商名称').fill(name)
  await expect(page).toHaveURL(/name=/)
  await reopenScreen(page)
  await expect(
    page.getByRole('row', { name: new RegExp(`${name}.*广东省 / 深圳市 / 南山区`) }),
  ).toBeVisible()
  await expect(page.getByText('共 1 条')).toBeVisible()
})

test('reports invalid values and a duplicate code at their fields', async ({
  operator: page,
  api,
}) => {
  const code = createUniqueName('taken')
  await api.post('/v1/manufacturer', { data: createManufacturerDraft({ code }) })
  await visit(page, address)
  await page.getByRole('button', { name: '新建厂商' }).click()
  await getField(page, '厂商编码').fill(code)
  await expect(getDialog(page).getByText(`厂商编码“${code}”已存在`)).toBeVisible()
  await getField(page, '统一社会信用代码').fill('91350100M000100Y44')
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  for (const text of [
    '请输入厂商名称',
    '请选择省、市、区',
    '统一社会信用代码不正确，请核对 18 位代码',
  ])
    await expect(getDialog(page).getByText(text)).toBeVisible()
})
