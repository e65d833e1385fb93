import type { APIRequestContext } from '@playwright/test'
import { expect, test, visit } from './fixtures'
import { inDialog, save, sender, unique } from './lists'
import { project } from './projects'

type Version = { id: string; version: number; groups: { name: string; projectIds: number[] }[] }

/** What this test grouped is put back as it was: other tests look for projects in their groups. */
const published = async (api: APIRequestContext) =>
  (
    await sender(api)<{ list: Version[] }>('post', '/v1/map-engineering/page', {
      status: 'published',
    })
  ).list[0]!

test('a project put into another group is there for everybody once the version is published', async ({
  operator: page,
  api,
}) => {
  const send = sender(api)
  const [name, group, before] = [unique('V'), unique('分组'), unique('项目')]
  await send('post', '/v1/project', project({ name: before }))
  await visit(page, '/system/mapEngineering')
  await page.getByRole('button', { name: '新建地图工程版本' }).click()
  await inDialog(page).getByLabel('版本号').fill(name)
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()

  const drawer = page.getByRole('dialog', { name: `地图工程 · ${name}` })
  await drawer.getByRole('button', { name: '新建分组' }).click()
  await drawer.getByLabel('分组名称').last().fill(group)
  await drawer.getByRole('combobox', { name: `${before}的分组` }).click()
  await page.getByTitle(group, { exact: true }).last().click()
  await save(page)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByText('草稿')).toBeVisible()
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '发布' }).click()
  await page
    .getByRole('dialog', { name: `发布“${name}”？` })
    .getByRole('button', { name: /发\s?布/ })
    .click()
  await expect(row.getByText('已发布')).toBeVisible()

  await page.getByRole('combobox', { name: '切换项目' }).click()
  await page.getByRole('combobox', { name: '切换项目' }).fill(before)
  await expect(page.locator('.ant-select-item-group').getByText(group)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  expect((await published(api)).groups.map(({ name }) => name)).toContain(group)
})

test('an archived version is looked at and copied', async ({ operator: page, api }) => {
  const send = sender(api)
  const [old, next] = [unique('V'), unique('V')]
  for (const name of [old, next]) {
    const { id, version } = await send<Version>('post', '/v1/map-engineering', {
      name,
      description: '',
    })
    await send('post', `/v1/map-engineering/${id}/publish`, { version })
  }
  await visit(page, `/system/mapEngineering?name=${old}`)
  await page.getByRole('button', { name: '查看' }).click()
  await expect(inDialog(page).getByText('科创园')).toBeVisible()
  await inDialog(page).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: `${old}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '复制为草稿' }).click()
  const copy = unique('V')
  await inDialog(page).getByLabel('版本号').fill(copy)
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(page.getByRole('dialog', { name: `地图工程 · ${copy}` })).toBeVisible()
})
