import { weekdayOf } from '@iot/shared/contract/calendarDay'
import { actionLogApi } from '@iot/shared/contract/actionLog'
import { calendarApi, holidayApi } from '@iot/shared/contract/calendar'
import { deviceGroupApi } from '@iot/shared/contract/deviceGroup'
import { controlApi } from '@iot/shared/contract/control'
import type { Input } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { sceneApi, type Scene, type SceneAction } from '@iot/shared/contract/scene'
import { toMoment, toZonedDate } from '@iot/shared/contract/timeZone'
import { eq, like } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { keyOf } from '../../device-access/alink'
import { connectEdge, type EdgeClient } from '../../device-access/edgeClient'
import { deviceRow, insertDevices, productRow, until } from '../../device-access/testing'
import { device } from '../../tables/device'
import { job } from '../../tables/job'
import { project } from '../../tables/project'
import { scene as table, sceneCondition, sceneRun } from '../../tables/scene'
import { space } from '../../tables/space'
import { testApp, type TestApp } from '../../testing'
import { openSceneRuns } from './runs'
import { openScheduler } from './scheduler'
import { askedDevices } from './policy'

const shanghai = 'Asia/Shanghai'
const dateOf = (at: number) => toZonedDate(at, shanghai)
const momentOf = (date: string, clock = '00:00') => toMoment(date, clock, shanghai)

const lampProduct = productRow('pkSceneLamp', 'sub')
const edgeProduct = productRow('pkSceneEdge', 'gateway')
const [floor, lobby] = [uuidv7(), uuidv7()]
const edge = deviceRow(edgeProduct, 'scene-edge')
const lamp = (name: string, more = {}) =>
  deviceRow(lampProduct, name, { gatewayId: edge.id, spaceId: lobby, floorId: floor, ...more })
const lamps = ['a', 'b', 'c'].map((name) => lamp(name))
const [a, b, c] = lamps as [typeof edge, typeof edge, typeof edge]
const emergency = lamp('emergency', { protected: true })
const away = lamp('away', { spaceId: floor, state: 'offline', reported: { PowerSwitch: 1 } })
const elsewhere = deviceRow(lampProduct, 'elsewhere', { projectId: 2 })

let app: TestApp
let gateway: EdgeClient
const received: string[] = []

beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  const place = { projectId: 1, sort: 1 }
  await app.app.db.insert(space).values([
    { ...place, id: floor, parentId: null, type: 'floor', name: '1 层' },
    { ...place, id: lobby, parentId: floor, type: 'area', name: '大堂' },
  ])
  const here = [edge, ...lamps, emergency]
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [...here, away, elsewhere])
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: [...lamps, emergency],
    onSet(key, values, { reply, post }) {
      const { deviceName } = here.find((one) => keyOf(one) === key)!
      received.push(`${deviceName} ${JSON.stringify(values)}`)
      reply(200)
      post(values)
    },
  })
  await say(a, { PowerSwitch: 1, Brightness: 80 })
  await say(b, { PowerSwitch: 1, Brightness: 80 })
  await say(c, { PowerSwitch: 0, Brightness: 80 })
  await say(emergency, { PowerSwitch: 1, Brightness: 100 })
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(() => {
  received.length = 0
})

const admin = () => app.as('admin')
async function say(one: typeof edge, values: Record<string, number>) {
  gateway.post(one, values)
  await until(
    async () => (await admin().call(managedDeviceApi.live, { id: one.id })).reported,
    (reported) => Object.entries(values).every(([name, value]) => reported[name] === value),
  )
}
const type = 'SAFEWAY_LIGHT'
const setting = (values: Record<string, number>, more: Partial<SceneAction> = {}): SceneAction => ({
  productType: type,
  scope: { kind: 'space', spaceId: lobby },
  values,
  delay: 0,
  ...more,
})
const off = setting({ PowerSwitch: 0 })
const named = (ids: string[]) => ({ scope: { kind: 'devices' as const, deviceIds: ids } })
type Draft = Input<typeof sceneApi.create>
const draft = (name: string, more: Partial<Draft> = {}): Draft => ({
  projectId: 1,
  name,
  icon: 'BulbOutlined',
  sort: 1,
  status: 'enabled',
  order: 'parallel',
  actions: [off],
  triggers: [],
  calendarId: null,
  dayMode: 'ignore',
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
  ...more,
})
const made = (name: string, more: Partial<Draft> = {}) =>
  admin().call(sceneApi.create, draft(name, more))
const fieldsOf = (work: Promise<unknown>) => work.catch(({ data }) => data?.fields)
const run = ({ id: sceneId }: Pick<Scene, 'id'>, trial?: true) =>
  admin().call(controlApi.start, { kind: 'scene', projectId: 1, sceneId, trial })
