import type { Page } from '@playwright/test'
import { createUserAndSignIn, expect, signIn, storeToken, test } from './fixtures'
import { createUniqueName, getDialog } from './listHelpers'
import { createPoster, createProjectDraft } from './projects'

test('brings back the input of a dialog and an import preview when the session was ended', async ({
  page,
  api,
}) => {
  const post = createPoster(api)
  const { id: projectRow, projectId } = await post('/v1/project', createProjectDraft())
  await post('/v1/space', { projectId, parentId: null, type: 'building', name: '样板楼' })
  const user = await createUserAndSignIn('platform-admin', api)
  const { data: userPage } = (await (
    await api.post('/v1/user/page', { data: { username: user.username } })
  ).json()) as { data: { list: { id: string }[] } }
  /** An administrator ends the session, and the user signs in again. */
  async function signInAgain(currentPage: Page) {
    const address = currentPage.url()
    await api.post('/v1/user/kick', { data: { id: userPage.list[0]!.id } })
    await expect(currentPage.getByText(/下线/)).toBeVisible()
    await signIn(currentPage, user)
    await expect(currentPage).toHaveURL(address)
  }
  await storeToken(page, user.token)

  await page.goto(`/system/project/${projectRow}?tab=snapshot`)
  await page.getByRole('button', { name: '拍摄快照' }).click()
  const nameField = getDialog(page).getByLabel('快照名称')
  await nameField.fill('三层改造之前')
  await signInAgain(page)
  await page.getByRole('button', { name: '拍摄快照' }).click()
  await expect(nameField).toHaveValue('三层改造之前')

  await page.goto('/deviceAccess/config/manufacturer')
  const openImport = () => page.getByRole('button', { name: /^导\s?入$/ }).click()
  await openImport()
  const code = createUniqueName('imp')
  const lines = [
    '厂商名称,简称,厂商编码,统一社会信用代码,所在地区,详细地址,联系人,联系电话,邮箱,网址,备注,状态',
    `${code}甲,,${code},,广东省深圳市南山区,,,,,,,启用`,
  ]
  await page
    .getByRole('dialog', { name: '导入厂商' })
    .locator('input[type=file]')
    .setInputFiles({
      name: '厂商.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    })
  await expect(getDialog(page).getByRole('button', { name: '确认导入 1 行' })).toBeVisible()
  await signInAgain(page)
  await openImport()
  await getDialog(page).getByRole('button', { name: '确认导入 1 行' }).click()
  await expect(getDialog(page).getByText('成功 1 行')).toBeVisible()
})
