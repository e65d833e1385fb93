import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import type { ControlRequest } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { dayMs, hourMs } from '@iot/shared/contract/duration'
import { responseCodes } from '@iot/shared/contract/endpoint'
import type {
  ManualOverrideDraft,
  OverrideScope,
} from '@iot/shared/contract/control/manualOverride.schema'
import { manualOverrideApi } from '@iot/shared/contract/control/manualOverride.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceKey } from '../../device-access/protocol/alink'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { manualOverride } from '../../tables/control'
import { scene, sceneAction, sceneRun } from '../../tables/scene'
import { space } from '../../tables/space'
import { ownApp, type TestApp } from '../../testing'
import { planRequest } from './plan'
import { summarizePlan } from './preflight'

const lampProduct = productRow('pkHeldLamp', 'sub')
const edgeProduct = productRow('pkHeldEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'held-edge')
const [floorId, lobbyId, hallId] = [uuidv7(), uuidv7(), uuidv7()]
const buildLamp = (name: string, spaceId: string) =>
  deviceRow(lampProduct, name, { gatewayId: edge.id, spaceId })
const [lobbyA, lobbyB, hall] = [
  buildLamp('大堂 1', lobbyId),
  buildLamp('大堂 2', lobbyId),
  buildLamp('门厅 1', hallId),
]
const lamps = [lobbyA, lobbyB, hall]
const sceneId = uuidv7()

let app: TestApp
let gateway: EdgeClient
/** Names of the lamps that received a command. */
const commandedLamps: string[] = []

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0 })
  const { db } = app.app
  const place = { projectId: 1, sort: 1 }
  await db.insert(space).values([
    { ...place, id: floorId, parentId: null, type: 'floor', name: '1 层' },
    { ...place, id: lobbyId, parentId: floorId, type: 'area', name: '大堂' },
    { ...place, id: hallId, parentId: floorId, type: 'area', name: '门厅' },
  ])
  await insertDevices(db, [lampProduct, edgeProduct], [edge, ...lamps])
  const author = { createBy: 'test', updateBy: 'test' }
  await db
    .insert(scene)
    .values({ ...author, id: sceneId, projectId: 1, name: '下班', icon: 'BulbOutlined', sort: 1 })
  const action = { projectId: 1, sceneId, productType: lampProduct.productType }
  await db.insert(sceneAction).values([
    { ...action, sort: 1, scope: { kind: 'space', spaceId: hallId }, values: { PowerSwitch: 0 } },
    {
      ...action,
      sort: 2,
      scope: { kind: 'space', spaceId: lobbyId },
      values: { PowerSwitch: 0 },
      delay: 2,
    },
  ])
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet(key, values, { reply, post }) {
      commandedLamps.push(lamps.find((one) => deviceKey(one) === key)!.name)
      reply(200)
      post(values)
    },
  })
  for (const one of lamps) gateway.post(one, { PowerSwitch: 1 })
  await waitUntil(
    () => app.as('admin').call(controlApi.preflight, allOff),
    ({ affected }) => affected === 3,
  )
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  await app.app.db.delete(manualOverride)
  commandedLamps.length = 0
})

const joinOperator = () => app.join('zhangsan', 'operator', [1])
const joinColleague = () => app.join('late', 'operator', [1])
const joinElsewhere = () => app.join('elsewhere', 'operator', [2])
const joinVisitor = () => app.join('onlooker', 'visitor', [1])
const lobby: OverrideScope = { kind: 'space', spaceId: lobbyId }
const floorScope: OverrideScope = { kind: 'space', spaceId: floorId }
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()
const hold = async (
  scope: OverrideScope,
  change: Partial<ManualOverrideDraft> = {},
  joinUser = joinOperator,
) =>
  (await joinUser()).call(manualOverrideApi.create, {
    projectId: 1,
    scope,
    until: inHours(1),
    reason: '会议',
    ...change,
  })
const listHeld = async (joinUser = joinColleague) =>
  (await joinUser()).call(manualOverrideApi.list, { projectId: 1 })

const allOff: ControlRequest = {
  kind: 'action',
  projectId: 1,
  scope: { kind: 'project' },
  productType: lampProduct.productType,
  actionType: 'all_off',
}
const switchOne = (
  { id }: { id: string },
  PowerSwitch: number,
  onOverride?: 'end' | 'bypass',
): ControlRequest => ({
  kind: 'set',
  projectId: 1,
  scope: { kind: 'devices', deviceIds: [id] },
  values: { PowerSwitch },
  onOverride,
})
const start = async (request: ControlRequest, joinUser = joinColleague) =>
  (await joinUser()).call(controlApi.start, request)
