import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { createManufacturerDraft, getField, getDialog, createUniqueName } from './listHelpers'

// These tests cover what FormDialog gives every form, with manufacturers as the example.
const address = '/deviceAccess/config/manufacturer'

test('keeps a concurrent save of a colleague, and asks only about the same field', async ({
  operator: page,
  api,
}) => {
  const { data: row } = await (
    await api.post('/v1/manufacturer', { data: createManufacturerDraft({ contact: '王工' }) })
  ).json()
  await visit(page, `${address}?code=${row.code}`)
  await page.getByRole('button', { name: '编辑' }).click()
  await getField(page, '联系人').fill('孙工')
  const change = { name: row.name, contact: '钱工', phone: '13800138000' }
  // The code cannot be changed after creation.
  const answer = await api.put(`/v1/manufacturer/${row.id}`, {
    data: { ...createManufacturerDraft(change), code: undefined, version: row.version },
  })
  expect(await answer.json()).toMatchObject({ code: 0 })
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  const conflict = page.getByRole('dialog', { name: '这条记录刚被别人修改过' })
  await expect(conflict.getByRole('radiogroup')).toHaveCount(1)
  await expect(conflict.getByRole('radio', { name: '我填写的：孙工' })).toBeChecked()
  await conflict.getByRole('button', { name: '合并保存' }).click()
  await expect(page.getByText(`已保存“${row.name}”`)).toBeVisible()
  await expect(page.getByRole('row', { name: /孙工 13800138000/ })).toBeVisible()
})

test('asks before discarding input, and restores it after a reload', async ({ operator: page }) => {
  const name = createUniqueName('半途')
  await visit(page, address)
  await page.getByRole('button', { name: '新建厂商' }).click()
  await getField(page, '厂商名称').fill(name)
  await page.reload()
  await expect(page.getByText('有未保存的新建厂商')).toBeVisible()
  await page.getByRole('button', { name: '继续' }).click()
  await expect(getField(page, '厂商名称')).toHaveValue(name)
  await getDialog(page)
    .getByRole('button', { name: /取\s?消/ })
    .click()
  const question = page.getByRole('dialog', { name: '放弃未保存的修改？' })
  await question.getByRole('button', { name: '继续编辑' }).click()
  await expect(question).toBeHidden()
  await expect(getField(page, '厂商名称')).toHaveValue(name)
  await getDialog(page)
    .getByRole('button', { name: /取\s?消/ })
    .click()
  await page.getByRole('button', { name: /^放\s?弃$/ }).click()
  await expect(getDialog(page)).toBeHidden()
})

test('reports a revoked permission in an open form, keeps the input, and saves once it is granted again', async ({
  page,
  api,
}) => {
  const user = await createUserAndSignIn('platform-admin', api)
  const { data: roles } = (await (await api.get('/v1/role/list')).json()) as {
    data: { id: string; code: string }[]
  }
  /** Assigns another role to the user, as the administrator. */
  async function assignRole(roleCode: string) {
    const userPage = await api.post('/v1/user/page', { data: { username: user.username } })
    const { data } = (await userPage.json()) as { data: { list: Record<string, unknown>[] } }
    const { id, version, name, phone, email, expireTime } = data.list[0]!
    const roleIds = roles.filter(({ code }) => code === roleCode).map((role) => role.id)
    const projectIds = roleCode === 'platform-admin' ? 'all' : [1]
    const userUpdate = { version, name, phone, email, projectIds, expireTime, roleIds }
    const answer = await api.put(`/v1/user/${String(id)}`, { data: userUpdate })
    expect(await answer.json()).toMatchObject({ code: 0 })
  }
  const { data: row } = (await (
    await api.post('/v1/manufacturer', { data: createManufacturerDraft({ contact: '王工' }) })
  ).json()) as { data: { code: string; name: string } }
  await storeToken(page, user.token)
  await page.goto(`${address}?code=${row.code}`)
  await page.getByRole('button', { name: '编辑' }).click()
  await getField(page, '联系人').fill('孙工')
  const save = getDialog(page).getByRole('button', { name: /保\s?存/ })
  await expect(save).toBeEnabled()

  await assignRole('visitor')
  await expect(getDialog(page).getByText('缺少权限：修改厂商，不能保存')).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(getField(page, '联系人')).toHaveValue('孙工')
  expect(new URL(page.url()).pathname).toBe(address)

  await assignRole('platform-admin')
  await expect(save).toBeEnabled()
  await save.click()
  await expect(page.getByText(`已保存“${row.name}”`)).toBeVisible()
})
