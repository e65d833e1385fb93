import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'
import { createProjectDraft } from './projects'

const address = '/system/project'
test('creates a project, offers it in the switcher at once, and deletes it', async ({
  operator: page,
}) => {
  const name = createUniqueName('新楼')
  await visit(page, address)
  await page.getByRole('button', { name: '新建项目' }).click()
  await getField(page, '项目名称').fill(name)
  await getField(page, '项目编码').fill(createUniqueName('p'))
  await getField(page, '分组').fill('测试片区')
  await getField(page, '项目类型').click()
  await page.getByTitle('办公楼', { exact: true }).click()
  await getField(page, '所在地区').click()
  await getField(page, '所在地区').pressSequentially('深圳南山')
  await page
    .getByRole('option', { name: /南山区/ })
    .first()
    .click()
  await getField(page, '经度').fill('113.9')
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(getDialog(page).getByText('请同时填写经度和纬度')).toBeVisible()
  await getField(page, '纬度').fill('22.5')
  await getField(page, '历史保存天数').fill('90')
  await saveDialog(page)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('筹建')
  await page.getByRole('combobox', { name: '切换项目' }).click()
  await expect(page.locator('.ant-select-dropdown:visible').getByText(name)).toBeVisible()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(row).toHaveCount(0)
})

test('explains a status before it is set, and keeps a project in use', async ({
  operator: page,
  api,
}) => {
  const draft = createProjectDraft()
  await api.post('/v1/project', { data: draft })
  await visit(page, `${address}?name=${draft.code}`)
  const moreButton = page.getByRole('button', { name: `${draft.name}的更多操作` })
  await moreButton.click()
  await page.getByRole('menuitem', { name: '改为调试' }).click()
  await expect(getDialog(page).getByText('用来试灯和试场景')).toBeVisible()
  await getDialog(page).getByRole('button', { name: '改为调试' }).click()
  await expect(page.getByRole('row', { name: new RegExp(draft.name) })).toContainText('调试')
  await moreButton.click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toBeDisabled()
})
