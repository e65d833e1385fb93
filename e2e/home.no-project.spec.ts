import type { Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'

/**
 * Hides all projects from the page, as for a user of an older version without any; the form no longer allows such a
 * user.
 */
const hideProjects = (page: Page) =>
  page.route('**/v1/map-engineering/tree*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, children: [] } } })
  })

test('names a contact on home and in project lists when the user has no project', async ({
  page,
  api,
}) => {
  await hideProjects(page)
  await storeToken(page, (await createUserAndSignIn('project-admin', api)).token)
  await page.goto(paths.home())
  await expect(page.getByText('没有可查看的项目')).toBeVisible()
  await expect(page.getByText('项目一')).toBeHidden()
  const [device, edgeHost] = [paths.deviceAccess.device(), paths.deviceAccess.edgeHost()]
  for (const address of [device, `${device}?tab=group`]) {
    await visit(page, address)
    await expect(page.getByText('没有分配给您的项目，请联系管理员')).toBeVisible()
    await expect(page.getByRole('button', { name: /导\s?入/ })).toBeDisabled()
    await expect(page.getByText('没有取到数据')).toHaveCount(0)
  }
  await visit(page, edgeHost)
  await expect(page.getByText('没有分配给您的项目，请联系管理员')).toBeVisible()
})

test('requires projects for a role without access to all of them', async ({ operator: page }) => {
  await visit(page, '/enterprise/user')
  await page.getByRole('button', { name: '新建用户' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('角色', { exact: true }).click()
  await page.getByTitle('只读访客').last().click()
  // The frame around the disabled field has no height, so the test checks that it is attached, not visible.
  await expect(dialog.getByLabel('所选角色只能看分配的项目，请指定项目')).toBeAttached()
  await expect(dialog.getByRole('radio', { name: '全部项目' })).toBeDisabled()
  await dialog.getByRole('button', { name: /保\s?存/ }).click()
  await expect(dialog.getByText('请选择项目，或选“全部项目”')).toBeVisible()
})
