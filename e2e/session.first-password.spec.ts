import { expect, signInByApi, signIn, test } from './fixtures'
import { createUniqueName } from './listHelpers'

test('requires a user with a generated password to choose a new one first', async ({
  page,
  api,
}) => {
  const username = createUniqueName('first')
  const { data: roles } = await (await api.get('/v1/role/list')).json()
  const roleIds = [roles.find(({ code }: { code: string }) => code === 'operator').id]
  const { data: createdUser } = await (
    await api.post('/v1/user', {
      data: {
        username,
        name: '新人',
        phone: '',
        email: '',
        roleIds,
        projectIds: [1],
        expireTime: null,
      },
    })
  ).json()

  await page.goto('/enterprise/user')
  await signIn(page, { username, password: createdUser.password })
  const newPasswordField = page.getByLabel('新密码', { exact: true }),
    repeatField = page.getByLabel('再输一次', { exact: true })
  const submit = page.locator('button[type=submit]')
  await expect(newPasswordField).toBeVisible()
  // The password just typed at login is not asked for again.
  await expect(page.getByLabel('原密码')).toBeHidden()

  for (const [password, repeatedPassword, errorText] of [
    ['', '', '请输入新密码'],
    ['short1', 'short1', '密码至少 8 位'],
    ['onlyletters', 'onlyletters', '密码须同时含字母和数字'],
    ['Console-2027', 'Console-2028', '两次输入的密码不一致'],
    // The form cannot check these two rules, so the platform reports them.
    [createdUser.password, createdUser.password, '新密码不能与原密码相同'],
    [`${username}-2027`, `${username}-2027`, '密码不能包含账号'],
  ] as const) {
    await newPasswordField.fill(password)
    await repeatField.fill(repeatedPassword)
    await submit.click()
    await expect(
      page.locator('.ant-form-item-explain-error').filter({ hasText: errorText }),
    ).toBeVisible()
    await expect(newPasswordField).toHaveValue(password)
    await expect(repeatField).toHaveValue(repeatedPassword)
  }

  // Neither another address nor a reload skips the change; the reload loses the typed password, so it is asked for.
  await page.goto('/home')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('原密码').fill(createdUser.password)
  await newPasswordField.fill('Console-2027')
  await repeatField.fill('Console-2027')
  await submit.click()
  await expect(page).toHaveURL(/\/home/)
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()

  // The single failure is cleared by the following sign-in, because failures count against the address that all tests
  // share.
  await expect(signInByApi({ username, password: createdUser.password })).rejects.toThrow(
    '账号或密码错误',
  )
  await (await signInByApi({ username, password: 'Console-2027' })).api.dispose()
})
