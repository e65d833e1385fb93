import { productCategoryApi, type ProductCategoryDraft } from '@iot/shared/contract/category'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')
const { create, exportRows, importRows, list, removeMany } = productCategoryApi
const make = (name: string, code: string, parentId: string | null = null) => {
  const draft: ProductCategoryDraft = { name, code, parentId, icon: '', description: '', sort: 1 }
  return admin().call(create, draft)
}
const head = ['品类名称', '品类编码', '上级品类']
const coded = async (prefix: string) =>
  (await admin().call(list, {})).filter(({ code }) => code.startsWith(prefix))

test('categories come back as they were exported, also from a file in which what is below comes first', async () => {
  const top = await make('往返', 'rt')
  const middle = await make('中/间', 'rt-m', top.id)
  await make('最下', 'rt-b', middle.id)
  const file = await admin().exported(exportRows, { name: 'rt-m' })
  expect(file.map((cells) => cells.slice(0, 3))).toEqual([
    head,
    ['往返', 'rt', ''],
    ['中/间', 'rt-m', '往返'],
    ['最下', 'rt-b', '往返 / 中/间'],
  ])
  const again = await admin().imported(importRows, file)
  expect(again).toMatchObject({ counts: { success: 0, failed: 3 } })
  expect(again.failures![0]!.reason).toContain('同级已有品类“往返”')
  const ticked = await admin().exported(exportRows, { ids: [middle.id] })
  expect(ticked.map(([name]) => name)).toEqual(['品类名称', '中/间'])

  const ids = (await coded('rt')).map(({ id }) => id)
  expect((await admin().call(removeMany, { ids })).every(({ ok }) => ok)).toBe(true)
  const backwards = [file[0]!, ...file.slice(1).reverse()]
  expect(await admin().imported(importRows, backwards)).toMatchObject({
    counts: { success: 3, failed: 0 },
  })
  const [outer, inner, last] = await coded('rt')
  expect([inner!.parentId, last!.parentId]).toEqual([outer!.id, inner!.id])
})

test('a row that cannot stand where it says comes back with the reason, and with it what stands below', async () => {
  await make('层一', 'tier-1')
  const line = (name: string, code: string, parent = '') => [name, code, parent]
  const task = await admin().imported(importRows, [
    head,
    line('孙', 'tier-9', '层一 / 没有'),
    line('', 'tier-2', '层一'),
    line('层二', 'tier-3', '层一'),
    line('层二', 'tier-4', '层一'),
    line('层三', 'tier-3', '层一 / 层二'),
    line('层三', 'tier-5', '层一/层二'),
    line('层四', 'tier-6', '层一/层二/层三'),
    line('层五', 'tier-7', '层一/层二/层三/层四'),
    line('层六', 'tier-8', '层一/层二/层三/层四/层五'),
  ])
  expect(task.failures!.map(({ line, reason }) => [line, reason])).toEqual([
    [2, '没有品类“层一 / 没有”'],
    [3, '请输入品类名称'],
    [5, '同级已有品类“层二”'],
    [6, '与第 4 行重复'],
    [10, '最多 5 级'],
  ])
  expect((await coded('tier-')).map(({ name, sort }) => [name, sort])).toEqual([
    ...[
      ['层一', 1],
      ['层二', 1],
      ['层三', 1],
      ['层四', 1],
      ['层五', 1],
    ],
  ])
})

test('of many categories those stay that others stand below, and say which', async () => {
  const [top, other] = [await make('上', 'd1'), await make('另', 'd2')]
  const kept = await make('下', 'd3', top.id)
  await make('底', 'd4', kept.id)
  const answer = await admin().call(removeMany, { ids: [top.id, other.id, kept.id] })
  expect(answer.map(({ name, reason }) => [name, reason])).toEqual([
    ['上', '下面还有 1 个品类，不能删除：“下”'],
    ['另', undefined],
    ['下', '下面还有 1 个品类，不能删除：“底”'],
  ])
})
