import { expect, test, visit } from './fixtures'
import { createUniqueName } from './listHelpers'

test('creates users from a file, and hands out their first passwords once', async ({
  operator: page,
}) => {
  const name = createUniqueName('imp')
  const lines = [
    '账号,姓名,手机号,邮箱,角色,项目,有效期至',
    `${name},张三,,,运维值班,科创园,2099/12/31`,
    `${name}x,李四,,,没有的角色,科创园,`,
    `${name}y,王五,,,运维值班,科创园,月底`,
  ]
  await visit(page, '/enterprise/user')
  await page.getByRole('button', { name: /^导\s?入$/ }).click()
  const dialog = page.getByRole('dialog', { name: '导入用户' })
  await dialog.locator('input[type=file]').setInputFiles({
    name: '用户.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  })
  await dialog.getByRole('button', { name: '确认导入 1 行' }).click()
  await expect(dialog.getByText('成功 1 行，失败 2 行')).toBeVisible()
  await expect(dialog.getByText('角色“没有的角色”不存在')).toBeVisible()
  await expect(dialog.getByText('有效期至须为日期')).toBeVisible()
  await dialog.getByRole('button', { name: '下载初始密码' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('dialog', { name: '下载用户初始密码？' })
      .getByRole('button', { name: /^下\s?载$/ })
      .click(),
  ])
  expect(file.suggestedFilename()).toBe('用户初始密码.xlsx')
  await expect(dialog.getByRole('button', { name: '下载初始密码' })).toHaveCount(0)
  await dialog.getByRole('button', { name: /完\s?成/ }).click()
  await visit(page, `/enterprise/user?username=${name}`)
  await expect(page.getByRole('row', { name })).toContainText('2099-12-31')
})
