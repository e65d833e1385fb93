import { getPastTime, hourMs } from '@iot/shared/contract/duration'
import type {
  ControlRequest,
  ControlTask,
  ExceptScope,
} from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import type { Envelope } from '@iot/shared/contract/endpoint'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { devicePermissions, type DeviceRight } from '@iot/shared/contract/device/devicePermissions'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { and, eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceKey } from '../../device-access/protocol/alink'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import {
  deprecateProperty,
  deviceRow,
  insertDevices,
  lampModel,
  productRow,
} from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { scene, sceneAction } from '../../tables/scene'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { deviceTag } from '../../tables/deviceRecords'
import { space } from '../../tables/space'
import { actionLog } from '../../tables/actionLog'
import { password, secondPassword, testApp, type TestApp } from '../../testing'
import { controlLedger } from '../../tables/control'
import { idempotencyKey } from '../../tables/idempotency'
import { createTaskRunner } from '../../core/tasks/taskRunner'
import { task as taskTable } from '../../tables/task'
import { createControlEngine } from './engine'
import { planRequest } from './plan'
import { summarizePlan } from './preflight'
import { controlQueries } from './queries'
import { log } from '../../core/logging/log'

const lampProduct = productRow('pkLamp', 'sub', {
  model: ThingModel.parse({
    ...lampModel,
    properties: [
      ...lampModel.properties,
      {
        identifier: 'Operation',
        name: '操作',
        accessMode: 'w',
        dataType: { type: 'enum', specs: { 0: '停', 1: '走' } },
      },
    ],
  }),
})
const edgeProduct = productRow('pkEdge', 'gateway')
const spaces = { building: uuidv7(), floor: uuidv7(), lobby: uuidv7() }
const edge = deviceRow(edgeProduct, 'edge-1')
const buildLamp = (name: string, more = {}) =>
  deviceRow(lampProduct, name, {
    gatewayId: edge.id,
    spaceId: spaces.lobby,
    floorId: spaces.floor,
    x: 0.5,
    y: 0.5,
    ...more,
  })
const lamps = ['a', 'b', 'c', 'd'].map((name) => buildLamp(name))
const [lampA, lampB, lampC, lampD] = lamps as [typeof edge, typeof edge, typeof edge, typeof edge]
const protectedLamp = buildLamp('emergency', { protected: true })
const offlineLamp = buildLamp('away', { state: 'offline' })
const disabledLamp = buildLamp('forbidden', { state: 'disabled' })
const otherProjectLamp = deviceRow(lampProduct, 'elsewhere', { projectId: 2 })
const sceneId = uuidv7()

let app: TestApp
let gateway: EdgeClient
/** Behaviour of each simulated lamp on a set command; by default it acknowledges and reports. */
const lampBehaviors = new Map<
  string,
  'error' | 'slowError' | 'silent' | 'accepts' | 'late' | 'refuses' | 'fades' | 'years' | 'minutes'
>()
/** Clock errors of simulated lamps in milliseconds. */
const clockErrorsMs = new Map([
  ['years', Date.UTC(2020, 0, 2) - Date.now()],
  ['minutes', -3 * 60_000],
])
/** Callbacks that let the slow and the late lamps answer. */
const pendingAnswers: (() => void)[] = []
/**
 * Inserts a scene with a space action and a device action; the latter names a device of the space, one of another
 * product type and one that has been removed.
 */
async function insertMixedScene() {
  const id = uuidv7()
  const author = { createBy: 'test', updateBy: 'test' }
  await app.app.db
    .insert(scene)
    .values({ ...author, id, projectId: 1, name: '混合', icon: 'BulbOutlined', sort: 2 })
  const action = { projectId: 1, sceneId: id, values: { PowerSwitch: 0 } }
  await app.app.db.insert(sceneAction).values([
    {
      ...action,
      sort: 1,
      productType: 'SAFEWAY_LIGHT',
      scope: { kind: 'space', spaceId: spaces.lobby },
    },
    {
      ...action,
      sort: 2,
      productType: 'EDGE_HOST',
      scope: { kind: 'devices', deviceIds: [edge.id, lampA.id, uuidv7()] },
    },
    {
      ...action,
      sort: 3,
      productType: 'SAFEWAY_LIGHT',
      scope: { kind: 'devices', deviceIds: [lampB.id] },
    },
  ])
  return id
}
const buildGroup = (name: string, change: Partial<typeof deviceGroup.$inferInsert>) => ({
  id: uuidv7(),
  projectId: 1,
  name,
  kind: 'rule' as const,
  description: '',
  deviceIds: [],
  productIds: [],
  spaceIds: [],
  tags: [],
  createBy: '',
  updateBy: '',
  ...change,
})
const releaseAnswers = async (count: number) => {
  await waitUntil(
    () => pendingAnswers.length,
    (waiting) => waiting === count,
  )
  for (const sendAnswer of pendingAnswers.splice(0)) sendAnswer()
}
/** Timeout in milliseconds for a silent lamp; the tests advance the clock instead of waiting. */
const timeoutMs = 20_000
/** Resolves once this many commands have reached the lamps and the timeout of each has started. */
const waitForCommands = (count: number) =>
  waitUntil(
    () => received.length,
    (receivedCount) => receivedCount === count,
  )
async function waitForTimeout(task: ControlTask) {
  await waitForCommands(received.length || 1)
  jest.advanceTimersByTime(timeoutMs)
  return waitForEnd(task)
}
const received: string[] = []

