import { hourMs } from '@iot/shared/contract/duration'
import { actionLogApi } from '@iot/shared/contract/actionLog.api'
import { authApi } from '@iot/shared/contract/auth.api'
import { controlApi } from '@iot/shared/contract/control.api'
import { DeviceChange } from '@iot/shared/contract/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice.api'
import { shiftApi } from '@iot/shared/contract/shift.api'
import { spaceApi } from '@iot/shared/contract/space.api'
import { uuidv7 } from 'uuidv7'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { updateOfflineIncidents, updateTaskIncidents } from '../../device-access/ingest/incidents'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { incident } from '../../tables/incident'
import { scene, sceneRun } from '../../tables/scene'
import { secondPassword, testApp, type TestApp } from '../../testing'
import { shiftQueries } from './queries'

const lampProduct = productRow('pkShiftLamp', 'sub')
const edgeProduct = productRow('pkShiftEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamps = ['a', 'b'].map((name) => deviceRow(lampProduct, name, { gatewayId: edge.id }))
const [lampA, lampB] = lamps as [typeof edge, typeof edge]
const elsewhereLamp = deviceRow(lampProduct, 'elsewhere', { projectId: 2 })

let app: TestApp
let gateway: EdgeClient
let isRefusing = false
const connect = () =>
  connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet: (_, values, { reply, post }) => (isRefusing ? reply(500) : (reply(200), post(values))),
  })

beforeAll(async () => {
  app = await testApp({ mqttPort: 0, shift: { settleMs: 20 } })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, ...lamps, elsewhereLamp])
  gateway = await connect()
  for (const lamp of lamps) gateway.post(lamp, { PowerSwitch: 1 })
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  isRefusing = false
  await app.app.shift.flush()
  await app.app.db.delete(incident)
  await app.app.db.delete(sceneRun)
})

const joinEarlyUser = () => app.join('early', 'operator', [1])
const joinLateUser = () => app.join('late', 'operator', [1])
const joinOtherProjectUser = () => app.join('elsewhere', 'operator', [2])
const joinVisitor = () => app.join('onlooker', 'visitor', [1])
const listIncidents = async (only: 'open' | 'all' = 'open', from?: string) => {
  await app.app.shift.flush()
  return (await (await joinLateUser()).call(shiftApi.incidents, { projectId: 1, only, from })).list
}
const waitForIncidents = (
  predicate: (rows: Awaited<ReturnType<typeof listIncidents>>) => boolean,
) => waitUntil(() => listIncidents(), predicate)
const fetchOpenCount = async () =>
  (await (await joinLateUser()).call(shiftApi.state, { projectId: 1 })).open
