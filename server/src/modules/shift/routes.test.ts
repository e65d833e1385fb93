import { actionLogApi } from '@iot/shared/contract/actionLog'
import { authApi } from '@iot/shared/contract/auth'
import { controlApi } from '@iot/shared/contract/control'
import { DeviceChange, managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { shiftApi } from '@iot/shared/contract/shift'
import { spaceApi } from '@iot/shared/contract/space'
import { uuidv7 } from 'uuidv7'
import { connectEdge, type EdgeClient } from '../../device-access/edgeClient'
import { noteAbsences, noteResults } from '../../device-access/incidents'
import { deviceRow, insertDevices, productRow, until } from '../../device-access/testing'
import { incident } from '../../tables/incident'
import { scene, sceneRun } from '../../tables/scene'
import { secondPassword, testApp, type TestApp } from '../../testing'
import { shiftQueries } from './queries'

const lampProduct = productRow('pkShiftLamp', 'sub')
const edgeProduct = productRow('pkShiftEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamps = ['a', 'b'].map((name) => deviceRow(lampProduct, name, { gatewayId: edge.id }))
const [a, b] = lamps as [typeof edge, typeof edge]
const elsewhereLamp = deviceRow(lampProduct, 'elsewhere', { projectId: 2 })

let app: TestApp
let gateway: EdgeClient
let refusing = false
const connect = () =>
  connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet: (_, values, { reply, post }) => (refusing ? reply(500) : (reply(200), post(values))),
  })

beforeAll(async () => {
  app = await testApp({ mqttPort: 0, shift: { settleAfter: 20 } })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, ...lamps, elsewhereLamp])
  gateway = await connect()
  for (const one of lamps) gateway.post(one, { PowerSwitch: 1 })
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  refusing = false
  await app.app.shift.flush()
  await app.app.db.delete(incident)
  await app.app.db.delete(sceneRun)
})

const early = () => app.join('early', 'operator', [1])
const late = () => app.join('late', 'operator', [1])
const elsewhere = () => app.join('elsewhere', 'operator', [2])
const onlooker = () => app.join('onlooker', 'visitor', [1])
const list = async (only: 'open' | 'all' = 'open', from?: string) => {
  await app.app.shift.flush()
  return (await (await late()).call(shiftApi.incidents, { projectId: 1, only, from })).list
}
const found = (wanted: (rows: Awaited<ReturnType<typeof list>>) => boolean) =>
  until(() => list(), wanted)
