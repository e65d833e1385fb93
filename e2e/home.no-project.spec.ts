import { expect, keepToken, signedInAs, test, visit } from './fixtures'

test('says who can help where no project was assigned', async ({ page, api }) => {
  await keepToken(page, (await signedInAs('visitor', api)).token)
  await page.goto('/home')
  await expect(page.getByText('没有可查看的项目')).toBeVisible()
  await expect(page.getByText('项目一')).toBeHidden()
})

test('says in the form that such a user would see no project', async ({ operator: page }) => {
  await visit(page, '/enterprise/user')
  await page.getByRole('button', { name: '新建用户' }).click()
  await page.getByRole('dialog').getByLabel('角色', { exact: true }).click()
  await page.getByTitle('只读访客').last().click()
  await expect(page.getByText('保存后看不到任何项目')).toBeVisible()
})
