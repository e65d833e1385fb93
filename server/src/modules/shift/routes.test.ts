import { hourMs } from '@iot/shared/contract/duration'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { DeviceChange } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { shiftApi } from '@iot/shared/contract/control/shift.api'
import { validateProjectOperation } from '@iot/shared/contract/project/projectStatus'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { alarmIncident } from '../../tables/alarm'
import { project } from '../../tables/project'
import { scene, sceneRun } from '../../tables/scene'
import { secondPassword, ownApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkShiftLamp', 'sub')
const edgeProduct = productRow('pkShiftEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamps = ['a', 'b'].map((name) => deviceRow(lampProduct, name, { gatewayId: edge.id }))
const lampA = lamps[0]!
const elsewhereLamp = deviceRow(lampProduct, 'elsewhere', { projectId: 2 })

let app: TestApp
let gateway: EdgeClient
const connect = () =>
  connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet: (_, values, { reply, post }) => (reply(200), post(values)),
  })

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0, shift: { pollMs: 50 } })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, ...lamps, elsewhereLamp])
  gateway = await connect()
  for (const lamp of lamps) gateway.post(lamp, { PowerSwitch: 1 })
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  await app.app.db.delete(alarmIncident)
  await app.app.db.delete(sceneRun)
  // The counts of the test before are announced first, because equal counts are no change.
  await app.app.shift.publish()
})

const joinEarlyUser = () => app.join('early', 'operator', [1])
const joinLateUser = () => app.join('late', 'operator', [1])
const joinOtherProjectUser = () => app.join('elsewhere', 'operator', [2])
const joinVisitor = () => app.join('onlooker', 'visitor', [1])
const fetchOpenCount = async () =>
  (await (await joinLateUser()).call(shiftApi.state, { projectId: 1 })).open
