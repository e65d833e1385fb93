import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { taskSecretsPath } from '@iot/shared/contract/sheet/task'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { inArray, sql } from 'drizzle-orm'
import { readSheet } from 'read-excel-file/node'
import { insertDevices, deviceRow, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { deviceCredential } from '../../tables/device'
import { space } from '../../tables/space'
import { ownApp, type TestApp } from '../../testing'

let app: TestApp
const lampProduct = productRow('a1imported1', 'sub', { name: '导入的灯' })
const sameNameProducts = ['a1imported2', 'a1imported3'].map((key) =>
  productRow(key, 'sub', { name: '同名' }),
)
const disabledProduct = productRow('a1imported4', 'sub', { name: '停产的灯', status: 'disabled' })
const headerRow = ['设备名称', 'DeviceName', '产品', '位置', '受保护']
const admin = () => app.as('admin')

async function importDeviceRows(rows: string[][], projectId = 1) {
  return admin().runImport(managedDeviceApi.importRows, [headerRow, ...rows], { projectId })
}
const downloadSecrets = async ({ id }: Pick<Task, 'id'>, username = 'admin') =>
  app.app.inject({ url: taskSecretsPath(id), headers: await app.as(username).headers() })

beforeAll(async () => {
  app = await ownApp()
  await insertDevices(
    app.app.db,
    [lampProduct, ...sameNameProducts, disabledProduct],
    [deviceRow(lampProduct, 'taken-here'), deviceRow(lampProduct, 'taken-far', { projectId: 2 })],
  )
  const add = async (type: 'building' | 'floor', name: string, parentId: string | null) =>
    (
      await app.app.db
        .insert(space)
        .values({ projectId: 1, type, parentId, name, sort: 1 })
        .returning()
    )[0]!
  await add('floor', '3 层', (await add('building', '导入楼', null)).id)
})
afterAll(() => app.close())

describe('a device import is refused', () => {
  it('with read access only, and in a project out of sight', async () => {
    const input = { projectId: 1, table: [headerRow, ['灯', 'lamp-x', '导入的灯', '', '']] }
    const reader = await app.join('importreader', 'operator', [1])
    await expect(reader.call(managedDeviceApi.importRows, input)).rejects.toMatchObject({
      status: 403,
    })
    const otherProjectAdmin = await app.join('importelsewhere', 'project-admin', [2])
    await expect(otherProjectAdmin.call(managedDeviceApi.importRows, input)).rejects.toMatchObject({
      code: 404,
    })
  })
  it('without required columns and beyond the row limit', async () => {
    const requestImport = (table: string[][]) =>
      admin().call(managedDeviceApi.importRows, { projectId: 1, table })
    await expect(requestImport([['设备名称'], ['灯']])).rejects.toMatchObject({
      msg: expect.stringContaining('缺少列：DeviceName、产品') as string,
    })
    const tooManyRows = Array.from({ length: 10_001 }, () => ['灯'])
    await expect(requestImport([headerRow, ...tooManyRows])).rejects.toMatchObject({ code: 422 })
  })
  it('row by row, naming the conflicting device', async () => {
    const task = await importDeviceRows([
      ['甲', 'row-one', '导入的灯', '导入楼/3 层', '否'],
      ['乙', 'row-one', 'a1imported1', '', ''],
      ['丙', 'taken-here', '导入的灯', '', ''],
      ['', 'a b', '导入的灯', '', ''],
      ['丁', 'row-two', '没有的', '', ''],
      ['戊', 'row-three', '同名', '', ''],
      ['己', 'row-four', '停产的灯', '', ''],
      ['庚', 'row-five', '导入的灯', '导入楼 / 9 层', ''],
      ['辛', 'row-six', '导入的灯', '', '√'],
    ])
    expect(task.counts).toEqual({ success: 1, failed: 8 })
    expect(task.failures!.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '3 DeviceName“row-one”与第 2 行重复',
      '4 DeviceName“taken-here”已被使用（设备“taken-here”）',
      expect.stringMatching(/^5 请输入设备名称；DeviceName 为 4–32 位/),
      '6 产品“没有的”不存在',
      '7 有 2 个产品叫“同名”，请填 ProductKey',
      '8 产品“停产的灯”已停用，不能登记设备',
      '9 位置“导入楼 / 9 层”不存在，请按“楼栋 / 楼层 / 区域”填写',
      '10 受保护：只能是“是”或“否”',
    ])
    expect(task.file).toMatchObject({ name: '设备导入失败.xlsx' })
    const { list } = await admin().call(managedDeviceApi.page, { projectId: 1, name: 'row-one' })
    expect(list).toMatchObject([{ name: '甲', place: '导入楼 / 3 层', createBy: '平台管理员' }])
  })
  it('without naming a device of a project out of sight', async () => {
    const projectAdmin = await app.join('importhere', 'project-admin', [1])
    const { failures } = await projectAdmin.previewImport(
      managedDeviceApi.importRows,
      [headerRow, ['远', 'taken-far', '导入的灯', '', '']],
      { projectId: 1 },
    )
    expect(failures![0]!.reason).toBe('DeviceName“taken-far”已被使用')
  })
})