beforeAll(async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  app = await testApp({ mqttPort: 0, commandTimeouts: { controlReplyMs: timeoutMs } })
  await app.app.db.insert(space).values([
    {
      id: spaces.building,
      projectId: 1,
      parentId: null,
      type: 'building',
      name: '测试楼',
      sort: 1,
    },
    {
      id: spaces.floor,
      projectId: 1,
      parentId: spaces.building,
      type: 'floor',
      name: '1 层',
      sort: 1,
    },
    { id: spaces.lobby, projectId: 1, parentId: spaces.floor, type: 'area', name: '大堂', sort: 1 },
  ])
  await insertDevices(
    app.app.db,
    [lampProduct, edgeProduct],
    [edge, ...lamps, protectedLamp, offlineLamp, disabledLamp, otherProjectLamp],
  )
  await app.app.db.insert(scene).values({
    id: sceneId,
    projectId: 1,
    name: '下班',
    icon: 'BulbOutlined',
    sort: 1,
    createBy: 'test',
    updateBy: 'test',
  })
  await app.app.db.insert(sceneAction).values({
    projectId: 1,
    sceneId,
    sort: 1,
    productType: 'SAFEWAY_LIGHT',
    scope: { kind: 'space', spaceId: spaces.building },
    values: { PowerSwitch: 0, Brightness: 5 },
  })
  const online = [...lamps, protectedLamp]
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: online,
    // The clock is advanced further than a ping takes, so the keepalive must be long.
    keepalive: 1200,
    onSet(key, values, { reply, post }) {
      const row = online.find((one) => deviceKey(one) === key)!
      received.push(row.deviceName)
      const behavior = lampBehaviors.get(row.deviceName)
      if (behavior === 'silent') return
      if (behavior === 'error') return reply(500)
      if (behavior === 'slowError') return void pendingAnswers.push(() => reply(500))
      // The lamp acknowledges first and then reports its old values or, while it fades, values on the way to the
      // target.
      if (behavior === 'refuses') return (reply(200), post({ PowerSwitch: 1, Brightness: 80 }))
      if (behavior === 'fades')
        return (reply(200), post({ Brightness: 50 }), void pendingAnswers.push(() => post(values)))
      if (behavior === 'late') return void pendingAnswers.push(() => (reply(200), post(values)))
      reply(200)
      const offset = clockErrorsMs.get(behavior ?? '')
      if (offset !== undefined)
        return post(
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [
              name,
              { value, time: Date.now() + offset },
            ]),
          ),
        )
      if (behavior !== 'accepts') post(values)
    },
  })
  for (const one of online) gateway.post(one, { PowerSwitch: 1, Brightness: 80 })
  await waitUntil(readStates, (map) =>
    online.every((one) => map[one.id]?.reported.Brightness === 80),
  )
})
afterAll(async () => {
  jest.useRealTimers()
  await gateway.close()
  await app.close()
})
beforeEach(() => {
  lampBehaviors.clear()
  received.length = 0
})

const admin = () => app.as('admin')
const readStates = async () => (await admin().call(deviceApi.mapInfo, { projectId: 1 })).map
const allOff: Extract<ControlRequest, { kind: 'action' }> = {
  kind: 'action',
  productType: 'SAFEWAY_LIGHT',
  actionType: 'all_off',
  projectId: 1,
  scope: { kind: 'project' },
}
const allOn: typeof allOff = { ...allOff, actionType: 'all_on' }
const buildSingleRequest = (id: string, values: Values): ControlRequest => ({
  kind: 'set',
  projectId: 1,
  scope: { kind: 'devices', deviceIds: [id] },
  values,
})
const waitForEnd = (task: ControlTask) =>
  waitUntil(
    () => admin().call(controlApi.get, { id: task.id }),
    (now) => now.doneTime !== null,
  )
const runToEnd = async (request: ControlRequest) => waitForEnd(await startTask(request))
const startTask = (request: ControlRequest) => admin().call(controlApi.start, request)
const readLedger = async (task: Pick<ControlTask, 'id'>, state?: string) =>
  Object.fromEntries(
    (await admin().call(controlApi.ledger, { id: task.id, state, pageSize: 999 })).list.map(
      (row) => [row.name, row],
    ),
  )