const open = async () => (await (await late()).call(shiftApi.state, { projectId: 1 })).open
const past = '2026-01-01T00:00:00.000Z'
const note = (deviceId: string, more: Partial<typeof incident.$inferInsert> = {}) => ({
  id: uuidv7(),
  projectId: 1,
  deviceId,
  kind: 'fault' as const,
  identifier: 'Error',
  text: '故障',
  count: 2,
  firstTime: past,
  lastTime: past,
  ...more,
})
async function insert(...rows: (typeof incident.$inferInsert)[]) {
  await app.app.db.insert(incident).values(rows)
  return rows.map(({ id, count }) => ({ id: id!, count }))
}
const press = async (PowerSwitch: number, who = early) => {
  const scope = { kind: 'devices' as const, deviceIds: [a.id] }
  const request = { kind: 'set' as const, projectId: 1, scope, values: { PowerSwitch } }
  const { id } = await (await who()).call(controlApi.start, request)
  return until(
    async () => (await early()).call(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
}

describe('acknowledging', () => {
  it('refuses who may not control, another project, too much, and nothing', async () => {
    const seen = await insert(note(a.id))
    const asked = { projectId: 1, incidents: seen }
    await expect((await onlooker()).call(shiftApi.acknowledge, asked)).rejects.toMatchObject({
      status: 403,
    })
    await expect((await elsewhere()).call(shiftApi.acknowledge, asked)).rejects.toMatchObject({
      code: 404,
    })
    await expect(
      (await late()).call(shiftApi.acknowledge, { ...asked, incidents: [] }),
    ).rejects.toMatchObject({ code: 422 })
    await expect(
      (await late()).call(shiftApi.acknowledge, { ...asked, note: '长'.repeat(201) }),
    ).rejects.toMatchObject({ data: { fields: { note: '备注最多 200 个字' } } })
    expect(await open()).toBe(1)
  })
  it('reaches nothing of another project by the name of one’s own', async () => {
    const seen = await insert(note(elsewhereLamp.id, { projectId: 2 }))
    const answer = await (
      await late()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: seen, note: '看过' })
    expect(answer).toEqual([{ id: seen[0]!.id, name: '', ok: false, reason: '已被清理' }])
    const theirs = await (
      await elsewhere()
    ).call(shiftApi.incidents, { projectId: 2, only: 'open' })
    expect(theirs.list).toMatchObject([{ open: 1, incidents: [{ acknowledgedBy: '', notes: [] }] }])
  })
  it('says so where more came since it was looked at, and leaves that one', async () => {
    const [seen] = await insert(note(a.id, { count: 3 }))
    const answer = await (
      await late()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: [{ id: seen!.id, count: 1 }] })
    expect(answer).toMatchObject([{ ok: false, reason: '刚才又发生了 2 次，请看过再确认' }])
    expect(await open()).toBe(1)
  })
  it('of many: each has who, when and the note, and the action log says it', async () => {
    const seen = await insert(note(a.id), note(b.id))
    const answer = await (
      await late()
    ).call(shiftApi.acknowledge, { projectId: 1, incidents: seen, note: ' 已报修 ' })
    expect(answer).toMatchObject([{ ok: true }, { ok: true }])
    expect(await list()).toEqual([])
    expect(await list('all', past)).toMatchObject([
      { open: 0, incidents: [{ acknowledgedBy: 'late', notes: [{ by: 'late', text: '已报修' }] }] },
      { open: 0, incidents: [{ acknowledgedBy: 'late' }] },
    ])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '设备事件', pageSize: 1 })
    expect(log.list).toMatchObject([{ username: 'late', verb: '确认设备事件' }])
  })
  it('that a colleague was first is said, and the note is kept', async () => {
    const seen = await insert(note(a.id))
    const say = async (who: typeof early, text: string) =>
      (await who()).call(shiftApi.acknowledge, { projectId: 1, incidents: seen, note: text })
    await say(early, '换过镇流器')
    expect(await say(late, '')).toMatchObject([
      { ok: true, reason: expect.stringMatching(/^early 已在 \d\d:\d\d 确认$/) },
    ])
    expect(await say(late, '又看了一次')).toMatchObject([
      { ok: true, reason: expect.stringContaining('您的备注已加上') },
    ])
    expect((await list('all', past))[0]!.incidents).toMatchObject([
      {
        acknowledgedBy: 'early',
        notes: [
          { by: 'early', text: '换过镇流器' },
          { by: 'late', text: '又看了一次' },
        ],
      },
    ])
  })
  it('of two in the same moment one is first', async () => {
    const seen = await insert(note(a.id))
    const both = await Promise.all(
      [early, late].map(async (who) =>
        (await who()).call(shiftApi.acknowledge, { projectId: 1, incidents: seen, note: '我' }),
      ),
    )
    expect(both.flat().filter(({ reason }) => reason === undefined)).toHaveLength(1)
    expect((await list('all', past))[0]!.incidents[0]!.notes).toHaveLength(2)
  })
})

