import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.config.productType()

test('adds an action to a type, with its value chosen by the labels of its category', async ({
  operator: page,
}) => {
  const name = createUniqueName('插座')
  await visit(page, address)
  await page.getByRole('button', { name: '新建产品类型' }).click()
  await getField(page, '类型名称').fill(name)
  await getField(page, '类型编码').fill(createUniqueName('plug_'))
  await getField(page, '品类').fill('智能插座')
  await page.getByTitle('智能插座', { exact: true }).click()
  await page.keyboard.press('Escape')
  await getDialog(page).getByRole('button', { name: '添加批量动作' }).click()
  const action = getDialog(page).getByRole('group', { name: '批量动作 1' })
  await action.getByLabel('动作编码').fill('all_off')
  await action.getByLabel('按钮名称').fill('断电')
  await action.getByLabel('功能').fill('PowerSwitch')
  await page.getByTitle('电源开关 PowerSwitch').last().click()
  await action.getByLabel('值').click()
  await page.getByTitle('关闭', { exact: true }).click()
  await saveDialog(page)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('智能插座')
  await expect(row).toContainText('断电')
})

test('keeps a built-in type, and refuses an action without a matching function at its field', async ({
  operator: page,
}) => {
  await visit(page, address)
  await page.getByRole('button', { name: '灯光的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  const lights = page.getByRole('row', { name: /SAFEWAY_LIGHT/ })
  await lights.getByRole('button', { name: /编\s?辑/ }).click()
  const action = getDialog(page).getByRole('group', { name: '批量动作 2' })
  await action.getByLabel('功能').fill('Speed')
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(action.getByText('所选品类没有功能 Speed')).toBeVisible()
})