describe('POST /v1/control/task', () => {
  it('refuses without a session', () =>
    expect(app.stranger.call(controlApi.start, allOff)).rejects.toMatchObject({ code: 401 }))
  it('refuses a project the caller cannot see', async () => {
    await expect(
      admin().call(controlApi.start, buildSingleRequest(otherProjectLamp.id, { PowerSwitch: 1 })),
    ).rejects.toMatchObject({ code: 404 })
  })
  it('refuses unknown devices, spaces, actions and scenes', async () => {
    await expect(startTask(buildSingleRequest(uuidv7(), { PowerSwitch: 1 }))).rejects.toMatchObject(
      {
        code: 404,
        msg: '设备不存在或已被删除',
      },
    )
    await expect(
      admin().call(controlApi.start, { ...allOff, scope: { kind: 'space', spaceId: uuidv7() } }),
    ).rejects.toMatchObject({ code: 404 })
    await expect(
      admin().call(controlApi.start, { ...allOff, productType: 'NOTHING' }),
    ).rejects.toMatchObject({ code: 404 })
    await expect(
      admin().call(controlApi.start, { kind: 'scene', projectId: 1, sceneId: uuidv7() }),
    ).rejects.toMatchObject({ code: 404 })
  })
  it('reports an empty device list at its field', () =>
    expect(
      admin().call(controlApi.start, {
        kind: 'set',
        projectId: 1,
        values: { PowerSwitch: 1 },
        scope: { kind: 'devices', deviceIds: [] },
      }),
    ).rejects.toMatchObject({
      code: 422,
      data: { fields: { 'scope.deviceIds': '请选择设备' } },
    }))
  it('refuses properties the product does not have and an empty set of values', async () => {
    await expect(startTask(buildSingleRequest(lampA.id, { Colour: 1 }))).rejects.toMatchObject({
      code: 1001,
      msg: 'a：产品没有功能 Colour',
    })
    await expect(
      startTask(buildSingleRequest(lampA.id, { Brightness: 900 })),
    ).rejects.toMatchObject({
      msg: 'a：亮度不能大于 100',
    })
    await expect(startTask(buildSingleRequest(lampA.id, {}))).rejects.toMatchObject({ code: 1001 })
  })
  it('refuses in the preflight already a function that no product in the scope has', async () => {
    const buildProjectRequest = (values: Values): ControlRequest => ({
      kind: 'set',
      projectId: 1,
      scope: { kind: 'project' },
      values,
    })
    await expect(
      admin().call(controlApi.preflight, buildProjectRequest({ Colour: 1 })),
    ).rejects.toMatchObject({ code: 1001, msg: expect.stringContaining('产品没有功能 Colour') })
    await expect(
      admin().call(controlApi.preflight, buildSingleRequest(edge.id, { PowerSwitch: 1 })),
    ).rejects.toMatchObject({ msg: 'edge-1：产品没有功能“电源开关”' })
    // The area includes the lamps but not the edge host.
    expect(
      await admin().call(controlApi.preflight, buildProjectRequest({ Brightness: 5 })),
    ).toMatchObject({
      affected: 4,
      skipped: { held: 0, protected: 1, offline: 1, disabled: 1 },
    })
  })
  it('refuses when every device is skipped, and gives the reason', () =>
    expect(startTask(buildSingleRequest(offlineLamp.id, { PowerSwitch: 1 }))).rejects.toMatchObject(
      {
        msg: '没有可以控制的设备：离线 1',
      },
    ))

  it('counts the affected devices of the project and of each space in the database', async () => {
    const { permission } = devicePermissions.bulkControl
    const groups = [
      buildGroup('两盏', { kind: 'hand', deviceIds: [lampA.id, lampB.id, protectedLamp.id] }),
      buildGroup('大堂的灯', { spaceIds: [spaces.lobby], productIds: [lampProduct.id] }),
    ]
    await app.app.db.insert(deviceGroup).values(groups)
    const scopes = [
      { kind: 'project' as const },
      ...Object.values(spaces).map((spaceId) => ({ kind: 'space' as const, spaceId })),
      ...groups.map(({ id: groupId }) => ({ kind: 'group' as const, groupId })),
    ]
    const mixed = await insertMixedScene()
    for (const request of [
      ...scopes.map((scope) => ({ ...allOff, scope })),
      ...scopes.map((scope) => ({
        kind: 'set' as const,
        projectId: 1,
        scope,
        values: { Brightness: 5 },
      })),
      { kind: 'scene' as const, projectId: 1, sceneId },
      { kind: 'scene' as const, projectId: 1, sceneId: mixed },
    ]) {
      const { planned } = await planRequest(app.app.db, request, permission)
      expect(planned.length).toBeGreaterThan(0)
      const answer = await admin().call(controlApi.preflight, request)
      // A scene asks each device for different values, so its preflight does not compare them with the reported ones.
      const { already, ...rest } = summarizePlan(planned, request.kind === 'set')
      expect(answer).toEqual({ ...rest, already: request.kind === 'scene' ? 0 : already })
    }
    await app.app.db.delete(sceneAction).where(eq(sceneAction.sceneId, mixed))
    await app.app.db.delete(scene).where(eq(scene.id, mixed))
    await app.app.db.delete(deviceGroup)
  })
  it('refuses a group of another project as missing', async () => {
    const other = buildGroup('别处', {
      projectId: 2,
      kind: 'hand',
      deviceIds: [otherProjectLamp.id, lampA.id],
    })
    await app.app.db.insert(deviceGroup).values(other)
    for (const groupId of [other.id, uuidv7()]) {
      const request = { ...allOff, scope: { kind: 'group' as const, groupId } }
      for (const call of [controlApi.preflight, controlApi.start])
        await expect(admin().call(call, request)).rejects.toMatchObject({
          code: 404,
          msg: '设备组不存在或已被删除',
        })
    }
    expect(received).toEqual([])
    await app.app.db.delete(deviceGroup)
  })
  it('resolves the rule of a group at execution, skips protected devices, and can be undone', async () => {
    const tagged = { key: '回路', value: 'L1' }
    const group = buildGroup('走廊组', { productIds: [lampProduct.id], tags: [tagged] })
    await app.app.db.insert(deviceGroup).values(group)
    const tag = ({ id: deviceId }: typeof lampA) => ({
      ...tagged,
      projectId: 1,
      deviceId,
      time: new Date().toISOString(),
    })
    await app.app.db.insert(deviceTag).values([tag(lampA), tag(protectedLamp)])
    await runToEnd(allOn)
    received.length = 0
    const request = { ...allOff, scope: { kind: 'group' as const, groupId: group.id } }
    expect(await admin().call(controlApi.preflight, request)).toMatchObject({
      affected: 1,
      skipped: { held: 0, protected: 1, offline: 0, disabled: 0 },
    })
    // This device is added to the group after the request was built.
    await app.app.db.insert(deviceTag).values([tag(lampB)])
    const task = await runToEnd(request)
    expect(task).toMatchObject({
      title: '灯光全关 · 走廊组',
      total: 3,
      counts: { success: 2, skipped: 1 },
    })
    expect(received.sort()).toEqual(['a', 'b'])
    const undo = await waitForEnd(await admin().call(controlApi.undo, { id: task.id }))
    expect(undo).toMatchObject({ title: '恢复原状：灯光全关 · 走廊组', counts: { success: 2 } })
    const now = await readStates()
    expect(lamps.map((one) => now[one.id]!.reported.PowerSwitch)).toEqual([1, 1, 1, 1])
    await app.app.db.delete(deviceTag)
    await app.app.db.delete(deviceGroup)
  })
  it('names the full path of its scope and the number of individually chosen devices', async () => {
    const lobby = { kind: 'space' as const, spaceId: spaces.lobby }
    const {
      title,
      parentPlace,
      action,
      unit,
      place: placeName,
    } = await runToEnd({
      ...allOff,
      scope: lobby,
    })
    const place = { place: placeName, parentPlace, action, unit }
    expect(title).toBe('灯光全关 · 测试楼 1 层 大堂')
    expect(place).toEqual({ place: '大堂', parentPlace: '测试楼 1 层', action: '关', unit: '盏' })
    const both = { kind: 'spaces' as const, spaceIds: [spaces.lobby, spaces.floor] }
    expect(await runToEnd({ ...allOff, scope: both })).toMatchObject({
      title: '灯光全关 · 测试楼 1 层 大堂、测试楼 1 层',
      total: 7,
    })
    const missingSpace = { kind: 'spaces' as const, spaceIds: [spaces.lobby, uuidv7()] }
    await expect(
      admin().call(controlApi.start, { ...allOff, scope: missingSpace }),
    ).rejects.toMatchObject({
      code: 404,
    })
    const some = { kind: 'devices' as const, deviceIds: [lampA.id, lampB.id] }
    expect(await runToEnd({ ...allOff, scope: some })).toMatchObject({
      title: '灯光全关 · 选中的 2 盏',
    })
    await runToEnd(allOn)
    received.length = 0
  })
  it('leaves excepted places and lamps as they are, names and counts them, and refuses unknown ones', async () => {
    const within = { kind: 'space' as const, spaceId: spaces.building }
    const exceptLamps: ExceptScope = {
      kind: 'except',
      within,
      spaceIds: [],
      deviceIds: [lampB.id, lampC.id],
    }
    for (const wrongScope of [
      { ...exceptLamps, deviceIds: [] },
      { ...exceptLamps, spaceIds: [uuidv7()] },
      { ...exceptLamps, deviceIds: [lampB.id, uuidv7()] },
      { ...exceptLamps, deviceIds: [otherProjectLamp.id] },
      { ...exceptLamps, spaceIds: [spaces.lobby] },
    ])
      await expect(startTask({ ...allOff, scope: wrongScope })).rejects.toMatchObject({
        code: expect.any(Number) as number,
      })
    expect(received).toEqual([])
    const request = { ...allOff, scope: exceptLamps }
    expect(await admin().call(controlApi.preflight, request)).toMatchObject({
      affected: 2,
      skipped: { held: 0, protected: 1, offline: 1, disabled: 1 },
      keptPlaces: [
        { name: 'b', devices: 1 },
        { name: 'c', devices: 1 },
      ],
    })
    const task = await runToEnd(request)
    expect(task).toMatchObject({
      title: '灯光全关 · 测试楼（除b、c）',
      place: '测试楼（除b、c）',
      total: 5,
    })
    expect(Object.keys(await readLedger(task))).not.toEqual(expect.arrayContaining(['b']))
    expect(received.sort()).toEqual(['a', 'd'])
    const lobbyKept = { ...exceptLamps, spaceIds: [spaces.lobby], deviceIds: [lampA.id] }
    expect(await admin().call(controlApi.preflight, { ...allOn, scope: lobbyKept })).toMatchObject({
      affected: 0,
      keptPlaces: [
        { name: '1 层 大堂', devices: 7 },
        { name: 'a', devices: 0 },
      ],
    })
    // A lamp that is off keeps off while it is dimmed, which the preflight says before.
    const dimming = { ...buildSingleRequest(lampA.id, { Brightness: 30 }), scope: exceptLamps }
    expect(await admin().call(controlApi.preflight, dimming as ControlRequest)).toMatchObject({
      affected: 2,
      dark: 2,
    })
    const dimFloor = { ...dimming, scope: { kind: 'space', spaceId: spaces.floor } }
    expect(await admin().call(controlApi.preflight, dimFloor as ControlRequest)).toMatchObject({
      affected: 4,
      dark: 2,
    })
    await runToEnd(allOn)
    received.length = 0
  })
  it('counts in the preflight the devices that obey by a deprecated function', async () => {
    await deprecateProperty(app.app.db, lampProduct, 'PowerSwitch')
    const dimming = {
      kind: 'set',
      projectId: 1,
      scope: { kind: 'project' },
      values: { Brightness: 30 },
    } as const
    const fetchDeprecated = async (request: ControlRequest) =>
      (await admin().call(controlApi.preflight, request)).deprecated
    const { affected } = await admin().call(controlApi.preflight, allOff)
    expect(await fetchDeprecated(allOff)).toBe(affected)
    expect(
      await fetchDeprecated({
        ...allOff,
        scope: { kind: 'devices', deviceIds: [lampA.id, protectedLamp.id] },
      }),
    ).toBe(1)
    expect(await fetchDeprecated(dimming)).toBeUndefined()
    await deprecateProperty(app.app.db, lampProduct)
    expect(await fetchDeprecated(allOff)).toBeUndefined()
  })
  it('switches all except protected, offline and disabled devices, and shows confirmed states only', async () => {
    const { already, ...preflight } = await admin().call(controlApi.preflight, allOff)
    expect(already).toBeLessThan(4)
    expect(preflight).toEqual({
      unit: '盏',
      affected: 4,
      dark: 0,
      keptPlaces: [],
      skipped: { held: 0, protected: 1, offline: 1, disabled: 1 },
    })
    const task = await runToEnd(allOff)
    expect(task).toMatchObject({
      title: '灯光全关 · 整个项目',
      status: 'done',
      total: 7,
      counts: { success: 4, skipped: 3, failed: 0 },
    })
    expect(received.sort()).toEqual(['a', 'b', 'c', 'd'])
    const now = await readStates()
    expect(lamps.map((one) => now[one.id]!.reported.PowerSwitch)).toEqual([0, 0, 0, 0])
    expect(now[protectedLamp.id]!.reported.PowerSwitch).toBe(1)
    expect((await readLedger(task)).a).toMatchObject({
      place: '测试楼 / 1 层 / 大堂',
      before: { PowerSwitch: 1 },
      target: { PowerSwitch: 0 },
      state: 'success',
    })
    const log = await app.app.db.select().from(actionLog).where(eq(actionLog.entityId, task.id))
    expect(log).toMatchObject([
      { username: 'admin', verb: '下发控制', entity: '控制任务', entityName: task.title, ok: true },
    ])
  })

  it('names failed devices, keeps their state, and retries only those', async () => {
    await runToEnd(allOn)
    received.length = 0
    lampBehaviors.set('a', 'error').set('b', 'silent').set('c', 'accepts').set('d', 'late')
    const startedTask = await startTask(allOff)
    await releaseAnswers(1)
    await waitForCommands(4)
    await waitUntil(
      () => admin().call(controlApi.get, { id: startedTask.id }),
      ({ counts }) => counts.success === 1 && counts.failed === 1 && counts.delivered === 1,
    )
    const task = await waitForTimeout(startedTask)
    expect(task.counts).toMatchObject({ success: 1, confirmed: 1, failed: 1, timeout: 1 })
    expect(await readLedger(task, 'failed,timeout')).toMatchObject({
      a: { reason: '设备返回 500' },
      b: { reason: '20 秒内没有应答' },
    })
    const page = (pageNo: number) =>
      admin().call(controlApi.ledger, { id: task.id, pageNo, pageSize: 3 })
    await expect(page(0)).rejects.toMatchObject({ code: 422 })
    const [first, second, third] = [await page(1), await page(2), await page(3)]
    expect(first).toMatchObject({
      total: 7,
      list: [
        { name: 'a', state: 'failed' },
        { name: 'b', state: 'timeout' },
        { name: 'c', state: 'confirmed' },
      ],
    })
    expect(second.list.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped'])
    expect(third.list.map(({ name }) => name)).toEqual(['d'])
    const now = await readStates()
    expect([lampA, lampB, lampC, lampD].map((one) => now[one.id]!.reported.PowerSwitch)).toEqual([
      1, 1, 1, 0,
    ])

    lampBehaviors.clear()
    received.length = 0
    const again = await waitForEnd(await admin().call(controlApi.retry, { id: task.id }))
    expect(again).toMatchObject({ origin: 'retry', sourceId: task.id, counts: { success: 2 } })
    expect(received.sort()).toEqual(['a', 'b'])
    await expect(admin().call(controlApi.retry, { id: again.id })).rejects.toMatchObject({
      msg: '没有失败的设备',
    })
    await waitForEnd(await admin().call(controlApi.undo, { id: task.id }))
    await expect(admin().call(controlApi.retry, { id: task.id })).rejects.toMatchObject({
      msg: '这个任务已经恢复过原状，不再重试',
    })
  })

  it('can be undone to the former values of each device', async () => {
    await runToEnd(allOn)
    await runToEnd(buildSingleRequest(lampA.id, { PowerSwitch: 0 }))
    await runToEnd(buildSingleRequest(lampB.id, { Brightness: 33 }))
    const task = await runToEnd({ kind: 'scene', projectId: 1, sceneId })
    expect(task).toMatchObject({
      title: '场景 · 下班',
      origin: 'scene',
      counts: { success: 4, skipped: 3 },
    })
    expect((await readStates())[lampB.id]!.reported).toEqual({ PowerSwitch: 0, Brightness: 5 })
    const undone = await waitForEnd(await admin().call(controlApi.undo, { id: task.id }))
    expect(undone).toMatchObject({ title: '恢复原状：场景 · 下班', counts: { success: 4 } })
    const now = await readStates()
    expect(now[lampA.id]!.reported.PowerSwitch).toBe(0)
    expect(now[lampB.id]!.reported).toEqual({ PowerSwitch: 1, Brightness: 33 })

    expect(await admin().call(controlApi.get, { id: task.id })).toMatchObject({
      undoneBy: undone.id,
    })
    for (const again of [controlApi.undo, controlApi.undoPreflight])
      await expect(admin().call(again, { id: task.id })).rejects.toMatchObject({
        msg: '这个任务已经恢复过原状',
      })
  })

  it('counts devices already in the desired state, and since when their state is stale', async () => {
    await runToEnd(allOff)
    expect(await admin().call(controlApi.preflight, allOff)).toMatchObject({
      affected: 4,
      already: 4,
    })
    await runToEnd(buildSingleRequest(lampA.id, { PowerSwitch: 1 }))
    expect(await admin().call(controlApi.preflight, allOff)).toMatchObject({ already: 3 })
    const twoLamps = { kind: 'devices' as const, deviceIds: [lampA.id, lampB.id] }
    expect(await admin().call(controlApi.preflight, { ...allOff, scope: twoLamps })).toMatchObject({
      affected: 2,
      already: 1,
    })
  })
  it('summarises in one line why devices failed', async () => {
    received.length = 0
    lampBehaviors.set(lampA.deviceName, 'silent')
    const task = await startTask(buildSingleRequest(lampA.id, { PowerSwitch: 1 }))
    expect((await waitForTimeout(task)).reason).toMatch(/秒内没有应答$/)
    lampBehaviors.delete(lampA.deviceName)
  })

  it('is undone once despite repeated requests, after showing later changes', async () => {
    await runToEnd(allOn)
    const task = await runToEnd(allOff)
    const before = await admin().call(controlApi.undoPreflight, { id: task.id })
    expect(before).toEqual({
      affected: 4,
      already: 0,
      dark: 0,
      keptPlaces: [],
      skipped: { held: 0, protected: 0, offline: 0, disabled: 0 },
      unit: '盏',
      later: { commands: 0, devices: 0, last: null },
    })
    await runToEnd(buildSingleRequest(lampA.id, { PowerSwitch: 1 }))
    await runToEnd(buildSingleRequest(lampA.id, { PowerSwitch: 0 }))
    await runToEnd(buildSingleRequest(lampB.id, { Brightness: 3 }))
    expect(await admin().call(controlApi.undoPreflight, { id: task.id })).toMatchObject({
      later: {
        commands: 2,
        devices: 1,
        last: {
          title: expect.stringMatching(/^关闭 · /),
          createBy: 'admin',
          createByName: '平台管理员',
        },
      },
    })
    const undoResults = await Promise.allSettled(
      [1, 2, 3].map(() => admin().call(controlApi.undo, { id: task.id })),
    )
    const startedTasks = undoResults.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    )
    expect(startedTasks).toHaveLength(1)
    await waitForEnd(startedTasks[0]!)
  })

  it('switches a single protected device', async () => {
    expect(await runToEnd(buildSingleRequest(protectedLamp.id, { PowerSwitch: 0 }))).toMatchObject({
      counts: { success: 1 },
    })
    await runToEnd(buildSingleRequest(protectedLamp.id, { PowerSwitch: 1 }))
  })

  it('fails at once for a device that goes offline meanwhile', async () => {
    lampBehaviors.set('d', 'silent')
    const task = await startTask(buildSingleRequest(lampD.id, { Brightness: 1 }))
    await gateway.logout(lampD)
    expect(await waitForEnd(task)).toMatchObject({ counts: { failed: 1 } })
    expect(await readLedger(task)).toMatchObject({ d: { reason: '设备离线' } })
    await gateway.login(lampD)
  })
})

