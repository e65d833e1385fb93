import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.config.controlType()

test('creates a control type with functions of the library and its own', async ({
  operator: page,
}) => {
  const name = createUniqueName('调光')
  await visit(page, address)
  await page.getByRole('button', { name: '新建控制类型' }).click()
  await getField(page, '控制类型名称').fill(name)
  await getField(page, '控制类型编码').fill(createUniqueName('dim'))
  await getField(page, '必备功能').fill('PowerSwitch')
  await page.keyboard.press('Enter')
  await getField(page, '必备功能').fill('FadeTime')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await saveDialog(page)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText(
    /PowerSwitch.*FadeTime/,
  )
})

test('reports missing values and an invalid identifier at their fields', async ({
  operator: page,
}) => {
  await visit(page, address)
  await page.getByRole('button', { name: '新建控制类型' }).click()
  await getField(page, '必备功能').fill('2fast')
  await page.keyboard.press('Enter')
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  for (const text of ['请输入控制类型名称', '标识符以字母开头，只用字母、数字和下划线'])
    await expect(getDialog(page).getByText(text)).toBeVisible()
})
