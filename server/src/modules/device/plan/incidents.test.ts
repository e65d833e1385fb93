import { deviceApi } from '@iot/shared/contract/device/device.api'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { setTimeout as pause } from 'node:timers/promises'
import { createHistoryPartitions } from '../../../core/db/historyPartitions'
import { deviceRow, insertDevices, productRow } from '../../../device-access/testing'
import { controlLedger } from '../../../tables/control'
import {
  device,
  deviceCredential,
  deviceEvent,
  product,
  propertyHistory,
} from '../../../tables/device'
import { deviceGroup } from '../../../tables/deviceGroup'
import { project } from '../../../tables/project'
import { scene, sceneRun } from '../../../tables/scene'
import { space } from '../../../tables/space'
import { task } from '../../../tables/task'
import { ownApp, type TestApp } from '../../../testing'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const coolerProduct = productRow('pkCooler', 'sub', { productType: 'COOLER' })
const sensorProduct = productRow('pkPresence', 'sub', { productType: 'PRESENCE_SENSOR' })
const [building, floor, lobby, hall] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()] as const
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const positionIn = (spaceId: string) => ({ floorId: floor, spaceId, x: 0.5, y: 0.5 })
const onlineState = (PowerSwitch: number) => ({
  state: 'online' as const,
  reported: { PowerSwitch },
})

let app: TestApp
beforeAll(async () => {
  app = await ownApp()
})
beforeEach(async () => {
  const row = { projectId: 1, sort: 1 }
  await app.app.db.insert(space).values([
    { ...row, id: building, parentId: null, type: 'building', name: '一号楼' },
    { ...row, id: floor, parentId: building, type: 'floor', name: '1 层' },
    { ...row, id: lobby, parentId: floor, type: 'area', name: '大堂' },
    { ...row, id: hall, parentId: floor, type: 'area', name: '走廊' },
  ])
})
// The tests share one platform, because a new one per test would take ten times as long.
afterEach(async () => {
  const writtenTables = [
    controlLedger,
    task,
    deviceEvent,
    propertyHistory,
    sceneRun,
    scene,
    deviceGroup,
  ]
  for (const table of [...writtenTables, deviceCredential, device, product, space])
    await app.app.db.delete(table)
  await app.app.db.update(project).set({ status: 'running', litHoldMinutes: 15 })
})
afterAll(() => app.close())
/** Answers are shared for 1.5 seconds, so the test waits for a new one. */
const fetchProblems = async () => {
  await pause(1600)
  return app.as('admin').call(deviceApi.problems, { projectId: 1 })
}

const fetchProblemsIn = (where: { spaceId?: string; groupId?: string }) =>
  app.as('admin').call(deviceApi.problems, { projectId: 1, ...where })
/** Creates a group of named devices. */
async function createGroup(...devices: { id: string }[]) {
  const id = uuidv7()
  const emptyRule = { productIds: [], spaceIds: [], tags: [], description: '' }
  await app.app.db.insert(deviceGroup).values({
    id,
    projectId: 1,
    name: `组 ${id}`,
    kind: 'hand',
    ...emptyRule,
    deviceIds: devices.map((item) => item.id),
    createBy: 'admin',
    updateBy: 'admin',
  })
  return id
}

/** Inserts a past task that requested a value of a lamp, with its outcome. */
async function insertPastTask(
  lamp: { id: string },
  minutes: number,
  state: 'failed' | 'timeout' | 'success' | 'skipped',
  PowerSwitch: number,
) {
  const id = uuidv7()
  const time = minutesAgo(minutes)
  const taskFields = { projectId: 1, createTime: time, updateTime: time, doneTime: time }
  await app.app.db.insert(task).values({
    id,
    kind: 'control',
    title: '关闭',
    ownerId: null,
    createBy: 'admin',
    status: 'done',
    counts: { [state]: 1 },
    total: 1,
    reason: '',
    file: null,
    detail: {},
    listed: false,
    claimedBy: uuidv7(),
    ...taskFields,
  } as typeof task.$inferInsert)
  await app.app.db.insert(controlLedger).values({
    projectId: 1,
    taskId: id,
    deviceId: lamp.id,
    state,
    reason: '驱动电源故障',
    before: {},
    target: { PowerSwitch },
    sentTime: time,
    doneTime: time,
  })
}

