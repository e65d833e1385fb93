import { controlApi, type ControlRequest, type ControlTask } from '@iot/shared/contract/control'
import type { Envelope } from '@iot/shared/contract/endpoint'
import { deviceApi, type Values } from '@iot/shared/contract/device'
import { rights, type DeviceRight } from '@iot/shared/contract/homeRights'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { sceneApi } from '@iot/shared/contract/scene'
import { ThingModel } from '@iot/shared/contract/thingModel'
import { and, eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { keyOf } from '../../device-access/alink'
import { connectEdge, type EdgeClient } from '../../device-access/edgeClient'
import { deviceRow, insertDevices, lampModel, productRow, until } from '../../device-access/testing'
import { scene, sceneAction } from '../../tables/scene'
import { device } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { deviceTag } from '../../tables/deviceRecords'
import { space } from '../../tables/space'
import { actionLog } from '../../tables/actionLog'
import { password, secondPassword, testApp, type TestApp } from '../../testing'
import { controlLedger } from '../../tables/control'
import { idempotencyKey } from '../../tables/idempotency'
import { openTasks } from '../../core/tasks/tasks'
import { task as taskTable } from '../../tables/task'
import { openEngine } from './engine'
import { planRequest, preflightOf } from './plan'
import { controlQueries } from './queries'

const lampProduct = productRow('pkLamp', 'sub', {
  model: ThingModel.parse({
    ...lampModel,
    properties: [
      ...lampModel.properties,
      {
        ...{ identifier: 'Operation', name: '操作', accessMode: 'w' },
        dataType: { type: 'enum', specs: { 0: '停', 1: '走' } },
      },
    ],
  }),
})
const edgeProduct = productRow('pkEdge', 'gateway')
const spaces = { building: uuidv7(), floor: uuidv7(), lobby: uuidv7() }
const edge = deviceRow(edgeProduct, 'edge-1')
const lamp = (name: string, more = {}) =>
  deviceRow(lampProduct, name, {
    gatewayId: edge.id,
    spaceId: spaces.lobby,
    floorId: spaces.floor,
    x: 0.5,
    y: 0.5,
    ...more,
  })
const lamps = ['a', 'b', 'c', 'd'].map((name) => lamp(name))
const [a, b, c, d] = lamps as [typeof edge, typeof edge, typeof edge, typeof edge]
const emergency = lamp('emergency', { protected: true })
const away = lamp('away')
const forbidden = lamp('forbidden', { state: 'disabled' })
const elsewhere = deviceRow(lampProduct, 'elsewhere', { projectId: 2 })
const sceneId = uuidv7()

let app: TestApp
let gateway: EdgeClient
/** How each lamp takes a set; by default it accepts and reports. */
const moods = new Map<
  string,
  'error' | 'slowError' | 'silent' | 'accepts' | 'late' | 'refuses' | 'fades' | 'years' | 'minutes'
>()
/** Offsets of the devices' clocks in milliseconds. */
const wrongBy = new Map([
  ['years', Date.UTC(2020, 0, 2) - Date.now()],
  ['minutes', -3 * 60_000],
])
/** What the slow and the late do once they are let. */
const held: (() => void)[] = []
/** Of the lobby, and of devices by name: one in it, one of another type, one that was removed since. */
async function mixedScene() {
  const id = uuidv7()
  const by = { createBy: 'test', updateBy: 'test' }
  await app.app.db
    .insert(scene)
    .values({ ...by, id, projectId: 1, name: '混合', icon: 'BulbOutlined', sort: 2 })
  const action = { projectId: 1, sceneId: id, values: { PowerSwitch: 0 } }
  await app.app.db.insert(sceneAction).values([
    {
      ...{ ...action, sort: 1, productType: 'SAFEWAY_LIGHT' },
      scope: { kind: 'space', spaceId: spaces.lobby },
    },
    {
      ...{ ...action, sort: 2, productType: 'EDGE_HOST' },
      scope: { kind: 'devices', deviceIds: [edge.id, a.id, uuidv7()] },
    },
    {
      ...{ ...action, sort: 3, productType: 'SAFEWAY_LIGHT' },
      scope: { kind: 'devices', deviceIds: [b.id] },
    },
  ])
  return id
}
const groupRow = (name: string, change: Partial<typeof deviceGroup.$inferInsert>) => ({
  ...{ id: uuidv7(), projectId: 1, name, kind: 'rule' as const, description: '' },
  ...{ deviceIds: [], productIds: [], spaceIds: [], tags: [], createBy: '', updateBy: '' },
  ...change,
})
const release = async (count: number) => {
  await until(
    () => held.length,
    (waiting) => waiting === count,
  )
  for (const go of held.splice(0)) go()
}
/** How long a silent lamp is waited for. Nobody waits that long here: the clock is put forward, and goes on by itself else. */
const patience = 20_000
/** So many commands have reached the lamps, and the clock of each runs. */
const arrived = (count: number) =>
  until(
    () => received.length,
    (heard) => heard === count,
  )
async function timeOut(task: ControlTask) {
  await arrived(received.length || 1)
  jest.advanceTimersByTime(patience)
  return ended(task)
}
const received: string[] = []

beforeAll(async () => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['Date', 'performance', 'nextTick'] })
  app = await testApp({ mqttPort: 0, controlTimeout: patience })
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
    [edge, ...lamps, emergency, away, forbidden, elsewhere],
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
  const online = [...lamps, emergency]
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: online,
    // The clock is put forward faster than a ping is answered.
    keepalive: 1200,
    onSet(key, values, { reply, post }) {
      const row = online.find((one) => keyOf(one) === key)!
      received.push(row.deviceName)
      const mood = moods.get(row.deviceName)
      if (mood === 'silent') return
      if (mood === 'error') return reply(500)
      if (mood === 'slowError') return void held.push(() => reply(500))
      // Says yes, and then what it is: what it was, or what it is on the way to what was asked.
      if (mood === 'refuses') return (reply(200), post({ PowerSwitch: 1, Brightness: 80 }))
      if (mood === 'fades')
        return (reply(200), post({ Brightness: 50 }), void held.push(() => post(values)))
      if (mood === 'late') return void held.push(() => (reply(200), post(values)))
      reply(200)
      const offset = wrongBy.get(mood ?? '')
      if (offset !== undefined)
        return post(
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [
              name,
              { value, time: Date.now() + offset },
            ]),
          ),
        )
      if (mood !== 'accepts') post(values)
    },
  })
  for (const one of online) gateway.post(one, { PowerSwitch: 1, Brightness: 80 })
  await until(states, (map) => online.every((one) => map[one.id]?.reported.Brightness === 80))
})
afterAll(async () => {
  jest.useRealTimers()
  await gateway.close()
  await app.close()
})
beforeEach(() => {
  moods.clear()
  received.length = 0
})