const runsOf = async ({ id }: Pick<Scene, 'id'>) => (await admin().call(sceneApi.runs, { id })).list
const over = (scene: Pick<Scene, 'id'>, count = 1) =>
  until(
    () => runsOf(scene),
    (list) => list.length >= count && list.every(({ doneTime }) => doneTime !== null),
  )
const buttonOf = async ({ id }: Pick<Scene, 'id'>) =>
  (await admin().call(sceneApi.page, { projectId: 1, pageSize: 999 })).list.find(
    (one) => one.id === id,
  )!
const workdays = { kind: 'weekly' as const, weekdays: [1, 2, 3, 4, 5], time: '18:30' }

describe('who may', () => {
  it('refuses a stranger, and an operator to edit', async () => {
    await expect(app.stranger.call(sceneApi.create, draft('甲'))).rejects.toMatchObject({
      code: 401,
    })
    const operator = await app.join('scene-operator', 'operator', [1])
    await expect(operator.call(sceneApi.create, draft('甲'))).rejects.toMatchObject({
      status: 403,
      data: { permission: 'home:scene:edit', title: '新建场景' },
    })
    const scene = await made('看得到')
    expect(await operator.call(sceneApi.get, { id: scene.id })).toMatchObject({ name: '看得到' })
  })
  it('hides scenes of other projects', async () => {
    const other = await app.join('scene-other', 'project-admin', [2])
    const { id, version } = await made('别人的')
    const gone = { code: 404 }
    await expect(other.call(sceneApi.get, { id })).rejects.toMatchObject(gone)
    await expect(other.call(sceneApi.runs, { id })).rejects.toMatchObject(gone)
    await expect(other.call(sceneApi.remove, { id })).rejects.toMatchObject(gone)
    await expect(
      other.call(sceneApi.setStatus, { ids: [id], status: 'disabled' }),
    ).rejects.toMatchObject(gone)
    const { projectId: _, ...change } = draft('别人的')
    await expect(other.call(sceneApi.update, { id, version, ...change })).rejects.toMatchObject(
      gone,
    )
    await expect(
      admin().call(sceneApi.create, draft('甲', { projectId: 99 })),
    ).rejects.toMatchObject(gone)
  })
})

describe('what is refused, at its row', () => {
  const refusedAt = (more: Partial<Draft>) => fieldsOf(made('拒绝', more))
  it('a function the devices lack, and a value they cannot take', async () => {
    expect(await refusedAt({ actions: [off, setting({ Colour: 1 })] })).toEqual({
      'actions.1.values': '4 台“pkSceneLamp”：产品没有功能 Colour',
    })
    expect(await refusedAt({ actions: [setting({ Brightness: 900 }, named([a.id]))] })).toEqual({
      'actions.0.values': 'a：亮度不能大于 100',
    })
  })
  it('devices of another project or type, areas without any, and protected ones only', async () => {
    expect(
      await refusedAt({ actions: [setting({ PowerSwitch: 0 }, named([elsewhere.id]))] }),
    ).toEqual({
      'actions.0.scope': '所选范围或设备不存在或已被删除',
    })
    expect(
      await refusedAt({ actions: [setting({ PowerSwitch: 0 }, named([edge.id, a.id]))] }),
    ).toEqual({ 'actions.0.scope': '有 1 台设备不是灯光' })
    expect(
      await refusedAt({ actions: [setting({ PowerSwitch: 0 }, { productType: 'NOTHING' })] }),
    ).toEqual({ 'actions.0.productType': '所选设备类型不存在或已被删除' })
    expect(
      await refusedAt({ actions: [setting({ PowerSwitch: 0 }, named([emergency.id]))] }),
    ).toEqual({
      'actions.0.scope': '所选设备都是受保护回路，场景不会控制它们',
    })
    expect(await refusedAt({ actions: [] })).toEqual({ actions: '请添加动作' })
  })
  it('a first action that waits, a name that is taken', async () => {
    expect(await refusedAt({ actions: [setting({ PowerSwitch: 0 }, { delay: 5 })] })).toEqual({
      'actions.0.delay': '至少有一个动作立即执行',
    })
    await made('重名')
    expect(await fieldsOf(made('重名'))).toEqual({ name: '场景名称“重名”已存在' })
  })
  it('times that never come, or whose place is not known', async () => {
    expect(await refusedAt({ triggers: [{ kind: 'cron', cron: '61 * * * *' }] })).toEqual({
      'triggers.0.cron': 'cron 表达式不正确：须为“分 时 日 月 周”五段',
    })
    expect(await refusedAt({ triggers: [{ kind: 'cron', cron: '0 0 30 2 *' }] })).toEqual({
      'triggers.0.cron': '这个 cron 表达式永远不会触发',
    })
    const sun = { kind: 'sun' as const, event: 'sunset' as const, offset: -10, weekdays: [1] }
    const nowhere = { longitude: null, latitude: null }
    await app.app.db.update(project).set(nowhere).where(eq(project.projectId, 3))
    expect(
      await refusedAt({ projectId: 3, actions: [off], triggers: [{ ...sun, position: null }] }),
    ).toMatchObject({ 'triggers.0.position': '项目没有设置经纬度，请在这里填写' })
    expect(await refusedAt({ dayMode: 'only' })).toEqual({ dayTypes: '请选择日期类型' })
    expect(await refusedAt({ quietFrom: '23:00' })).toEqual({
      quietTo: '静默时段请填写开始和结束',
    })
    expect(await refusedAt({ calendarId: uuidv7() })).toEqual({
      calendarId: '所选日历不存在或已被删除',
    })
  })
  it('conditions a device cannot meet', async () => {
    const condition = (more: object): Partial<Draft> => ({
      triggers: [
        {
          kind: 'condition',
          match: 'all',
          seconds: 0,
          conditions: [
            {
              deviceId: a.id,
              identifier: 'Brightness',
              compare: 'gt',
              value: 50,
              ...more,
            } as never,
          ],
        },
      ],
    })
    const at = 'triggers.0.conditions.0.'
    expect(await refusedAt(condition({ deviceId: elsewhere.id }))).toEqual({
      [`${at}deviceId`]: '所选设备不存在或已被删除',
    })
    expect(await refusedAt(condition({ identifier: 'Lux' }))).toEqual({
      [`${at}identifier`]: 'a没有功能 Lux',
    })
    expect(await refusedAt(condition({ identifier: 'PowerSwitch' }))).toEqual({
      [`${at}compare`]: '电源开关只能比较等于或不等于',
    })
    expect(await refusedAt(condition({ value: '亮' }))).toEqual({ [`${at}value`]: '亮度须为数字' })
  })
})

