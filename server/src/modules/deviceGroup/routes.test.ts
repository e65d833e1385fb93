import { controlApi } from '@iot/shared/contract/control/control.api'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import type { DeviceGroupDraft } from '@iot/shared/contract/device/deviceGroup.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { Project } from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import type { SpaceDraft } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { deviceTag } from '../../tables/deviceRecords'
import { sharedApp, type ErrorAnswer, type TestApp } from '../../testing'
import { createTestProject } from '../project/testing'

let app: TestApp
let project: Project
let projectId: number
const lampProduct = productRow(`group-lamp-${uuidv7().slice(-6)}`, 'direct')
const fanProduct = productRow(`group-fan-${uuidv7().slice(-6)}`, 'direct')
let floor: string
let room: string
let lamps: ReturnType<typeof deviceRow>[]
const missingId = '018f0000-0000-7000-8000-000000000000'

beforeAll(async () => {
  app = await sharedApp()
  await insertDevices(
    app.app.db,
    [lampProduct, fanProduct],
    [deviceRow(lampProduct, `${lampProduct.productKey}-0`)],
  )
})
beforeEach(async () => {
  project = await createTestProject(app, '设备组测试')
  ;({ projectId } = project)
  const building = await createSpace('building', '主楼', null)
  floor = await createSpace('floor', '1 层', building)
  room = await createSpace('room', '机房', floor)
  const createDevice = (deviceProduct: typeof lampProduct, name: string, overrides: object) =>
    deviceRow(deviceProduct, `${name}-${projectId}`, {
      projectId,
      name,
      floorId: floor,
      ...overrides,
    })
  lamps = [
    createDevice(lampProduct, '灯一', { spaceId: floor }),
    createDevice(lampProduct, '灯二', { spaceId: room }),
    createDevice(lampProduct, '应急灯', { spaceId: room, protected: true }),
    createDevice(lampProduct, '外面的灯', {}),
    createDevice(fanProduct, '风机', { spaceId: room }),
  ]
  await insertDevices(app.app.db, [], lamps)
})

const admin = () => app.as('admin')
const createSpace = async (type: SpaceDraft['type'], name: string, parentId: string | null) =>
  (await admin().call(spaceApi.create, { projectId, parentId, type, name })).id
const draft = (change: Partial<DeviceGroupDraft> = {}): DeviceGroupDraft => ({
  projectId,
  name: '走廊组',
  kind: 'rule',
  deviceIds: [],
  description: '',
  productIds: [lampProduct.id],
  spaceIds: [floor],
  tags: [],
  ...change,
})
const createGroup = (change: Partial<DeviceGroupDraft> = {}) =>
  admin().call(deviceGroupApi.create, draft(change))
const getFieldErrors = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }: ErrorAnswer) => (data as { fields?: object } | null)?.fields ?? msg,
  )
const getMemberNames = async (id: string) =>
  (await admin().call(deviceGroupApi.members, { id })).list.map(({ name }) => name).sort()
const createSceneDraft = (groupId: string) => ({
  name: '下班',
  icon: 'BulbOutlined',
  sort: 1,
  status: 'enabled' as const,
  order: 'parallel' as const,
  triggers: [],
  calendarId: null,
  dayTypes: [],
  dayMode: 'ignore' as const,
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
  actions: [
    {
      productType: 'SAFEWAY_LIGHT',
      values: { PowerSwitch: 0 },
      delay: 0,
      scope: { kind: 'group' as const, groupId },
    },
  ],
})

