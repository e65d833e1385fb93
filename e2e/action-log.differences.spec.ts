import { expect, test, visit } from './fixtures'
import { createManufacturerDraft } from './listHelpers'

test('shows each field before and after, and filters by field', async ({ operator: page, api }) => {
  const { code, ...rest } = createManufacturerDraft({ contact: '王工' })
  const { data: row } = await (
    await api.post('/v1/manufacturer', { data: { code, ...rest } })
  ).json()
  const change = { ...rest, version: row.version, contact: '李工', areaCode: '441900' }
  await api.put(`/v1/manufacturer/${row.id}`, { data: change })
  await visit(page, `/system/log/actionLog?entityId=${row.id}`)
  await expect(page.getByRole('cell', { name: /联系人：王工 → 李工/ })).toBeVisible()
  await page.getByRole('row', { name: /修改厂商/ }).click()
  await expect(page.getByRole('row', { name: '联系人 王工 李工', exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: /^所在地区.*南山区.*东莞市/ })).toBeVisible()

  await page.getByRole('link', { name: '查看厂商' }).click()
  await expect(page.getByRole('heading', { name: '厂商管理' })).toBeAttached()
  await expect(page.getByRole('cell', { name: row.name, exact: true })).toBeVisible()
  await page.goBack()

  await page.getByRole('combobox', { name: '修改内容' }).click()
  await page.getByTitle('所在地区', { exact: true }).click()
  await expect(page).toHaveURL(/field=/)
  await expect(
    page.getByRole('row', { name: new RegExp(`修改厂商.*${row.name}`) }).first(),
  ).toBeVisible()
})

const pick = (row: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

test('finds in four clicks who changed a menu on a day, and shows a bulk call as one line', async ({
  operator: page,
  api,
}) => {
  const { data: menus } = await (await api.get('/v1/menu/list')).json()
  const logs = menus.find(({ routeName }: { routeName: string }) => routeName === 'system.log')
  for (const name of ['日志 2', logs.name])
    await api.put(`/v1/menu/${logs.id}`, {
      data: {
        ...pick(logs, ['parentId', 'type', 'path', 'routeName', 'icon', 'permission', 'sort']),
        ...pick(logs, ['visible', 'status']),
        name,
        version: logs.version++,
      },
    })
  const rows = await Promise.all(
    [createManufacturerDraft(), createManufacturerDraft()].map(
      async (data) => (await (await api.post('/v1/manufacturer', { data })).json()).data,
    ),
  )
  const ids = rows.map(({ id }) => id)
  await api.post('/v1/manufacturer/status', { data: { ids, status: 'disabled' } })

  await visit(page, `/system/log/actionLog?entity=${encodeURIComponent('厂商')}`)
  const bulkRow = page
    .getByRole('row', { name: new RegExp(`${rows[0].name}.*2 条`) })
    .or(page.getByRole('row', { name: new RegExp(`${rows[1].name}.*2 条`) }))
  await bulkRow.first().click()
  const findChangeRow = (name: string) =>
    page.getByRole('row', { name: `${name} 状态：启用 → 禁用`, exact: true })
  for (const { name } of rows) await expect(findChangeRow(name)).toBeVisible()

  await page.getByRole('textbox', { name: '时间范围' }).click()
  await page.getByText('今天', { exact: true }).click()
  await page.getByRole('combobox', { name: '对象' }).click()
  await page.getByTitle('菜单', { exact: true }).click()
  const line = page.getByRole('row', { name: /修改菜单/ }).filter({ hasText: '日志 → 日志 2' })
  await expect(line.first()).toContainText('admin')
})