const waitForEnd = (id: string) =>
  waitUntil(
    async () => (await joinColleague()).call(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
const runToEnd = async (request: ControlRequest) => waitForEnd((await start(request)).id)
const readSkipped = async (id: string) =>
  (await (await joinColleague()).call(controlApi.ledger, { id, state: 'skipped' })).list.map(
    ({ name, reason }) => `${name}：${reason}`,
  )

test('the overrides of a space are those that hold it, something around or below it, or a device in it', async () => {
  const listIn = async (spaceId: string) =>
    (await (await joinColleague()).call(manualOverrideApi.list, { projectId: 1, spaceId })).map(
      ({ place }) => place,
    )
  await expect(listIn(uuidv7())).rejects.toMatchObject({ code: 404 })
  await hold(lobby)
  await hold({ kind: 'devices', deviceIds: [hall.id] })
  expect((await listIn(floorId)).sort()).toEqual(['大堂', '门厅 1'].sort())
  expect(await listIn(hallId)).toEqual(['门厅 1'])
  await hold(floorScope)
  expect((await listIn(hallId)).sort()).toEqual(['1 层', '门厅 1'].sort())
})

describe('holding devices', () => {
  it('is refused without the permission, in another project, and for places that are missing', async () => {
    await expect(hold(lobby, {}, joinVisitor)).rejects.toMatchObject({ status: 403 })
    await expect(hold(lobby, {}, joinElsewhere)).rejects.toMatchObject({ code: 404 })
    await expect(hold({ kind: 'space', spaceId: uuidv7() })).rejects.toMatchObject({
      msg: '空间不存在或已被删除',
    })
    await expect(hold({ kind: 'devices', deviceIds: [lobbyA.id, uuidv7()] })).rejects.toMatchObject(
      { msg: '设备不存在或已被删除' },
    )
    await expect(listHeld(joinElsewhere)).rejects.toMatchObject({ code: 404 })
    expect(await listHeld()).toEqual([])
  })
  it.each([
    ['in the past', () => inHours(-1)],
    ['after more than a week', () => new Date(Date.now() + 8 * dayMs).toISOString()],
  ])('is refused with an end %s', async (_, getUntil) => {
    await expect(hold(lobby, { until: getUntil() })).rejects.toMatchObject({
      data: { fields: { until: '结束时间须晚于现在，最长 7 天' } },
    })
  })
  it('is refused with a reason of two lines', async () => {
    await expect(hold(lobby, { reason: '一\n二' })).rejects.toMatchObject({
      data: { fields: { reason: '原因不能含换行和不可见的控制字符' } },
    })
  })
  it('shows who holds what and until when to everybody who sees the project', async () => {
    const until = inHours(2)
    await hold(floorScope, { until })
    expect(await listHeld()).toMatchObject([
      {
        place: '1 层',
        devices: 3,
        unit: '盏',
        until,
        reason: '会议',
        createByName: 'zhangsan',
        deviceIds: [],
      },
    ])
    expect((await listHeld())[0]!.spaceIds.sort()).toEqual([floorId, lobbyId, hallId].sort())
  })
})

describe('a bulk command', () => {
  it('skips held lamps, counts them apart and says by whom and until when', async () => {
    await hold(lobby)
    const preflight = await (await joinColleague()).call(controlApi.preflight, allOff)
    expect(preflight).toMatchObject({ affected: 1, skipped: { held: 2, offline: 0 } })
    const task = await runToEnd(allOff)
    expect(task).toMatchObject({ counts: { success: 1, skipped: 2 }, total: 3, held: 2 })
    expect(await readSkipped(task.id)).toEqual([
      expect.stringMatching(/^大堂 1：手动保持至 (\d\d-\d\d )?\d\d:\d\d（zhangsan）$/),
      expect.stringMatching(/^大堂 2：手动保持至 /),
    ])
    expect(commandedLamps).toEqual(['门厅 1'])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '控制任务', pageSize: 1 })
    expect(log.list[0]!.changes).toContainEqual(
      expect.objectContaining({ title: '跳过', after: '2 盏（手动保持 2）' }),
    )
  })
  it('of a timed scene is recorded as not carried out, not as failed, if every lamp is held', async () => {
    await hold(floorScope)
    const { scenes, db: database } = app.app
    await scenes.start({ projectId: 1, id: sceneId }, 'timer', { dueMs: Date.now() })
    await scenes.idle()
    expect(
      await database
        .select({ status: sceneRun.status, reason: sceneRun.reason })
        .from(sceneRun)
        .where(eq(sceneRun.cause, 'timer')),
    ).toEqual([
      {
        status: 'skipped',
        reason: '没有可以控制的设备：手动保持 1；没有可以控制的设备：手动保持 2',
      },
    ])
    expect(commandedLamps).toEqual([])
  })
  it('is refused if every lamp is held, or if it asks to act in spite of an override', async () => {
    await hold(floorScope)
    await expect(start(allOff)).rejects.toMatchObject({ msg: '没有可以控制的设备：手动保持 3' })
    const request: ControlRequest = {
      kind: 'set',
      projectId: 1,
      scope: { kind: 'devices', deviceIds: lamps.map(({ id }) => id) },
      values: { PowerSwitch: 0 },
      onOverride: 'bypass',
    }
    await expect(start(request)).rejects.toMatchObject({
      msg: '手动保持只能在控制单台设备时解除或越过',
    })
    expect(commandedLamps).toEqual([])
  })
  it.each<[string, OverrideScope]>([
    ['a room', lobby],
    ['a floor', floorScope],
    ['single lamps', { kind: 'devices', deviceIds: [lobbyA.id, hall.id] }],
  ])('has the same preflight and plan while %s is held', async (_, scope) => {
    await hold(scope)
    for (const request of [
      allOff,
      { kind: 'scene', projectId: 1, sceneId } as const,
      {
        kind: 'set',
        projectId: 1,
        scope: { kind: 'space', spaceId: floorId },
        values: { PowerSwitch: 0 },
      } as const,
    ]) {
      const { planned } = await planRequest(
        app.app.db,
        request,
        request.kind === 'scene' ? 'home:scene:run' : 'home:device:bulkControl',
      )
      const preflight = await (await joinColleague()).call(controlApi.preflight, request)
      const { affected, skipped } = summarizePlan(planned)
      expect(preflight).toMatchObject({ affected, skipped })
      expect(skipped.held).toBeGreaterThan(0)
    }
  })
})

