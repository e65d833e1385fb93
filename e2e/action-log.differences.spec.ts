import { expect, test, visit } from './fixtures'
import { draft } from './lists'

test('shows each field before and after, and finds it by field', async ({
  operator: page,
  api,
}) => {
  const { data: row } = await (
    await api.post('/v1/manufacturer', { data: draft({ contact: '王工' }) })
  ).json()
  await api.put(`/v1/manufacturer/${row.id}`, {
    data: { ...row, contact: '李工', areaCode: '441900' },
  })
  await visit(page, `/system/log/actionLog?entityId=${row.id}`)
  await page.getByRole('row', { name: /修改厂商/ }).click()
  await expect(page.getByRole('row', { name: '联系人 王工 李工', exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: /^所在地区.*南山区.*东莞市/ })).toBeVisible()

  await page.getByRole('combobox', { name: '修改内容' }).click()
  await page.getByTitle('所在地区', { exact: true }).click()
  await expect(page).toHaveURL(/field=/)
  await expect(
    page.getByRole('row', { name: new RegExp(`修改厂商.*${row.name}`) }).first(),
  ).toBeVisible()
})