describe('editing', () => {
  it('keeps what was said, sends nothing, and answers an old version with the row as it stands', async () => {
    const scene = await made('编辑', { triggers: [workdays] })
    const get = () => admin().call(sceneApi.get, { id: scene.id })
    expect(await get()).toEqual(scene)
    const changed = { ...scene, name: '改名', actions: [setting({ Brightness: 30 }), off] }
    const after = await admin().call(sceneApi.update, changed)
    expect(after).toMatchObject({ name: '改名', version: 2, actions: changed.actions })
    await expect(admin().call(sceneApi.update, changed)).rejects.toMatchObject({
      code: 1002,
      data: { current: { name: '改名', actions: changed.actions } },
    })
    expect(await buttonOf(scene)).toMatchObject({
      triggerTexts: ['周一至周五 18:30'],
      lastRun: null,
    })
    await admin().call(sceneApi.remove, { id: scene.id })
    await expect(get()).rejects.toMatchObject({ code: 404 })
    expect(received).toEqual([])
  })
  it('keeps calendars and devices that scenes ask', async () => {
    const calendar = await admin().call(calendarApi.create, {
      name: '场景用',
      code: 'for-scenes',
      parentId: null,
      weekendMode: 'double',
      alternateFrom: null,
      description: '',
    })
    const conditions = [
      { deviceId: c.id, identifier: 'PowerSwitch', compare: 'eq' as const, value: 1 },
    ]
    const scene = await made('引用', {
      calendarId: calendar.id,
      triggers: [{ kind: 'condition', match: 'all', seconds: 0, conditions }],
    })
    const isUsed = { code: 1003 }
    await expect(admin().call(calendarApi.remove, { id: calendar.id })).rejects.toMatchObject(
      isUsed,
    )
    await expect(admin().call(managedDeviceApi.remove, { id: c.id })).rejects.toMatchObject(isUsed)
    await admin().call(sceneApi.remove, { id: scene.id })
  })
})

describe('what can be chosen', () => {
  it('is the types and devices of the project, with what they can do', async () => {
    const types = await admin().call(sceneApi.types, { projectId: 1 })
    expect(types).toMatchObject([
      { code: type, name: '灯光', properties: [{ name: '电源开关' }, { name: '亮度' }] },
    ])
    const found = await admin().call(sceneApi.devices, { projectId: 1, text: 'emer' })
    expect(found).toEqual([
      { id: emergency.id, name: 'emergency', productType: type, isDisabled: false },
    ])
    const ids = [a.id, elsewhere.id]
    expect(await admin().call(sceneApi.devices, { projectId: 1, ids })).toMatchObject([
      { id: a.id },
    ])
  })
})