const admin = () => app.as('admin')
const states = async () => (await admin().call(deviceApi.mapInfo, { projectId: 1 })).map
const allOff: Extract<ControlRequest, { kind: 'action' }> = {
  kind: 'action',
  productType: 'SAFEWAY_LIGHT',
  actionType: 'all_off',
  projectId: 1,
  scope: { kind: 'project' },
}
const allOn: typeof allOff = { ...allOff, actionType: 'all_on' }
const single = (id: string, values: Values): ControlRequest => ({
  kind: 'set',
  projectId: 1,
  scope: { kind: 'devices', deviceIds: [id] },
  values,
})
const ended = (task: ControlTask) =>
  until(
    () => admin().call(controlApi.get, { id: task.id }),
    (now) => now.doneTime !== null,
  )
const run = async (request: ControlRequest) => ended(await start(request))
const start = (request: ControlRequest) => admin().call(controlApi.start, request)
const ledger = async (task: Pick<ControlTask, 'id'>, state?: string) =>
  Object.fromEntries(
    (await admin().call(controlApi.ledger, { id: task.id, state, pageSize: 999 })).list.map(
      (row) => [row.name, row],
    ),
  )

describe('POST /v1/control/task', () => {
  it('refuses a stranger', () =>
    expect(app.stranger.call(controlApi.start, allOff)).rejects.toMatchObject({ code: 401 }))
  it('refuses a project that does not exist for the caller', async () => {
    await expect(
      admin().call(controlApi.start, single(elsewhere.id, { PowerSwitch: 1 })),
    ).rejects.toMatchObject({ code: 404 })
  })
  it('refuses unknown devices, spaces, actions and scenes', async () => {
    await expect(start(single(uuidv7(), { PowerSwitch: 1 }))).rejects.toMatchObject({
      code: 404,
      msg: '设备不存在或已被删除',
    })
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
  it('says at the field that no device is named', () =>
    expect(
      admin().call(controlApi.start, {
        ...{ kind: 'set', projectId: 1, values: { PowerSwitch: 1 } },
        scope: { kind: 'devices', deviceIds: [] },
      }),
    ).rejects.toMatchObject({
      ...{ code: 422, data: { fields: { 'scope.deviceIds': '请选择设备' } } },
    }))
  it('refuses values the product does not have, and none at all', async () => {
    await expect(start(single(a.id, { Colour: 1 }))).rejects.toMatchObject({
      code: 1001,
      msg: 'a：产品没有功能 Colour',
    })
    await expect(start(single(a.id, { Brightness: 900 }))).rejects.toMatchObject({
      msg: 'a：亮度不能大于 100',
    })
    await expect(start(single(a.id, {}))).rejects.toMatchObject({ code: 1001 })
  })
  it('refuses, already when asked what it would do, a function no product in the scope has', async () => {
    const everywhere = (values: Values): ControlRequest => ({
      kind: 'set',
      projectId: 1,
      scope: { kind: 'project' },
      values,
    })
    await expect(
      admin().call(controlApi.preflight, everywhere({ Colour: 1 })),
    ).rejects.toMatchObject({ code: 1001, msg: expect.stringContaining('产品没有功能 Colour') })
    await expect(
      admin().call(controlApi.preflight, single(edge.id, { PowerSwitch: 1 })),
    ).rejects.toMatchObject({ msg: 'edge-1：产品没有功能“电源开关”' })
    // The lamps are meant, the edge host is not.
    expect(await admin().call(controlApi.preflight, everywhere({ Brightness: 5 }))).toMatchObject({
      affected: 4,
      skipped: { protected: 1, offline: 1, disabled: 1 },
    })
  })
  it('refuses when every device is left out, and says why', () =>
    expect(start(single(away.id, { PowerSwitch: 1 }))).rejects.toMatchObject({
      msg: '没有可以控制的设备：离线 1',
    }))

  it('counts in the database what the task will do, in the project and in each space', async () => {
    const { permission } = rights.bulkControl
    const groups = [
      groupRow('两盏', { kind: 'hand', deviceIds: [a.id, b.id, emergency.id] }),
      groupRow('大堂的灯', { spaceIds: [spaces.lobby], productIds: [lampProduct.id] }),
    ]
    await app.app.db.insert(deviceGroup).values(groups)
    const scopes = [
      { kind: 'project' as const },
      ...Object.values(spaces).map((spaceId) => ({ kind: 'space' as const, spaceId })),
      ...groups.map(({ id: groupId }) => ({ kind: 'group' as const, groupId })),
    ]
    const mixed = await mixedScene()
    for (const request of [
      ...scopes.map((scope) => ({ ...allOff, scope })),
      ...scopes.map((scope) => ({
        ...{ kind: 'set' as const, projectId: 1 },
        ...{ scope, values: { Brightness: 5 } },
      })),
      { kind: 'scene' as const, projectId: 1, sceneId },
      { kind: 'scene' as const, projectId: 1, sceneId: mixed },
    ]) {
      const { planned } = await planRequest(app.app.db, request, permission)
      expect(planned.length).toBeGreaterThan(0)
      const answer = await admin().call(controlApi.preflight, request)
      // What a scene asks differs from device to device: it is not compared with what they say.
      const { already, ...rest } = preflightOf(planned)
      expect(answer).toEqual({ ...rest, already: request.kind === 'scene' ? 0 : already })
    }
    await app.app.db.delete(sceneAction).where(eq(sceneAction.sceneId, mixed))
    await app.app.db.delete(scene).where(eq(scene.id, mixed))
    await app.app.db.delete(deviceGroup)
  })
  it('refuses a group of another project, as one that does not exist', async () => {
    const other = groupRow('别处', { projectId: 2, kind: 'hand', deviceIds: [elsewhere.id, a.id] })
    await app.app.db.insert(deviceGroup).values(other)
    for (const groupId of [other.id, uuidv7()]) {
      const request = { ...allOff, scope: { kind: 'group' as const, groupId } }
      for (const call of [controlApi.preflight, controlApi.start])
        await expect(admin().call(call, request)).rejects.toMatchObject({
          ...{ code: 404, msg: '设备组不存在或已被删除' },
        })
    }
    expect(received).toEqual([])
    await app.app.db.delete(deviceGroup)
  })
  it('switches whom the rule of a group means when it acts, the protected left out, and puts it back', async () => {
    const tagged = { key: '回路', value: 'L1' }
    const group = groupRow('走廊组', { productIds: [lampProduct.id], tags: [tagged] })
    await app.app.db.insert(deviceGroup).values(group)
    const tag = ({ id: deviceId }: typeof a) => ({
      ...{ ...tagged, projectId: 1, deviceId, time: new Date().toISOString() },
    })
    await app.app.db.insert(deviceTag).values([tag(a), tag(emergency)])
    await run(allOn)
    received.length = 0
    const request = { ...allOff, scope: { kind: 'group' as const, groupId: group.id } }
    expect(await admin().call(controlApi.preflight, request)).toMatchObject({
      affected: 1,
      skipped: { protected: 1, offline: 0, disabled: 0 },
    })
    // One that came to it since.
    await app.app.db.insert(deviceTag).values([tag(b)])
    const task = await run(request)
    expect(task).toMatchObject({
      title: '灯光全关 · 走廊组',
      total: 3,
      counts: { success: 2, skipped: 1 },
    })
    expect(received.sort()).toEqual(['a', 'b'])
    const undo = await ended(await admin().call(controlApi.undo, { id: task.id }))
    expect(undo).toMatchObject({ title: '恢复原状：灯光全关 · 走廊组', counts: { success: 2 } })
    const now = await states()
    expect(lamps.map((one) => now[one.id]!.reported.PowerSwitch)).toEqual([1, 1, 1, 1])
    await app.app.db.delete(deviceTag)
    await app.app.db.delete(deviceGroup)
  })
  it('names the whole place of what it was for, and how many were chosen one by one', async () => {
    const lobby = { kind: 'space' as const, spaceId: spaces.lobby }
    const { title } = await run({ ...allOff, scope: lobby })
    expect(title).toBe('灯光全关 · 测试楼 1 层 大堂')
    const both = { kind: 'spaces' as const, spaceIds: [spaces.lobby, spaces.floor] }
    expect(await run({ ...allOff, scope: both })).toMatchObject({
      title: '灯光全关 · 测试楼 1 层 大堂、测试楼 1 层',
      total: 7,
    })
    const gone = { kind: 'spaces' as const, spaceIds: [spaces.lobby, uuidv7()] }
    await expect(admin().call(controlApi.start, { ...allOff, scope: gone })).rejects.toMatchObject({
      code: 404,
    })
    const some = { kind: 'devices' as const, deviceIds: [a.id, b.id] }
    expect(await run({ ...allOff, scope: some })).toMatchObject({ title: '灯光全关 · 选中的 2 盏' })
    await run(allOn)
    received.length = 0
  })
  it('switches all but the protected, absent and disabled, and shows only what they confirmed', async () => {
    const { already, ...preflight } = await admin().call(controlApi.preflight, allOff)
    expect(already).toBeLessThan(4)
    expect(preflight).toEqual({
      affected: 4,
      skipped: { protected: 1, offline: 1, disabled: 1 },
    })
    const task = await run(allOff)
    expect(task).toMatchObject({
      title: '灯光全关 · 整个项目',
      status: 'done',
      total: 7,
      counts: { success: 4, skipped: 3, failed: 0 },
    })
    expect(received.sort()).toEqual(['a', 'b', 'c', 'd'])
    const now = await states()
    expect(lamps.map((one) => now[one.id]!.reported.PowerSwitch)).toEqual([0, 0, 0, 0])
    expect(now[emergency.id]!.reported.PowerSwitch).toBe(1)
    expect((await ledger(task)).a).toMatchObject({
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

  it('names what failed, keeps its state, and retries only that', async () => {
    await run(allOn)
    received.length = 0
    moods.set('a', 'error').set('b', 'silent').set('c', 'accepts').set('d', 'late')
    const begun = await start(allOff)
    await release(1)
    await arrived(4)
    await until(
      () => admin().call(controlApi.get, { id: begun.id }),
      ({ counts }) => counts.success === 1 && counts.failed === 1 && counts.delivered === 1,
    )
    const task = await timeOut(begun)
    expect(task.counts).toMatchObject({ success: 1, confirmed: 1, failed: 1, timeout: 1 })
    expect(await ledger(task, 'failed,timeout')).toMatchObject({
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
    const now = await states()
    expect([a, b, c, d].map((one) => now[one.id]!.reported.PowerSwitch)).toEqual([1, 1, 1, 0])

    moods.clear()
    received.length = 0
    const again = await ended(await admin().call(controlApi.retry, { id: task.id }))
    expect(again).toMatchObject({ origin: 'retry', sourceId: task.id, counts: { success: 2 } })
    expect(received.sort()).toEqual(['a', 'b'])
    await expect(admin().call(controlApi.retry, { id: again.id })).rejects.toMatchObject({
      msg: '没有失败的设备',
    })
    await ended(await admin().call(controlApi.undo, { id: task.id }))
    await expect(admin().call(controlApi.retry, { id: task.id })).rejects.toMatchObject({
      msg: '这个任务已经恢复过原状，不再重试',
    })
  })

  it('puts back what each device had before', async () => {
    await run(allOn)
    await run(single(a.id, { PowerSwitch: 0 }))
    await run(single(b.id, { Brightness: 33 }))
    const task = await run({ kind: 'scene', projectId: 1, sceneId })
    expect(task).toMatchObject({
      title: '场景 · 下班',
      origin: 'scene',
      counts: { success: 4, skipped: 3 },
    })
    expect((await states())[b.id]!.reported).toEqual({ PowerSwitch: 0, Brightness: 5 })
    const undone = await ended(await admin().call(controlApi.undo, { id: task.id }))
    expect(undone).toMatchObject({ title: '恢复原状：场景 · 下班', counts: { success: 4 } })
    const now = await states()
    expect(now[a.id]!.reported.PowerSwitch).toBe(0)
    expect(now[b.id]!.reported).toEqual({ PowerSwitch: 1, Brightness: 33 })

    expect(await admin().call(controlApi.get, { id: task.id })).toMatchObject({
      undoneBy: undone.id,
    })
    for (const again of [controlApi.undo, controlApi.undoPreflight])
      await expect(admin().call(again, { id: task.id })).rejects.toMatchObject({
        msg: '这个任务已经恢复过原状',
      })
  })

  it('says how many are already as they are asked to be, and of when that is not known', async () => {
    await run(allOff)
    expect(await admin().call(controlApi.preflight, allOff)).toMatchObject({
      affected: 4,
      already: 4,
    })
    await run(single(a.id, { PowerSwitch: 1 }))
    expect(await admin().call(controlApi.preflight, allOff)).toMatchObject({ already: 3 })
    const named = { kind: 'devices' as const, deviceIds: [a.id, b.id] }
    expect(await admin().call(controlApi.preflight, { ...allOff, scope: named })).toMatchObject({
      affected: 2,
      already: 1,
    })
  })
  it('says in one line why devices did not follow', async () => {
    received.length = 0
    moods.set(a.deviceName, 'silent')
    const task = await start(single(a.id, { PowerSwitch: 1 }))
    expect((await timeOut(task)).reason).toMatch(/秒内没有应答$/)
    moods.delete(a.deviceName)
  })

  it('is put back once, however fast it is pressed, and says first what was done since', async () => {
    await run(allOn)
    const task = await run(allOff)
    const before = await admin().call(controlApi.undoPreflight, { id: task.id })
    expect(before).toEqual({
      affected: 4,
      already: 0,
      skipped: { protected: 0, offline: 0, disabled: 0 },
      later: { commands: 0, devices: 0 },
    })
    await run(single(a.id, { PowerSwitch: 1 }))
    await run(single(a.id, { PowerSwitch: 0 }))
    await run(single(b.id, { Brightness: 3 }))
    expect(await admin().call(controlApi.undoPreflight, { id: task.id })).toMatchObject({
      later: { commands: 2, devices: 1 },
    })
    const pressed = await Promise.allSettled(
      [1, 2, 3].map(() => admin().call(controlApi.undo, { id: task.id })),
    )
    const begun = pressed.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(begun).toHaveLength(1)
    await ended(begun[0]!)
  })

  it('lets one protected device be switched by hand', async () => {
    expect(await run(single(emergency.id, { PowerSwitch: 0 }))).toMatchObject({
      counts: { success: 1 },
    })
    await run(single(emergency.id, { PowerSwitch: 1 }))
  })

  it('fails at once for a device that leaves meanwhile', async () => {
    moods.set('d', 'silent')
    const task = await start(single(d.id, { Brightness: 1 }))
    await gateway.logout(d)
    expect(await ended(task)).toMatchObject({ counts: { failed: 1 } })
    expect(await ledger(task)).toMatchObject({ d: { reason: '设备离线' } })
    await gateway.login(d)
  })
})

describe('what is asked of a device', () => {
  const ofA = async () => {
    const { reported, desired } = (await states())[a.id]!
    return { brightness: reported.Brightness, desired }
  }
  it('stands beside what it says while a command is on its way, and goes with success, failure and timeout', async () => {
    await run(single(a.id, { Brightness: 10 }))
    expect(await ofA()).toEqual({ brightness: 10, desired: {} })
    for (const [mood, brightness, counts] of [
      ['late', 11, { success: 1 }],
      ['slowError', 11, { failed: 1 }],
      ['silent', 11, { timeout: 1 }],
    ] as const) {
      received.length = 0
      moods.set('a', mood)
      const before = (await ofA()).brightness
      const task = await start(single(a.id, { Brightness: 11 }))
      await arrived(1)
      expect(await ofA()).toEqual({ brightness: before, desired: { Brightness: 11 } })
      if (mood !== 'silent') await release(1)
      expect(await (mood === 'silent' ? timeOut(task) : ended(task))).toMatchObject({ counts })
      expect(await ofA()).toEqual({ brightness, desired: {} })
    }
  })
  it('goes when a cancelled task comes to its end', async () => {
    moods.set('a', 'silent')
    const task = await start(single(a.id, { Brightness: 12 }))
    await arrived(1)
    await admin().call(controlApi.cancel, { id: task.id })
    expect((await ofA()).desired).toEqual({ Brightness: 12 })
    await timeOut(task)
    expect((await ofA()).desired).toEqual({})
  })
  it('is what was asked last', async () => {
    moods.set('a', 'silent')
    const first = await start(single(a.id, { Brightness: 13, PowerSwitch: 1 }))
    await arrived(1)
    const second = await start(single(a.id, { Brightness: 14 }))
    await arrived(2)
    await ended(first)
    expect((await ofA()).desired).toEqual({ Brightness: 14 })
    await timeOut(second)
    expect((await ofA()).desired).toEqual({})
  })
  it('goes on being asked when another task that asked for the same before comes to its end', async () => {
    moods.set('a', 'silent')
    const first = await start(single(a.id, { Brightness: 15, PowerSwitch: 1 }))
    await arrived(1)
    jest.advanceTimersByTime(patience / 2)
    const second = await start(single(a.id, { Brightness: 15 }))
    await arrived(2)
    expect((await ofA()).desired).toEqual({ Brightness: 15, PowerSwitch: 1 })
    jest.advanceTimersByTime(patience / 2)
    await ended(first)
    expect((await ofA()).desired).toEqual({ Brightness: 15 })
    jest.advanceTimersByTime(patience / 2)
    await ended(second)
    expect((await ofA()).desired).toEqual({})
  })
})

describe('a device that answered', () => {
  const brightness = async () => (await states())[a.id]!.reported.Brightness
  beforeEach(() => run(single(a.id, { PowerSwitch: 1, Brightness: 80 })))

  it.each(['years', 'minutes'] as const)(
    'with a clock that is %s behind has done it, for the ledger and for the map',
    async (mood) => {
      for (const value of [31, 32]) {
        moods.set('a', mood)
        const task = await run(single(a.id, { Brightness: value }))
        expect((await ledger(task)).a!.state).toBe('success')
        expect(await brightness()).toBe(value)
        const { clockOffsetMs } = await admin().call(managedDeviceApi.get, { id: a.id })
        expect(clockOffsetMs).toBeLessThan(-179_000)
      }
    },
  )
  it('and reports nothing is 已确认（未上报）, and its state what it last reported', async () => {
    moods.set('a', 'accepts')
    const task = await run(single(a.id, { Brightness: 30 }))
    expect(task.counts).toMatchObject({ confirmed: 1, success: 0 })
    expect(await ledger(task)).toMatchObject({ a: { state: 'confirmed', reason: '' } })
    expect((await states())[a.id]).toMatchObject({ reported: { Brightness: 80 }, desired: {} })
  })
  it('to what it never reports has done it, unless something else was asked with it', async () => {
    moods.set('a', 'accepts')
    const task = await run(single(a.id, { Operation: 1 }))
    expect(await ledger(task)).toMatchObject({ a: { state: 'success', reason: '' } })
    const [command] = await app.as('admin').call(managedDeviceApi.commands, { id: a.id })
    expect(command!.hops.at(-1)).toMatchObject({ at: 'answer', state: 'done', text: '设备已应答' })
    const both = await run(single(a.id, { Operation: 1, Brightness: 30 }))
    expect(await ledger(both)).toMatchObject({ a: { state: 'confirmed' } })
  })
  it('and reports that it did not obey has failed, with what it reported', async () => {
    moods.set('a', 'refuses')
    const task = await run(single(a.id, { Brightness: 30, PowerSwitch: 0 }))
    expect(await ledger(task)).toMatchObject({
      a: { state: 'failed', reason: '应答后上报：电源开关为开启，亮度为 80' },
    })
    expect(await brightness()).toBe(80)
  })
  it('and reports on its way to what was asked is waited for', async () => {
    moods.set('a', 'fades')
    const task = await start(single(a.id, { Brightness: 30 }))
    await until(brightness, (value) => value === 50)
    await release(1)
    expect((await ended(task)).counts).toMatchObject({ success: 1 })
  })
  it('and reports something else while others are still at work has failed, until it reports what was asked', async () => {
    moods.set('a', 'accepts').set('b', 'silent')
    const scope = { kind: 'devices' as const, deviceIds: [a.id, b.id] }
    const task = await start({ kind: 'set', projectId: 1, scope, values: { Brightness: 31 } })
    const becomes = (state: string) =>
      until(
        async () => (await ledger(task)).a!.state,
        (now) => now === state,
      )
    await becomes('confirmed')
    gateway.post(a, { Brightness: 79 })
    await becomes('failed')
    gateway.post(a, { Brightness: 31 })
    await becomes('success')
    expect((await timeOut(task)).counts).toMatchObject({ success: 1, failed: 0, timeout: 1 })
  })
  it('is judged by its product, which is read once for all, and by what it reports meanwhile', async () => {
    moods.set('a', 'accepts').set('b', 'accepts')
    const { db } = app.app
    const read = db.select.bind(db) as (fields?: object) => unknown
    let judged = 0
    const select = jest.spyOn(db, 'select').mockImplementation(((fields?: object) => {
      const isOfModel = Object.keys(fields ?? {}).join() === 'model'
      // The first is read to plan the task.
      if (!isOfModel || received.length < 2) return read(fields)
      judged++
      const where = async () => {
        gateway.post(a, { Brightness: 78 })
        await until(brightness, (value) => value === 78)
        return []
      }
      return { from: () => ({ where }) }
    }) as never)
    const scope = { kind: 'devices' as const, deviceIds: [a.id, b.id] }
    const task = await run({ kind: 'set', projectId: 1, scope, values: { Brightness: 33 } })
    select.mockRestore()
    expect(await ledger(task)).toMatchObject({
      a: { state: 'failed', reason: expect.stringContaining('78') },
      b: { state: 'confirmed' },
    })
    expect(judged).toBe(1)
  })
  it('and was there already, but then reports something else, has failed', async () => {
    moods.set('a', 'accepts').set('b', 'silent')
    const scope = { kind: 'devices' as const, deviceIds: [a.id, b.id] }
    const task = await start({ kind: 'set', projectId: 1, scope, values: { Brightness: 80 } })
    await until(
      async () => (await ledger(task)).a!.state,
      (state) => state === 'success',
    )
    gateway.post(a, { Brightness: 7 })
    await until(
      async () => (await ledger(task)).a!.state,
      (state) => state === 'failed',
    )
    expect((await timeOut(task)).counts).toMatchObject({ failed: 1, timeout: 1 })
  })
})

test('a row is 已下发 in the database before its message leaves', async () => {
  moods.set('a', 'silent')
  const task = await start(single(a.id, { Brightness: 40 }))
  await arrived(1)
  const [row] = await app.app.db
    .select()
    .from(controlLedger)
    .where(eq(controlLedger.taskId, task.id))
  expect(row).toMatchObject({ state: 'sent', sentTime: expect.any(String) })
  await timeOut(task)
})

test('where the disk is full nothing leaves, and the ledger says why as soon as there is room', async () => {
  const { db } = app.app
  const said = jest.spyOn(console, 'error').mockImplementation(() => {})
  await db.execute(sql`
    create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
  await db.execute(
    sql`create trigger no_room before update on control_ledger execute function no_room()`,
  )
  received.length = 0
  const task = await start(allOn)
  await until(
    () => app.as('admin').call(controlApi.get, { id: task.id }),
    ({ counts }) => counts.failed! > 0,
  )
  await db.execute(sql`drop function no_room cascade`)
  const { counts } = await ended(task)
  expect(counts.failed).toBe(task.total - counts.skipped!)
  expect(received).toEqual([])
  for (const row of Object.values(await ledger(task)))
    if (row.state !== 'skipped')
      expect(row).toMatchObject({ state: 'failed', reason: '磁盘空间不足，未下发' })
  said.mockRestore()
})

describe('opposite wishes for the same devices', () => {
  it('end the earlier one as 被后来的操作覆盖, whether its command had left or not', async () => {
    await run(allOn)
    received.length = 0
    for (const one of lamps) moods.set(one.deviceName, 'silent')
    const off = await start(allOff)
    await arrived(4)
    const on = await start(single(a.id, { PowerSwitch: 1 }))
    await until(
      async () => (await ledger(off)).a!.state,
      (state) => state === 'overridden',
    )
    expect((await ledger(off)).a!.reason).toBe('admin：打开 · a')
    expect((await states())[a.id]!.desired).toEqual({ PowerSwitch: 1 })
    expect((await timeOut(off)).counts).toMatchObject({ overridden: 1, timeout: 3 })
    await ended(on)
  })
})

describe('a press that is sent twice', () => {
  let own: string
  let presser: string
  beforeAll(async () => {
    await app.join('presser', 'operator', [1])
    own = await app.login('admin', password)
    presser = await app.login('presser', secondPassword)
  })
  const press = async (key: string, request: ControlRequest, token = own) => {
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
  it('is refused under a key that cannot be one', async () =>
    expect(await press('a b', allOff)).toMatchObject({ code: 422 }))
  it('starts one task, also when both come at the same moment, and is free again after a refusal', async () => {
    const [first, again] = await Promise.all([press('k1', allOn), press('k1', allOn)])
    expect(first).toMatchObject({ code: 0 })
    expect(again.data.id).toBe(first.data.id)
    expect((await press('k2', allOn)).data.id).not.toBe(first.data.id)
    expect(await press('k3', single(away.id, { PowerSwitch: 1 }))).toMatchObject({ code: 1001 })
    expect(await press('k3', allOn)).toMatchObject({ code: 0 })
  })
  it('is refused for anything else than the first was, which stands as it was', async () => {
    const { data } = await press('k5', allOn)
    expect(await press('k5', allOff)).toMatchObject({
      code: 422,
      data: { fields: { 'Idempotency-Key': '这个 Idempotency-Key 已用于另一次操作' } },
    })
    expect((await press('k5', allOn)).data.id).toBe(data.id)
  })
  it('is another one by another user, after a day, and where the first died before it began', async () => {
    const { data } = await press('k4', allOn)
    expect((await press('k4', allOn, presser)).data.id).not.toBe(data.id)
    const age = (hours: number) =>
      app.app.db
        .update(idempotencyKey)
        .set({ createTime: new Date(Date.now() - hours * 3600_000).toISOString() })
    await age(23)
    expect((await press('k4', allOn)).data.id).toBe(data.id)
    await age(25)
    const next = await press('k4', allOn)
    expect(next.data.id).not.toBe(data.id)
    await ended(next.data)
    // As a process leaves them behind that is killed before it enters the task.
    await app.app.db.delete(taskTable).where(eq(taskTable.id, next.data.id))
    await app.app.db
      .update(idempotencyKey)
      .set({ state: 'running', leaseTime: new Date(0).toISOString() })
      .where(eq(idempotencyKey.requestId, next.data.id))
    const third = await press('k4', allOn)
    expect(third.data.id).toBe(next.data.id)
    expect((await press('k4', allOn)).data.id).toBe(next.data.id)
  })
})

describe('POST /v1/control/cancel', () => {
  it('refuses a task that is over', async () => {
    const task = await run(single(a.id, { Brightness: 20 }))
    await expect(admin().call(controlApi.cancel, { id: task.id })).rejects.toMatchObject({
      msg: '任务已经结束',
    })
  })
  it('lets what was sent come to its end', async () => {
    moods.set('a', 'silent')
    const task = await start(single(a.id, { Brightness: 21 }))
    await arrived(1)
    expect(await admin().call(controlApi.cancel, { id: task.id })).toMatchObject({
      status: 'cancelled',
      doneTime: null,
    })
    expect(await timeOut(task)).toMatchObject({ status: 'cancelled', counts: { timeout: 1 } })
  })
  it('refuses to retry or undo a task that still runs', async () => {
    moods.set('a', 'silent')
    const task = await start(single(a.id, { Brightness: 22 }))
    await expect(admin().call(controlApi.undo, { id: task.id })).rejects.toMatchObject({
      msg: '任务还在执行，请等它结束',
    })
    await timeOut(task)
  })
})

test('GET /v1/control/recent answers the newest tasks of the project first', async () => {
  const tasks = [
    await run(single(a.id, { Brightness: 30 })),
    await run(single(b.id, { Brightness: 31 })),
  ]
  const recent = await admin().call(controlApi.recent, { projectId: 1 })
  expect(recent.slice(0, 2).map(({ id }) => id)).toEqual([tasks[1]!.id, tasks[0]!.id])
})

describe('rights', () => {
  it('hide other projects and refuse what the role does not hold', async () => {
    const { role } = await import('../../tables/role')
    const { user, userRole } = await import('../../tables/user')
    const db = app.app.db
    const [admin] = await db.select().from(user).where(eq(user.username, 'admin'))
    const make = async (name: string, deviceRights: DeviceRight[], projectIds: number[]) => {
      const by = { createBy: 'test', updateBy: 'test', version: 1 }
      const roleId = uuidv7(),
        userId = uuidv7()
      await db.insert(role).values({
        ...by,
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
    const none = await make('nothing', [], [1])
    await expect(none.call(deviceApi.mapInfo, { projectId: 1 })).rejects.toMatchObject({
      status: 403,
    })
    await expect(none.call(sceneApi.page, { projectId: 1 })).rejects.toMatchObject({ status: 403 })
    const foreign = await make('foreign', ['view', 'control', 'bulkControl'], [2])
    await expect(foreign.call(deviceApi.mapInfo, { projectId: 1 })).rejects.toMatchObject({
      code: 404,
    })
    await expect(foreign.call(controlApi.start, allOff)).rejects.toMatchObject({ code: 404 })
    await expect(foreign.call(controlApi.recent, { projectId: 1 })).rejects.toMatchObject({
      code: 404,
    })
    const done = await run(single(a.id, { Brightness: 50 }))
    for (const read of [controlApi.get, controlApi.ledger])
      await expect(foreign.call(read, { id: done.id })).rejects.toMatchObject({ code: 404 })
    await expect(foreign.call(controlApi.undo, { id: done.id })).rejects.toMatchObject({
      code: 404,
    })
    const viewer = await make('viewer', ['view'], [1])
    await expect(
      viewer.call(controlApi.start, single(a.id, { PowerSwitch: 1 })),
    ).rejects.toMatchObject({ status: 403, data: { permission: 'home:device:control' } })
    expect(await viewer.call(controlApi.get, { id: done.id })).toMatchObject({ id: done.id })
    const hand = await make('hand', ['view', 'control'], [1])
    await expect(hand.call(controlApi.start, allOff)).rejects.toMatchObject({
      status: 403,
      data: { permission: 'home:device:bulkControl' },
    })
    await expect(
      hand.call(controlApi.start, { kind: 'scene', projectId: 1, sceneId }),
    ).rejects.toMatchObject({ status: 403, data: { permission: 'home:scene:run' } })
    const task = await hand.call(controlApi.start, single(a.id, { PowerSwitch: 1 }))
    expect(task).toMatchObject({ createBy: 'hand' })
    await ended(task)
  })
})

describe('a task whose process died', () => {
  it('is closed with the reason: what was sent has no known result, what was not has failed, and nothing is asked any more', async () => {
    moods.set('a', 'silent')
    const { id, ...live } = await start(single(a.id, { Brightness: 60 }))
    const of = eq(taskTable.id, id)
    await until(
      async () => (await app.app.db.select().from(taskTable).where(of))[0]!,
      (row) => row.counts.sent === 1,
    )
    const dead = { ...live, id: uuidv7() }
    const [row] = await app.app.db.select().from(taskTable).where(of)
    await app.app.db.insert(taskTable).values({ ...row!, id: dead.id, claimedBy: 'gone' })
    await app.app.db.insert(controlLedger).values(
      [a, b].map(({ id: deviceId }, n) => ({
        projectId: 1,
        taskId: dead.id,
        deviceId,
        state: n === 0 ? ('sent' as const) : ('queued' as const),
        reason: '',
        before: {},
        target: { Brightness: 60 },
      })),
    )
    expect((await states())[a.id]!.desired).toEqual({ Brightness: 60 })
    await app.app.tasks.sweep()
    // It is the living one that asks.
    expect((await states())[a.id]!.desired).toEqual({ Brightness: 60 })
    await app.app.db.update(taskTable).set({ doneTime: null }).where(eq(taskTable.id, dead.id))
    await app.app.db
      .update(device)
      .set({ wishes: { Brightness: dead.id } })
      .where(and(eq(device.projectId, 1), eq(device.id, a.id)))
    await app.app.tasks.sweep()
    expect((await states())[a.id]!.desired).toEqual({})
    expect(await admin().call(controlApi.get, { id: dead.id })).toMatchObject({
      status: 'done',
      counts: { unknown: 1, failed: 1, sent: 0 },
      doneTime: expect.any(String),
    })
    expect(await ledger(dead)).toMatchObject({
      a: { state: 'unknown', reason: '平台重启' },
      b: { state: 'failed', reason: '平台重启，未下发' },
    })
    expect(await admin().call(controlApi.get, { id })).toMatchObject({ status: 'running' })
    await timeOut({ ...live, id })
  })
})

describe('a platform that stops', () => {
  it('closes what is open with what is known of it', async () => {
    moods.set('a', 'silent')
    const { db, devices } = app.app
    const tasks = openTasks(db, { alone: false, reportError: console.error })
    await tasks.begin()
    const engine = openEngine(db, tasks, devices, { farewell: 100 })
    const said = jest.spyOn(console, 'log').mockReturnValue()
    const id = uuidv7()
    const [planned] = await controlQueries(db).devices(1, { ids: [a.id] })
    const base = { projectId: 1, taskId: id, target: { Brightness: 70 }, before: {}, reason: '' }
    const by = { ownerId: null, createBy: 'test', title: '设置 · a' }
    const detail = { origin: 'set', permission: 'home:device:control', sourceId: null }
    const row = {
      ...base,
      deviceId: a.id,
      state: 'queued' as const,
      sentTime: null,
      doneTime: null,
    }
    await engine.start({ id, projectId: 1, ...by, detail }, [{ device: planned!, row }])
    await arrived(1)
    await engine.close()
    await tasks.close()
    expect(said.mock.calls).toEqual([['平台停止：1 个控制任务已收尾，0 台未下发，1 台结果未知']])
    said.mockRestore()
    expect(await admin().call(controlApi.get, { id })).toMatchObject({
      status: 'done',
      counts: { unknown: 1, sent: 0 },
      doneTime: expect.any(String),
    })
    expect(await ledger({ id })).toMatchObject({ a: { state: 'unknown', reason: '平台停止' } })
  })
})

describe('POST /v1/scene/page', () => {
  it('counts the devices a scene touches, without the protected', async () =>
    expect(await admin().call(sceneApi.page, { pageNo: 1, pageSize: 999 })).toMatchObject({
      total: 1,
      list: [{ name: '下班', deviceCount: 6 }],
    }))
})