const pastTime = '2026-01-01T00:00:00.000Z'
const controlLamp = async (PowerSwitch: number, joinUser = joinEarlyUser) => {
  const scope = { kind: 'devices' as const, deviceIds: [lampA.id] }
  const request = { kind: 'set' as const, projectId: 1, scope, values: { PowerSwitch } }
  const { id } = await (await joinUser()).call(controlApi.start, request)
  return waitUntil(
    async () => (await joinEarlyUser()).call(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
}

describe('scenes that failed to run automatically', () => {
  const sceneId = uuidv7()
  const recordRun = (status: 'missed' | 'skipped', due: number) =>
    app.app.scenes.leave(
      { projectId: 1, id: sceneId },
      { cause: 'timer', status, reason: '平台没有运行', due },
    )
  const fetchUnfinished = async () =>
    (await joinLateUser()).call(shiftApi.unfinishedScenes, { projectId: 1 })
  const acknowledgeScene = async (count: number, joinUser = joinLateUser) =>
    (await joinUser()).call(shiftApi.acknowledgeScenes, {
      projectId: 1,
      note: '已手动执行',
      scenes: [{ id: sceneId, count }],
    })

  it('are refused without control permission and for another project', async () => {
    await recordRun('missed', Date.now() - 60_000)
    await expect(acknowledgeScene(1, joinVisitor)).rejects.toMatchObject({ status: 403 })
    await expect(acknowledgeScene(1, joinOtherProjectUser)).rejects.toMatchObject({ code: 404 })
    await expect(
      (await joinOtherProjectUser()).call(shiftApi.unfinishedScenes, { projectId: 1 }),
    ).rejects.toMatchObject({ code: 404 })
    expect(await fetchOpenCount()).toBe(1)
  })

  it('cannot be acknowledged when they do not exist or belong to another project', async () => {
    await app.app.scenes.leave(
      { projectId: 2, id: sceneId },
      { cause: 'timer', status: 'missed', reason: '平台没有运行', due: Date.now() - 60_000 },
    )
    const reason = '场景不存在或已被删除'
    expect(await acknowledgeScene(1)).toEqual([{ id: sceneId, name: '', ok: false, reason }])
    expect(await app.app.db.select().from(sceneRun)).toMatchObject([{ acknowledgedBy: '' }])
    await expect(
      app.as('admin').call(shiftApi.acknowledgeScenes, {
        projectId: 999_999,
        scenes: [{ id: sceneId, count: 1 }],
      }),
    ).rejects.toMatchObject({ code: 404 })
  })

  it.each(['preparing', 'commissioning', 'stopped'] as const)(
    'are neither counted nor listed while the project is %s, and are when it runs',
    async (status) => {
      const setStatus = (next: typeof status | 'running') =>
        app.app.db.update(project).set({ status: next }).where(eq(project.projectId, 1))
      await recordRun('missed', Date.now() - 60_000)
      await setStatus(status)
      expect([await fetchOpenCount(), await fetchUnfinished()]).toEqual([0, []])
      await setStatus('running')
      expect(await fetchOpenCount()).toBe(1)
      expect(await fetchUnfinished()).toMatchObject([{ id: sceneId, count: 1 }])
    },
  )

  it.each(['preparing', 'commissioning', 'stopped'] as const)(
    'while the project was %s are not counted later either, and say why in their log',
    async (status) => {
      const setStatus = (next: typeof status | 'running') =>
        app.app.db.update(project).set({ status: next }).where(eq(project.projectId, 1))
      await setStatus(status)
      await recordRun('missed', Date.now() - 60_000)
      await app.app.scenes.start({ projectId: 1, id: sceneId }, 'timer', { dueMs: Date.now() })
      await app.app.scenes.idle()
      await setStatus('running')
      expect([await fetchOpenCount(), await fetchUnfinished()]).toEqual([0, []])
      const runs = await app.app.db.select().from(sceneRun).orderBy(sceneRun.dueTime)
      const quietRun = { acknowledgedBy: '', note: '项目在调试，首页不报告问题' }
      expect(runs).toMatchObject(
        status === 'commissioning'
          ? [
              { status: 'missed', ...quietRun },
              { status: 'failed', ...quietRun },
            ]
          : Array.from({ length: 2 }, () => ({
              status: 'skipped',
              reason: validateProjectOperation(status, 'schedule'),
            })),
      )
    },
  )

  it('are counted once per scene until acknowledged, however often they were missed', async () => {
    const openCounts: number[] = []
    const onChanged = ({ open }: { open: number }) => void openCounts.push(open)
    app.app.shift.events.on('changed', onChanged)
    const [first, last] = [Date.now() - 7_200_000, Date.now() - hourMs]
    await recordRun('missed', first)
    await recordRun('missed', last)
    await recordRun('skipped', last + 1000)
    await app.app.shift.publish()
    app.app.shift.events.off('changed', onChanged)
    expect(openCounts.at(-1)).toBe(1)
    expect(await fetchUnfinished()).toEqual([
      {
        id: sceneId,
        name: '已删除的场景',
        count: 2,
        missed: 2,
        reason: '平台没有运行',
        firstTime: new Date(first).toISOString(),
        lastTime: new Date(last).toISOString(),
      },
    ])
    expect(await acknowledgeScene(1)).toMatchObject([
      { ok: false, reason: '刚才又发生了 1 次，请看过再确认' },
    ])
    expect(await fetchOpenCount()).toBe(1)
    expect(await acknowledgeScene(2)).toMatchObject([{ ok: true }])
    expect(await acknowledgeScene(2)).toMatchObject([{ ok: true, reason: '已由别人确认' }])
    expect([await fetchUnfinished(), await fetchOpenCount()]).toEqual([[], 0])
    const rows = await app.app.db.select().from(sceneRun).orderBy(sceneRun.dueTime)
    expect(rows.map(({ acknowledgedBy, note }) => [acknowledgedBy, note])).toEqual([
      ['late', '已手动执行'],
      ['late', '已手动执行'],
      ['', ''],
    ])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '场景执行', pageSize: 1 })
    expect(log.list).toMatchObject([{ username: 'late', verb: '确认未执行的定时场景' }])
  })
})