describe('取当前值', () => {
  it('groups what devices say now, and names whose values are not known', async () => {
    const scope = { kind: 'space' as const, spaceId: floor }
    const answer = await admin().call(sceneApi.capture, { projectId: 1, scope, productType: type })
    expect(answer).toEqual({
      actions: [
        setting({ PowerSwitch: 1, Brightness: 80 }, named([a.id, b.id])),
        setting({ PowerSwitch: 0 }, named([c.id])),
      ],
      left: [
        { name: 'away', reason: '离线，当前值未知' },
        { name: 'emergency', reason: '受保护回路，场景不会控制' },
      ],
    })
    expect(received).toEqual([])
  })
})

describe('running', () => {
  it('is one control task where nothing waits, and stands in the log', async () => {
    const scene = await made('一起', { actions: [off, setting({ Brightness: 5 }, named([a.id]))] })
    const task = await run(scene)
    expect(task).toMatchObject({ title: '场景 · 一起', origin: 'scene', total: 4 })
    const [entry] = await over(scene)
    expect(entry).toMatchObject({
      cause: 'manual',
      status: 'done',
      reason: '',
      createBy: 'admin',
      tasks: [{ id: task.id, counts: { success: 3, skipped: 1 } }],
    })
    expect(received.toSorted()).toEqual([
      'a {"PowerSwitch":0,"Brightness":5}',
      'b {"PowerSwitch":0}',
      'c {"PowerSwitch":0}',
    ])
    expect((await buttonOf(scene)).lastRun).toMatchObject({ cause: 'manual', failed: 0 })
  })
  it('waits for the action before it, and for the delay', async () => {
    const one = (values: Record<string, number>, delay = 0) =>
      setting(values, { ...named([a.id]), delay })
    const scene = await made('依次', {
      order: 'serial',
      actions: [one({ Brightness: 10 }), one({ Brightness: 20 }), one({ PowerSwitch: 0 }, 1)],
    })
    expect(await run(scene)).toMatchObject({ title: '场景 · 依次（1/3）' })
    const [entry] = await over(scene)
    expect(entry!.tasks.map(({ title }) => title)).toEqual(
      [1, 2, 3].map((n) => `场景 · 依次（${n}/3）`),
    )
    expect(received).toEqual(['a {"Brightness":10}', 'a {"Brightness":20}', 'a {"PowerSwitch":0}'])
    const [, second, third] = entry!.tasks
    expect(Date.parse(third!.createTime) - Date.parse(second!.doneTime!)).toBeGreaterThan(900)
  })
  it('stops where what it does is changed while it waits, and says so', async () => {
    const one = (values: Record<string, number>, delay = 0) =>
      setting(values, { ...named([a.id]), delay })
    const actions = [one({ Brightness: 11 }), one({ Brightness: 12 }, 1), one({ PowerSwitch: 0 })]
    const scene = await made('改到一半', { order: 'serial', actions })
    await run(scene)
    await until(
      () => received.length,
      (count) => count === 1,
    )
    const changed = { ...scene, actions: [actions[0]!, one({ Brightness: 99 })] }
    await admin().call(sceneApi.update, changed)
    expect(await over(scene)).toMatchObject([
      { status: 'failed', reason: '场景在执行中被修改；还有 2 步没有执行' },
    ])
    expect(received).toEqual(['a {"Brightness":11}'])
  })
  it('says that nobody is left of a group; who is named by a scene cannot be deleted', async () => {
    const attic = uuidv7()
    await app.app.db
      .insert(space)
      .values([{ projectId: 1, id: attic, parentId: null, type: 'floor', name: '阁楼', sort: 2 }])
    const alone = lamp('alone', { spaceId: attic })
    await insertDevices(app.app.db, [], [alone])
    const group = await admin().call(deviceGroupApi.create, {
      projectId: 1,
      name: '要清空',
      kind: 'rule',
      deviceIds: [],
      productIds: [],
      spaceIds: [attic],
      tags: [],
      description: '',
    })
    const scope = { kind: 'group' as const, groupId: group.id }
    const grouped = await made('一组', { actions: [setting({ Brightness: 9 }, { scope })] })
    const byName = await made('点名', { actions: [setting({ Brightness: 9 }, named([alone.id]))] })
    await expect(admin().call(managedDeviceApi.remove, { id: alone.id })).rejects.toMatchObject({
      code: 1003,
      data: { references: [{ name: '点名', entity: '场景' }] },
    })
    const { db } = app.app
    await db.update(device).set({ spaceId: null, floorId: null }).where(eq(device.id, alone.id))
    await expect(run(grouped)).rejects.toMatchObject({ code: 1001 })
    expect(await over(grouped)).toMatchObject([
      { status: 'failed', reason: '所选范围内没有可控制的设备' },
    ])
    expect((await buttonOf(grouped)).deviceCount).toBe(0)
    await admin().call(sceneApi.remove, { id: byName.id })
  })
  it('of one that is disabled is refused, but for a trial', async () => {
    const scene = await made('禁用', {
      status: 'disabled',
      actions: [setting({ Brightness: 7 }, named([b.id]))],
    })
    await expect(run(scene)).rejects.toMatchObject({ msg: '场景“禁用”已禁用' })
    expect(await run(scene, true)).toMatchObject({ title: '试运行 · 禁用' })
    expect((await over(scene, 2)).map(({ cause, status }) => `${cause} ${status}`)).toEqual([
      'trial done',
      'manual failed',
    ])
    await expect(
      admin().call(controlApi.start, { kind: 'scene', projectId: 2, sceneId: scene.id }),
    ).rejects.toMatchObject({ code: 404 })
  })
  it('says why where it reaches nothing', async () => {
    const scene = await made('无人', { actions: [setting({ PowerSwitch: 0 }, named([away.id]))] })
    await expect(run(scene)).rejects.toMatchObject({ code: 1001 })
    expect(await over(scene)).toMatchObject([
      { status: 'failed', reason: '没有可以控制的设备：离线 1', tasks: [] },
    ])
  })
})