describe('the list of current states', () => {
  it('contains an offline edge host, and not each lamp behind it', async () => {
    const edge = deviceRow(edgeProduct, 'edge', { state: 'offline', reportedTime: minutesAgo(5) })
    const behindEdge = deviceRow(lampProduct, 'l1', {
      ...positionIn(lobby),
      state: 'offline',
      gatewayId: edge.id,
    })
    const standaloneLamp = deviceRow(lampProduct, 'l2', {
      ...positionIn(lobby),
      state: 'offline',
      reportedTime: minutesAgo(3),
    })
    const disabledLamp = deviceRow(lampProduct, 'l3', { ...positionIn(lobby), state: 'disabled' })
    await insertDevices(
      app.app.db,
      [edgeProduct, lampProduct],
      [edge, behindEdge, standaloneLamp, disabledLamp],
    )
    const { list, counts } = await fetchProblems()
    expect(list.map(({ kind, id, reason }) => [kind, id, reason])).toEqual([
      ['edge', edge.id, '离线，带 1 台设备'],
      ['offline', standaloneLamp.id, '离线'],
    ])
    expect(counts).toMatchObject({ edge: 1, offline: 1, failed: 0, lit: 0 })
  })

  it('counts all by kind when more exist than are listed', async () => {
    const upperFloorId = uuidv7()
    const row = { projectId: 1, sort: 2, parentId: building, type: 'floor' as const }
    await app.app.db.insert(space).values({ ...row, id: upperFloorId, name: '2 层' })
    const offlineState = { state: 'offline' as const, reportedTime: minutesAgo(5) }
    const lowerLamps = Array.from({ length: 60 }, (_, n) =>
      deviceRow(lampProduct, `below${n}`, { ...positionIn(lobby), ...offlineState }),
    )
    // These devices went offline later, so that none of them is among the first incidents.
    const upperLamps = Array.from({ length: 3 }, (_, n) =>
      deviceRow(lampProduct, `above${n}`, {
        floorId: upperFloorId,
        spaceId: upperFloorId,
        ...offlineState,
        reportedTime: minutesAgo(1),
      }),
    )
    const litLamps = Array.from({ length: 52 }, (_, n) =>
      deviceRow(lampProduct, `lit${n}`, { ...positionIn(lobby), ...onlineState(1) }),
    )
    await insertDevices(app.app.db, [lampProduct], [...lowerLamps, ...upperLamps, ...litLamps])
    for (const [n, lamp] of litLamps.entries())
      await insertPastTask(lamp, 60 - n, n < 5 ? 'failed' : 'timeout', 0)
    const { list, counts } = await fetchProblems()
    expect(list.filter(({ kind }) => kind === 'offline')).toHaveLength(50)
    expect(counts).toMatchObject({ offline: 63, failed: 5, timeout: 47 })
  })

  it('contains a lamp whose last command failed, until one succeeds or the lamp follows late', async () => {
    const [failedLamp, silentLamp, mendedLamp, lateLamp] = ['a', 'b', 'c', 'd'].map((name) =>
      deviceRow(lampProduct, name, { ...positionIn(lobby), ...onlineState(name === 'd' ? 0 : 1) }),
    ) as [ReturnType<typeof deviceRow>, ...ReturnType<typeof deviceRow>[]] &
      Record<number, ReturnType<typeof deviceRow>>
    await insertDevices(
      app.app.db,
      [lampProduct],
      [failedLamp, silentLamp!, mendedLamp!, lateLamp!],
    )
    await insertPastTask(failedLamp, 8, 'failed', 0)
    await insertPastTask(silentLamp!, 7, 'timeout', 0)
    await insertPastTask(silentLamp!, 6, 'skipped', 0)
    await insertPastTask(mendedLamp!, 5, 'failed', 0)
    await insertPastTask(mendedLamp!, 4, 'success', 1)
    await insertPastTask(lateLamp!, 3, 'timeout', 0)
    const { list } = await fetchProblems()
    expect(list.map(({ kind, id }) => [kind, id])).toEqual([
      ['failed', failedLamp.id],
      ['timeout', silentLamp!.id],
    ])
    expect(list[0]).toMatchObject({ reason: '驱动电源故障', spaceId: lobby, floorId: floor })
    expect(Date.now() - Date.parse(list[0]!.since!)).toBeGreaterThan(7 * 60_000)
  })

  it('contains faults reported within a day', async () => {
    const lamp = deviceRow(lampProduct, 'l1', { ...positionIn(lobby), ...onlineState(0) })
    await insertDevices(app.app.db, [lampProduct], [lamp])
    const eventFields = { projectId: 1, deviceId: lamp.id, identifier: 'Error', params: {} }
    await app.app.db.insert(deviceEvent).values([
      { ...eventFields, type: 'error', time: minutesAgo(26 * 60) },
      { ...eventFields, type: 'error', time: minutesAgo(20) },
      { ...eventFields, type: 'info', time: minutesAgo(10) },
    ])
    const { list } = await fetchProblems()
    expect(list).toMatchObject([{ kind: 'fault', id: lamp.id, reason: '上报故障 Error' }])
    expect(Date.now() - Date.parse(list[0]!.since!)).toBeLessThan(21 * 60_000)
  })

  it('contains lights on without occupancy, since the last detection', async () => {
    const sensor = (name: string, spaceId: string, PresenceState: number) =>
      deviceRow(sensorProduct, name, {
        ...positionIn(spaceId),
        state: 'online',
        reported: { PresenceState },
        reportedAt: { PresenceState: Date.parse(minutesAgo(30)) },
      })
    const emptySensor = sensor('empty', lobby, 0)
    const lamps = [
      deviceRow(lampProduct, 'lit', { ...positionIn(lobby), ...onlineState(1) }),
      deviceRow(lampProduct, 'dark', { ...positionIn(lobby), ...onlineState(0) }),
      deviceRow(lampProduct, 'exit', { ...positionIn(lobby), ...onlineState(1), protected: true }),
      deviceRow(lampProduct, 'other', { ...positionIn(hall), ...onlineState(1) }),
      // This device has the switch property of a light but another product type.
      deviceRow(coolerProduct, 'cooler', { ...positionIn(lobby), ...onlineState(1) }),
    ]
    await insertDevices(
      app.app.db,
      [lampProduct, sensorProduct, coolerProduct],
      [emptySensor, sensor('busy', hall, 1), sensor('blind', hall, 0), ...lamps],
    )
    await createHistoryPartitions(app.app.db).prepare([Date.parse(minutesAgo(42))])
    await app.app.db.insert(propertyHistory).values({
      projectId: 1,
      deviceId: emptySensor.id,
      identifier: 'PresenceState',
      value: 1,
      time: minutesAgo(42),
    })
    const { list } = await fetchProblems()
    expect(list).toMatchObject([
      { kind: 'lit', id: lobby, name: '大堂', reason: '亮着 1 盏，没有人', floorId: floor },
    ])
    expect(list[0]!.deviceIds).toEqual([lamps[0]!.id])
    expect(Math.round((Date.now() - Date.parse(list[0]!.since!)) / 60_000)).toBe(42)
  })

  it('excludes devices that never connected, which are counted as inactive', async () => {
    const gateway = deviceRow(edgeProduct, 'new edge', { state: 'inactive' })
    const lamp = deviceRow(lampProduct, 'new lamp', { ...positionIn(lobby), state: 'inactive' })
    // The lamp was connected through another host before; its new host was never connected and must not hide the
    // incident.
    const movedLamp = deviceRow(lampProduct, 'moved', {
      ...positionIn(lobby),
      state: 'offline',
      reportedTime: minutesAgo(90),
      gatewayId: gateway.id,
    })
    await insertDevices(app.app.db, [edgeProduct, lampProduct], [gateway, lamp, movedLamp])
    const { list, counts, inactive, quietReason } = await fetchProblems()
    expect(list.map(({ kind, id }) => [kind, id])).toEqual([['offline', movedLamp.id]])
    expect(counts).toMatchObject({ edge: 0, offline: 1 })
    expect([inactive, quietReason]).toEqual([2, ''])
    expect(await fetchProblemsIn({ spaceId: lobby })).toMatchObject({ inactive: 1 })
  })

  it.each([
    ['preparing', '项目在筹建，首页不报告问题'],
    ['commissioning', '项目在调试，首页不报告问题'],
    ['stopped', '项目已停用，首页不报告问题'],
  ] as const)('is empty in a project that is %s, with the reason', async (status, reason) => {
    const lamp = deviceRow(lampProduct, 'l1', { ...positionIn(lobby), ...onlineState(1) })
    const offlineLamp = deviceRow(lampProduct, 'l2', {
      ...positionIn(lobby),
      state: 'offline',
      reportedTime: minutesAgo(5),
    })
    const inactiveLamp = deviceRow(lampProduct, 'l3', { ...positionIn(lobby), state: 'inactive' })
    await insertDevices(app.app.db, [lampProduct], [lamp, offlineLamp, inactiveLamp])
    await insertPastTask(lamp, 5, 'failed', 0)
    await app.app.db.update(project).set({ status }).where(eq(project.projectId, 1))
    expect(await fetchProblems()).toMatchObject({
      list: [],
      counts: { failed: 0, offline: 0 },
      floors: {},
      inactive: 1,
      quietReason: reason,
    })
  })

  it('contains lights on without occupancy only after the configured duration', async () => {
    const sensor = deviceRow(sensorProduct, 'empty', {
      ...positionIn(lobby),
      state: 'online',
      reported: { PresenceState: 0 },
      reportedAt: { PresenceState: Date.now() },
    })
    const lamp = deviceRow(lampProduct, 'lit', { ...positionIn(lobby), ...onlineState(1) })
    await insertDevices(app.app.db, [lampProduct, sensorProduct], [sensor, lamp])
    await createHistoryPartitions(app.app.db).prepare([Date.parse(minutesAgo(60))])
    const insertHistory = (deviceId: string, identifier: string, value: number, minutes: number) =>
      app.app.db.insert(propertyHistory).values({
        projectId: 1,
        deviceId,
        identifier,
        value,
        time: minutesAgo(minutes),
      })
    const setLitHold = (litHoldMinutes: number) =>
      app.app.db.update(project).set({ litHoldMinutes }).where(eq(project.projectId, 1))
    const fetchMinutes = async () =>
      (await fetchProblems()).list.map(({ since }) =>
        Math.round((Date.now() - Date.parse(since!)) / 60_000),
      )
    await insertHistory(sensor.id, 'PresenceState', 1, 14)
    expect(await fetchMinutes()).toEqual([])
    await setLitHold(10)
    expect(await fetchMinutes()).toEqual([14])
    await insertHistory(lamp.id, 'PowerSwitch', 0, 5)
    expect(await fetchMinutes()).toEqual([])
    await setLitHold(0)
    expect(await fetchMinutes()).toEqual([5])
  })

  it('contains a scene that was missed or failed on its own, until it is acknowledged', async () => {
    const [eveningSceneId, nightSceneId, deletedSceneId] = [uuidv7(), uuidv7(), uuidv7()] as const
    const author = { createBy: 'test', updateBy: 'test' }
    const row = { ...author, projectId: 1, icon: 'BulbOutlined', sort: 1 }
    await app.app.db.insert(scene).values([
      { ...row, id: eveningSceneId, name: '下班' },
      { ...row, id: nightSceneId, name: '夜间' },
    ])
    type Run = typeof sceneRun.$inferInsert
    const run = (sceneId: string, minutes: number, change: Partial<Run>): Run => ({
      id: uuidv7(),
      projectId: 1,
      sceneId,
      cause: 'timer',
      status: 'missed',
      createBy: '定时',
      claimedBy: uuidv7(),
      dueTime: minutesAgo(minutes),
      doneTime: minutesAgo(minutes),
      ...change,
    })
    await app.app.db
      .insert(sceneRun)
      .values([
        run(eveningSceneId, 300, { reason: '平台没有运行' }),
        run(eveningSceneId, 200, { status: 'failed', reason: '没有可以控制的设备' }),
        run(nightSceneId, 400, { cause: 'condition', status: 'failed', dueTime: null, reason: '' }),
        run(deletedSceneId, 500, {}),
        run(nightSceneId, 90, { status: 'done' }),
        run(nightSceneId, 80, { status: 'skipped' }),
        run(nightSceneId, 70, { cause: 'manual', status: 'failed' }),
        run(nightSceneId, 60, { acknowledgedTime: minutesAgo(50), acknowledgedBy: 'wang' }),
      ])
    const { list, counts } = await fetchProblems()
    expect(list.map(({ kind, name, reason }) => [kind, name, reason])).toEqual([
      ['scene', '已删除的场景', '错过 1 次'],
      ['scene', '下班', '错过 1 次，未完成 1 次：没有可以控制的设备'],
      ['scene', '夜间', '未完成 1 次'],
    ])
    expect(counts.scene).toBe(3)
    expect((await fetchProblemsIn({ spaceId: lobby })).counts.scene).toBe(0)
  })

  it('keeps its order while the same fault is reported repeatedly', async () => {
    const [first, second] = ['a', 'b'].map((name) =>
      deviceRow(lampProduct, name, { ...positionIn(lobby), ...onlineState(0) }),
    ) as [ReturnType<typeof deviceRow>, ReturnType<typeof deviceRow>]
    const offlineLamp = deviceRow(lampProduct, 'c', {
      ...positionIn(lobby),
      state: 'offline',
      reportedTime: minutesAgo(900),
    })
    await insertDevices(app.app.db, [lampProduct], [first, second, offlineLamp])
    const insertFault = (deviceId: string, minutes: number) =>
      app.app.db.insert(deviceEvent).values({
        projectId: 1,
        deviceId,
        identifier: 'Error',
        params: {},
        type: 'error',
        time: minutesAgo(minutes),
      })
    await insertFault(first.id, 40)
    await insertFault(second.id, 30)
    const before = (await fetchProblems()).list
    expect(before.map(({ id }) => id)).toEqual([first.id, second.id, offlineLamp.id])
    await insertFault(first.id, 1)
    expect((await fetchProblems()).list).toEqual(before)
  })

  it('is refused for a space or group of another project or an unknown one', async () => {
    const foreignSpaceId = uuidv7()
    await app.app.db.insert(space).values({
      id: foreignSpaceId,
      projectId: 2,
      sort: 1,
      parentId: null,
      type: 'floor',
      name: '外',
    })
    for (const where of [{ spaceId: foreignSpaceId }, { spaceId: uuidv7() }, { groupId: uuidv7() }])
      await expect(fetchProblemsIn(where)).rejects.toMatchObject({ code: 404 })
  })

  it('of a space or group contains incidents of its devices and of their edge host', async () => {
    const edge = deviceRow(edgeProduct, 'edge', { state: 'offline', reportedTime: minutesAgo(5) })
    const otherEdge = deviceRow(edgeProduct, 'other', {
      state: 'offline',
      reportedTime: minutesAgo(9),
    })
    const createLamp = (
      name: string,
      spaceId: string,
      change: Partial<ReturnType<typeof deviceRow>>,
    ) => deviceRow(lampProduct, name, { ...positionIn(spaceId), ...change })
    const behindEdge = createLamp('behind', lobby, { state: 'offline', gatewayId: edge.id })
    const failedLamp = createLamp('failed', lobby, onlineState(1))
    const faultyLamp = createLamp('faulty', hall, onlineState(1))
    const [offlineInLobby, offlineInHall] = [lobby, hall].map((id) =>
      createLamp(`away ${id}`, id, { state: 'offline' }),
    )
    const sensor = deviceRow(sensorProduct, 'nobody', {
      ...positionIn(hall),
      state: 'online',
      reported: { PresenceState: 0 },
      reportedAt: { PresenceState: Date.parse(minutesAgo(30)) },
    })
    await insertDevices(
      app.app.db,
      [lampProduct, edgeProduct, sensorProduct],
      [
        edge,
        otherEdge,
        behindEdge,
        failedLamp,
        faultyLamp,
        offlineInLobby!,
        offlineInHall!,
        sensor,
      ],
    )
    await insertPastTask(failedLamp, 8, 'failed', 0)
    await app.app.db.insert(deviceEvent).values({
      projectId: 1,
      deviceId: faultyLamp.id,
      identifier: 'Error',
      params: {},
      type: 'error',
      time: minutesAgo(20),
    })
    const toPairs = ({ list }: Awaited<ReturnType<typeof fetchProblemsIn>>) =>
      list.map(({ kind, id }) => [kind, id])

    const inLobby = await fetchProblemsIn({ spaceId: lobby })
    expect(toPairs(inLobby)).toEqual([
      ['edge', edge.id],
      ['failed', failedLamp.id],
      ['offline', offlineInLobby!.id],
    ])
    expect(inLobby.counts).toMatchObject({ edge: 1, failed: 1, offline: 1, fault: 0, lit: 0 })
    const expectedInBuilding = [
      ['edge', edge.id],
      ['fault', faultyLamp.id],
      ['failed', failedLamp.id],
    ]
    expect(toPairs(await fetchProblemsIn({ spaceId: building }))).toEqual(
      expect.arrayContaining(expectedInBuilding),
    )
    const group = await fetchProblemsIn({ groupId: await createGroup(behindEdge, faultyLamp) })
    expect(toPairs(group)).toEqual([
      ['edge', edge.id],
      ['fault', faultyLamp.id],
      ['lit', hall],
    ])
    expect(group.list[2]).toMatchObject({ reason: '亮着 1 盏，没有人', deviceIds: [faultyLamp.id] })
    expect(toPairs(await fetchProblemsIn({ groupId: await createGroup(offlineInHall!) }))).toEqual([
      ['offline', offlineInHall!.id],
    ])
    expect((await fetchProblemsIn({ groupId: await createGroup() })).list).toEqual([])
  })
})