it('updates the device with the same product and DeviceName on request, and keeps all secrets', async () => {
  await importDeviceRows([
    ['甲', 'again-1', '导入的灯', '', '否'],
    ['乙', 'again-2', '导入的灯', '', '否'],
  ])
  const rows = [
    ['甲新', 'again-1', '导入的灯', '导入楼 / 3 层', '是'],
    ['乙', 'again-2', '导入的灯', '', '否'],
    ['丙', 'again-3', '导入的灯', '', '否'],
    ['丁', 'taken-far', '导入的灯', '', '否'],
  ]
  const importOptions = { projectId: 1, existing: 'update' } as const
  const preview = await admin().previewImport(
    managedDeviceApi.importRows,
    [headerRow, ...rows],
    importOptions,
  )
  expect(preview.counts).toEqual({ create: 1, update: 1, same: 1, refuse: 1 })
  const task = await admin().confirmImport(managedDeviceApi.importRows, preview, importOptions)
  expect(task.counts).toMatchObject({ success: 2, created: 1, updated: 1, skipped: 1, failed: 1 })
  const { list } = await admin().call(managedDeviceApi.page, {
    projectId: 1,
    name: 'again-',
    sort: 'deviceName',
  })
  expect(list.map(({ name, place, ...row }) => [name, place, row.protected])).toEqual([
    ['甲新', '导入楼 / 3 层', true],
    ['乙', '', false],
    ['丙', '', false],
  ])
  // The file contains only the new device, because the secrets of the others were shown before.
  const { rawPayload } = await downloadSecrets(task)
  expect((await readSheet(rawPayload)).map((cells) => cells[2])).toEqual(['DeviceName', 'again-3'])
})

it('is undone: created devices are removed, updated ones get their former values back', async () => {
  await importDeviceRows([['原名', 'undone-1', '导入的灯', '', '是']])
  const task = await admin().runImport(
    managedDeviceApi.importRows,
    [
      headerRow,
      ['新名', 'undone-1', '导入的灯', '', '否'],
      ['新灯', 'undone-2', '导入的灯', '', ''],
    ],
    { projectId: 1, existing: 'update' },
  )
  expect(task.counts).toMatchObject({ created: 1, updated: 1 })
  const undoTask = await admin().call(taskApi.undoImport, { id: task.id })
  expect(undoTask.counts).toEqual({ success: 2, failed: 0 })
  const { list } = await admin().call(managedDeviceApi.page, { projectId: 1, name: 'undone-' })
  expect(list.map(({ name, ...row }) => [name, row.protected])).toEqual([['原名', true]])
})

