import { paths } from '@iot/shared/screens/paths'
import { expect, test } from './fixtures'
import { field, inDialog, save, unique } from './lists'

const address = paths.deviceAccess.productCategory()

test('creates a category below another, moves it out by drag, and keeps what has children', async ({
  operator: page,
}) => {
  const [above, below] = [unique('上级'), unique('下级')]
  await page.goto(address)
  await page.getByRole('button', { name: '新建品类' }).click()
  await field(page, '品类名称').fill(above)
  await field(page, '品类编码').fill(unique('c'))
  await save(page)
  await page.getByRole('button', { name: `${above}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '新建下级' }).click()
  await field(page, '品类名称').fill(below)
  await field(page, '品类编码').fill(unique('c'))
  await save(page)
  const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
  await expect(row(below)).toBeVisible()
  await page.getByRole('button', { name: `${above}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await inDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(inDialog(page).getByText('正在使用，不能删除')).toBeVisible()
  await expect(inDialog(page).getByText(below)).toBeVisible()
  await inDialog(page).getByRole('button', { name: '知道了' }).click()

  const left = async (name: string) => (await row(name).getByText(name).boundingBox())!.x
  expect((await left(below)) - (await left(above))).toBeGreaterThan(10)
  // A drop on the upper edge means before the row, on its level.
  await row(below).dragTo(row(above), {
    sourcePosition: { x: 60, y: 16 },
    targetPosition: { x: 30, y: 2 },
    steps: 5,
  })
  await expect.poll(async () => (await left(below)) - (await left(above))).toBeLessThan(10)
})

test('removes of the ticked categories those that none stand below', async ({
  operator: page,
  api,
}) => {
  const [above, below, free] = [unique('上'), unique('下'), unique('另')]
  const make = async (name: string, parentId: string | null) => {
    const draft = { parentId, name, code: unique('c'), icon: '', description: '', sort: 1 }
    const answer = await api.post('/v1/product-category', { data: draft })
    return ((await answer.json()) as { data: { id: string } }).data.id
  }
  await make(below, await make(above, null))
  await make(free, null)
  await page.goto(address)
  for (const name of [above, free])
    await page.getByRole('checkbox', { name: `选择“${name}”` }).check()
  const remove = { name: /删\s?除/ }
  await page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', remove).click()
  await inDialog(page).getByRole('button', remove).click()
  await expect(inDialog(page).getByText(`不能删除：“${below}”`)).toBeVisible()
  await inDialog(page).getByRole('button', { name: '知道了' }).click()
  await expect(page.getByRole('checkbox', { name: `选择“${above}”` })).toBeChecked()
  await expect(page.getByRole('treeitem', { name: new RegExp(free) })).toHaveCount(0)
})

test('copies standard categories with their functions in one press', async ({
  operator: page,
  api,
}) => {
  const name = unique('标准')
  await api.post('/v1/product-category', {
    data: { parentId: null, name, code: unique('c'), icon: '', description: '', sort: 1 },
  })
  await page.goto(address)
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '复制标准品类到此' }).click()
  await inDialog(page)
    .getByRole('button', { name: /复制 \d+ 个/ })
    .click()
  await expect(page.getByText(/已复制 \d+ 个品类/)).toBeVisible()
  const lamp = page.getByRole('treeitem', { name: /双色温灯/ })
  await expect(lamp).toContainText('版本 1')
})
