import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { sharedApp, type ErrorAnswer, type TestApp } from '../../testing'

let app: TestApp
const admin = () => app.as('admin')
const { importRows, page, update, get, setStatus } = manufacturerApi
const manufacturerHead = [
  ...['厂商名称', '简称', '厂商编码', '统一社会信用代码', '所在地区', '详细地址', '联系人'],
  ...['联系电话', '邮箱', '网址', '备注', '状态'],
]
const createLine = (code: string, remark = ''): TableCell[] => [
  ...[`厂 ${code}`, '', code, '', '440305', '', '', '', '', ''],
  ...[remark, '启用'],
]
const importManufacturers = (lines: TableCell[][], existing?: 'update') =>
  admin().runImport(importRows, [manufacturerHead, ...lines], { existing })
const listManufacturers = async (code: string) =>
  (await admin().call(page, { code, sort: 'code' })).list
const undo = ({ id }: { id: string }) => admin().call(taskApi.undoImport, { id })
const readTask = ({ id }: { id: string }) => admin().call(taskApi.get, { id })
const catchError = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: ErrorAnswer) => error,
  )
const alreadyUndone = '这次导入已经撤销，或超过一天不能撤销'

beforeAll(async () => {
  app = await sharedApp()
})

describe('undoing an import is refused', () => {
  it('to another user, and without the permission to remove such rows', async () => {
    const task = await importManufacturers([createLine('undo-other-1')])
    const otherAdmin = await app.join('undo-other', 'platform-admin')
    await expect(otherAdmin.call(taskApi.undoImport, { id: task.id })).rejects.toMatchObject({
      code: 404,
    })
    const importer = await app.join('undo-importer', 'platform-admin')
    const ownTask = await importer.runImport(importRows, [
      manufacturerHead,
      createLine('undo-other-2'),
    ])
    const { list: users } = await admin().call(userApi.page, { username: 'undo-importer' })
    const visitor = (await admin().call(roleApi.list, {})).find(({ code }) => code === 'visitor')!
    const assigned = await admin().call(userApi.assign, {
      ids: [users[0]!.id],
      roleChange: 'replace',
      roleIds: [visitor.id],
      projectChange: 'replace',
      projectIds: [1],
    })
    expect(assigned).toMatchObject([{ ok: true }])
    await expect(importer.call(taskApi.undoImport, { id: ownTask.id })).rejects.toMatchObject({
      status: 403,
    })
    expect(await listManufacturers('undo-other-')).toHaveLength(2)
  })

  it('before it is confirmed, and a second time', async () => {
    const preview = await admin().previewImport(importRows, [
      manufacturerHead,
      createLine('undo-twice'),
    ])
    expect(await catchError(undo(preview))).toMatchObject({ msg: alreadyUndone })
    const task = await admin().confirmImport(importRows, preview)
    const answers = await Promise.allSettled([undo(task), undo(task)])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await readTask(task)).undoable).toBeUndefined()
    expect(await catchError(undo(task))).toMatchObject({ msg: alreadyUndone })
  })
})

it('removes created rows and restores updated ones, with entries in the audit log', async () => {
  await importManufacturers([createLine('undo-both-1', '原来')])
  const task = await importManufacturers(
    [createLine('undo-both-1', '新的'), createLine('undo-both-2')],
    'update',
  )
  expect((await readTask(task)).undoable).toEqual({ created: 1, updated: 1 })
  const undoTask = await undo(task)
  expect(undoTask).toMatchObject({
    kind: 'restore',
    title: '撤销导入厂商',
    status: 'done',
    total: 2,
  })
  expect(undoTask.counts).toEqual({ success: 2, failed: 0 })
  const rows = await listManufacturers('undo-both-')
  expect(rows.map(({ code, remark }) => [code, remark])).toEqual([['undo-both-1', '原来']])
  const log = await admin().call(actionLogApi.page, { entityId: rows[0]!.id })
  expect(log.list[0]).toMatchObject({
    verb: '撤销导入',
    changes: [{ title: '备注', before: '新的', after: '原来' }],
  })
})

it('keeps rows that were changed since or are in use, says why, and tries them again', async () => {
  await importManufacturers([createLine('undo-keep-1', '原来')])
  const task = await importManufacturers(
    ['1', '2', '3', '4'].map((n) => createLine(`undo-keep-${n}`, '导入')),
    'update',
  )
  const [first, second, third] = await listManufacturers('undo-keep-')
  await admin().call(update, { ...(await admin().call(get, { id: first!.id })), remark: '他人' })
  await admin().call(setStatus, { ids: [second!.id], status: 'disabled' })
  const brandName = '撤销导入的品牌'
  const brand = await admin().call(brandApi.create, {
    name: brandName,
    manufacturerId: third!.id,
    englishName: '',
    categories: [],
    logo: '',
    servicePhone: '',
    website: '',
    sort: 1,
    status: 'enabled',
  })
  const undoTask = await undo(task)
  expect(undoTask.counts).toEqual({ success: 1, failed: 3 })
  expect(undoTask.file).toMatchObject({ name: '厂商未撤销.xlsx' })
  const { failures } = await readTask(undoTask)
  expect(failures!.map(({ name, reason }) => [name, reason])).toEqual([
    [first!.name, '导入后被修改'],
    [second!.name, '导入后被修改'],
    [third!.name, `正被 1 处使用，不能删除：品牌“${brandName}”`],
  ])
  expect((await listManufacturers('undo-keep-')).map(({ remark }) => remark)).toEqual([
    '他人',
    '导入',
    '导入',
  ])

  await admin().call(brandApi.remove, { id: brand.id })
  expect((await undo(task)).counts).toEqual({ success: 1, failed: 2 })
  expect(await listManufacturers('undo-keep-')).toHaveLength(2)
})

it('removes a tree of spaces from its leaves, and users with their accounts', async () => {
  const task = await admin().runImport(
    spaceApi.importRows,
    [
      ['名称', '类型', '上级空间'],
      ['撤销楼', '楼栋', ''],
      ['撤销 1 层', '楼层', '撤销楼'],
      ['撤销间', '房间', '撤销楼/撤销 1 层'],
    ],
    { projectId: 1 },
  )
  expect(task.counts).toMatchObject({ success: 3 })
  expect((await undo(task)).counts).toEqual({ success: 3, failed: 0 })
  const userTask = await admin().runImport(userApi.importRows, [
    ['账号', '姓名', '手机号', '邮箱', '角色', '项目'],
    ['undo-user', '撤销', '', '', '只读访客', '科创园'],
  ])
  expect((await undo(userTask)).counts).toEqual({ success: 1, failed: 0 })
  expect((await admin().call(userApi.page, { username: 'undo-user' })).total).toBe(0)
})

it('is possible for every import of rows', () => {
  const served = new Set(app.app.handlers.keys())
  const imports = app.app.endpoints.filter(({ path }) => /^\/v1\/[a-z-]+\/import$/.test(path))
  expect(imports.length).toBeGreaterThan(10)
  // Edge hosts are removed as devices.
  const withoutRemoval = imports
    .map(({ path }) => path.replace(/import$/, 'remove'))
    .filter((path) => !served.has(`POST ${path}`))
  expect(withoutRemoval).toEqual(['/v1/edge-host/remove'])
})