describe('a device group is refused', () => {
  it('with read access only, and in a project out of sight', async () => {
    const { id, version } = await createGroup()
    const reader = await app.join('groupreader', 'operator', [1])
    await expect(reader.call(deviceGroupApi.create, draft())).rejects.toMatchObject({ status: 403 })
    const otherProjectUser = await app.join('groupelsewhere', 'project-admin', [2])
    const change = { ...draft(), id, version }
    for (const call of [
      () => otherProjectUser.call(deviceGroupApi.page, { projectId }),
      () => otherProjectUser.call(deviceGroupApi.create, draft()),
      () => otherProjectUser.call(deviceGroupApi.exportRows, { projectId }),
      () =>
        otherProjectUser.call(deviceGroupApi.importRows, { projectId, table: [['设备组名称']] }),
      () => otherProjectUser.call(deviceGroupApi.update, change),
      () => otherProjectUser.call(deviceGroupApi.remove, { id }),
      () => otherProjectUser.call(deviceGroupApi.members, { id }),
      () => otherProjectUser.call(deviceGroupApi.lights, { id }),
      () => otherProjectUser.call(deviceGroupApi.list, { projectId }),
      () => otherProjectUser.call(deviceGroupApi.tags, { projectId }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
  })
  it('at the wrong field', async () => {
    const emptyRule = { productIds: [], spaceIds: [] }
    expect(await getFieldErrors(createGroup({ name: ' ' }))).toEqual({ name: '请输入设备组名称' })
    expect(await getFieldErrors(createGroup(emptyRule))).toEqual({
      productIds: '产品、位置、标签至少选一项',
    })
    expect(await getFieldErrors(createGroup({ kind: 'hand' }))).toEqual({ deviceIds: '请选择设备' })
    const product = { productIds: '所选产品不存在或已被删除' }
    expect(await getFieldErrors(createGroup({ productIds: [missingId] }))).toEqual(product)
  })
  it('with devices or spaces of another project', async () => {
    const otherProject = await createTestProject(app, '别的设备组')
    const parent = { projectId: otherProject.projectId, parentId: null }
    const { id } = await admin().call(spaceApi.create, { ...parent, type: 'building', name: '楼' })
    const placeError = { spaceIds: '所选位置不存在或已被删除' }
    expect(await getFieldErrors(createGroup({ spaceIds: [id] }))).toEqual(placeError)
    const rule = { projectId, productIds: [], spaceIds: [id], tags: [] }
    expect(await getFieldErrors(admin().call(deviceGroupApi.preview, rule))).toEqual(placeError)
    const foreignDevice = deviceRow(lampProduct, `stranger-${projectId}`, {
      projectId: otherProject.projectId,
    })
    await insertDevices(app.app.db, [], [foreignDevice])
    const deviceError = { deviceIds: '所选设备不存在或已被删除' }
    expect(
      await getFieldErrors(createGroup({ kind: 'hand', deviceIds: [foreignDevice.id] })),
    ).toEqual(deviceError)
  })
  it('with a name that exists in the project', async () => {
    const first = await createGroup()
    const nameConflict = { name: '设备组名称“走廊组”已存在' }
    expect(await getFieldErrors(createGroup())).toEqual(nameConflict)
    const second = await createGroup({ name: '第二组' })
    const change = { ...second, name: '走廊组' }
    expect(await getFieldErrors(admin().call(deviceGroupApi.update, change))).toEqual(nameConflict)
    const unchangedName = { ...first, description: '一层' }
    expect(await admin().call(deviceGroupApi.update, unchangedName)).toMatchObject({ version: 2 })
    const staleUpdate = admin().call(deviceGroupApi.update, { ...first, description: '二层' })
    await expect(staleUpdate).rejects.toMatchObject({ data: { current: { description: '一层' } } })
  })
})

describe('the rule of a device group', () => {
  it('matches the devices that satisfy it now, including those in spaces below, and no others', async () => {
    const group = await createGroup()
    expect(group).toMatchObject({ deviceCount: 3, memberText: `${lampProduct.name} · 1 层` })
    expect(await getMemberNames(group.id)).toEqual(['应急灯', '灯一', '灯二'])
    await app.app.db.update(device).set({ spaceId: room }).where(eq(device.id, lamps[3]!.id))
    expect(await getMemberNames(group.id)).toEqual(['外面的灯', '应急灯', '灯一', '灯二'])
    const [row] = (await admin().call(deviceGroupApi.page, { projectId })).list
    expect(row).toMatchObject({ name: '走廊组', deviceCount: 4 })
    expect(await admin().call(deviceGroupApi.list, { projectId })).toEqual([
      { id: group.id, name: '走廊组' },
    ])
    expect(await admin().call(deviceGroupApi.lights, { id: group.id })).toMatchObject({
      // They have never connected.
      inactive: 4,
      protected: 1,
      reachable: 0,
      spaces: expect.arrayContaining([expect.objectContaining({ spaceId: room })]),
    })
  })
  it('filters by reported values', async () => {
    const time = new Date().toISOString()
    const tagRow = (index: number, value: string) => ({
      projectId,
      deviceId: lamps[index]!.id,
      key: '回路',
      value,
      time,
    })
    await app.app.db.insert(deviceTag).values([tagRow(0, 'L1'), tagRow(4, 'L1'), tagRow(1, 'L2')])
    const tags = await admin().call(deviceGroupApi.tags, { projectId })
    expect(tags).toEqual([
      { key: '回路', value: 'L1' },
      { key: '回路', value: 'L2' },
    ])
    const rule = { projectId, productIds: [], spaceIds: [], tags: tags.slice(0, 1) }
    const preview = { total: 2, protected: 0, names: ['灯一', '风机'] }
    expect(await admin().call(deviceGroupApi.preview, rule)).toEqual(preview)
    const emptyRule = { ...rule, tags: [] }
    expect(await admin().call(deviceGroupApi.preview, emptyRule)).toMatchObject({ total: 0 })
  })
})

it('a group of chosen devices drops deleted devices and stores no rule', async () => {
  const deviceIds = [lamps[0]!.id, lamps[2]!.id]
  const group = await createGroup({ kind: 'hand', deviceIds })
  expect(group).toMatchObject({ deviceCount: 2, productIds: [], spaceIds: [], deviceIds })
  await app.app.db.delete(device).where(eq(device.id, deviceIds[0]!))
  const [row] = (await admin().call(deviceGroupApi.page, { projectId })).list
  expect(row).toMatchObject({ deviceCount: 1, deviceIds: [deviceIds[1]] })
})

describe('the device list of a group', () => {
  const listDeviceNames = async (input: object) => {
    const { list } = await admin().call(managedDeviceApi.page, { projectId, ...input })
    return list.map(({ name }) => name).sort()
  }
  it('is refused for a group of another project', async () => {
    const otherProject = await createTestProject(app, '别的设备组')
    const place = { projectId: otherProject.projectId, parentId: null, name: '楼' }
    const { id: spaceId } = await admin().call(spaceApi.create, { ...place, type: 'building' })
    const rule = { productIds: [], spaceIds: [spaceId] }
    const { id: groupId } = await createGroup({ projectId: otherProject.projectId, ...rule })
    const groupMissing = { code: 404, msg: '设备组不存在或已被删除' }
    await expect(listDeviceNames({ groupId })).rejects.toMatchObject(groupMissing)
    const types = admin().call(deviceApi.types, { projectId, groupId })
    await expect(types).rejects.toMatchObject(groupMissing)
  })
  it('combines with other filters and counts by type as of now', async () => {
    const { id: groupId } = await createGroup({ productIds: [], spaceIds: [room] })
    expect(await listDeviceNames({ groupId })).toEqual(['应急灯', '灯二', '风机'])
    expect(await listDeviceNames({ groupId, name: '灯' })).toEqual(['应急灯', '灯二'])
    expect(await listDeviceNames({ groupId, productId: fanProduct.id })).toEqual(['风机'])
    const types = () => admin().call(deviceApi.types, { projectId, groupId })
    const countDevices = async () =>
      (await types()).reduce((all, { inactive, offline }) => all + inactive + offline, 0)
    expect(await countDevices()).toBe(3)
    await app.app.db.update(device).set({ spaceId: room }).where(eq(device.id, lamps[0]!.id))
    expect(await countDevices()).toBe(4)
    expect(await listDeviceNames({ groupId })).toContain('灯一')
  })
})

describe('import and export of groups', () => {
  const headerCells = ['设备组名称', '成员方式', '产品', '位置', '标签', 'DeviceName', '说明']
  const importGroups = async (...rows: string[][]) => {
    return admin().runImport(deviceGroupApi.importRows, [headerCells, ...rows], { projectId })
  }
  it('refuses unknown references row by row', async () => {
    await createGroup()
    const { counts, failures } = await importGroups(
      ['走廊组', '按规则', '', '主楼', '', '', ''],
      ['一', '按规则', '没有的', '', '', '', ''],
      ['二', '按规则', '', '主楼 / 9 层', '', '', ''],
      ['三', '按规则', '', '', 'L1', '', ''],
      ['四', '手动选择', '', '', '', '没有的-1', ''],
      ['五', '按规则', '', '', '', '', ''],
    )
    expect(counts).toEqual({ success: 0, failed: 6 })
    expect(failures!.map(({ reason }) => reason)).toEqual([
      '设备组名称“走廊组”已存在',
      '产品“没有的”不存在',
      '位置“主楼 / 9 层”不存在，请按“楼栋 / 楼层 / 区域”填写',
      '标签“L1”请按“名称：值”填写',
      '当前项目没有 DeviceName 为“没有的-1”的设备',
      '产品、位置、标签至少选一项',
    ])
  })
  it('re-imports an export unchanged', async () => {
    const tags = [{ key: '回路', value: 'L1' }]
    const ruleGroup = await createGroup({ tags, description: '一层' })
    const handGroup = await createGroup({
      name: '手选',
      kind: 'hand',
      deviceIds: [lamps[2]!.id, lamps[0]!.id],
    })
    const { file, id } = await admin().call(deviceGroupApi.exportRows, { projectId, format: 'csv' })
    expect(file).toMatchObject({ name: '设备组.csv' })
    const path = { url: taskFilePath(id), headers: await admin().headers() }
    const text = (await app.app.inject(path)).body.replace('\ufeff', '')
    const table = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    for (const item of [ruleGroup, handGroup])
      await admin().call(deviceGroupApi.remove, { id: item.id })
    expect(await importGroups(...table.slice(1))).toMatchObject({
      counts: { success: 2, failed: 0 },
    })
    const { list } = await admin().call(deviceGroupApi.page, { projectId, sort: 'name' })
    const withoutMetadata = (originals: object[]) =>
      originals.map((original) => ({
        ...original,
        id: '',
        version: 0,
        createTime: '',
        updateTime: '',
      }))
    const importedGroups = list.map((item) => ({ ...item, deviceIds: [...item.deviceIds].sort() }))
    const originalGroups = [ruleGroup, handGroup].map((item) => ({
      ...item,
      deviceIds: [...item.deviceIds].sort(),
    }))
    expect(withoutMetadata(importedGroups)).toEqual(
      expect.arrayContaining(withoutMetadata(originalGroups)),
    )
  })
})

describe('a device group in use', () => {
  it('cannot be deleted while a scene uses it, and the refusal names the scene', async () => {
    const { id } = await createGroup()
    expect(
      await getFieldErrors(
        admin().call(sceneApi.create, { projectId, ...createSceneDraft(missingId) }),
      ),
    ).toEqual({
      'actions.0.scope': '所选范围或设备不存在或已被删除',
    })
    const createdScene = await admin().call(sceneApi.create, { projectId, ...createSceneDraft(id) })
    const [button] = (await admin().call(sceneApi.page, { projectId })).list
    // The third device is protected, so the scene does not reach it.
    expect(button).toMatchObject({ name: '下班', deviceCount: 2 })
    const scene = { kind: 'scene' as const, projectId, sceneId: createdScene.id }
    expect(await admin().call(controlApi.preflight, scene)).toMatchObject({
      affected: 0,
      skipped: { protected: 1, inactive: 2 },
    })
    await expect(admin().call(deviceGroupApi.remove, { id })).rejects.toMatchObject({
      data: { references: [{ entity: '场景', name: '下班' }] },
    })
    const unusedGroup = await createGroup({ name: '闲组' })
    const otherProjectUser = await app.join('groupelsewhere', 'project-admin', [2])
    const ids = [id, unusedGroup.id]
    expect(await otherProjectUser.call(deviceGroupApi.removeMany, { ids })).toMatchObject([
      { name: '', ok: false, reason: '已被删除' },
      { ok: false },
    ])
    expect(await admin().call(deviceGroupApi.removeMany, { ids })).toMatchObject([
      {
        name: '走廊组',
        ok: false,
        reason: expect.stringContaining('正被 1 处使用，不能删除：') as unknown,
      },
      { name: '闲组', ok: true },
    ])
    await admin().call(sceneApi.remove, { id: createdScene.id })
    await admin().call(deviceGroupApi.remove, { id })
    expect((await admin().call(deviceGroupApi.page, { projectId })).total).toBe(0)
  })
  it('prevents the deletion of its space, its product and its project', async () => {
    await createGroup({ productIds: [fanProduct.id], spaceIds: [room] })
    const inUseRefusal = { data: { references: expect.arrayContaining([{ entity: '设备组' }]) } }
    const group = expect.objectContaining({ entity: '设备组', name: '走廊组' })
    inUseRefusal.data.references = expect.arrayContaining([group])
    const refusals = [
      () => admin().call(spaceApi.remove, { id: room }),
      () => admin().call(productApi.remove, { id: fanProduct.id }),
      () => admin().call(managedProjectApi.remove, { id: project.id }),
    ]
    for (const refusal of refusals) await expect(refusal()).rejects.toMatchObject(inUseRefusal)
  })
})

describe('a snapshot with groups', () => {
  it('restores groups and the scenes that use them, even after they swapped names', async () => {
    const first = await createGroup()
    const second = await createGroup({ name: '第二组', kind: 'hand', deviceIds: [lamps[0]!.id] })
    await admin().call(sceneApi.create, { projectId, ...createSceneDraft(first.id) })
    const snapshot = await admin().call(snapshotApi.take, { projectId, name: '之前' })
    const renameGroup = (item: typeof first, name: string) =>
      admin().call(deviceGroupApi.update, { ...item, name })
    const renamedGroup = await renameGroup(first, '暂时')
    await renameGroup(second, '走廊组')
    await renameGroup(renamedGroup, '第二组')
    const laterGroup = await createGroup({ name: '后来的' })
    const { state, lines } = await admin().call(snapshotApi.preview, { id: snapshot.id })
    expect(lines.map(({ type, name, change }) => [type, name, change])).toEqual(
      expect.arrayContaining([
        ['group', '后来的', 'removed'],
        ['group', '第二组', 'changed'],
      ]),
    )
    await admin().call(snapshotApi.restore, { id: snapshot.id, state })
    const readGroups = () =>
      app.app.db.select().from(deviceGroup).where(eq(deviceGroup.projectId, projectId))
    await waitUntil(readGroups, (rows) => rows.every(({ id }) => id !== laterGroup.id))
    expect((await readGroups()).map(({ id, name }) => [id, name]).sort()).toEqual(
      [
        [first.id, '走廊组'],
        [second.id, '第二组'],
      ].sort(),
    )
  })
  it('creates them in a new project, where chosen devices have to be chosen again', async () => {
    const ruleGroup = await createGroup()
    const handGroup = await createGroup({ name: '手选', kind: 'hand', deviceIds: [lamps[0]!.id] })
    await admin().call(sceneApi.create, { projectId, ...createSceneDraft(ruleGroup.id) })
    await admin().call(sceneApi.create, {
      projectId,
      ...createSceneDraft(handGroup.id),
      name: '手选场景',
    })
    const { id } = await admin().call(snapshotApi.take, { projectId, name: '样板' })
    const code = `group-${projectId}`
    const clone = { id, name: `新楼 ${projectId}`, code, groupName: '测试片区' }
    const cloneResult = await admin().call(snapshotApi.clone, clone)
    expect(cloneResult).toMatchObject({ scenes: 2, leftOut: [] })
    const newProjectId = cloneResult.project.projectId
    const groups = await app.app.db
      .select()
      .from(deviceGroup)
      .where(eq(deviceGroup.projectId, newProjectId))
    const groupByName = new Map(groups.map((group) => [group.name, group]))
    expect(groupByName.get('手选')).toMatchObject({ kind: 'hand', deviceIds: [] })
    const { spaceIds, productIds } = groupByName.get('走廊组')!
    expect(productIds).toEqual([lampProduct.id])
    const spaces = await admin().call(spaceApi.list, { projectId: newProjectId })
    expect(spaces.filter((space) => spaceIds.includes(space.id)).map(({ name }) => name)).toEqual([
      '1 层',
    ])
    const scenes = (await admin().call(sceneApi.page, { projectId: newProjectId })).list
    const scopes = await Promise.all(
      scenes.map(async (scene) => (await admin().call(sceneApi.get, { id: scene.id })).actions),
    )
    expect(scopes.flat().map(({ scope }) => scope)).toEqual(
      expect.arrayContaining([
        { kind: 'group', groupId: groupByName.get('走廊组')!.id },
        { kind: 'group', groupId: groupByName.get('手选')!.id },
      ]),
    )
  })
})