describe('the desired values of a device', () => {
  const readLampA = async () => {
    const { reported, desired } = (await readStates())[lampA.id]!
    return { brightness: reported.Brightness, desired }
  }
  it('are shown beside the reported ones while a command is in flight, and cleared on success, failure and timeout', async () => {
    await runToEnd(buildSingleRequest(lampA.id, { Brightness: 10 }))
    expect(await readLampA()).toEqual({ brightness: 10, desired: {} })
    for (const [mood, brightness, counts] of [
      ['late', 11, { success: 1 }],
      ['slowError', 11, { failed: 1 }],
      ['silent', 11, { timeout: 1 }],
    ] as const) {
      received.length = 0
      lampBehaviors.set('a', mood)
      const before = (await readLampA()).brightness
      const task = await startTask(buildSingleRequest(lampA.id, { Brightness: 11 }))
      await waitForCommands(1)
      expect(await readLampA()).toEqual({ brightness: before, desired: { Brightness: 11 } })
      if (mood !== 'silent') await releaseAnswers(1)
      expect(await (mood === 'silent' ? waitForTimeout(task) : waitForEnd(task))).toMatchObject({
        counts,
      })
      expect(await readLampA()).toEqual({ brightness, desired: {} })
    }
  })
  it('are cleared when a cancelled task finishes', async () => {
    lampBehaviors.set('a', 'silent')
    const task = await startTask(buildSingleRequest(lampA.id, { Brightness: 12 }))
    await waitForCommands(1)
    await admin().call(controlApi.cancel, { id: task.id })
    expect((await readLampA()).desired).toEqual({ Brightness: 12 })
    await waitForTimeout(task)
    expect((await readLampA()).desired).toEqual({})
  })
  it('are those of the latest command', async () => {
    lampBehaviors.set('a', 'silent')
    const first = await startTask(buildSingleRequest(lampA.id, { Brightness: 13, PowerSwitch: 1 }))
    await waitForCommands(1)
    const second = await startTask(buildSingleRequest(lampA.id, { Brightness: 14 }))
    await waitForCommands(2)
    await waitForEnd(first)
    expect((await readLampA()).desired).toEqual({ Brightness: 14 })
    await waitForTimeout(second)
    expect((await readLampA()).desired).toEqual({})
  })
  it('stay when an earlier task with the same values finishes', async () => {
    lampBehaviors.set('a', 'silent')
    const first = await startTask(buildSingleRequest(lampA.id, { Brightness: 15, PowerSwitch: 1 }))
    await waitForCommands(1)
    jest.advanceTimersByTime(timeoutMs / 2)
    const second = await startTask(buildSingleRequest(lampA.id, { Brightness: 15 }))
    await waitForCommands(2)
    expect((await readLampA()).desired).toEqual({ Brightness: 15, PowerSwitch: 1 })
    jest.advanceTimersByTime(timeoutMs / 2)
    await waitForEnd(first)
    expect((await readLampA()).desired).toEqual({ Brightness: 15 })
    jest.advanceTimersByTime(timeoutMs / 2)
    await waitForEnd(second)
    expect((await readLampA()).desired).toEqual({})
  })
})

