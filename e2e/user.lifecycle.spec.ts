import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createSender, createUniqueName } from './listHelpers'

test('creates a user, shows the password once, disables and enables the user', async ({
  operator: page,
}) => {
  const username = createUniqueName('u')
  const name = `赵六${username}`
  await visit(page, '/enterprise/user')
  await page.getByRole('button', { name: '新建用户' }).click()
  await getField(page, '账号').fill(username)
  await getField(page, '姓名').fill(name)
  await getField(page, '角色').click()
  await page.getByTitle('运维值班').last().click()
  await getDialog(page).getByRole('combobox', { name: '指定项目' }).click()
  await page
    .getByTitle(/科创园/)
    .last()
    .click()
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  const secret = page.getByRole('dialog', { name: '请记下密码' })
  await expect(secret.getByText(username)).toBeVisible()
  await expect(secret.locator('code')).toHaveText(/^\S{8,}$/)
  await secret.getByRole('button', { name: '我已记下' }).click()

  await visit(page, `/enterprise/user?username=${username}`)
  for (const [action, state] of [
    ['禁用', '禁用'],
    ['启用', '正常'],
  ] as const) {
    await page.getByRole('button', { name: `${name}的更多操作` }).click()
    await page.getByRole('menuitem', { name: action }).click()
    if (action === '禁用')
      await page
        .getByRole('dialog', { name: `禁用“${name}”？` })
        .getByRole('button', { name: /禁\s?用/ })
        .click()
    const row = page.getByRole('row', { name: username })
    await expect(row.getByRole('cell', { name: state, exact: true })).toBeVisible()
  }
})

test('prevents users from deleting themselves', async ({ operator: page }) => {
  await visit(page, '/enterprise/user?username=admin')
  await page.getByRole('button', { name: '平台管理员的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})

test('adds a role to several users at once, keeps the one who may not get it, and deletes them', async ({
  operator: page,
  api,
}) => {
  const prefix = createUniqueName('many')
  const { data: roles } = await (await api.get('/v1/role/list')).json()
  const roleId = roles.find(({ code }: { code: string }) => code === 'visitor').id
  for (const n of [1, 2])
    await api.post('/v1/user', {
      data: {
        username: `${prefix}-${n}`,
        name: `${prefix}-${n}`,
        phone: '',
        email: '',
        roleIds: [roleId],
        projectIds: [1],
        expireTime: null,
      },
    })
  await visit(page, `/enterprise/user?username=${prefix}`)
  const selectAll = page.getByRole('checkbox', { name: '全选本页' })
  const toolbar = page.getByRole('toolbar', { name: '批量操作' })
  const assignButton = toolbar.getByRole('button', { name: '分配角色和项目' })
  const dialog = page.getByRole('dialog', { name: '分配 2 个用户的角色和项目' })
  const confirm = dialog.getByRole('button', { name: /分\s?配/ })
  await selectAll.check()
  await assignButton.click()
  await confirm.click()
  await expect(dialog.getByText('请选择要改的角色或项目')).toBeVisible()
  await dialog.getByRole('radiogroup').first().getByText('增加').click()
  await dialog.getByRole('combobox', { name: '选择角色' }).click()
  await page.getByTitle('平台管理员').last().click()
  await confirm.click()
  const result = page.getByRole('dialog', { name: '分配：成功 0 条，失败 2 条' })
  await expect(
    result.getByRole('cell', { name: '平台管理员总是管理全部项目，请选“全部项目”' }).first(),
  ).toBeVisible()
  await result.getByRole('button').click()
  await assignButton.click()
  await dialog.getByRole('radiogroup').first().getByText('增加').click()
  await dialog.getByRole('combobox', { name: '选择角色' }).click()
  await page.getByTitle('运维值班').last().click()
  await confirm.click()
  await expect(
    page.getByRole('cell', { name: /只读访客、运维值班|运维值班、只读访客/ }),
  ).toHaveCount(2)

  await selectAll.check()
  await toolbar.getByRole('button', { name: /删\s?除/ }).click()
  await page
    .getByRole('dialog', { name: '删除选中的 2 条？' })
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('creates a role with copied, searched and selected permissions', async ({
  operator: page,
}) => {
  const name = createUniqueName('角色')
  await visit(page, '/enterprise/user?tab=role')
  await page.getByRole('button', { name: '新建角色' }).click()
  await getField(page, '角色名称').fill(name)
  await getField(page, '角色编码').fill(createUniqueName('r'))
  const tree = getDialog(page).getByRole('tree')
  const pressButton = (name: RegExp) => getDialog(page).getByRole('button', { name }).click()
  const copyRole = async (from: string) => {
    await getDialog(page).getByLabel('复制自').click()
    await page.getByTitle(from).last().click()
  }
  const tickedBoxes = tree.getByRole('checkbox', { checked: true })
  await expect(tree.getByText('新建厂商')).toHaveCount(0)
  await pressButton(/^展\s?开$/)
  await expect(tree.getByText('新建厂商')).toBeAttached()
  await pressButton(/^全\s?选$/)
  await expect(tree.getByRole('checkbox', { checked: false })).toHaveCount(0)
  await copyRole('只读访客')
  // Home, and the way to the list of incidents.
  await expect(tickedBoxes).toHaveCount(5)
  await getDialog(page).getByPlaceholder('搜索菜单或按钮').fill('用户管理')
  await expect(tree.getByText('首页')).toHaveCount(0)
  await pressButton(/^全\s?选$/)
  await getDialog(page).getByPlaceholder('搜索菜单或按钮').fill('')
  for (const title of ['首页', '企业管理', '用户管理'])
    await expect(tree.getByRole('checkbox', { name: new RegExp(`${title}$`) })).toBeChecked()
  await expect(tree.getByRole('checkbox', { name: /设备接入$/ })).not.toBeChecked()
  await saveDialog(page)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
})

test('shows why a button is disabled, and returns to the page once the permission is granted', async ({
  page,
  api,
}) => {
  const { username, token } = await createUserAndSignIn('operator', api)
  await storeToken(page, token)
  await page.goto('/deviceAccess/config/manufacturer')
  await expect(page.getByLabel('缺少权限：新建厂商')).toBeVisible()
  await expect(page.getByRole('button', { name: '新建厂商' })).toBeDisabled()

  await visit(page, '/system/menu?find=log')
  const noPermissionHeading = page.getByRole('heading', { name: '没有权限' })
  await expect(noPermissionHeading).toBeVisible()
  await expect(page.getByText('菜单列表')).toBeVisible()
  const sendRequest = createSender(api)
  const roles = await sendRequest<{ id: string; code: string }[]>('get', '/v1/role/list')
  const { list } = await sendRequest<{ list: { id: string; version: number }[] }>(
    'post',
    '/v1/user/page',
    { username },
  )
  await sendRequest('put', `/v1/user/${list[0]!.id}`, {
    name: '值班',
    phone: '',
    email: '',
    projectIds: 'all',
    expireTime: null,
    roleIds: roles.filter(({ code }) => code === 'platform-admin').map(({ id }) => id),
    version: list[0]!.version,
  })
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page).toHaveURL('/system/menu?find=log')
  await expect(page.getByRole('heading', { name: '菜单管理' })).toBeAttached()
  await visit(page, '/404?from=%2Fenterprise%2Fuser')
  await expect(noPermissionHeading).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL('/enterprise/user')
})