const pastTime = '2026-01-01T00:00:00.000Z'
const incidentRow = (deviceId: string, overrides: Partial<typeof incident.$inferInsert> = {}) => ({
  id: uuidv7(),
  projectId: 1,
  deviceId,
  kind: 'fault' as const,
  identifier: 'Error',
  text: '故障',
  count: 2,
  firstTime: pastTime,
  lastTime: pastTime,
  ...overrides,
})
async function insertIncidents(...rows: (typeof incident.$inferInsert)[]) {
  await app.app.db.insert(incident).values(rows)
  return rows.map(({ id, count }) => ({ id: id!, count }))
}
const controlLamp = async (PowerSwitch: number, joinUser = joinEarlyUser) => {
  const scope = { kind: 'devices' as const, deviceIds: [lampA.id] }
  const request = { kind: 'set' as const, projectId: 1, scope, values: { PowerSwitch } }
  const { id } = await (await joinUser()).call(controlApi.start, request)
  return waitUntil(
    async () => (await joinEarlyUser()).call(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
}

describe('acknowledging incidents', () => {
  it('is refused without control permission, in another project, with too many and with none', async () => {
    const insertedRows = await insertIncidents(incidentRow(lampA.id))
    const params = { projectId: 1, incidents: insertedRows }
    await expect((await joinVisitor()).call(shiftApi.acknowledge, params)).rejects.toMatchObject({
      status: 403,
    })
    await expect(
      (await joinOtherProjectUser()).call(shiftApi.acknowledge, params),
    ).rejects.toMatchObject({
      code: 404,
    })
    await expect(
      (await joinLateUser()).call(shiftApi.acknowledge, { ...params, incidents: [] }),
    ).rejects.toMatchObject({ code: 422 })
    await expect(
      (await joinLateUser()).call(shiftApi.acknowledge, { ...params, note: '长'.repeat(201) }),
    ).rejects.toMatchObject({ data: { fields: { note: '备注最多 200 个字' } } })
    expect(await fetchOpenCount()).toBe(1)
  })
  it('does not reach incidents of another project through the own project id', async () => {
    const insertedRows = await insertIncidents(incidentRow(elsewhereLamp.id, { projectId: 2 }))
    const answer = await (
      await joinLateUser()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: insertedRows, note: '看过' })
    expect(answer).toEqual([{ id: insertedRows[0]!.id, name: '', ok: false, reason: '已被清理' }])
    const otherProjectPage = await (
      await joinOtherProjectUser()
    ).call(shiftApi.incidents, { projectId: 2, only: 'open' })
    expect(otherProjectPage.list).toMatchObject([
      { open: 1, incidents: [{ acknowledgedBy: '', notes: [] }] },
    ])
  })
  it('skips an incident that recurred since it was read, with the reason', async () => {
    const [insertedRow] = await insertIncidents(incidentRow(lampA.id, { count: 3 }))
    const answer = await (
      await joinLateUser()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: [{ id: insertedRow!.id, count: 1 }] })
    expect(answer).toMatchObject([{ ok: false, reason: '刚才又发生了 2 次，请看过再确认' }])
    expect(await fetchOpenCount()).toBe(1)
  })
  it('of several rows records user, time and note for each, also in the audit log', async () => {
    const insertedRows = await insertIncidents(incidentRow(lampA.id), incidentRow(lampB.id))
    const answer = await (
      await joinLateUser()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: insertedRows, note: ' 已报修 ' })
    expect(answer).toMatchObject([{ ok: true }, { ok: true }])
    expect(await listIncidents()).toEqual([])
    expect(await listIncidents('all', pastTime)).toMatchObject([
      { open: 0, incidents: [{ acknowledgedBy: 'late', notes: [{ by: 'late', text: '已报修' }] }] },
      { open: 0, incidents: [{ acknowledgedBy: 'late' }] },
    ])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '设备事件', pageSize: 1 })
    expect(log.list).toMatchObject([{ username: 'late', verb: '确认设备事件' }])
  })
  it('after a colleague is reported, and the note is kept', async () => {
    const insertedRows = await insertIncidents(incidentRow(lampA.id))
    const acknowledgeWithNote = async (joinUser: typeof joinEarlyUser, text: string) =>
      (await joinUser()).call(shiftApi.acknowledge, {
        projectId: 1,
        incidents: insertedRows,
        note: text,
      })
    await acknowledgeWithNote(joinEarlyUser, '换过镇流器')
    expect(await acknowledgeWithNote(joinLateUser, '')).toMatchObject([
      { ok: true, reason: expect.stringMatching(/^early 已在 \d\d:\d\d 确认$/) },
    ])
    expect(await acknowledgeWithNote(joinLateUser, '又看了一次')).toMatchObject([
      { ok: true, reason: expect.stringContaining('您的备注已加上') },
    ])
    expect((await listIncidents('all', pastTime))[0]!.incidents).toMatchObject([
      {
        acknowledgedBy: 'early',
        notes: [
          { by: 'early', text: '换过镇流器' },
          { by: 'late', text: '又看了一次' },
        ],
      },
    ])
  })
  it('by two users at the same moment succeeds for one', async () => {
    const insertedRows = await insertIncidents(incidentRow(lampA.id))
    const answers = await Promise.all(
      [joinEarlyUser, joinLateUser].map(async (joinUser) =>
        (await joinUser()).call(shiftApi.acknowledge, {
          projectId: 1,
          incidents: insertedRows,
          note: '我',
        }),
      ),
    )
    expect(answers.flat().filter(({ reason }) => reason === undefined)).toHaveLength(1)
    expect((await listIncidents('all', pastTime))[0]!.incidents[0]!.notes).toHaveLength(2)
  })
})

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
    for (const call of [
      app.as('admin').call(shiftApi.acknowledgeScenes, {
        projectId: 999_999,
        scenes: [{ id: sceneId, count: 1 }],
      }),
      app.as('admin').call(shiftApi.acknowledge, {
        projectId: 999_999,
        incidents: [{ id: sceneId, count: 1 }],
      }),
    ])
      await expect(call).rejects.toMatchObject({ code: 404 })
  })

  it('are counted once per scene until acknowledged, however often they were missed', async () => {
    const openCounts: number[] = []
    const onChanged = ({ open }: { open: number }) => void openCounts.push(open)
    app.app.shift.events.on('changed', onChanged)
    const [first, last] = [Date.now() - 7_200_000, Date.now() - hourMs]
    await recordRun('missed', first)
    await recordRun('missed', last)
    await recordRun('skipped', last + 1000)
    await app.app.shift.flush()
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

describe('incidents of devices', () => {
  it('are refused without access to the project', async () => {
    for (const call of [
      async () => (await joinOtherProjectUser()).call(shiftApi.state, { projectId: 1 }),
      async () => (await joinOtherProjectUser()).call(shiftApi.incidents, { projectId: 1 }),
      async () =>
        (await joinOtherProjectUser()).call(shiftApi.people, { projectId: 1, from: pastTime }),
      async () =>
        (await joinOtherProjectUser()).call(shiftApi.changes, { projectId: 1, from: pastTime }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
  })
  it('count faults until they are acknowledged, and then start from zero', async () => {
    const sendFault = () => gateway.event(lampA, 'Error', {})
    sendFault()
    sendFault()
    // Both counts are checked, because one is read after the other.
    const [row] = await waitForIncidents(
      ([one]) => one?.count === 2 && one.incidents[0]?.count === 2,
    )
    expect(row).toMatchObject({ id: lampA.id, name: 'a', count: 2, open: 1 })
    expect(row!.incidents).toMatchObject([{ kind: 'fault', text: '故障' }])
    const { id, count } = row!.incidents[0]!
    await (
      await joinLateUser()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: [{ id, count }] })
    sendFault()
    expect(await waitForIncidents(([one]) => one !== undefined)).toMatchObject([
      { count: 1, open: 1 },
    ])
    expect(await listIncidents('all')).toMatchObject([{ count: 3, open: 1 }])
  })
  it('name the offline edge host instead of its children, and its return', async () => {
    await waitUntil(
      async () => (await (await joinLateUser()).call(managedDeviceApi.page, { projectId: 1 })).list,
      (rows) => rows.every(({ state }) => state === 'online'),
    )
    await app.app.shift.flush()
    await app.app.db.delete(incident)
    await gateway.close()
    const rows = await waitForIncidents((incidentRows) => incidentRows.length > 0)
    expect(rows).toMatchObject([{ id: edge.id, incidents: [{ kind: 'offline', endTime: null }] }])
    await updateOfflineIncidents(app.app.db)
    expect(await listIncidents()).toHaveLength(1)
    gateway = await connect()
    const reconnectedRows = await waitForIncidents(([one]) => one?.incidents[0]?.endTime !== null)
    expect(reconnectedRows).toMatchObject([{ id: edge.id, open: 1, count: 1 }])
  })
  it('record a failed command once per task, and a later success', async () => {
    isRefusing = true
    await controlLamp(0)
    const [row] = await waitForIncidents(([one]) => one !== undefined)
    expect(row).toMatchObject({
      id: lampA.id,
      incidents: [{ kind: 'failed', count: 1, endTime: null }],
    })
    expect(row!.incidents[0]!.text).toContain('设备返回 500')
    await controlLamp(0)
    await waitForIncidents(([one]) => one?.count === 2)
    // The sweep finds results again that were already recorded.
    for (const { id, projectId } of await shiftQueries(app.app.db).listRecentFailures())
      await updateTaskIncidents(app.app.db, projectId, id)
    expect(await listIncidents()).toMatchObject([{ count: 2 }])
    isRefusing = false
    await controlLamp(0)
    await waitForIncidents(([one]) => one?.incidents[0]?.endTime !== null)
  })
  it('are paged with the most recent first', async () => {
    const toTime = (minuteOfHour: number) => `2026-01-01T00:0${minuteOfHour}:00.000Z`
    await insertIncidents(
      incidentRow(lampA.id, { lastTime: toTime(1) }),
      incidentRow(lampB.id, { lastTime: toTime(3) }),
      incidentRow(edge.id, { lastTime: toTime(2) }),
    )
    const fetchPage = async (pageNo: number) =>
      (await joinLateUser()).call(shiftApi.incidents, { projectId: 1, pageNo, pageSize: 2 })
    expect(await fetchPage(1)).toMatchObject({
      list: [{ id: lampB.id }, { id: edge.id }],
      total: 3,
    })
    expect((await fetchPage(2)).list).toMatchObject([{ id: lampA.id }])
  })
  it('announce the number of unacknowledged ones to every page', async () => {
    const openCounts: number[] = []
    app.app.shift.events.on('changed', ({ projectId, open }) => {
      if (projectId === 1) openCounts.push(open)
    })
    gateway.event(lampB, 'Error', {})
    await waitUntil(
      () => openCounts.at(-1),
      (last) => last === 1,
    )
    const [row] = await listIncidents()
    const { id, count } = row!.incidents[0]!
    await (
      await joinEarlyUser()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: [{ id, count }] })
    await waitUntil(
      () => openCounts.at(-1),
      (last) => last === 0,
    )
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