describe('timers', () => {
  const minute = 60_000
  const day = 24 * 60 * minute
  // The tests use a future Monday at least a week away, because the platform's own schedules run during the test.
  const monday = [7, 8, 9, 10, 11, 12, 13]
    .map((days) => dateOf(Date.now() + days * day))
    .find((date) => weekdayOf(date) === 1)!
  const due = momentOf(monday, '18:30')
  const looked = (at: number) =>
    app.app.db
      .insert(job)
      .values({ name: 'sceneTimers', lastTime: new Date(at).toISOString() })
      .onConflictDoUpdate({ target: job.name, set: { lastTime: new Date(at).toISOString() } })
  const dim = setting({ Brightness: 42 }, named([a.id]))
  let scene: Scene
  const other = () => openSceneRuns(app.app)
  const tick = (at: number, scenes = app.app.scenes) =>
    openScheduler({ db: app.app.db, scenes }).tick(at)
  beforeEach(async () => {
    scene = await made(`定时 ${uuidv7().slice(-8)}`, { actions: [dim], triggers: [workdays] })
  })
  afterEach(() => admin().call(sceneApi.remove, { id: scene.id }))

  it('are carried out once by two processes', async () => {
    await looked(due - minute)
    const second = other()
    await Promise.all([tick(due), tick(due, second), tick(due + 1), tick(due + minute, second)])
    const runs = await over(scene)
    expect(runs).toMatchObject([{ cause: 'timer', status: 'done', createBy: '定时' }])
    expect(runs[0]!.dueTime).toBe(new Date(due).toISOString())
    expect(received).toEqual(['a {"Brightness":42}'])
    await second.close()
  })
  it('are made up within ten minutes, and named as missed after', async () => {
    await looked(due - day)
    await tick(due + 10 * minute)
    expect(await over(scene)).toMatchObject([{ status: 'done' }])
    await looked(due + day - 1)
    await tick(due + day + 11 * minute)
    expect((await over(scene, 2))[0]).toMatchObject({
      status: 'missed',
      reason: `平台没有运行，到 ${dateOf(due + day).slice(5)} 18:41 已过 10 分钟，没有补执行`,
      tasks: [],
    })
    expect(received).toHaveLength(1)
  })
  it('are silent from the moment they were due, and what was missed is no reason to be', async () => {
    const quiet = await made('静默', {
      actions: [dim],
      triggers: [workdays, { ...workdays, time: '19:00' }],
      silenceMinutes: 30,
    })
    await looked(due - minute)
    await tick(due)
    // A run is created a moment after its due minute.
    const createTime = new Date(due + 60).toISOString()
    await app.app.db.update(sceneRun).set({ createTime }).where(eq(sceneRun.sceneId, quiet.id))
    await app.app.db.insert(sceneRun).values({
      projectId: 1,
      sceneId: quiet.id,
      cause: 'timer',
      status: 'missed',
      createBy: '定时',
      dueTime: new Date(due + 29 * minute).toISOString(),
      doneTime: createTime,
      claimedBy: uuidv7(),
    })
    await tick(due + 30 * minute)
    const runs = await over(quiet, 3)
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['done', 'done', 'missed'])
    await admin().call(sceneApi.remove, { id: quiet.id })
  })
  it('start nothing at the first look, of scenes that are disabled, or that were set after', async () => {
    await app.app.db.delete(job).where(eq(job.name, 'sceneTimers'))
    await tick(due + minute)
    await looked(due - minute)
    await admin().call(sceneApi.setStatus, { ids: [scene.id], status: 'disabled' })
    await tick(due + minute)
    expect(await runsOf(scene)).toEqual([])
    await admin().call(sceneApi.setStatus, { ids: [scene.id], status: 'enabled' })
    const before = Date.now() - 5 * minute
    await looked(before - 7 * day)
    await tick(Date.now())
    expect(await runsOf(scene)).toEqual([])
  })
  it('of one scene that cannot be read keep no other from running', async () => {
    const wrong = await made('看不懂', { actions: [dim], triggers: [workdays], sort: 1 })
    const triggers = [{ kind: 'cron', cron: '到点' }] as unknown as Scene['triggers']
    await app.app.db.update(table).set({ triggers }).where(eq(table.id, wrong.id))
    jest.spyOn(console, 'error').mockImplementation()
    await looked(due - minute)
    await tick(due)
    expect(await over(scene)).toMatchObject([{ status: 'done' }])
    expect(await runsOf(wrong)).toEqual([])
    await admin().call(sceneApi.remove, { id: wrong.id })
  })
  it('of one scene that cannot be started keep no other from running, and it is tried again', async () => {
    const stuck = await made('启动失败', { actions: [dim], triggers: [workdays], sort: 1 })
    jest.spyOn(console, 'error').mockImplementation()
    let fails = true
    const start: typeof app.app.scenes.start = (one, ...rest) =>
      fails && one.id === stuck.id
        ? Promise.reject(new Error('connection terminated'))
        : app.app.scenes.start(one, ...rest)
    // Each call uses a new scheduler, like a process after a restart.
    const tickOf = (at: number) => tick(at, { ...app.app.scenes, start })
    await looked(due - minute)
    await tickOf(due)
    await tickOf(due + minute)
    expect(await over(scene)).toMatchObject([{ status: 'done' }])
    expect(await runsOf(stuck)).toEqual([])
    fails = false
    await tickOf(due + 2 * minute)
    await tickOf(due + 3 * minute)
    expect(await over(stuck)).toMatchObject([{ status: 'done' }])
    expect(await runsOf(scene)).toHaveLength(1)

    fails = true
    await looked(due + day - minute)
    await tickOf(due + day)
    await tickOf(due + day + 11 * minute)
    expect((await over(stuck, 2))[0]).toMatchObject({
      status: 'missed',
      reason: `启动失败，到 ${dateOf(due + day).slice(5)} 18:41 已过 10 分钟，没有补执行`,
    })
    await admin().call(sceneApi.remove, { id: stuck.id })
    await tickOf(due + day + 12 * minute)
    expect(await app.app.db.$count(job, like(job.name, 'sceneTimers%'))).toBe(1)
  })
  it('that no process could look at, though it ran, are not missed for want of one', async () => {
    jest.spyOn(console, 'error').mockImplementation()
    let fails = true
    const sweep: typeof app.app.scenes.sweep = (at) =>
      fails ? Promise.reject(new Error('connection terminated')) : app.app.scenes.sweep(at)
    const scheduler = openScheduler({ db: app.app.db, scenes: { ...app.app.scenes, sweep } })
    await looked(due - 2 * day)
    await expect(scheduler.tick(due)).rejects.toThrow()
    await expect(scheduler.tick(due + minute)).rejects.toThrow()
    fails = false
    await scheduler.tick(due + 11 * minute)
    await looked(due + day - minute)
    await scheduler.tick(due + day + 11 * minute)
    const missed = (await over(scene, 2)).map(({ reason }) => reason.split('，')[0])
    expect(missed).toEqual(['平台没有运行', '启动失败'])
  })
  it('that a process left behind are run by another, or closed where they had begun', async () => {
    const left = (more: Partial<typeof sceneRun.$inferInsert>) =>
      app.app.db.insert(sceneRun).values({
        projectId: 1,
        sceneId: scene.id,
        cause: 'timer',
        status: 'running',
        createBy: '定时',
        claimedBy: uuidv7(),
        claimTime: new Date(Date.now() - minute).toISOString(),
        ...more,
      })
    await left({ dueTime: new Date(due).toISOString() })
    await left({ taskIds: [uuidv7()] })
    await Promise.all([app.app.scenes.sweep(due + minute), app.app.scenes.sweep(due + minute)])
    const runs = await over(scene, 2)
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['done', 'failed'])
    expect(received).toEqual(['a {"Brightness":42}'])
  })
})

