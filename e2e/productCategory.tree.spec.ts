import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.productCategory()

test('creates a category below another, moves it by dragging, and keeps one with children', async ({
  operator: page,
}) => {
  const [parentName, childName] = [createUniqueName('上级'), createUniqueName('下级')]
  await visit(page, address)
  await page.getByRole('button', { name: '新建品类' }).click()
  await getField(page, '品类名称').fill(parentName)
  await getField(page, '品类编码').fill(createUniqueName('c'))
  await saveDialog(page)
  await page.getByRole('button', { name: `${parentName}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '新建下级' }).click()
  await getField(page, '品类名称').fill(childName)
  await getField(page, '品类编码').fill(createUniqueName('c'))
  await saveDialog(page)
  const findRow = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
  await expect(findRow(childName)).toBeVisible()
  await page.getByRole('button', { name: `${parentName}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(getDialog(page).getByText('正在使用，不能删除')).toBeVisible()
  await expect(getDialog(page).getByText(childName)).toBeVisible()
  await getDialog(page).getByRole('button', { name: '知道了' }).click()

  const getLeftX = async (name: string) => (await findRow(name).getByText(name).boundingBox())!.x
  expect((await getLeftX(childName)) - (await getLeftX(parentName))).toBeGreaterThan(10)
  // A drop on the upper edge means before the row, on its level.
  await findRow(childName).dragTo(findRow(parentName), {
    sourcePosition: { x: 60, y: 16 },
    targetPosition: { x: 30, y: 2 },
    steps: 5,
  })
  await expect
    .poll(async () => (await getLeftX(childName)) - (await getLeftX(parentName)))
    .toBeLessThan(10)
})

test('deletes the selected categories without children', async ({ operator: page, api }) => {
  const [parentName, childName, otherName] = [
    createUniqueName('上'),
    createUniqueName('下'),
    createUniqueName('另'),
  ]
  const createCategory = async (name: string, parentId: string | null) => {
    const draft = {
      parentId,
      name,
      code: createUniqueName('c'),
      icon: '',
      description: '',
      sort: 1,
    }
    const answer = await api.post('/v1/product-category', { data: draft })
    return ((await answer.json()) as { data: { id: string } }).data.id
  }
  await createCategory(childName, await createCategory(parentName, null))
  await createCategory(otherName, null)
  await visit(page, address)
  for (const name of [parentName, otherName])
    await page.getByRole('checkbox', { name: `选择“${name}”` }).check()
  const removeButton = { name: /删\s?除/ }
  await page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', removeButton).click()
  await getDialog(page).getByRole('button', removeButton).click()
  await expect(getDialog(page).getByText(`不能删除：“${childName}”`)).toBeVisible()
  await getDialog(page).getByRole('button', { name: '知道了' }).click()
  await expect(page.getByRole('checkbox', { name: `选择“${parentName}”` })).toBeChecked()
  await expect(page.getByRole('treeitem', { name: new RegExp(otherName) })).toHaveCount(0)
})

test('copies standard categories with their functions in one step', async ({
  operator: page,
  api,
}) => {
  const name = createUniqueName('标准')
  await api.post('/v1/product-category', {
    data: { parentId: null, name, code: createUniqueName('c'), icon: '', description: '', sort: 1 },
  })
  await visit(page, address)
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '复制标准品类到此' }).click()
  await getDialog(page)
    .getByRole('button', { name: /复制 \d+ 个/ })
    .click()
  await expect(page.getByText(/已复制 \d+ 个品类/)).toBeVisible()
  const lamp = page.getByRole('treeitem', { name: /双色温灯/ })
  await expect(lamp).toContainText('版本 1')
})