describe('unacknowledged incidents', () => {
  const openIncident = async (subjectKey: string, overrides = {}) => {
    const id = uuidv7()
    const time = new Date().toISOString()
    await app.app.db.insert(alarmIncident).values({
      id,
      projectId: 1,
      // The rule does not exist, so no pass resolves the incident.
      ruleId: uuidv7(),
      ruleVersion: 1,
      ruleName: '太热',
      severity: 'major',
      subjectKey,
      subjectName: 'a',
      title: '太热',
      firstTime: time,
      openedTime: time,
      lastTime: time,
      ...overrides,
    })
    return id
  }
  it('are counted by project, without access to it refused, and the incident of a scene is left to the scene', async () => {
    await openIncident('device:a')
    await openIncident('device:b', { status: 'acknowledged' })
    await openIncident('device:c', { projectId: 2 })
    await openIncident('scene:d')
    expect(await fetchOpenCount()).toBe(1)
    for (const call of [
      async () => (await joinOtherProjectUser()).call(shiftApi.state, { projectId: 1 }),
      async () =>
        (await joinOtherProjectUser()).call(shiftApi.people, { projectId: 1, from: pastTime }),
      async () =>
        (await joinOtherProjectUser()).call(shiftApi.changes, { projectId: 1, from: pastTime }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
  })
  it('are announced to every page when they are opened and acknowledged', async () => {
    const openCounts: number[] = []
    const onChanged = ({ projectId, open }: { projectId: number; open: number }) => {
      if (projectId === 1) openCounts.push(open)
    }
    app.app.shift.events.on('changed', onChanged)
    const id = await openIncident('device:a')
    await waitUntil(
      () => openCounts.at(-1),
      (last) => last === 1,
    )
    const early = await joinEarlyUser()
    await early.call(incidentApi.acknowledge, { ids: [id], note: '已报修' })
    await waitUntil(
      () => openCounts.at(-1),
      (last) => last === 0,
    )
    app.app.shift.events.off('changed', onChanged)
  })
  it('are listed with those that were resolved since the last shift, whenever they were opened', async () => {
    const resolve = (subjectKey: string, resolvedTime: string) =>
      openIncident(subjectKey, { status: 'resolved', openedTime: pastTime, resolvedTime })
    const from = '2026-03-01T00:00:00.000Z'
    await resolve('device:a', '2026-02-28T23:59:59.999Z')
    const id = await resolve('device:b', from)
    const late = await joinLateUser()
    const { list } = await late.call(incidentApi.page, {
      projectId: 1,
      status: 'resolved',
      resolvedFrom: from,
    })
    expect(list).toMatchObject([{ id }])
  })
})

describe('activities during a shift', () => {
  it('are counted by user, with tasks and runs that led to no task', async () => {
    const from = new Date().toISOString()
    await controlLamp(1)
    await controlLamp(0, joinLateUser)
    const author = { createBy: '系统', updateBy: '系统' }
    const id = uuidv7()
    await app.app.db
      .insert(scene)
      .values({ ...author, id, projectId: 1, name: '下班', icon: 'BulbOutlined', sort: 1 })
    await app.app.db.insert(sceneRun).values({
      projectId: 1,
      sceneId: id,
      cause: 'timer' as const,
      status: 'missed' as const,
      reason: '平台停了',
      createBy: '定时',
      claimedBy: uuidv7(),
    })
    const people = await (await joinLateUser()).call(shiftApi.people, { projectId: 1, from })
    expect(people).toEqual(
      expect.arrayContaining([
        {
          name: 'early',
          displayName: 'early',
          tasks: 1,
          config: 0,
          manual: 1,
          scenes: 0,
          failed: 0,
        },
        { name: 'late', displayName: 'late', tasks: 1, config: 0, manual: 1, scenes: 0, failed: 0 },
        { name: '定时', displayName: '定时', tasks: 1, config: 0, manual: 0, scenes: 1, failed: 1 },
      ]),
    )
    const fetchChanges = async (filters: object) =>
      (await joinLateUser()).call(shiftApi.changes, { projectId: 1, from, ...filters })
    expect(await fetchChanges({})).toMatchObject({
      list: [
        { kind: 'run', title: '场景“下班”', reason: '平台停了' },
        { createBy: 'late', origin: 'set', total: 1, success: 1 },
        { createBy: 'early' },
      ],
      total: 3,
    })
    expect((await fetchChanges({ by: 'late' })).list).toHaveLength(1)
    expect((await fetchChanges({ onlyFailed: true })).list).toMatchObject([{ kind: 'run' }])
  })
  it('list configuration changes of this project only, with the changed fields', async () => {
    const from = new Date().toISOString()
    const createBuilding = (projectId: number, name: string) =>
      app.as('admin').call(spaceApi.create, { projectId, parentId: null, type: 'building', name })
    const { id } = await createBuilding(1, '新楼')
    await createBuilding(2, '别处的楼')
    const lamp = await app.as('admin').call(managedDeviceApi.get, { id: lampA.id })
    await app.as('admin').call(managedDeviceApi.update, {
      ...DeviceChange.parse(lamp),
      id: lampA.id,
      version: lamp.version,
      name: '改名的灯',
    })
    const { list, total } = await (
      await joinLateUser()
    ).call(shiftApi.changes, { projectId: 1, from, pageSize: 5 })
    expect(total).toBe(2)
    expect(list).toMatchObject([
      {
        kind: 'change',
        origin: 'config',
        createBy: 'admin',
        reason: '设备名称',
        entityId: lampA.id,
      },
      { kind: 'change', title: '新建空间“新楼”', entityId: id },
    ])
    const people = await (await joinLateUser()).call(shiftApi.people, { projectId: 1, from })
    expect(people).toMatchObject([{ name: 'admin', tasks: 2, config: 2, manual: 0 }])
  })
  it("start at the end of the user's last session, or twelve hours ago", async () => {
    const first = await (await joinLateUser()).call(shiftApi.state, { projectId: 1 })
    expect(first.isOwn).toBe(false)
    expect(Date.now() - Date.parse(first.since)).toBeGreaterThan(11 * hourMs)
    const token = await app.login('late', secondPassword)
    await app.withToken(token).call(authApi.logout, {})
    const secondState = await (await joinLateUser()).call(shiftApi.state, { projectId: 1 })
    expect(secondState.isOwn).toBe(true)
    expect(Date.now() - Date.parse(secondState.since)).toBeLessThan(hourMs)
  })
})