describe('the secrets of imported devices', () => {
  it('are handed out once, to the user who imported them', async () => {
    const task = await importDeviceRows([['灯', 'secret-one', '导入的灯', '', '是']])
    expect(task.secrets).toMatchObject({ name: '设备密钥.xlsx' })
    await app.join('importhere', 'project-admin', [1])
    expect((await downloadSecrets(task, 'importhere')).json()).toMatchObject({
      code: 404,
    })
    const firstDownload = await downloadSecrets(task)
    expect(firstDownload.headers['content-disposition']).toContain('.xlsx')
    expect(firstDownload.rawPayload.subarray(0, 2).toString()).toBe('PK')
    const secondDownload = await waitUntil(
      () => downloadSecrets(task),
      ({ statusCode }) => statusCode === 404,
    )
    expect(secondDownload.json()).toMatchObject({ msg: '密钥文件已被下载过，或已过期' })
    expect((await admin().call(taskApi.get, { id: task.id })).secrets).toBeNull()
  })
  it('appear neither in the task nor in the list', async () => {
    const task = await importDeviceRows([['灯', 'secret-two', '导入的灯', '', '']])
    const rows = await app.app.db
      .select()
      .from(deviceCredential)
      .where(inArray(deviceCredential.deviceName, ['secret-two']))
    const page = await admin().call(managedDeviceApi.page, { projectId: 1, name: 'secret-two' })
    expect(rows[0]!.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify([task, page])).not.toContain(rows[0]!.deviceSecret)
  })
})

it('takes one snapshot before the import, and none when no row is valid', async () => {
  const listAutomaticSnapshots = async () =>
    (await admin().call(snapshotApi.page, { projectId: 1 })).list.filter(
      ({ name }) => name === '导入设备之前',
    )
  const snapshotsBefore = await listAutomaticSnapshots()
  await importDeviceRows([['灯', 'kept-one', '没有这个产品', '', '']])
  expect(await listAutomaticSnapshots()).toEqual(snapshotsBefore)
  await importDeviceRows([['灯', 'kept-one', '导入的灯', '', '']])
  const snapshotsAfter = await listAutomaticSnapshots()
  await importDeviceRows([['灯', 'kept-one', '导入的灯', '', '']])
  expect(await listAutomaticSnapshots()).toEqual(snapshotsAfter)
  expect(snapshotsAfter.length).toBe(snapshotsBefore.length + 1)
  expect(snapshotsAfter[0]).toMatchObject({ automatic: true, scheduled: false })
  const tree = await admin().call(snapshotApi.tree, { projectId: 1, since: snapshotsAfter[0]!.id })
  expect(JSON.stringify(tree)).toContain('"added"')
})

it('keeps the snapshot and the rows of a retried transaction', async () => {
  const { db } = app.app
  const listSnapshotIds = async () =>
    (await admin().call(snapshotApi.page, { projectId: 1, pageSize: 999 })).list.map(({ id }) => id)
  const idsBefore = await listSnapshotIds()
  // A sequence keeps its value after a rollback, so it counts attempts.
  await db.execute(sql`create sequence tried`)
  await db.execute(sql`
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('tried') = 1 then raise exception 'again' using errcode = '40001'; end if;
      return new;
    end $$`)
  await db.execute(sql`
    create trigger fail_once before insert on device_credential for each row execute function fail_once()`)
  const task = await importDeviceRows([['灯', 'tried-one', '导入的灯', '', '']])
  await db.execute(sql`drop trigger fail_once on device_credential`)
  expect(task.failures ?? []).toEqual([])
  expect(task.counts).toEqual({ success: 1, failed: 0 })
  expect((await listSnapshotIds()).filter((id) => !idsBefore.includes(id))).toHaveLength(1)
})

it('imports thousands of devices in batches', async () => {
  const rows = Array.from({ length: 2000 }, (_, n) => [`灯 ${n}`, `many-${n}`, '导入的灯', '', ''])
  const task = await importDeviceRows(rows)
  expect(task.counts).toEqual({ success: 2000, failed: 0 })
  const { total } = await admin().call(managedDeviceApi.page, { projectId: 1, name: 'many-' })
  expect(total).toBe(2000)
})
