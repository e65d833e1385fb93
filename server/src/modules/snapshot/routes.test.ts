import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import type { Project } from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import type { Trigger } from '@iot/shared/contract/control/scene.schema'
import type { SnapshotNode } from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import type { SpaceDraft } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { walkPaths } from '@iot/shared/contract/tree'
import { and, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { device, product } from '../../tables/device'
import { scene, sceneAction } from '../../tables/scene'
import { sharedApp, type TestApp } from '../../testing'
import { createProjectDraft, createTestProject } from '../project/testing'

let app: TestApp
let project: Project
let projectId: number
beforeAll(async () => {
  app = await sharedApp()
})
beforeEach(async () => {
  project = await createTestProject(app, '快照测试')
  ;({ projectId } = project)
})
const admin = () => app.as('admin')
const addSpace = (type: SpaceDraft['type'], name: string, parentId: string | null = null) =>
  admin().call(spaceApi.create, { projectId, parentId, type, name })
const takeSnapshot = (name = '之前') => admin().call(snapshotApi.take, { projectId, name })
const compare = async (since: string) =>
  toChangeLines(await admin().call(snapshotApi.tree, { projectId, since }))
const toChangeLines = (root: SnapshotNode) =>
  Array.from(
    walkPaths([root], ({ children }) => children),
    (line) => line.at(-1)!,
  ).flatMap(({ name, change }) => (change ? `${change} ${name}` : []))

async function addDevice(name: string, spaceId: string | null, floorId: string | null) {
  const [lampProduct] = await app.app.db
    .insert(product)
    .values({
      productKey: uuidv7(),
      name: '灯',
      productType: 'SAFEWAY_LIGHT',
      node: 'direct',
      model: { properties: [], services: [], events: [] },
      dynamicRegister: false,
      createBy: '',
      updateBy: '',
    })
    .returning()
  const [row] = await app.app.db
    .insert(device)
    .values({
      projectId,
      productId: lampProduct!.id,
      name,
      deviceName: uuidv7(),
      spaceId,
      floorId,
      protected: false,
      state: 'offline',
      x: 0.5,
      y: 0.5,
      reported: {},
      address: '',
    })
    .returning()
  return row!
}
async function addScene(name: string) {
  const [row] = await app.app.db
    .insert(scene)
    .values({ projectId, name, icon: 'SunOutlined', sort: 1, createBy: '', updateBy: '' })
    .returning()
  const action = { projectId, sceneId: row!.id, sort: 1, productType: 'SAFEWAY_LIGHT' }
  await app.app.db
    .insert(sceneAction)
    .values({ ...action, scope: { kind: 'project' }, values: { PowerSwitch: 0 } })
  return row!
}
const listDevices = () => app.app.db.select().from(device).where(eq(device.projectId, projectId))
const listScenes = () => app.app.db.select().from(scene).where(eq(scene.projectId, projectId))

describe('snapshots out of sight', () => {
  it('can be neither taken, listed, read, previewed, restored nor deleted', async () => {
    const { id } = await takeSnapshot()
    const owner = await app.join('snapshots-of-three', 'project-admin', [3])
    for (const attempt of [
      () => owner.call(snapshotApi.take, { projectId, name: '快照' }),
      () => owner.call(snapshotApi.page, { projectId }),
      () => owner.call(snapshotApi.tree, { projectId }),
      () => owner.call(snapshotApi.tree, { projectId: 3, snapshotId: id }),
      () => owner.call(snapshotApi.tree, { projectId: 3, since: id }),
      () => owner.call(snapshotApi.preview, { id }),
      () => owner.call(snapshotApi.restore, { id, state: '' }),
      () => owner.call(snapshotApi.remove, { id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 404 })
  })
})

describe('POST /v1/project/snapshot/tree', () => {
  it('refuses without a session, and for an unknown project', async () => {
    await expect(app.stranger.call(snapshotApi.tree, { projectId })).rejects.toMatchObject({
      code: 401,
    })
    await expect(admin().call(snapshotApi.tree, { projectId: 987654 })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('answers with the content of the project, as it is and as it was', async () => {
    const { id } = await addSpace('building', '主楼')
    const floor = await addSpace('floor', '1 层', id)
    await addDevice('吊灯', floor.id, floor.id)
    const snapshot = await takeSnapshot()
    await addSpace('floor', '2 层', id)
    expect(await admin().call(snapshotApi.tree, { projectId })).toMatchObject({
      type: 'project',
      name: project.name,
      deviceCount: 1,
      children: [{ name: '主楼', children: [{ name: '1 层' }, { name: '2 层' }] }],
    })
    expect(
      await admin().call(snapshotApi.tree, { projectId, snapshotId: snapshot.id }),
    ).toMatchObject({
      children: [{ name: '主楼', children: [{ name: '1 层', children: [{ name: '吊灯' }] }] }],
    })
  })
  it('names the changed fields of each change and omits unchanged rows', async () => {
    const building = await addSpace('building', '主楼')
    const floor = await addSpace('floor', '1 层', building.id)
    await addSpace('building', '副楼')
    const lamp = await addDevice('吊灯', floor.id, floor.id)
    const { id } = await takeSnapshot()
    await app.app.db
      .update(device)
      .set({ x: 0.25, protected: true })
      .where(and(eq(device.projectId, projectId), eq(device.id, lamp.id)))
    await addSpace('area', '北区', floor.id)
    await admin().call(spaceApi.update, { ...building, name: '一号楼' })
    const tree = await admin().call(snapshotApi.tree, { projectId, since: id })
    expect(toChangeLines(tree)).toEqual(['changed 一号楼', 'added 北区', 'changed 吊灯'])
    expect(tree.children[0]).toMatchObject({
      fields: [{ title: '名称', before: '主楼', after: '一号楼' }],
    })
    expect(tree.children[0]!.children[0]!.children[1]!.fields).toEqual([
      { title: '受保护', before: '否', after: '是' },
      { title: '图上位置', before: '0.500，0.500', after: '0.250，0.500' },
    ])
  })
})

describe('restoring a snapshot', () => {
  const preview = (id: string) => admin().call(snapshotApi.preview, { id })
  const restore = async (id: string) =>
    admin().call(snapshotApi.restore, { id, state: (await preview(id)).state })

  it('is refused without differences, and when the project changed since the preview', async () => {
    const { id } = await takeSnapshot()
    await expect(restore(id)).rejects.toMatchObject({ msg: '项目和快照一样，没有要恢复的' })
    const { state } = await preview(id)
    await addSpace('building', '主楼')
    await expect(admin().call(snapshotApi.restore, { id, state })).rejects.toMatchObject({
      msg: '预演之后项目又有修改，请重新预演',
    })
  })

  it('restores spaces, places and scenes as previewed, and can be undone', async () => {
    const building = await addSpace('building', '主楼')
    const floor = await addSpace('floor', '1 层', building.id)
    const room = await addSpace('room', '101', floor.id)
    const lamp = await addDevice('吊灯', room.id, floor.id)
    const deletedLamp = await addDevice('坏灯', room.id, floor.id)
    const eveningScene = await addScene('下班')
    const { id } = await takeSnapshot()

    const annex = await addSpace('building', '副楼')
    await admin().call(spaceApi.update, { ...building, name: '一号楼' })
    await app.app.db
      .update(device)
      .set({ name: '壁灯', spaceId: floor.id })
      .where(and(eq(device.projectId, projectId), eq(device.id, lamp.id)))
    await app.app.db
      .delete(device)
      .where(and(eq(device.projectId, projectId), eq(device.id, deletedLamp.id)))
    await admin().call(spaceApi.remove, { id: room.id })
    const newLamp = await addDevice('新灯', annex.id, null)
    await app.app.db
      .delete(scene)
      .where(and(eq(scene.projectId, projectId), eq(scene.id, eveningScene.id)))
    await addScene('上班')

    const dryRun = await preview(id)
    expect(dryRun.counts).toEqual({ added: 2, changed: 3, removed: 2, kept: 1 })
    expect(dryRun.lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: '坏灯', reason: expect.stringContaining('请重新登记') }),
        expect.objectContaining({
          name: '新灯',
          fields: [{ title: '所在', before: '副楼', after: '项目，未摆放' }],
        }),
      ]),
    )
    expect(await restore(id)).toMatchObject({ status: 'done', counts: { success: 7 } })
    expect(await compare(id)).toEqual(['removed 坏灯', 'added 新灯'])
    const devicesAfter = await listDevices()
    expect(devicesAfter.find((candidate) => candidate.id === lamp.id)).toMatchObject({
      name: '吊灯',
      spaceId: room.id,
    })
    expect(devicesAfter.find((candidate) => candidate.id === newLamp.id)).toMatchObject({
      spaceId: null,
      x: null,
    })
    expect(await listScenes()).toMatchObject([{ id: eveningScene.id, name: '下班' }])

    const { list } = await admin().call(snapshotApi.page, { projectId })
    expect(list[0]).toMatchObject({ name: '恢复“之前”之前', automatic: true })
    await restore(list[0]!.id)
    expect(await listScenes()).toMatchObject([{ name: '上班' }])
    expect((await listDevices()).find((candidate) => candidate.id === newLamp.id)).toMatchObject({
      spaceId: annex.id,
    })
  })

  it('restores the fields of the project except its status', async () => {
    const { id } = await takeSnapshot()
    const currentProject = await admin().call(managedProjectApi.get, { id: project.id })
    await admin().call(managedProjectApi.update, { ...currentProject, manager: '新人' })
    await admin().call(managedProjectApi.setStatus, {
      id: project.id,
      version: currentProject.version + 1,
      status: 'commissioning',
    })
    await restore(id)
    expect(await admin().call(managedProjectApi.get, { id: project.id })).toMatchObject({
      manager: '',
      status: 'commissioning',
    })
  })
})

describe('references that are gone at the restore', () => {
  const preview = (id: string) => admin().call(snapshotApi.preview, { id })
  it('keep a device in the project it was moved to, with a note', async () => {
    const lamp = await addDevice('吊灯', null, null)
    const { id } = await takeSnapshot()
    await app.app.db
      .update(device)
      .set({ projectId: 3 })
      .where(and(eq(device.projectId, projectId), eq(device.id, lamp.id)))
    const { lines, counts } = await preview(id)
    expect(lines).toMatchObject([{ name: '吊灯', reason: '设备已移到别的项目，留在那里' }])
    expect(counts).toMatchObject({ added: 0, kept: 1 })
  })
  it('omit a deleted calendar, as the preview says', async () => {
    const createCalendar = (name: string) =>
      admin().call(calendarApi.create, {
        name: `${name} ${projectId}`,
        code: uuidv7(),
        parentId: null,
        weekendMode: 'double',
        alternateFrom: null,
        description: '',
      })
    const [oldCalendar, newCalendar] = [
      await createCalendar('旧日历'),
      await createCalendar('新日历'),
    ]
    const { id: sceneId } = await addScene('下班')
    const sceneFilter = and(eq(scene.projectId, projectId), eq(scene.id, sceneId))
    await app.app.db.update(scene).set({ calendarId: oldCalendar.id }).where(sceneFilter)
    const { id } = await takeSnapshot()
    await app.app.db.update(scene).set({ calendarId: newCalendar.id }).where(sceneFilter)
    await admin().call(calendarApi.remove, { id: oldCalendar.id })
    const { lines, state } = await preview(id)
    expect(lines).toMatchObject([
      { name: '下班', fields: [{ title: '日历', before: newCalendar.name, after: '' }] },
    ])
    await admin().call(snapshotApi.restore, { id, state })
    expect(await listScenes()).toMatchObject([{ name: '下班', calendarId: null }])
  })
})

it('shows differences with the labels of the console', async () => {
  const { id: sceneId } = await addScene('下班')
  const { id } = await takeSnapshot()
  const currentProject = await admin().call(managedProjectApi.get, { id: project.id })
  await admin().call(managedProjectApi.update, { ...currentProject, type: 'school' })
  await app.app.db
    .update(scene)
    .set({
      status: 'disabled',
      order: 'serial',
      dayMode: 'only',
      dayTypes: ['statutory'],
      triggers: [{ kind: 'weekly', weekdays: [1, 2, 3, 4, 5], time: '18:30' }],
    })
    .where(and(eq(scene.projectId, projectId), eq(scene.id, sceneId)))
  await app.app.db.update(sceneAction).set({ delay: 5 }).where(eq(sceneAction.sceneId, sceneId))
  const { fields, children } = await admin().call(snapshotApi.tree, { projectId, since: id })
  expect(fields).toEqual([expect.objectContaining({ title: '项目类型', after: '学校' })])
  const after = Object.fromEntries(children[0]!.fields!.map((field) => [field.title, field.after]))
  expect(after).toEqual({
    状态: '禁用',
    执行方式: '依次执行',
    节假日: '仅',
    日期类型: '法定节假日',
    触发: '周一至周五 18:30',
    动作: '1 个动作（内容不同）',
  })
})

it('names a deleted condition device by its name in the snapshot', async () => {
  const lamp = await addDevice('照度计', null, null)
  const { id: sceneId } = await addScene('下班')
  const setTriggers = (triggers: Trigger[]) =>
    app.app.db
      .update(scene)
      .set({ triggers })
      .where(and(eq(scene.projectId, projectId), eq(scene.id, sceneId)))
  const condition = {
    deviceId: lamp.id,
    identifier: 'Brightness',
    compare: 'gt' as const,
    value: 5,
  }
  await setTriggers([{ kind: 'condition', match: 'all', seconds: 0, conditions: [condition] }])
  const { id } = await takeSnapshot()
  await setTriggers([])
  await app.app.db
    .delete(device)
    .where(and(eq(device.projectId, projectId), eq(device.id, lamp.id)))
  const { children } = await admin().call(snapshotApi.tree, { projectId, since: id })
  expect(children.find(({ type }) => type === 'scene')!.fields).toMatchObject([
    { title: '触发', before: '照度计 Brightness大于 5', after: '' },
  ])
})

it('can be neither previewed nor restored while another project has its name', async () => {
  const { id } = await takeSnapshot()
  const currentProject = await admin().call(managedProjectApi.get, { id: project.id })
  await admin().call(managedProjectApi.update, {
    ...currentProject,
    name: `${currentProject.name} 改`,
  })
  const { state } = await admin().call(snapshotApi.preview, { id })
  await admin().call(managedProjectApi.create, createProjectDraft(currentProject.name))
  const msg = `“${currentProject.name}”现在是同一分组另一个项目的名称，请先改它的名称再恢复`
  await expect(admin().call(snapshotApi.preview, { id })).rejects.toMatchObject({ msg })
  await expect(admin().call(snapshotApi.restore, { id, state })).rejects.toMatchObject({ msg })
})

it('deletes a snapshot', async () => {
  const { id } = await takeSnapshot()
  await admin().call(snapshotApi.remove, { id })
  expect(await admin().call(snapshotApi.page, { projectId })).toMatchObject({ total: 0 })
})
