import { deviceApi } from '@iot/shared/contract/device'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { setTimeout as pause } from 'node:timers/promises'
import { openHistoryParts } from '../../device-access/historyParts'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { controlLedger } from '../../tables/control'
import {
  device,
  deviceCredential,
  deviceEvent,
  product,
  propertyHistory,
} from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { project } from '../../tables/project'
import { scene, sceneRun } from '../../tables/scene'
import { space } from '../../tables/space'
import { task } from '../../tables/task'
import { testApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const coolerProduct = productRow('pkCooler', 'sub', { productType: 'COOLER' })
const sensorProduct = productRow('pkPresence', 'sub', { productType: 'PRESENCE_SENSOR' })
const [building, floor, lobby, hall] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()] as const
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const at = (spaceId: string) => ({ floorId: floor, spaceId, x: 0.5, y: 0.5 })
const online = (PowerSwitch: number) => ({ state: 'online' as const, reported: { PowerSwitch } })

let app: TestApp
beforeAll(async () => {
  app = await testApp()
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
  const written = [controlLedger, task, deviceEvent, propertyHistory, sceneRun, scene, deviceGroup]
  for (const table of [...written, deviceCredential, device, product, space])
    await app.app.db.delete(table)
  await app.app.db.update(project).set({ status: 'running', litHoldMinutes: 15 })
})
afterAll(() => app.close())
/** Answers are shared for 1.5 seconds, so the test waits for a new one. */
const problems = async () => {
  await pause(1600)
  return app.as('admin').call(deviceApi.problems, { projectId: 1 })
}

const among = (where: { spaceId?: string; groupId?: string }) =>
  app.as('admin').call(deviceApi.problems, { projectId: 1, ...where })
/** Creates a group of named devices. */
async function groupOf(...devices: { id: string }[]) {
  const id = uuidv7()
  const nothing = { productIds: [], spaceIds: [], tags: [], description: '' }
  await app.app.db.insert(deviceGroup).values({
    id,
    projectId: 1,
    name: `组 ${id}`,
    kind: 'hand',
    ...nothing,
    deviceIds: devices.map((one) => one.id),
    createBy: 'admin',
    updateBy: 'admin',
  })
  return id
}

