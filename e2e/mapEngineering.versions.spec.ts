import { request, type Page } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { openPlatform } from './federation/platform'
import { expect, storeToken, test, visit } from './fixtures'
import { getDialog, saveDialog, createSender, createUniqueName } from './listHelpers'
import { createProjectDraft } from './projects'

/** The published version groups the projects of all users, so this test has a platform of its own. */
test('moves a project to another group for all users when published, and back with the former version', async ({
  page,
}) => {
  const platform = await openPlatform()
  try {
    const anonymous = await request.newContext({ baseURL: platform.origin })
    const login = { username: 'admin', password: process.env.ADMIN_PASSWORD }
    const { token } = (await (await anonymous.post('/v1/auth/login', { data: login })).json()).data
    const extraHTTPHeaders = { satoken: `Bearer ${token}` }
    const api = await request.newContext({ baseURL: platform.origin, extraHTTPHeaders })
    const send = createSender(api)
    for (const name of ['办公楼', '酒店楼'])
      await send('post', '/v1/project', createProjectDraft({ name, groupName: '华南片区' }))
    await storeToken(page, token)
    await page.goto(`${platform.origin}/system/mapEngineering`)

    await page.getByRole('button', { name: '新建地图工程版本' }).click()
    await getDialog(page).getByLabel('版本号').fill('V1.1')
    await pressSave(page)
    const drawer = page.getByRole('dialog', { name: '地图工程 · V1.1' })
    await drawer.getByRole('button', { name: '新建分组' }).click()
    await drawer.getByLabel('分组名称').last().fill('酒店组')
    await drawer.getByRole('combobox', { name: '酒店楼的分组' }).click()
    await page.getByTitle('酒店组', { exact: true }).last().click()
    await saveDialog(page)
    await publish(page, 'V1.1')
    await expectGroupInSwitcher(page, '酒店楼', '酒店组')
    await page.getByRole('button', { name: 'V1.1的更多操作' }).click()
    await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.keyboard.press('Escape')

    await page.getByRole('row', { name: /V1\.0/ }).getByRole('button', { name: '查看' }).click()
    await expect(getDialog(page).getByText('酒店楼')).toBeVisible()
    await getDialog(page)
      .getByRole('button', { name: /^(Close|关闭)$/ })
      .click()
    await page.getByRole('button', { name: 'V1.0的更多操作' }).click()
    await page.getByRole('menuitem', { name: '复制为草稿', exact: true }).click()
    await getDialog(page).getByLabel('版本号').fill('V1.2')
    await pressSave(page)
    await page
      .getByRole('dialog', { name: '地图工程 · V1.2' })
      .getByRole('button', { name: /取\s?消/ })
      .click()
    await publish(page, 'V1.2')
    await expectGroupInSwitcher(page, '酒店楼', '华南片区')
  } finally {
    await platform.close()
  }
})

test('reports a duplicate version name at its field, and deletes a draft', async ({
  operator: page,
}) => {
  const name = createUniqueName('V')
  await visit(page, paths.system.mapEngineering())
  await page.getByRole('button', { name: '新建地图工程版本' }).click()
  await getDialog(page).getByLabel('版本号').fill('V1.0')
  await pressSave(page)
  await expect(getDialog(page).getByText('版本号“V1.0”已存在')).toBeVisible()
  await getDialog(page).getByLabel('版本号').fill(name)
  await pressSave(page)
  await page
    .getByRole('dialog', { name: `地图工程 · ${name}` })
    .getByRole('button', { name: /取\s?消/ })
    .click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByText('草稿')).toBeVisible()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page
    .getByRole('dialog', { name: `删除“${name}”？` })
    .getByRole('button', { name: '删除' })
    .click()
  await expect(row).toHaveCount(0)
})

const pressSave = (page: Page) =>
  getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()

async function publish(page: Page, name: string) {
  const row = page.getByRole('row', { name: new RegExp(name.replace('.', '\\.')) })
  await expect(row.getByText('草稿')).toBeVisible()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '发布', exact: true }).click()
  await page
    .getByRole('dialog', { name: `发布“${name}”？` })
    .getByRole('button', { name: /发\s?布/ })
    .click()
  await expect(row.getByText('已发布')).toBeVisible()
}

async function expectGroupInSwitcher(page: Page, name: string, group: string) {
  const choice = page.getByRole('combobox', { name: '切换项目' })
  await expect(async () => {
    await choice.click()
    await choice.fill(name)
    await expect(
      page.locator('.ant-select-item-group').getByText(group, { exact: true }),
    ).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await page.keyboard.press('Escape')
}