describe('scenes that did not run by themselves', () => {
  const sceneId = uuidv7()
  const leave = (status: 'missed' | 'skipped', due: number) =>
    app.app.scenes.leave(
      { projectId: 1, id: sceneId },
      { cause: 'timer', status, reason: '平台没有运行', due },
    )
  const unfinished = async () => (await late()).call(shiftApi.unfinishedScenes, { projectId: 1 })
  const acknowledge = async (count: number, who = late) =>
    (await who()).call(shiftApi.acknowledgeScenes, {
      projectId: 1,
      note: '已手动执行',
      scenes: [{ id: sceneId, count }],
    })

  it('refuses who may not control, and another project', async () => {
    await leave('missed', Date.now() - 60_000)
    await expect(acknowledge(1, onlooker)).rejects.toMatchObject({ status: 403 })
    await expect(acknowledge(1, elsewhere)).rejects.toMatchObject({ code: 404 })
    await expect(
      (await elsewhere()).call(shiftApi.unfinishedScenes, { projectId: 1 }),
    ).rejects.toMatchObject({ code: 404 })
    expect(await open()).toBe(1)
  })

  it('refuses scenes that are not there or lie in another project', async () => {
    await app.app.scenes.leave(
      { projectId: 2, id: sceneId },
      { cause: 'timer', status: 'missed', reason: '平台没有运行', due: Date.now() - 60_000 },
    )
    const reason = '场景不存在或已被删除'
    expect(await acknowledge(1)).toEqual([{ id: sceneId, name: '', ok: false, reason }])
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

  it('counts a scene once however often it was missed, until somebody acknowledges it', async () => {
    const told: number[] = []
    const hear = ({ open }: { open: number }) => void told.push(open)
    app.app.shift.events.on('changed', hear)
    const [first, last] = [Date.now() - 7_200_000, Date.now() - 3_600_000]
    await leave('missed', first)
    await leave('missed', last)
    await leave('skipped', last + 1000)
    await app.app.shift.flush()
    app.app.shift.events.off('changed', hear)
    expect(told.at(-1)).toBe(1)
    expect(await unfinished()).toEqual([
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
    expect(await acknowledge(1)).toMatchObject([
      { ok: false, reason: '刚才又发生了 1 次，请看过再确认' },
    ])
    expect(await open()).toBe(1)
    expect(await acknowledge(2)).toMatchObject([{ ok: true }])
    expect(await acknowledge(2)).toMatchObject([{ ok: true, reason: '已由别人确认' }])
    expect([await unfinished(), await open()]).toEqual([[], 0])
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

describe('what happens to devices', () => {
  it('refuses who may not see the project', async () => {
    for (const call of [
      async () => (await elsewhere()).call(shiftApi.state, { projectId: 1 }),
      async () => (await elsewhere()).call(shiftApi.incidents, { projectId: 1 }),
      async () => (await elsewhere()).call(shiftApi.people, { projectId: 1, from: past }),
      async () => (await elsewhere()).call(shiftApi.changes, { projectId: 1, from: past }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 404 })
  })
  it('counts faults until somebody acknowledged them, and then begins anew', async () => {
    const fail = () => gateway.event(a, 'Error', {})
    fail()
    fail()
    // Both counts are checked, because one is read after the other.
    const [row] = await found(([one]) => one?.count === 2 && one.incidents[0]?.count === 2)
    expect(row).toMatchObject({ id: a.id, name: 'a', count: 2, open: 1 })
    expect(row!.incidents).toMatchObject([{ kind: 'fault', text: '故障' }])
    const { id, count } = row!.incidents[0]!
    await (await late()).call(shiftApi.acknowledge, { projectId: 1, incidents: [{ id, count }] })
    fail()
    expect(await found(([one]) => one !== undefined)).toMatchObject([{ count: 1, open: 1 }])
    expect(await list('all')).toMatchObject([{ count: 3, open: 1 }])
  })
  it('names the edge host that is away and not what hangs on it, and says that it is back', async () => {
    await until(
      async () => (await (await late()).call(managedDeviceApi.page, { projectId: 1 })).list,
      (rows) => rows.every(({ state }) => state === 'online'),
    )
    await app.app.shift.flush()
    await app.app.db.delete(incident)
    await gateway.close()
    const rows = await found((some) => some.length > 0)
    expect(rows).toMatchObject([{ id: edge.id, incidents: [{ kind: 'offline', endTime: null }] }])
    await noteAbsences(app.app.db)
    expect(await list()).toHaveLength(1)
    gateway = await connect()
    const back = await found(([one]) => one?.incidents[0]?.endTime !== null)
    expect(back).toMatchObject([{ id: edge.id, open: 1, count: 1 }])
  })
  it('notes a command that failed once for each task, and that a later one succeeded', async () => {
    refusing = true
    await press(0)
    const [row] = await found(([one]) => one !== undefined)
    expect(row).toMatchObject({
      id: a.id,
      incidents: [{ kind: 'failed', count: 1, endTime: null }],
    })
    expect(row!.incidents[0]!.text).toContain('设备返回 500')
    await press(0)
    await found(([one]) => one?.count === 2)
    // The sweep finds results again that were already recorded.
    for (const { id, projectId } of await shiftQueries(app.app.db).failedLately())
      await noteResults(app.app.db, projectId, id)
    expect(await list()).toMatchObject([{ count: 2 }])
    refusing = false
    await press(0)
    await found(([one]) => one?.incidents[0]?.endTime !== null)
  })
  it('goes page by page, the last to have something first', async () => {
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`
    await insert(
      note(a.id, { lastTime: at(1) }),
      note(b.id, { lastTime: at(3) }),
      note(edge.id, { lastTime: at(2) }),
    )
    const page = async (pageNo: number) =>
      (await late()).call(shiftApi.incidents, { projectId: 1, pageNo, pageSize: 2 })
    expect(await page(1)).toMatchObject({ list: [{ id: b.id }, { id: edge.id }], total: 3 })
    expect((await page(2)).list).toMatchObject([{ id: a.id }])
  })
  it('tells every page how many nobody acknowledged', async () => {
    const told: number[] = []
    app.app.shift.events.on('changed', ({ projectId, open }) => {
      if (projectId === 1) told.push(open)
    })
    gateway.event(b, 'Error', {})
    await until(
      () => told.at(-1),
      (last) => last === 1,
    )
    const [row] = await list()
    const { id, count } = row!.incidents[0]!
    await (await early()).call(shiftApi.acknowledge, { projectId: 1, incidents: [{ id, count }] })
    await until(
      () => told.at(-1),
      (last) => last === 0,
    )
  })
})

describe('what was done by whom', () => {
  it('counts by person, and lists tasks and runs that led to none', async () => {
    const from = new Date().toISOString()
    await press(1)
    await press(0, late)
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
    const people = await (await late()).call(shiftApi.people, { projectId: 1, from })
    expect(people).toEqual(
      expect.arrayContaining([
        { name: 'early', tasks: 1, config: 0, manual: 1, scenes: 0, failed: 0 },
        { name: 'late', tasks: 1, config: 0, manual: 1, scenes: 0, failed: 0 },
        { name: '定时', tasks: 1, config: 0, manual: 0, scenes: 1, failed: 1 },
      ]),
    )
    const changes = async (more: object) =>
      (await late()).call(shiftApi.changes, { projectId: 1, from, ...more })
    expect(await changes({})).toMatchObject({
      list: [
        { kind: 'run', title: '场景“下班”', reason: '平台停了' },
        { createBy: 'late', origin: 'set', total: 1, success: 1 },
        { createBy: 'early' },
      ],
      total: 3,
    })
    expect((await changes({ by: 'late' })).list).toHaveLength(1)
    expect((await changes({ onlyFailed: true })).list).toMatchObject([{ kind: 'run' }])
  })
  it('lists what was configured of this project, with what changed, and nothing of another', async () => {
    const from = new Date().toISOString()
    const make = (projectId: number, name: string) =>
      app.as('admin').call(spaceApi.create, { projectId, parentId: null, type: 'building', name })
    const { id } = await make(1, '新楼')
    await make(2, '别处的楼')
    const lamp = await app.as('admin').call(managedDeviceApi.get, { id: a.id })
    await app.as('admin').call(managedDeviceApi.update, {
      ...DeviceChange.parse(lamp),
      id: a.id,
      version: lamp.version,
      name: '改名的灯',
    })
    const { list, total } = await (
      await late()
    ).call(shiftApi.changes, { projectId: 1, from, pageSize: 5 })
    expect(total).toBe(2)
    expect(list).toMatchObject([
      { kind: 'change', origin: 'config', createBy: 'admin', reason: '设备名称', entityId: a.id },
      { kind: 'change', title: '新建空间“新楼”', entityId: id },
    ])
    const people = await (await late()).call(shiftApi.people, { projectId: 1, from })
    expect(people).toMatchObject([{ name: 'admin', tasks: 2, config: 2, manual: 0 }])
  })
  it('begins where one’s last session ended, and twelve hours ago where there was none', async () => {
    const first = await (await late()).call(shiftApi.state, { projectId: 1 })
    expect(first.isOwn).toBe(false)
    expect(Date.now() - Date.parse(first.since)).toBeGreaterThan(11 * 3600_000)
    const token = await app.login('late', secondPassword)
    await app.withToken(token).call(authApi.logout, {})
    const again = await (await late()).call(shiftApi.state, { projectId: 1 })
    expect(again.isOwn).toBe(true)
    expect(Date.now() - Date.parse(again.since)).toBeLessThan(3600_000)
  })
})