describe('a scene', () => {
  it('decides for each step when the step runs', async () => {
    const request: ControlRequest = { kind: 'scene', projectId: 1, sceneId }
    const firstTask = await start(request)
    await hold({ kind: 'devices', deviceIds: [lobbyA.id] })
    await waitForEnd(firstTask.id)
    const run = await waitUntil(
      async () =>
        (await (await joinColleague()).call(sceneApi.runs, { id: sceneId, pageSize: 1 })).list[0]!,
      ({ doneTime }) => doneTime !== null,
    )
    expect(run.tasks.map(({ counts }) => [counts.success, counts.skipped])).toEqual([
      [1, 0],
      [1, 1],
    ])
    expect(commandedLamps).toEqual(['门厅 1', '大堂 2'])
  })
})

describe('a direct command to a held lamp', () => {
  it('is refused with the override until the user decides', async () => {
    await hold(lobby)
    await expect(start(switchOne(lobbyA, 1))).rejects.toMatchObject({
      code: responseCodes.held,
      msg: expect.stringMatching(/^大堂 1：手动保持至 .*（zhangsan）$/),
      data: { reason: '会议', isOnlyThis: false },
    })
    expect(commandedLamps).toEqual([])
  })
  it('acts in spite of the override, which goes on, and can be undone', async () => {
    await hold(lobby)
    const task = await runToEnd(switchOne(lobbyA, 1, 'bypass'))
    expect(task).toMatchObject({ counts: { success: 1 }, held: 0 })
    expect(await listHeld()).toHaveLength(1)
    const undo = await (await joinColleague()).call(controlApi.undo, { id: task.id })
    expect(await waitForEnd(undo.id)).toMatchObject({ counts: { success: 1, skipped: 0 } })
  })
  it('ends the override, and records who did so', async () => {
    await hold(lobby)
    await runToEnd(switchOne(lobbyA, 1, 'end'))
    expect(await listHeld()).toEqual([])
    expect(commandedLamps).toEqual(['大堂 1'])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '手动保持', pageSize: 2 })
    expect(log.list).toMatchObject([
      { username: 'late', entityName: '大堂' },
      { username: 'zhangsan', verb: '手动保持', entityName: '大堂' },
    ])
  })
})

describe('ending an override', () => {
  it('is refused without the permission, in another project, and after its end', async () => {
    await hold(lobby)
    const { id } = (await listHeld())[0]!
    await expect((await joinVisitor()).call(manualOverrideApi.end, { id })).rejects.toMatchObject({
      status: 403,
    })
    await expect((await joinElsewhere()).call(manualOverrideApi.end, { id })).rejects.toMatchObject(
      { code: 404 },
    )
    await (await joinColleague()).call(manualOverrideApi.end, { id })
    await expect((await joinOperator()).call(manualOverrideApi.end, { id })).rejects.toMatchObject({
      msg: '手动保持已经解除',
    })
  })
  it('happens at its time by the row alone', async () => {
    await hold(floorScope)
    await app.app.db.update(manualOverride).set({ until: sql`now() - interval '1 second'` })
    expect(await listHeld()).toEqual([])
    expect(await runToEnd(allOff)).toMatchObject({ counts: { skipped: 0 } })
  })
})
