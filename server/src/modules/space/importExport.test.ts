import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import type { SpaceDraft } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { sharedApp, type TestApp } from '../../testing'
import { createTestProject } from '../project/testing'

let app: TestApp
let projectId: number
beforeAll(async () => {
  app = await sharedApp()
})
beforeEach(async () => {
  ;({ projectId } = await createTestProject(app, '空间往返'))
})
const admin = () => app.as('admin')
const { create, exportRows, importRows, list, removeMany, remove } = spaceApi
const addSpace = (type: SpaceDraft['type'], name: string, parentId: string | null = null) =>
  admin().call(create, { projectId, type, name, parentId })
const listTypesAndNames = async () =>
  (await admin().call(list, { projectId })).map(({ name, type }) => `${type} ${name}`)
const headerCells = ['名称', '类型', '上级空间']

test('an exported building can be re-imported in its order, also when rooms precede floors', async () => {
  const tower = await addSpace('building', '甲楼')
  const [second, first] = [
    await addSpace('floor', '2 层', tower.id),
    await addSpace('floor', '1 层', tower.id),
  ]
  await addSpace('room', '101', (await addSpace('area', '北区', first.id)).id)
  await addSpace('building', '乙楼')
  const before = await listTypesAndNames()
  const file = await admin().exportTable(exportRows, { projectId })
  expect(file.map((cells) => cells.slice(0, 3))).toEqual([
    headerCells,
    ['甲楼', '楼栋', ''],
    ['2 层', '楼层', '甲楼'],
    ['1 层', '楼层', '甲楼'],
    ['北区', '区域', '甲楼 / 1 层'],
    ['101', '房间', '甲楼 / 1 层 / 北区'],
    ['乙楼', '楼栋', ''],
  ])
  const filteredRows = await admin().exportTable(exportRows, { projectId, name: '北' })
  expect(filteredRows.map(([name]) => name)).toEqual(['名称', '甲楼', '1 层', '北区', '101'])
  const selectedRows = await admin().exportTable(exportRows, { projectId, ids: [second.id] })
  expect(selectedRows.map(([name]) => name)).toEqual(['名称', '2 层'])

  const secondImport = await admin().runImport(importRows, file, { projectId })
  expect(secondImport).toMatchObject({ counts: { success: 0, failed: 6 } })
  expect(secondImport.failures![1]!.reason).toBe('那里已有“2 层”')
  const listSnapshotNames = async () =>
    (await admin().call(snapshotApi.page, { projectId })).list.map(({ name }) => name)
  expect(await listSnapshotNames()).toEqual([])

  const ids = (await admin().call(list, { projectId })).map(({ id }) => id)
  expect((await admin().call(removeMany, { projectId, ids })).every(({ ok }) => ok)).toBe(true)
  const [titles, ...lines] = file
  const rooms = lines.filter(([, type]) => type === '房间')
  const others = lines.filter((line) => !rooms.includes(line))
  expect(
    await admin().runImport(importRows, [titles!, ...rooms, ...others], { projectId }),
  ).toMatchObject({ counts: { success: 6, failed: 0 } })
  expect(await listTypesAndNames()).toEqual(before)
  expect(await listSnapshotNames()).toEqual(['导入空间之前'])
})

test('a row with an impossible parent is returned with the reason', async () => {
  await addSpace('floor', '1 层', (await addSpace('building', '甲楼')).id)
  const task = await admin().runImport(
    importRows,
    [
      headerCells,
      ['101', '房间', '甲楼'],
      ['102', '房间', '甲楼/9 层'],
      ['103', '会议室', '甲楼/1 层'],
      ['', '楼栋', ''],
      ['2 层', '楼层', ''],
      ['104', '房间', '甲楼/1 层'],
      ['104', '房间', '甲楼 / 1 层'],
    ],
    { projectId },
  )
  expect(task.failures!.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '2 房间只能放在楼层或区域下面',
    '3 没有空间“甲楼/9 层”',
    '4 类型：只能是“楼栋”、“楼层”、“区域”或“房间”',
    '5 请输入名称',
    '6 楼层只能放在楼栋下面',
    '8 那里已有“104”',
  ])
  expect(task.counts).toEqual({ success: 1, failed: 6 })
})

test('a bulk delete keeps spaces with content, or with a descendant that stays', async () => {
  const tower = await addSpace('building', '甲楼')
  const [keptFloor, removedFloor] = [
    await addSpace('floor', '1 层', tower.id),
    await addSpace('floor', '2 层', tower.id),
  ]
  const room = await addSpace('room', '201', removedFloor.id)
  await admin().call(spaceApi.create, {
    projectId,
    type: 'room',
    name: '101',
    parentId: keptFloor.id,
  })
  const ids = [tower.id, keptFloor.id, removedFloor.id, room.id]
  expect(await admin().call(removeMany, { projectId, ids })).toMatchObject([
    { name: '甲楼', ok: false, reason: '下面还有 1 个空间，不能删除：“1 层”' },
    { name: '1 层', ok: false, reason: '下面还有 1 个空间，不能删除：“101”' },
    { name: '2 层', ok: true },
    { name: '201', ok: true },
  ])
  const { projectId: otherProjectId } = await createTestProject(app, '别的楼')
  expect(
    await admin().call(removeMany, { projectId: otherProjectId, ids: [keptFloor.id] }),
  ).toMatchObject([{ ok: false, reason: '已被删除' }])
})

test('a space created after deletions comes last', async () => {
  const names = ['一', '二', '三']
  const [firstBuilding, secondBuilding] = [
    await addSpace('building', names[0]!),
    await addSpace('building', names[1]!),
  ]
  await addSpace('building', names[2]!)
  await admin().call(remove, { id: firstBuilding.id })
  await admin().call(remove, { id: secondBuilding.id })
  await addSpace('building', '四')
  expect(await listTypesAndNames()).toEqual(['building 三', 'building 四'])
})
