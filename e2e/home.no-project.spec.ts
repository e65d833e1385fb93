import { paths } from '@iot/shared/screens/paths'
import { expect, keepToken, signedInAs, test, visit } from './fixtures'

test('says who can help where no project was assigned', async ({ page, api }) => {
  await keepToken(page, (await signedInAs('visitor', api)).token)
  await page.goto('/home')
  await expect(page.getByText('没有可查看的项目')).toBeVisible()
  await expect(page.getByText('项目一')).toBeHidden()
})

test('says in the lists of a project whom to ask where none was assigned', async ({
  page,
  api,
}) => {
  await keepToken(page, (await signedInAs('project-admin', api)).token)
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

test('says in the form that such a user would see no project', async ({ operator: page }) => {
  await visit(page, '/enterprise/user')
  await page.getByRole('button', { name: '新建用户' }).click()
  await page.getByRole('dialog').getByLabel('角色', { exact: true }).click()
  await page.getByTitle('只读访客').last().click()
  await expect(page.getByText('保存后看不到任何项目')).toBeVisible()
})