/** Inserts a past task that requested a value of a lamp, with its outcome. */
async function asked(
  lamp: { id: string },
  minutes: number,
  state: 'failed' | 'timeout' | 'success' | 'skipped',
  PowerSwitch: number,
) {
  const id = uuidv7()
  const time = ago(minutes)
  const common = { projectId: 1, createTime: time, updateTime: time, doneTime: time }
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
    ...common,
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

describe('what is wrong now', () => {
  it('is an edge host that is down, and not each lamp behind it', async () => {
    const edge = deviceRow(edgeProduct, 'edge', { state: 'offline', reportedTime: ago(5) })
    const behind = deviceRow(lampProduct, 'l1', {
      ...at(lobby),
      state: 'offline',
      gatewayId: edge.id,
    })
    const alone = deviceRow(lampProduct, 'l2', {
      ...at(lobby),
      state: 'offline',
      reportedTime: ago(3),
    })
    const disabled = deviceRow(lampProduct, 'l3', { ...at(lobby), state: 'disabled' })
    await insertDevices(app.app.db, [edgeProduct, lampProduct], [edge, behind, alone, disabled])
    const { list, counts, floors } = await problems()
    expect(list.map(({ kind, id, reason }) => [kind, id, reason])).toEqual([
      ['edge', edge.id, '离线，带 1 台设备'],
      ['offline', alone.id, '离线'],
    ])
    expect(counts).toMatchObject({ edge: 1, offline: 1, failed: 0, lit: 0 })
    expect(floors).toEqual({ [floor]: 1 })
  })

  it('is counted whole by kind and floor, where more went wrong than are named', async () => {
    const upper = uuidv7()
    const row = { projectId: 1, sort: 2, parentId: building, type: 'floor' as const }
    await app.app.db.insert(space).values({ ...row, id: upper, name: '2 层' })
    const away = { state: 'offline' as const, reportedTime: ago(5) }
    const below = Array.from({ length: 60 }, (_, n) =>
      deviceRow(lampProduct, `below${n}`, { ...at(lobby), ...away }),
    )
    // These devices went offline later, so that none of them is among the first incidents.
    const above = Array.from({ length: 3 }, (_, n) =>
      deviceRow(lampProduct, `above${n}`, {
        floorId: upper,
        spaceId: upper,
        ...away,
        reportedTime: ago(1),
      }),
    )
    const lit = Array.from({ length: 52 }, (_, n) =>
      deviceRow(lampProduct, `lit${n}`, { ...at(lobby), ...online(1) }),
    )
    await insertDevices(app.app.db, [lampProduct], [...below, ...above, ...lit])
    for (const [n, lamp] of lit.entries())
      await asked(lamp, 60 - n, n < 5 ? 'failed' : 'timeout', 0)
    const { list, counts, floors } = await problems()
    expect(list.filter(({ kind }) => kind === 'offline')).toHaveLength(50)
    expect(counts).toMatchObject({ offline: 63, failed: 5, timeout: 47 })
    expect(floors).toEqual({ [floor]: 60 + 52, [upper]: 3 })
  })

  it('is a lamp whose last command failed, until one succeeds or it follows late', async () => {
    const [failed, silent, mended, late] = ['a', 'b', 'c', 'd'].map((name) =>
      deviceRow(lampProduct, name, { ...at(lobby), ...online(name === 'd' ? 0 : 1) }),
    ) as [ReturnType<typeof deviceRow>, ...ReturnType<typeof deviceRow>[]] &
      Record<number, ReturnType<typeof deviceRow>>
    await insertDevices(app.app.db, [lampProduct], [failed, silent!, mended!, late!])
    await asked(failed, 8, 'failed', 0)
    await asked(silent!, 7, 'timeout', 0)
    await asked(silent!, 6, 'skipped', 0)
    await asked(mended!, 5, 'failed', 0)
    await asked(mended!, 4, 'success', 1)
    await asked(late!, 3, 'timeout', 0)
    const { list } = await problems()
    expect(list.map(({ kind, id }) => [kind, id])).toEqual([
      ['failed', failed.id],
      ['timeout', silent!.id],
    ])
    expect(list[0]).toMatchObject({ reason: '驱动电源故障', spaceId: lobby, floorId: floor })
    expect(Date.now() - Date.parse(list[0]!.since!)).toBeGreaterThan(7 * 60_000)
  })

  it('is a fault that was reported within a day', async () => {
    const lamp = deviceRow(lampProduct, 'l1', { ...at(lobby), ...online(0) })
    await insertDevices(app.app.db, [lampProduct], [lamp])
    const error = { projectId: 1, deviceId: lamp.id, identifier: 'Error', params: {} }
    await app.app.db.insert(deviceEvent).values([
      { ...error, type: 'error', time: ago(26 * 60) },
      { ...error, type: 'error', time: ago(20) },
      { ...error, type: 'info', time: ago(10) },
    ])
    const { list } = await problems()
    expect(list).toMatchObject([{ kind: 'fault', id: lamp.id, reason: '上报故障 Error' }])
    expect(Date.now() - Date.parse(list[0]!.since!)).toBeLessThan(21 * 60_000)
  })

  it('is light where the sensor sees nobody, since somebody was seen last', async () => {
    const sensor = (name: string, spaceId: string, PresenceState: number) =>
      deviceRow(sensorProduct, name, {
        ...at(spaceId),
        state: 'online',
        reported: { PresenceState },
        reportedAt: { PresenceState: Date.parse(ago(30)) },
      })
    const empty = sensor('empty', lobby, 0)
    const lamps = [
      deviceRow(lampProduct, 'lit', { ...at(lobby), ...online(1) }),
      deviceRow(lampProduct, 'dark', { ...at(lobby), ...online(0) }),
      deviceRow(lampProduct, 'exit', { ...at(lobby), ...online(1), protected: true }),
      deviceRow(lampProduct, 'other', { ...at(hall), ...online(1) }),
      // This device has the switch property of a light but another product type.
      deviceRow(coolerProduct, 'cooler', { ...at(lobby), ...online(1) }),
    ]
    await insertDevices(
      app.app.db,
      [lampProduct, sensorProduct, coolerProduct],
      [empty, sensor('busy', hall, 1), sensor('blind', hall, 0), ...lamps],
    )
    await openHistoryParts(app.app.db).prepare([Date.parse(ago(42))])
    await app.app.db.insert(propertyHistory).values({
      projectId: 1,
      deviceId: empty.id,
      identifier: 'PresenceState',
      value: 1,
      time: ago(42),
    })
    const { list } = await problems()
    expect(list).toMatchObject([
      { kind: 'lit', id: lobby, name: '大堂', reason: '亮着 1 盏，没有人', floorId: floor },
    ])
    expect(list[0]!.deviceIds).toEqual([lamps[0]!.id])
    expect(Math.round((Date.now() - Date.parse(list[0]!.since!)) / 60_000)).toBe(42)
  })

  it('is no device that was never connected; it is counted as inactive', async () => {
    const gateway = deviceRow(edgeProduct, 'new edge', { state: 'inactive' })
    const lamp = deviceRow(lampProduct, 'new lamp', { ...at(lobby), state: 'inactive' })
    // The lamp was connected through another host before; its new host was never connected and must not hide the
    // incident.
    const moved = deviceRow(lampProduct, 'moved', {
      ...at(lobby),
      state: 'offline',
      reportedTime: ago(90),
      gatewayId: gateway.id,
    })
    await insertDevices(app.app.db, [edgeProduct, lampProduct], [gateway, lamp, moved])
    const { list, counts, floors, inactive, quietReason } = await problems()
    expect(list.map(({ kind, id }) => [kind, id])).toEqual([['offline', moved.id]])
    expect(counts).toMatchObject({ edge: 0, offline: 1 })
    expect(floors).toEqual({ [floor]: 1 })
    expect([inactive, quietReason]).toEqual([2, ''])
    expect(await among({ spaceId: lobby })).toMatchObject({ inactive: 1 })
  })

  it.each([
    ['preparing', '项目在筹建，首页不报告问题'],
    ['commissioning', '项目在调试，首页不报告问题'],
  ] as const)('is nothing in a project that is %s, which says so', async (status, reason) => {
    const lamp = deviceRow(lampProduct, 'l1', { ...at(lobby), ...online(1) })
    const away = deviceRow(lampProduct, 'l2', {
      ...at(lobby),
      state: 'offline',
      reportedTime: ago(5),
    })
    const waiting = deviceRow(lampProduct, 'l3', { ...at(lobby), state: 'inactive' })
    await insertDevices(app.app.db, [lampProduct], [lamp, away, waiting])
    await asked(lamp, 5, 'failed', 0)
    await app.app.db.update(project).set({ status }).where(eq(project.projectId, 1))
    expect(await problems()).toMatchObject({
      list: [],
      counts: { failed: 0, offline: 0 },
      floors: {},
      inactive: 1,
      quietReason: reason,
    })
  })

  it('is light for nobody only once both have lasted as long as the project says', async () => {
    const sensor = deviceRow(sensorProduct, 'empty', {
      ...at(lobby),
      state: 'online',
      reported: { PresenceState: 0 },
      reportedAt: { PresenceState: Date.now() },
    })
    const lamp = deviceRow(lampProduct, 'lit', { ...at(lobby), ...online(1) })
    await insertDevices(app.app.db, [lampProduct, sensorProduct], [sensor, lamp])
    await openHistoryParts(app.app.db).prepare([Date.parse(ago(60))])
    const said = (deviceId: string, identifier: string, value: number, minutes: number) =>
      app.app.db.insert(propertyHistory).values({
        projectId: 1,
        deviceId,
        identifier,
        value,
        time: ago(minutes),
      })
    const hold = (litHoldMinutes: number) =>
      app.app.db.update(project).set({ litHoldMinutes }).where(eq(project.projectId, 1))
    const minutes = async () =>
      (await problems()).list.map(({ since }) =>
        Math.round((Date.now() - Date.parse(since!)) / 60_000),
      )
    await said(sensor.id, 'PresenceState', 1, 14)
    expect(await minutes()).toEqual([])
    await hold(10)
    expect(await minutes()).toEqual([14])
    await said(lamp.id, 'PowerSwitch', 0, 5)
    expect(await minutes()).toEqual([])
    await hold(0)
    expect(await minutes()).toEqual([5])
  })

  it('is a scene that was missed or failed by itself, until somebody acknowledges it', async () => {
    const [evening, night, gone] = [uuidv7(), uuidv7(), uuidv7()] as const
    const author = { createBy: 'test', updateBy: 'test' }
    const row = { ...author, projectId: 1, icon: 'BulbOutlined', sort: 1 }
    await app.app.db.insert(scene).values([
      { ...row, id: evening, name: '下班' },
      { ...row, id: night, name: '夜间' },
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
      dueTime: ago(minutes),
      doneTime: ago(minutes),
      ...change,
    })
    await app.app.db
      .insert(sceneRun)
      .values([
        run(evening, 300, { reason: '平台没有运行' }),
        run(evening, 200, { status: 'failed', reason: '没有可以控制的设备' }),
        run(night, 400, { cause: 'condition', status: 'failed', dueTime: null, reason: '' }),
        run(gone, 500, {}),
        run(night, 90, { status: 'done' }),
        run(night, 80, { status: 'skipped' }),
        run(night, 70, { cause: 'manual', status: 'failed' }),
        run(night, 60, { acknowledgedTime: ago(50), acknowledgedBy: 'wang' }),
      ])
    const { list, counts } = await problems()
    expect(list.map(({ kind, name, reason }) => [kind, name, reason])).toEqual([
      ['scene', '已删除的场景', '错过 1 次'],
      ['scene', '下班', '错过 1 次，未完成 1 次：没有可以控制的设备'],
      ['scene', '夜间', '未完成 1 次'],
    ])
    expect(counts.scene).toBe(3)
    expect((await among({ spaceId: lobby })).counts.scene).toBe(0)
  })

  it('keeps its order while the same fault is reported again and again', async () => {
    const [first, second] = ['a', 'b'].map((name) =>
      deviceRow(lampProduct, name, { ...at(lobby), ...online(0) }),
    ) as [ReturnType<typeof deviceRow>, ReturnType<typeof deviceRow>]
    const away = deviceRow(lampProduct, 'c', {
      ...at(lobby),
      state: 'offline',
      reportedTime: ago(900),
    })
    await insertDevices(app.app.db, [lampProduct], [first, second, away])
    const fault = (deviceId: string, minutes: number) =>
      app.app.db.insert(deviceEvent).values({
        projectId: 1,
        deviceId,
        identifier: 'Error',
        params: {},
        type: 'error',
        time: ago(minutes),
      })
    await fault(first.id, 40)
    await fault(second.id, 30)
    const before = (await problems()).list
    expect(before.map(({ id }) => id)).toEqual([first.id, second.id, away.id])
    await fault(first.id, 1)
    expect((await problems()).list).toEqual(before)
  })

  it('of a space or a group is refused where it is of another project, or of none', async () => {
    const strange = uuidv7()
    await app.app.db
      .insert(space)
      .values({ id: strange, projectId: 2, sort: 1, parentId: null, type: 'floor', name: '外' })
    for (const where of [{ spaceId: strange }, { spaceId: uuidv7() }, { groupId: uuidv7() }])
      await expect(among(where)).rejects.toMatchObject({ code: 404 })
  })

  it('of a space or a group is what befell its devices, the edge host of one of them too', async () => {
    const edge = deviceRow(edgeProduct, 'edge', { state: 'offline', reportedTime: ago(5) })
    const other = deviceRow(edgeProduct, 'other', { state: 'offline', reportedTime: ago(9) })
    const lamp = (name: string, spaceId: string, change: Partial<ReturnType<typeof deviceRow>>) =>
      deviceRow(lampProduct, name, { ...at(spaceId), ...change })
    const behind = lamp('behind', lobby, { state: 'offline', gatewayId: edge.id })
    const failed = lamp('failed', lobby, online(1))
    const faulty = lamp('faulty', hall, online(1))
    const [away, gone] = [lobby, hall].map((id) => lamp(`away ${id}`, id, { state: 'offline' }))
    const sensor = deviceRow(sensorProduct, 'nobody', {
      ...at(hall),
      state: 'online',
      reported: { PresenceState: 0 },
      reportedAt: { PresenceState: Date.parse(ago(30)) },
    })
    await insertDevices(
      app.app.db,
      [lampProduct, edgeProduct, sensorProduct],
      [edge, other, behind, failed, faulty, away!, gone!, sensor],
    )
    await asked(failed, 8, 'failed', 0)
    await app.app.db.insert(deviceEvent).values({
      projectId: 1,
      deviceId: faulty.id,
      identifier: 'Error',
      params: {},
      type: 'error',
      time: ago(20),
    })
    const shown = ({ list }: Awaited<ReturnType<typeof among>>) =>
      list.map(({ kind, id }) => [kind, id])

    const inLobby = await among({ spaceId: lobby })
    expect(shown(inLobby)).toEqual([
      ['edge', edge.id],
      ['failed', failed.id],
      ['offline', away!.id],
    ])
    expect(inLobby.counts).toMatchObject({ edge: 1, failed: 1, offline: 1, fault: 0, lit: 0 })
    const whole = [
      ['edge', edge.id],
      ['fault', faulty.id],
      ['failed', failed.id],
    ]
    expect(shown(await among({ spaceId: building }))).toEqual(expect.arrayContaining(whole))
    const group = await among({ groupId: await groupOf(behind, faulty) })
    expect(shown(group)).toEqual([
      ['edge', edge.id],
      ['fault', faulty.id],
      ['lit', hall],
    ])
    expect(group.list[2]).toMatchObject({ reason: '亮着 1 盏，没有人', deviceIds: [faulty.id] })
    expect(shown(await among({ groupId: await groupOf(gone!) }))).toEqual([['offline', gone!.id]])
    expect((await among({ groupId: await groupOf() })).list).toEqual([])
  })
})
