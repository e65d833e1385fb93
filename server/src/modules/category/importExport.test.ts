import type { ProductCategoryDraft } from '@iot/shared/contract/product/category.schema'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')
const { create, exportRows, importRows, list, removeMany } = productCategoryApi
const createCategory = (name: string, code: string, parentId: string | null = null) => {
  const draft: ProductCategoryDraft = { name, code, parentId, icon: '', description: '', sort: 1 }
  return admin().call(create, draft)
}
const headerCells = ['品类名称', '品类编码', '上级品类']
const findByCodePrefix = async (prefix: string) =>
  (await admin().call(list, {})).filter(({ code }) => code.startsWith(prefix))

test('exported categories can be re-imported unchanged, also when children precede their parents', async () => {
  const top = await createCategory('往返', 'rt')
  const middle = await createCategory('中/间', 'rt-m', top.id)
  await createCategory('最下', 'rt-b', middle.id)
  const file = await admin().exportTable(exportRows, { name: 'rt-m' })
  expect(file.map((cells) => cells.slice(0, 3))).toEqual([
    headerCells,
    ['往返', 'rt', ''],
    ['中/间', 'rt-m', '往返'],
    ['最下', 'rt-b', '往返 / 中/间'],
  ])
  const secondImport = await admin().runImport(importRows, file)
  expect(secondImport).toMatchObject({ counts: { success: 0, failed: 3 } })
  expect(secondImport.failures![0]!.reason).toContain('同级已有品类“往返”')
  const selectedRows = await admin().exportTable(exportRows, { ids: [middle.id] })
  expect(selectedRows.map(([name]) => name)).toEqual(['品类名称', '中/间'])

  const ids = (await findByCodePrefix('rt')).map(({ id }) => id)
  expect((await admin().call(removeMany, { ids })).every(({ ok }) => ok)).toBe(true)
  const reversedFile = [file[0]!, ...file.slice(1).reverse()]
  expect(await admin().runImport(importRows, reversedFile)).toMatchObject({
    counts: { success: 3, failed: 0 },
  })
  const [outer, inner, last] = await findByCodePrefix('rt')
  expect([inner!.parentId, last!.parentId]).toEqual([outer!.id, inner!.id])
})

test('a row with an impossible parent is returned with the reason, together with its descendants', async () => {
  await createCategory('层一', 'tier-1')
  const toCells = (name: string, code: string, parent = '') => [name, code, parent]
  const task = await admin().runImport(importRows, [
    headerCells,
    toCells('孙', 'tier-9', '层一 / 没有'),
    toCells('', 'tier-2', '层一'),
    toCells('层二', 'tier-3', '层一'),
    toCells('层二', 'tier-4', '层一'),
    toCells('层三', 'tier-3', '层一 / 层二'),
    toCells('层三', 'tier-5', '层一/层二'),
    toCells('层四', 'tier-6', '层一/层二/层三'),
    toCells('层五', 'tier-7', '层一/层二/层三/层四'),
    toCells('层六', 'tier-8', '层一/层二/层三/层四/层五'),
  ])
  expect(task.failures!.map(({ line, reason }) => [line, reason])).toEqual([
    [2, '没有品类“层一 / 没有”'],
    [3, '请输入品类名称'],
    [5, '同级已有品类“层二”'],
    [6, '与第 4 行重复'],
    [10, '最多 5 级'],
  ])
  expect((await findByCodePrefix('tier-')).map(({ name, sort }) => [name, sort])).toEqual([
    ...[
      ['层一', 1],
      ['层二', 1],
      ['层三', 1],
      ['层四', 1],
      ['层五', 1],
    ],
  ])
})

test('a bulk delete keeps categories with children and names the children', async () => {
  const [top, other] = [await createCategory('上', 'd1'), await createCategory('另', 'd2')]
  const childCategory = await createCategory('下', 'd3', top.id)
  await createCategory('底', 'd4', childCategory.id)
  const answer = await admin().call(removeMany, { ids: [top.id, other.id, childCategory.id] })
  expect(answer.map(({ name, reason }) => [name, reason])).toEqual([
    ['上', '下面还有 1 个品类，不能删除：“下”'],
    ['另', undefined],
    ['下', '下面还有 1 个品类，不能删除：“底”'],
  ])
})