describe('conditions', () => {
  const when = (seconds: number, ...conditions: [string, number][]): Draft['triggers'] => [
    {
      kind: 'condition',
      match: 'all',
      seconds,
      conditions: conditions.map(([deviceId, value]) => ({
        deviceId,
        identifier: 'Brightness',
        compare: 'gt',
        value,
      })),
    },
  ]
  /** Resolves once the stored condition state matches, so that earlier reports have been evaluated. */
  const stands = (scene: Pick<Scene, 'id'>, how: { fired: boolean; isHeld: boolean }) =>
    until(
      async () => {
        const of = eq(sceneCondition.sceneId, scene.id)
        const [row] = await app.app.db.select().from(sceneCondition).where(of)
        return row && { fired: row.fired, isHeld: row.since !== null }
      },
      (now) => now?.fired === how.fired && now.isHeld === how.isHeld,
    )
  const over50 = { fired: true, isHeld: false }
  const holding = { fired: false, isHeld: true }
  const below = { fired: false, isHeld: false }

  it('start a scene when they come to hold, once, not by being set, and again after they did not', async () => {
    await say(b, { Brightness: 90 })
    const scene = await made('条件', {
      actions: [setting({ PowerSwitch: 0 }, named([a.id]))],
      triggers: when(0, [b.id, 50]),
    })
    await stands(scene, over50)
    await say(b, { Brightness: 95 })
    await say(b, { Brightness: 20 })
    await stands(scene, below)
    expect(await runsOf(scene)).toEqual([])
    await say(b, { Brightness: 70 })
    expect(await over(scene)).toMatchObject([
      { cause: 'condition', status: 'done', createBy: '条件' },
    ])
    await say(b, { Brightness: 80 })
    await say(b, { Brightness: 20 })
    await stands(scene, below)
    expect(await runsOf(scene)).toHaveLength(1)
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  it('are told by the names and words of the model, and so they stand in the action log', async () => {
    const [brightness] = when(90, [b.id, 50])
    const conditions = [
      ...(brightness as Extract<Draft['triggers'][number], { kind: 'condition' }>).conditions,
      { deviceId: c.id, identifier: 'PowerSwitch', compare: 'eq' as const, value: 1 },
    ]
    const scene = await made('名称', { triggers: [{ ...brightness!, conditions } as never] })
    const said = 'b 亮度大于 50 且 c 电源开关等于 开启，持续 90 秒'
    expect((await buttonOf(scene)).triggerTexts).toEqual([said])
    // A device that has moved to another project is not named in this one.
    expect([...(await askedDevices(app.app.db, [2], scene.triggers)).keys()]).toEqual([])
    await admin().call(sceneApi.remove, { id: scene.id })
    const log = await admin().call(actionLogApi.page, { entity: '场景', pageSize: 1 })
    const changes = log.list[0]!.changes.find(({ title }) => title === '触发')
    expect(changes).toMatchObject({ before: said, after: '' })
  })
  it('must hold for as long as is asked', async () => {
    await say(b, { Brightness: 20 })
    const of = (name: string, seconds: number) =>
      made(name, {
        actions: [setting({ PowerSwitch: 0 }, named([a.id]))],
        triggers: when(seconds, [b.id, 50]),
      })
    // The condition must hold for an hour, so a slow machine cannot start this scene.
    const hour = await of('一小时', 3600)
    await stands(hour, below)
    for (let turn = 0; turn < 2; turn++) {
      await say(b, { Brightness: 60 })
      await stands(hour, holding)
      await say(b, { Brightness: 10 })
      await stands(hour, below)
    }
    expect(await runsOf(hour)).toEqual([])
    const second = await of('一秒', 1)
    await stands(second, below)
    const before = Date.now()
    await say(b, { Brightness: 60 })
    const runs = await over(second)
    expect(runs).toMatchObject([{ cause: 'condition', status: 'done' }])
    expect(Date.parse(runs[0]!.createTime) - before).toBeGreaterThanOrEqual(1000)
    expect(await runsOf(hour)).toEqual([])
    for (const { id } of [hour, second]) await admin().call(sceneApi.remove, { id })
  })
})

describe('what is coming', () => {
  const foretold = ({ id, ...rest }: Scene) => {
    const { triggers, calendarId, dayMode, dayTypes, silenceMinutes, quietFrom, quietTo } = rest
    const timing = { triggers, calendarId, dayMode, dayTypes, silenceMinutes, quietFrom, quietTo }
    return admin().call(sceneApi.preview, { projectId: 1, id, ...timing })
  }
  it('is silent after a press, as the button has it', async () => {
    const triggers = [{ kind: 'cron' as const, cron: '*/10 * * * *' }]
    const actions = [setting({ Brightness: 33 }, named([a.id]))]
    const scene = await made('按过', { triggers, actions, silenceMinutes: 600 })
    const first = async () => {
      const { list } = await foretold(scene)
      const next = list.find(({ runs }) => runs)!
      return new Date(momentOf(next.date, next.time)).toISOString()
    }
    const before = await first()
    await run(scene)
    await over(scene)
    const after = await first()
    expect(Date.parse(after) - Date.parse(before)).toBeGreaterThan(9 * 3600_000)
    expect((await buttonOf(scene)).nextRun?.time).toBe(after)
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  it('is not promised where the project lets no scene start by itself', async () => {
    const scene = await made('筹建时', { triggers: [workdays] })
    expect(await buttonOf(scene)).toMatchObject({ isTimed: true, held: '', nextRun: {} })
    const set = (status: 'preparing' | 'running') =>
      app.app.db.update(project).set({ status }).where(eq(project.projectId, 1))
    await set('preparing')
    const held = await buttonOf(scene)
    const { list, held: why, unpublished } = await foretold(scene)
    await set('running')
    expect(list.length).toBeGreaterThan(0)
    expect(why).toBe('项目在筹建，场景不自动执行')
    // Weekdays alone need no published calendar.
    expect(unpublished).toEqual([])
    expect(held).toMatchObject({ held: '项目在筹建，场景不自动执行', nextRun: null })
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  it('says that the sun starts nothing where nobody knows any more where the project lies', async () => {
    const sun = { kind: 'sun' as const, event: 'sunset' as const, offset: 0, position: null }
    const set = (longitude: number | null) =>
      app.app.db
        .update(project)
        .set({ longitude, latitude: longitude && 22.5 })
        .where(eq(project.projectId, 1))
    const all = [1, 2, 3, 4, 5, 6, 7]
    await set(114)
    const scene = await made('日落', { triggers: [{ ...sun, weekdays: all }] })
    expect(await buttonOf(scene)).toMatchObject({ held: '', nextRun: {} })
    await set(null)
    const why = '项目没有设置经纬度，日出日落不触发'
    expect(await buttonOf(scene)).toMatchObject({ held: why, nextRun: null })
    expect(await fieldsOf(foretold(scene))).toEqual({
      'triggers.0.position': '项目没有设置经纬度，请在这里填写',
    })
    await set(114)
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  const saturday = () => {
    const today = new Date(Date.now() + 8 * 3600_000)
    const days = ((6 - today.getUTCDay() + 7) % 7) + 7
    return new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  }
  it('names a make-up day, and the calendar the scenes it changes', async () => {
    const date = saturday()
    const calendar = await admin().call(calendarApi.create, {
      name: '预览用',
      code: 'for-preview',
      parentId: null,
      weekendMode: 'double',
      alternateFrom: null,
      description: '',
    })
    const set = { id: calendar.id, type: 'makeup' as const, name: '补班', isOff: false, seen: {} }
    await admin().call(holidayApi.set, { ...set, from: date, to: date })
    const timing = {
      triggers: [{ ...workdays, weekdays: [1, 2, 3, 4, 5, 6, 7] }],
      calendarId: calendar.id,
      dayMode: 'only' as const,
      dayTypes: ['workday' as const, 'makeup' as const],
    }
    const scene = await made('预览', timing)
    const { list, more } = await admin().call(sceneApi.preview, {
      projectId: 1,
      silenceMinutes: 0,
      quietFrom: null,
      quietTo: null,
      ...timing,
    })
    expect(more).toBe(false)
    expect(list.find((one) => one.date === date)).toEqual({
      date,
      time: '18:30',
      runs: true,
      trigger: '每天 18:30',
      reason: `${date.slice(5)} 调休上班（补班）`,
    })
    expect(await admin().call(sceneApi.effects, { id: calendar.id })).toEqual([
      {
        sceneId: scene.id,
        name: '预览',
        projectName: '科创园',
        date,
        times: ['18:30'],
        runs: true,
        reason: `${date.slice(5)} 调休上班（补班）`,
      },
    ])
    const next = (await buttonOf(scene)).nextRun!
    expect(Date.parse(next.time)).toBeGreaterThan(Date.now())
    await expect(
      admin().call(sceneApi.preview, {
        projectId: 1,
        silenceMinutes: 0,
        quietFrom: null,
        quietTo: null,
        ...timing,
        dayTypes: [],
      }),
    ).rejects.toMatchObject({ data: { fields: { dayTypes: '请选择日期类型' } } })
  })
})