describe('a device that acknowledged a command', () => {
  const readBrightness = async () => (await readStates())[lampA.id]!.reported.Brightness
  beforeEach(() => runToEnd(buildSingleRequest(lampA.id, { PowerSwitch: 1, Brightness: 80 })))

  it.each(['years', 'minutes'] as const)(
    'with a clock that is %s behind has succeeded, in the ledger and on the map',
    async (mood) => {
      for (const value of [31, 32]) {
        lampBehaviors.set('a', mood)
        const task = await runToEnd(buildSingleRequest(lampA.id, { Brightness: value }))
        expect((await readLedger(task)).a!.state).toBe('success')
        expect(await readBrightness()).toBe(value)
        const { clockOffsetMs } = await admin().call(managedDeviceApi.get, { id: lampA.id })
        expect(clockOffsetMs).toBeLessThan(-179_000)
      }
    },
  )
  it('without reporting is 已确认（未上报） and keeps its last reported state', async () => {
    lampBehaviors.set('a', 'accepts')
    const task = await runToEnd(buildSingleRequest(lampA.id, { Brightness: 30 }))
    expect(task.counts).toMatchObject({ confirmed: 1, success: 0 })
    expect(await readLedger(task)).toMatchObject({ a: { state: 'confirmed', reason: '' } })
    expect((await readStates())[lampA.id]).toMatchObject({
      reported: { Brightness: 80 },
      desired: {},
    })
  })
  it('for a write-only property has succeeded, unless another property was set with it', async () => {
    lampBehaviors.set('a', 'accepts')
    const task = await runToEnd(buildSingleRequest(lampA.id, { Operation: 1 }))
    expect(await readLedger(task)).toMatchObject({ a: { state: 'success', reason: '' } })
    const [command] = await app.as('admin').call(managedDeviceApi.commands, { id: lampA.id })
    expect(command!.hops.at(-1)).toMatchObject({ at: 'answer', state: 'done', text: '设备已应答' })
    const both = await runToEnd(buildSingleRequest(lampA.id, { Operation: 1, Brightness: 30 }))
    expect(await readLedger(both)).toMatchObject({ a: { state: 'confirmed' } })
  })
  it('and reports other values has failed, with the reported values', async () => {
    lampBehaviors.set('a', 'refuses')
    const task = await runToEnd(buildSingleRequest(lampA.id, { Brightness: 30, PowerSwitch: 0 }))
    expect(await readLedger(task)).toMatchObject({
      a: { state: 'failed', reason: '应答后上报：电源开关为开启，亮度为 80' },
    })
    expect(await readBrightness()).toBe(80)
  })
  it('and reports intermediate values is waited for', async () => {
    lampBehaviors.set('a', 'fades')
    const task = await startTask(buildSingleRequest(lampA.id, { Brightness: 30 }))
    await waitUntil(readBrightness, (value) => value === 50)
    await releaseAnswers(1)
    expect((await waitForEnd(task)).counts).toMatchObject({ success: 1 })
  })
  it('and reports another value while other devices are in flight has failed, until it reports the desired one', async () => {
    lampBehaviors.set('a', 'accepts').set('b', 'silent')
    const scope = { kind: 'devices' as const, deviceIds: [lampA.id, lampB.id] }
    const task = await startTask({ kind: 'set', projectId: 1, scope, values: { Brightness: 31 } })
    const waitForState = (state: string) =>
      waitUntil(
        async () => (await readLedger(task)).a!.state,
        (now) => now === state,
      )
    await waitForState('confirmed')
    gateway.post(lampA, { Brightness: 79 })
    await waitForState('failed')
    gateway.post(lampA, { Brightness: 31 })
    await waitForState('success')
    expect((await waitForTimeout(task)).counts).toMatchObject({ success: 1, failed: 0, timeout: 1 })
  })
  it('is judged by its product, read once per task, and by its reports meanwhile', async () => {
    lampBehaviors.set('a', 'accepts').set('b', 'accepts')
    const { db } = app.app
    const selectRows = db.select.bind(db) as (fields?: object) => unknown
    let modelReads = 0
    const select = jest.spyOn(db, 'select').mockImplementation(((fields?: object) => {
      const isOfModel = Object.keys(fields ?? {}).join() === 'model'
      // The first read plans the task.
      if (!isOfModel || received.length < 2) return selectRows(fields)
      modelReads++
      const where = async () => {
        gateway.post(lampA, { Brightness: 78 })
        await waitUntil(readBrightness, (value) => value === 78)
        return []
      }
      return { from: () => ({ where }) }
    }) as never)
    const scope = { kind: 'devices' as const, deviceIds: [lampA.id, lampB.id] }
    const task = await runToEnd({ kind: 'set', projectId: 1, scope, values: { Brightness: 33 } })
    select.mockRestore()
    expect(await readLedger(task)).toMatchObject({
      a: { state: 'failed', reason: expect.stringContaining('78') },
      b: { state: 'confirmed' },
    })
    expect(modelReads).toBe(1)
  })
  it('and had the desired value, but reports another one later, has failed', async () => {
    lampBehaviors.set('a', 'accepts').set('b', 'silent')
    const scope = { kind: 'devices' as const, deviceIds: [lampA.id, lampB.id] }
    const task = await startTask({ kind: 'set', projectId: 1, scope, values: { Brightness: 80 } })
    await waitUntil(
      async () => (await readLedger(task)).a!.state,
      (state) => state === 'success',
    )
    gateway.post(lampA, { Brightness: 7 })
    await waitUntil(
      async () => (await readLedger(task)).a!.state,
      (state) => state === 'failed',
    )
    expect((await waitForTimeout(task)).counts).toMatchObject({ failed: 1, timeout: 1 })
  })
})

test('an entry is stored as 已下发 before its message is published', async () => {
  lampBehaviors.set('a', 'silent')
  const task = await startTask(buildSingleRequest(lampA.id, { Brightness: 40 }))
  await waitForCommands(1)
  const [row] = await app.app.db
    .select()
    .from(controlLedger)
    .where(eq(controlLedger.taskId, task.id))
  expect(row).toMatchObject({ state: 'sent', sentTime: expect.any(String) })
  await waitForTimeout(task)
})

test('with a full disk nothing is published, and the ledger gives the reason once there is space', async () => {
  const { db } = app.app
  const errorSpy = jest.spyOn(log, 'error').mockImplementation(() => {})
  await db.execute(sql`
    create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
  await db.execute(
    sql`create trigger no_room before update on control_ledger execute function no_room()`,
  )
  received.length = 0
  const task = await startTask(allOn)
  await waitUntil(
    () => app.as('admin').call(controlApi.get, { id: task.id }),
    ({ counts }) => counts.failed! > 0,
  )
  await db.execute(sql`drop function no_room cascade`)
  const { counts } = await waitForEnd(task)
  expect(counts.failed).toBe(task.total - counts.skipped!)
  expect(received).toEqual([])
  for (const row of Object.values(await readLedger(task)))
    if (row.state !== 'skipped')
      expect(row).toMatchObject({ state: 'failed', reason: '磁盘空间不足，未下发' })
  errorSpy.mockRestore()
})

describe('conflicting commands for the same devices', () => {
  it('end the earlier one as 被覆盖, whether it was sent or not', async () => {
    await runToEnd(allOn)
    received.length = 0
    for (const one of lamps) lampBehaviors.set(one.deviceName, 'silent')
    const off = await startTask(allOff)
    await waitForCommands(4)
    const on = await startTask(buildSingleRequest(lampA.id, { PowerSwitch: 1 }))
    await waitUntil(
      async () => (await readLedger(off)).a!.state,
      (state) => state === 'overridden',
    )
    expect((await readLedger(off)).a!.reason).toBe('admin：打开 · a')
    expect((await readStates())[lampA.id]!.desired).toEqual({ PowerSwitch: 1 })
    expect((await waitForTimeout(off)).counts).toMatchObject({ overridden: 1, timeout: 3 })
    await waitForEnd(on)
  })
})

describe('a command with an idempotency key', () => {
  let adminToken: string
  let presserToken: string
  beforeAll(async () => {
    await app.join('presser', 'operator', [1])
    adminToken = await app.login('admin', password)
    presserToken = await app.login('presser', secondPassword)
  })
  const submit = async (key: string, request: ControlRequest, token = adminToken) => {
    const answer = await app.app.inject({
      method: 'POST',
      url: '/v1/control/task',
      payload: request,
      headers: {
        satoken: `Bearer ${token}`,
        'idempotency-key': key,
      },
    })
    return answer.json<Envelope<ControlTask>>()
  }
  it('is refused with a malformed key', async () =>
    expect(await submit('a b', allOff)).toMatchObject({ code: 422 }))
  it('starts one task, also when both requests arrive at once, and frees the key after a refusal', async () => {
    const [first, again] = await Promise.all([submit('k1', allOn), submit('k1', allOn)])
    expect(first).toMatchObject({ code: 0 })
    expect(again.data.id).toBe(first.data.id)
    expect((await submit('k2', allOn)).data.id).not.toBe(first.data.id)
    expect(
      await submit('k3', buildSingleRequest(offlineLamp.id, { PowerSwitch: 1 })),
    ).toMatchObject({ code: 1001 })
    expect(await submit('k3', allOn)).toMatchObject({ code: 0 })
  })
  it('is refused for another body, and leaves the first task unchanged', async () => {
    const { data } = await submit('k5', allOn)
    expect(await submit('k5', allOff)).toMatchObject({
      code: 422,
      data: { fields: { 'Idempotency-Key': '这个 Idempotency-Key 已用于另一次操作' } },
    })
    expect((await submit('k5', allOn)).data.id).toBe(data.id)
  })
  it('is a new one for another user, after a day, and when the first ended before it began', async () => {
    const { data } = await submit('k4', allOn)
    expect((await submit('k4', allOn, presserToken)).data.id).not.toBe(data.id)
    const ageKeys = (hours: number) =>
      app.app.db.update(idempotencyKey).set({ createTime: getPastTime(hours * hourMs) })
    await ageKeys(23)
    expect((await submit('k4', allOn)).data.id).toBe(data.id)
    await ageKeys(25)
    const next = await submit('k4', allOn)
    expect(next.data.id).not.toBe(data.id)
    await waitForEnd(next.data)
    // This is the state that a process leaves if it is killed before it stores the task.
    await app.app.db.delete(taskTable).where(eq(taskTable.id, next.data.id))
    await app.app.db
      .update(idempotencyKey)
      .set({ state: 'running', leaseTime: new Date(0).toISOString() })
      .where(eq(idempotencyKey.requestId, next.data.id))
    const third = await submit('k4', allOn)
    expect(third.data.id).toBe(next.data.id)
    expect((await submit('k4', allOn)).data.id).toBe(next.data.id)
  })
})

describe('POST /v1/control/cancel', () => {
  it('refuses a finished task', async () => {
    const task = await runToEnd(buildSingleRequest(lampA.id, { Brightness: 20 }))
    await expect(admin().call(controlApi.cancel, { id: task.id })).rejects.toMatchObject({
      msg: '任务已经结束',
    })
  })
  it('waits for entries that were sent', async () => {
    lampBehaviors.set('a', 'silent')
    const task = await startTask(buildSingleRequest(lampA.id, { Brightness: 21 }))
    await waitForCommands(1)
    expect(await admin().call(controlApi.cancel, { id: task.id })).toMatchObject({
      status: 'cancelled',
      doneTime: null,
    })
    expect(await waitForTimeout(task)).toMatchObject({
      status: 'cancelled',
      counts: { timeout: 1 },
    })
  })
  it('refuses to retry or undo a running task', async () => {
    lampBehaviors.set('a', 'silent')
    const task = await startTask(buildSingleRequest(lampA.id, { Brightness: 22 }))
    await expect(admin().call(controlApi.undo, { id: task.id })).rejects.toMatchObject({
      msg: '任务还在执行，请等它结束',
    })
    await waitForTimeout(task)
  })
})

test('GET /v1/control/recent answers with the newest tasks of the project first', async () => {
  const tasks = [
    await runToEnd(buildSingleRequest(lampA.id, { Brightness: 30 })),
    await runToEnd(buildSingleRequest(lampB.id, { Brightness: 31 })),
  ]
  const recent = await admin().call(controlApi.recent, { projectId: 1 })
  expect(recent.slice(0, 2).map(({ id }) => id)).toEqual([tasks[1]!.id, tasks[0]!.id])
})

test('GET /v1/control/recent with a space answers with tasks that reached its devices', async () => {
  const listIn = (spaceId: string) => admin().call(controlApi.recent, { projectId: 1, spaceId })
  await expect(listIn(uuidv7())).rejects.toMatchObject({ code: 404 })
  const emptyFloor = uuidv7()
  await app.app.db.insert(space).values({
    id: emptyFloor,
    projectId: 1,
    parentId: spaces.building,
    type: 'floor',
    name: '空楼层',
    sort: 9,
  })
  const { id } = await runToEnd(buildSingleRequest(lampA.id, { Brightness: 32 }))
  expect((await listIn(spaces.floor))[0]).toMatchObject({ id })
  expect(await listIn(emptyFloor)).toEqual([])
})

describe('permissions', () => {
  it('hide other projects and refuse actions outside the role', async () => {
    const { role } = await import('../../tables/role')
    const { user, userRole } = await import('../../tables/user')
    const db = app.app.db
    const [admin] = await db.select().from(user).where(eq(user.username, 'admin'))
    const createUserWithRights = async (
      name: string,
      deviceRights: DeviceRight[],
      projectIds: number[],
    ) => {
      const author = { createBy: 'test', updateBy: 'test', version: 1 }
      const roleId = uuidv7(),
        userId = uuidv7()
      await db.insert(role).values({
        ...author,
        id: roleId,
        name,
        code: name,
        description: '',
        dataScope: 'assigned',
        deviceRights,
        builtin: false,
        everything: false,
      })
      await db.insert(user).values({
        ...admin!,
        id: userId,
        username: name,
        usernameKey: name,
        projectIds,
        allProjects: false,
        builtin: false,
        mustChangePassword: false,
      })
      await db.insert(userRole).values({ userId, roleId })
      return app.as(name)
    }
    const none = await createUserWithRights('nothing', [], [1])
    await expect(none.call(deviceApi.mapInfo, { projectId: 1 })).rejects.toMatchObject({
      status: 403,
    })
    await expect(none.call(sceneApi.page, { projectId: 1 })).rejects.toMatchObject({ status: 403 })
    const foreign = await createUserWithRights('foreign', ['view', 'control', 'bulkControl'], [2])
    await expect(foreign.call(deviceApi.mapInfo, { projectId: 1 })).rejects.toMatchObject({
      code: 404,
    })
    await expect(foreign.call(controlApi.start, allOff)).rejects.toMatchObject({ code: 404 })
    await expect(foreign.call(controlApi.recent, { projectId: 1 })).rejects.toMatchObject({
      code: 404,
    })
    const finishedTask = await runToEnd(buildSingleRequest(lampA.id, { Brightness: 50 }))
    for (const endpoint of [controlApi.get, controlApi.ledger])
      await expect(foreign.call(endpoint, { id: finishedTask.id })).rejects.toMatchObject({
        code: 404,
      })
    await expect(foreign.call(controlApi.undo, { id: finishedTask.id })).rejects.toMatchObject({
      code: 404,
    })
    const viewer = await createUserWithRights('viewer', ['view'], [1])
    await expect(
      viewer.call(controlApi.start, buildSingleRequest(lampA.id, { PowerSwitch: 1 })),
    ).rejects.toMatchObject({ status: 403, data: { permission: 'home:device:control' } })
    expect(await viewer.call(controlApi.get, { id: finishedTask.id })).toMatchObject({
      id: finishedTask.id,
    })
    const hand = await createUserWithRights('hand', ['view', 'control'], [1])
    await expect(hand.call(controlApi.start, allOff)).rejects.toMatchObject({
      status: 403,
      data: { permission: 'home:device:bulkControl' },
    })
    await expect(
      hand.call(controlApi.start, { kind: 'scene', projectId: 1, sceneId }),
    ).rejects.toMatchObject({ status: 403, data: { permission: 'home:scene:run' } })
    const task = await hand.call(controlApi.start, buildSingleRequest(lampA.id, { PowerSwitch: 1 }))
    expect(task).toMatchObject({ createBy: 'hand' })
    await waitForEnd(task)
  })
})

describe('a task whose process crashed', () => {
  it('is closed with the reason: sent entries are unknown, unsent ones failed, and nothing stays desired', async () => {
    lampBehaviors.set('a', 'silent')
    const { id, ...live } = await startTask(buildSingleRequest(lampA.id, { Brightness: 60 }))
    const isTask = eq(taskTable.id, id)
    await waitUntil(
      async () => (await app.app.db.select().from(taskTable).where(isTask))[0]!,
      (row) => row.counts.sent === 1,
    )
    const deadTask = { ...live, id: uuidv7() }
    const [row] = await app.app.db.select().from(taskTable).where(isTask)
    await app.app.db.insert(taskTable).values({ ...row!, id: deadTask.id, claimedBy: 'gone' })
    await app.app.db.insert(controlLedger).values(
      [lampA, lampB].map(({ id: deviceId }, n) => ({
        projectId: 1,
        taskId: deadTask.id,
        deviceId,
        state: n === 0 ? ('sent' as const) : ('queued' as const),
        reason: '',
        before: {},
        target: { Brightness: 60 },
      })),
    )
    expect((await readStates())[lampA.id]!.desired).toEqual({ Brightness: 60 })
    await app.app.control.engine.open()
    // The desired values belong to the task that is still running.
    expect((await readStates())[lampA.id]!.desired).toEqual({ Brightness: 60 })
    await app.app.db.update(taskTable).set({ doneTime: null }).where(eq(taskTable.id, deadTask.id))
    await app.app.db
      .update(device)
      .set({ wishes: { Brightness: deadTask.id } })
      .where(and(eq(device.projectId, 1), eq(device.id, lampA.id)))
    await app.app.control.engine.open()
    expect((await readStates())[lampA.id]!.desired).toEqual({})
    expect(await admin().call(controlApi.get, { id: deadTask.id })).toMatchObject({
      status: 'done',
      counts: { unknown: 1, failed: 1, sent: 0 },
      doneTime: expect.any(String),
    })
    expect(await readLedger(deadTask)).toMatchObject({
      a: { state: 'unknown', reason: '平台重启' },
      b: { state: 'failed', reason: '平台重启，未下发' },
    })
    expect(await admin().call(controlApi.get, { id })).toMatchObject({ status: 'running' })
    await waitForTimeout({ ...live, id })
  })
})

describe('a shutdown of the platform', () => {
  it('closes open tasks with the results known so far', async () => {
    lampBehaviors.set('a', 'silent')
    const { db, devices } = app.app
    const tasks = createTaskRunner(db, { alone: false, reportError: log.error.bind(log) })
    await tasks.start()
    const engine = createControlEngine(db, tasks, devices, { controlDrainMs: 100 })
    const logSpy = jest.spyOn(log, 'info').mockReturnValue()
    const id = uuidv7()
    const [planned] = await controlQueries(db).devices(1, { ids: [lampA.id] })
    const base = { projectId: 1, taskId: id, target: { Brightness: 70 }, before: {}, reason: '' }
    const author = { ownerId: null, createBy: 'test', title: '设置 · a' }
    const detail = { origin: 'set', permission: 'home:device:control', sourceId: null }
    const row = {
      ...base,
      deviceId: lampA.id,
      state: 'queued' as const,
      sentTime: null,
      doneTime: null,
    }
    await engine.start({ id, projectId: 1, ...author, detail }, [{ device: planned!, row }])
    await waitForCommands(1)
    await engine.close()
    await tasks.close()
    expect(logSpy.mock.calls).toEqual([
      [{ module: 'control' }, '平台停止：1 个控制任务已收尾，0 台未下发，1 台结果未知'],
    ])
    logSpy.mockRestore()
    expect(await admin().call(controlApi.get, { id })).toMatchObject({
      status: 'done',
      counts: { unknown: 1, sent: 0 },
      doneTime: expect.any(String),
    })
    expect(await readLedger({ id })).toMatchObject({ a: { state: 'unknown', reason: '平台停止' } })
  })
})

describe('POST /v1/scene/page', () => {
  it('counts the devices of a scene without protected ones', async () =>
    expect(await admin().call(sceneApi.page, { pageNo: 1, pageSize: 999 })).toMatchObject({
      total: 1,
      list: [{ name: '下班', deviceCount: 6 }],
    }))
})
