import { dayMs, hourMs, minuteMs } from '@iot/shared/contract/duration'
import { getWeekday } from '@iot/shared/contract/project/calendarDay'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { calendarApi, holidayApi } from '@iot/shared/contract/project/calendar.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { Scene, SceneAction } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { toEpochMs, toZonedDate } from '@iot/shared/contract/timeZone'
import { eq, like } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { deviceKey } from '../../device-access/protocol/alink'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import {
  deprecateProperty,
  deviceRow,
  insertDevices,
  productRow,
} from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { device } from '../../tables/device'
import { job } from '../../tables/job'
import { project } from '../../tables/project'
import { scene as table, sceneCondition, sceneRun } from '../../tables/scene'
import { space } from '../../tables/space'
import { testApp, type TestApp } from '../../testing'
import { openSceneRunner } from './sceneRunner'
import { openSceneScheduler } from './scheduler'
import { listScenesUsing, readConditionDevices } from './policy'
import { log } from '../../core/logging/log'

const shanghai = 'Asia/Shanghai'
const toShanghaiDate = (timeMs: number) => toZonedDate(timeMs, shanghai)
const toShanghaiMoment = (date: string, clock = '00:00') => toEpochMs(date, clock, shanghai)

const lampProduct = productRow('pkSceneLamp', 'sub')
const edgeProduct = productRow('pkSceneEdge', 'gateway')
const [floor, lobby] = [uuidv7(), uuidv7()]
const edge = deviceRow(edgeProduct, 'scene-edge')
const createLamp = (name: string, overrides = {}) =>
  deviceRow(lampProduct, name, { gatewayId: edge.id, spaceId: lobby, floorId: floor, ...overrides })
const lamps = ['a', 'b', 'c'].map((name) => createLamp(name))
const [lampA, lampB, lampC] = lamps as [typeof edge, typeof edge, typeof edge]
const emergency = createLamp('emergency', { protected: true })
const offlineLamp = createLamp('away', {
  spaceId: floor,
  state: 'offline',
  reported: { PowerSwitch: 1 },
})
const foreignLamp = deviceRow(lampProduct, 'elsewhere', { projectId: 2 })

let app: TestApp
let gateway: EdgeClient
const received: string[] = []

beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  const spaceFields = { projectId: 1, sort: 1 }
  await app.app.db.insert(space).values([
    { ...spaceFields, id: floor, parentId: null, type: 'floor', name: '1 层' },
    { ...spaceFields, id: lobby, parentId: floor, type: 'area', name: '大堂' },
  ])
  const onlineDevices = [edge, ...lamps, emergency]
  await insertDevices(
    app.app.db,
    [lampProduct, edgeProduct],
    [...onlineDevices, offlineLamp, foreignLamp],
  )
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: [...lamps, emergency],
    onSet(key, values, { reply, post }) {
      const { deviceName } = onlineDevices.find((onlineDevice) => deviceKey(onlineDevice) === key)!
      received.push(`${deviceName} ${JSON.stringify(values)}`)
      reply(200)
      post(values)
    },
  })
  await reportValues(lampA, { PowerSwitch: 1, Brightness: 80 })
  await reportValues(lampB, { PowerSwitch: 1, Brightness: 80 })
  await reportValues(lampC, { PowerSwitch: 0, Brightness: 80 })
  await reportValues(emergency, { PowerSwitch: 1, Brightness: 100 })
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(() => {
  received.length = 0
})

const admin = () => app.as('admin')
async function reportValues(item: typeof edge, values: Record<string, number>) {
  gateway.post(item, values)
  await waitUntil(
    async () => (await admin().call(managedDeviceApi.live, { id: item.id })).reported,
    (reported) => Object.entries(values).every(([name, value]) => reported[name] === value),
  )
}
const type = 'SAFEWAY_LIGHT'
const createAction = (
  values: Record<string, number>,
  overrides: Partial<SceneAction> = {},
): SceneAction => ({
  productType: type,
  scope: { kind: 'space', spaceId: lobby },
  values,
  delay: 0,
  ...overrides,
})
const switchOff = createAction({ PowerSwitch: 0 })
const toDeviceScope = (ids: string[]) => ({ scope: { kind: 'devices' as const, deviceIds: ids } })
type Draft = Input<typeof sceneApi.create>
const draft = (name: string, overrides: Partial<Draft> = {}): Draft => ({
  projectId: 1,
  name,
  icon: 'BulbOutlined',
  sort: 1,
  status: 'enabled',
  order: 'parallel',
  actions: [switchOff],
  triggers: [],
  calendarId: null,
  dayMode: 'ignore',
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
  ...overrides,
})
const createScene = (name: string, overrides: Partial<Draft> = {}) =>
  admin().call(sceneApi.create, draft(name, overrides))
const getFieldErrors = (work: Promise<unknown>) => work.catch(({ data }) => data?.fields)
const startScene = ({ id: sceneId }: Pick<Scene, 'id'>, trial?: true) =>
  admin().call(controlApi.start, { kind: 'scene', projectId: 1, sceneId, trial })
const listRuns = async ({ id }: Pick<Scene, 'id'>) =>
  (await admin().call(sceneApi.runs, { id })).list
const waitForRuns = (scene: Pick<Scene, 'id'>, count = 1) =>
  waitUntil(
    () => listRuns(scene),
    (list) => list.length >= count && list.every(({ doneTime }) => doneTime !== null),
  )
const getButton = async ({ id }: Pick<Scene, 'id'>) =>
  (await admin().call(sceneApi.page, { projectId: 1, pageSize: 999 })).list.find(
    (candidate) => candidate.id === id,
  )!
const workdayTrigger = { kind: 'weekly' as const, weekdays: [1, 2, 3, 4, 5], time: '18:30' }

describe('access to scenes', () => {
  it('is refused without a session, and for editing as an operator', async () => {
    await expect(app.stranger.call(sceneApi.create, draft('甲'))).rejects.toMatchObject({
      code: 401,
    })
    const operator = await app.join('scene-operator', 'operator', [1])
    await expect(operator.call(sceneApi.create, draft('甲'))).rejects.toMatchObject({
      status: 403,
      data: { permission: 'home:scene:edit', title: '新建场景' },
    })
    const scene = await createScene('看得到')
    expect(await operator.call(sceneApi.get, { id: scene.id })).toMatchObject({ name: '看得到' })
  })
  it('excludes scenes of other projects', async () => {
    const otherProjectUser = await app.join('scene-other', 'project-admin', [2])
    const { id, version } = await createScene('别人的')
    const notFound = { code: 404 }
    await expect(otherProjectUser.call(sceneApi.get, { id })).rejects.toMatchObject(notFound)
    await expect(otherProjectUser.call(sceneApi.runs, { id })).rejects.toMatchObject(notFound)
    await expect(otherProjectUser.call(sceneApi.remove, { id })).rejects.toMatchObject(notFound)
    await expect(
      otherProjectUser.call(sceneApi.setStatus, { ids: [id], status: 'disabled' }),
    ).rejects.toMatchObject(notFound)
    const { projectId: _, ...change } = draft('别人的')
    await expect(
      otherProjectUser.call(sceneApi.update, { id, version, ...change }),
    ).rejects.toMatchObject(notFound)
    await expect(
      admin().call(sceneApi.create, draft('甲', { projectId: 99 })),
    ).rejects.toMatchObject(notFound)
  })
})

describe('the scenes of a space', () => {
  const listIn = async (spaceId: string, projectId: number | undefined = 1) =>
    (await admin().call(sceneApi.page, { projectId, spaceId, pageSize: 999 })).list.map(
      ({ name }) => name,
    )
  it('are refused for an unknown space, and without its project', async () => {
    await expect(listIn(uuidv7())).rejects.toMatchObject({ code: 404 })
    await expect(admin().call(sceneApi.page, { spaceId: lobby })).rejects.toMatchObject({
      data: { fields: { projectId: '请选择项目' } },
    })
  })
  it('are those that control its devices, named by place or by device', async () => {
    const cellar = uuidv7()
    await app.app.db.insert(space).values({
      id: cellar,
      projectId: 1,
      sort: 2,
      parentId: null,
      type: 'floor',
      name: '地下室',
    })
    await createScene('大堂灭灯')
    await createScene('三号灯', {
      actions: [createAction({ PowerSwitch: 1 }, toDeviceScope([lampC.id]))],
    })
    await createScene('离线灯', {
      actions: [createAction({ PowerSwitch: 1 }, toDeviceScope([offlineLamp.id]))],
    })
    const inLobby = await listIn(lobby)
    expect(inLobby).toEqual(expect.arrayContaining(['大堂灭灯', '三号灯']))
    expect(inLobby).not.toContain('离线灯')
    expect(await listIn(floor)).toContain('离线灯')
    expect(await listIn(cellar)).toEqual([])
  })
})

describe('a scene is refused at the wrong row', () => {
  const getDraftErrors = (overrides: Partial<Draft>) =>
    getFieldErrors(createScene('拒绝', overrides))
  it('with a function or value the devices do not support', async () => {
    expect(await getDraftErrors({ actions: [switchOff, createAction({ Colour: 1 })] })).toEqual({
      'actions.1.values': '4 台“pkSceneLamp”：产品没有功能 Colour',
    })
    expect(
      await getDraftErrors({
        actions: [createAction({ Brightness: 900 }, toDeviceScope([lampA.id]))],
      }),
    ).toEqual({
      'actions.0.values': 'a：亮度不能大于 100',
    })
  })
  it('with devices of another project or type, empty areas, or only protected circuits', async () => {
    expect(
      await getDraftErrors({
        actions: [createAction({ PowerSwitch: 0 }, toDeviceScope([foreignLamp.id]))],
      }),
    ).toEqual({
      'actions.0.scope': '所选范围或设备不存在或已被删除',
    })
    expect(
      await getDraftErrors({
        actions: [createAction({ PowerSwitch: 0 }, toDeviceScope([edge.id, lampA.id]))],
      }),
    ).toEqual({ 'actions.0.scope': '有 1 台设备不是灯光' })
    expect(
      await getDraftErrors({
        actions: [createAction({ PowerSwitch: 0 }, { productType: 'NOTHING' })],
      }),
    ).toEqual({ 'actions.0.productType': '所选设备类型不存在或已被删除' })
    expect(
      await getDraftErrors({
        actions: [createAction({ PowerSwitch: 0 }, toDeviceScope([emergency.id]))],
      }),
    ).toEqual({
      'actions.0.scope': '所选设备都是受保护回路，场景不会控制它们',
    })
    expect(await getDraftErrors({ actions: [] })).toEqual({ actions: '请添加动作' })
  })
  it('without any immediate action, or with a duplicate name', async () => {
    expect(
      await getDraftErrors({ actions: [createAction({ PowerSwitch: 0 }, { delay: 5 })] }),
    ).toEqual({
      'actions.0.delay': '至少有一个动作立即执行',
    })
    await createScene('重名')
    expect(await getFieldErrors(createScene('重名'))).toEqual({ name: '场景名称“重名”已存在' })
  })
  it('with a time that never occurs, or a sun trigger without a location', async () => {
    expect(await getDraftErrors({ triggers: [{ kind: 'cron', cron: '61 * * * *' }] })).toEqual({
      'triggers.0.cron': 'cron 表达式不正确：须为“分 时 日 月 周”五段',
    })
    expect(await getDraftErrors({ triggers: [{ kind: 'cron', cron: '0 0 30 2 *' }] })).toEqual({
      'triggers.0.cron': '这个 cron 表达式永远不会触发',
    })
    expect(await getDraftErrors({ triggers: [{ kind: 'cron', cron: '@daily' }] })).toEqual({
      'triggers.0.cron': 'cron 表达式不正确：须为“分 时 日 月 周”五段',
    })
    expect(
      await getDraftErrors({ triggers: [{ ...workdayTrigger, weekdays: [1, 2, 1] }] }),
    ).toEqual({ 'triggers.0.weekdays': '第 3 项与第 1 项重复' })
    const sunsetTrigger = {
      kind: 'sun' as const,
      event: 'sunset' as const,
      offset: -10,
      weekdays: [1],
    }
    const noPosition = { longitude: null, latitude: null }
    await app.app.db.update(project).set(noPosition).where(eq(project.projectId, 3))
    expect(
      await getDraftErrors({
        projectId: 3,
        actions: [switchOff],
        triggers: [{ ...sunsetTrigger, position: null }],
      }),
    ).toMatchObject({ 'triggers.0.position': '项目没有设置经纬度，请在这里填写' })
    expect(await getDraftErrors({ dayMode: 'only' })).toEqual({ dayTypes: '请选择日期类型' })
    expect(await getDraftErrors({ quietFrom: '23:00' })).toEqual({
      quietTo: '静默时段请填写开始和结束',
    })
    expect(await getDraftErrors({ calendarId: uuidv7() })).toEqual({
      calendarId: '所选日历不存在或已被删除',
    })
  })
  it('with a condition the devices cannot meet', async () => {
    const createCondition = (overrides: object): Partial<Draft> => ({
      triggers: [
        {
          kind: 'condition',
          match: 'all',
          seconds: 0,
          conditions: [
            {
              deviceId: lampA.id,
              identifier: 'Brightness',
              compare: 'gt',
              value: 50,
              ...overrides,
            } as never,
          ],
        },
      ],
    })
    const fieldPrefix = 'triggers.0.conditions.0.'
    expect(await getDraftErrors(createCondition({ deviceId: foreignLamp.id }))).toEqual({
      [`${fieldPrefix}deviceId`]: '所选设备不存在或已被删除',
    })
    expect(await getDraftErrors(createCondition({ identifier: 'Lux' }))).toEqual({
      [`${fieldPrefix}identifier`]: 'a没有功能 Lux',
    })
    expect(await getDraftErrors(createCondition({ identifier: 'PowerSwitch' }))).toEqual({
      [`${fieldPrefix}compare`]: '电源开关只能比较等于或不等于',
    })
    expect(await getDraftErrors(createCondition({ value: '亮' }))).toEqual({
      [`${fieldPrefix}value`]: '亮度须为数字',
    })
    for (const [compare, value] of [
      ['gt', 100],
      ['eq', 101],
      ['lt', 0],
    ] as const)
      expect(await getDraftErrors(createCondition({ compare, value }))).toEqual({
        [`${fieldPrefix}value`]: '亮度只会是 0～100，这个条件永远不会满足',
      })
  })
  it('with conditions that contradict each other', async () => {
    const darkOrBright = (['lt', 'gt'] as const).map((compare) => ({
      deviceId: lampA.id,
      identifier: 'Brightness',
      compare,
      value: 50,
    }))
    const trigger = { kind: 'condition' as const, seconds: 0, conditions: darkOrBright }
    expect(await getDraftErrors({ triggers: [{ ...trigger, match: 'all' }] })).toEqual({
      'triggers.0.conditions.1.value': '和前面的条件互相矛盾，这个触发永远不会满足',
    })
    const workingTriggers = { triggers: [{ ...trigger, match: 'any' as const }] }
    expect(await createScene('亮或暗', { ...workingTriggers, status: 'disabled' })).toMatchObject(
      workingTriggers,
    )
  })
})

describe('editing a scene', () => {
  it('stores the scene without sending commands, and answers an outdated version with the current row', async () => {
    const scene = await createScene('编辑', { triggers: [workdayTrigger] })
    const fetchScene = () => admin().call(sceneApi.get, { id: scene.id })
    expect(await fetchScene()).toEqual(scene)
    const editedScene = {
      ...scene,
      name: '改名',
      actions: [createAction({ Brightness: 30 }), switchOff],
    }
    const after = await admin().call(sceneApi.update, editedScene)
    expect(after).toMatchObject({ name: '改名', version: 2, actions: editedScene.actions })
    await expect(admin().call(sceneApi.update, editedScene)).rejects.toMatchObject({
      code: 1002,
      data: { current: { name: '改名', actions: editedScene.actions } },
    })
    expect(await getButton(scene)).toMatchObject({
      triggerTexts: ['周一至周五 18:30'],
      lastRun: null,
    })
    await admin().call(sceneApi.remove, { id: scene.id })
    await expect(fetchScene()).rejects.toMatchObject({ code: 404 })
    expect(received).toEqual([])
  })
  it('prevents the deletion of its calendar and condition devices', async () => {
    const calendar = await admin().call(calendarApi.create, {
      name: '场景用',
      code: 'for-scenes',
      parentId: null,
      weekendMode: 'double',
      alternateFrom: null,
      description: '',
    })
    const conditions = [
      { deviceId: lampC.id, identifier: 'PowerSwitch', compare: 'eq' as const, value: 1 },
    ]
    const scene = await createScene('引用', {
      calendarId: calendar.id,
      triggers: [{ kind: 'condition', match: 'all', seconds: 0, conditions }],
    })
    const inUse = { code: 1003 }
    await expect(admin().call(calendarApi.remove, { id: calendar.id })).rejects.toMatchObject(inUse)
    await expect(admin().call(managedDeviceApi.remove, { id: lampC.id })).rejects.toMatchObject(
      inUse,
    )
    await admin().call(sceneApi.remove, { id: scene.id })
  })
})

describe('the choices of the scene editor', () => {
  it('are the device types and devices of the project with their functions', async () => {
    const types = await admin().call(sceneApi.types, { projectId: 1 })
    expect(types).toMatchObject([
      { code: type, name: '灯光', properties: [{ name: '电源开关' }, { name: '亮度' }] },
    ])
    const matchingDevices = await admin().call(sceneApi.devices, { projectId: 1, text: 'emer' })
    expect(matchingDevices).toEqual([
      { id: emergency.id, name: 'emergency', productType: type, isDisabled: false },
    ])
    const ids = [lampA.id, foreignLamp.id]
    expect(await admin().call(sceneApi.devices, { projectId: 1, ids })).toMatchObject([
      { id: lampA.id },
    ])
  })
})

describe('a deprecated function', () => {
  afterAll(() => deprecateProperty(app.app.db, lampProduct))

  it('is marked among the choices, and is not captured', async () => {
    await deprecateProperty(app.app.db, lampProduct, 'Brightness')
    const [lightType] = await admin().call(sceneApi.types, { projectId: 1 })
    expect(lightType!.properties).toMatchObject([
      { name: '电源开关' },
      { name: '亮度', isDeprecated: true },
    ])
    const scope = { kind: 'space' as const, spaceId: floor }
    const { actions } = await admin().call(sceneApi.capture, {
      projectId: 1,
      scope,
      productType: type,
    })
    expect(actions.map(({ values }) => values)).toEqual([{ PowerSwitch: 1 }, { PowerSwitch: 0 }])
  })
  it('stays a choice while another product of the type offers it', async () => {
    const newLamp = productRow('pkSceneNewLamp', 'sub')
    const lamp = deviceRow(newLamp, 'new-lamp')
    await insertDevices(app.app.db, [newLamp], [lamp])
    const [lightType] = await admin().call(sceneApi.types, { projectId: 1 })
    await app.app.db.delete(device).where(eq(device.id, lamp.id))
    expect(lightType!.properties.map(({ name, isDeprecated }) => [name, isDeprecated])).toEqual([
      ['电源开关', undefined],
      ['亮度', undefined],
    ])
  })
  it('is still set by a scene that was saved before', async () => {
    const scene = await createScene('旧亮度', { actions: [createAction({ Brightness: 50 })] })
    expect(scene.actions).toMatchObject([{ values: { Brightness: 50 } }])
    await admin().call(sceneApi.remove, { id: scene.id })
  })
})

describe('取当前值', () => {
  it('groups devices by their current values, and names those without known values', async () => {
    const scope = { kind: 'space' as const, spaceId: floor }
    const answer = await admin().call(sceneApi.capture, { projectId: 1, scope, productType: type })
    expect(answer).toEqual({
      actions: [
        createAction({ PowerSwitch: 1, Brightness: 80 }, toDeviceScope([lampA.id, lampB.id])),
        createAction({ PowerSwitch: 0 }, toDeviceScope([lampC.id])),
      ],
      left: [
        { name: 'away', reason: '离线，当前值未知' },
        { name: 'emergency', reason: '受保护回路，场景不会控制' },
      ],
    })
    expect(received).toEqual([])
  })
})

describe('an action on several places', () => {
  const places = {
    scope: {
      kind: 'places' as const,
      spaceIds: [lobby],
      groupIds: [],
      deviceIds: [offlineLamp.id, lampA.id],
    },
  }
  const preflight = (...actions: SceneAction[]) =>
    admin().call(sceneApi.preflight, { projectId: 1, actions })

  it('is previewed before the scene is saved, each device once', async () => {
    const brightLamp = createAction({ PowerSwitch: 1, Brightness: 50 }, toDeviceScope([lampB.id]))
    expect(await preflight(createAction({ PowerSwitch: 0 }, places), brightLamp)).toEqual({
      effects: [
        { action: '关闭', unit: '盏', devices: 3, changes: 1, names: ['a'] },
        { action: '打开（亮度调到 50）', unit: '盏', devices: 1, changes: 1, names: ['b'] },
      ],
      preflight: expect.objectContaining({
        affected: 3,
        already: 1,
        skipped: { protected: 1, offline: 1, disabled: 0, held: 0 },
      }),
    })
    expect(received).toEqual([])
  })
  it('is refused without a place, with an unknown place, and in a project of others', async () => {
    const empty = { ...places.scope, spaceIds: [], deviceIds: [] }
    const refusals: [object, string][] = [
      [{ scope: undefined }, '请选择范围'],
      [{ scope: empty }, '请选择范围'],
      [{ scope: { ...empty, spaceIds: [lobby, uuidv7()] } }, '所选范围或设备不存在或已被删除'],
      [{ scope: { ...empty, groupIds: [uuidv7()] } }, '所选范围或设备不存在或已被删除'],
      [{ scope: { ...places.scope, deviceIds: [edge.id] } }, '有 1 台设备不是灯光'],
    ]
    for (const [overrides, message] of refusals) {
      const action = createAction({ PowerSwitch: 0 }, overrides)
      expect(await getFieldErrors(preflight(action))).toEqual({ 'actions.0.scope': message })
      expect(await getFieldErrors(createScene('多处', { actions: [action] }))).toEqual({
        'actions.0.scope': message,
      })
    }
    const otherProjectUser = await app.join('preflight-other', 'project-admin', [2])
    const input = { projectId: 1, actions: [switchOff] }
    await expect(otherProjectUser.call(sceneApi.preflight, input)).rejects.toMatchObject({
      code: 404,
    })
  })
  it('controls the devices of all places, and prevents their deletion', async () => {
    const scene = await createScene('多处', {
      actions: [createAction({ Brightness: 60 }, places)],
    })
    expect(await getButton(scene)).toMatchObject({ deviceCount: 4 })
    const request = { kind: 'scene' as const, projectId: 1, sceneId: scene.id }
    expect(await admin().call(controlApi.preflight, request)).toMatchObject({
      affected: 3,
      skipped: { protected: 1, offline: 1 },
    })
    await startScene(scene, true)
    const [run] = await waitForRuns(scene)
    expect(run).toMatchObject({ cause: 'trial', tasks: [{ counts: { success: 3, skipped: 2 } }] })
    await expect(
      admin().call(managedDeviceApi.remove, { id: offlineLamp.id }),
    ).rejects.toMatchObject({ code: 1003 })
    expect(await listScenesUsing(app.app.db, 'spaceId', [lobby, floor])).toContainEqual({
      to: lobby,
      id: scene.id,
      name: '多处',
      entity: '场景',
    })
    await admin().call(sceneApi.remove, { id: scene.id })
  })
})

describe('running a scene', () => {
  it('is one control task without delays, and is logged', async () => {
    const scene = await createScene('一起', {
      actions: [switchOff, createAction({ Brightness: 5 }, toDeviceScope([lampA.id]))],
    })
    const task = await startScene(scene)
    expect(task).toMatchObject({ title: '场景 · 一起', origin: 'scene', total: 4 })
    const [entry] = await waitForRuns(scene)
    expect(entry).toMatchObject({
      cause: 'manual',
      status: 'done',
      reason: '',
      createBy: 'admin',
      createByName: '平台管理员',
      tasks: [{ id: task.id, counts: { success: 3, skipped: 1 } }],
    })
    expect(received.toSorted()).toEqual([
      'a {"PowerSwitch":0,"Brightness":5}',
      'b {"PowerSwitch":0}',
      'c {"PowerSwitch":0}',
    ])
    expect((await getButton(scene)).lastRun).toMatchObject({ cause: 'manual', failed: 0 })
  })
  it('waits for the previous action and for the delay', async () => {
    const lampAction = (values: Record<string, number>, delay = 0) =>
      createAction(values, { ...toDeviceScope([lampA.id]), delay })
    const scene = await createScene('依次', {
      order: 'serial',
      actions: [
        lampAction({ Brightness: 10 }),
        lampAction({ Brightness: 20 }),
        lampAction({ PowerSwitch: 0 }, 1),
      ],
    })
    expect(await startScene(scene)).toMatchObject({ title: '场景 · 依次（1/3）' })
    const [entry] = await waitForRuns(scene)
    expect(entry!.tasks.map(({ title }) => title)).toEqual(
      [1, 2, 3].map((n) => `场景 · 依次（${n}/3）`),
    )
    expect(received).toEqual(['a {"Brightness":10}', 'a {"Brightness":20}', 'a {"PowerSwitch":0}'])
    const [, second, third] = entry!.tasks
    expect(Date.parse(third!.createTime) - Date.parse(second!.doneTime!)).toBeGreaterThan(900)
  })
  it('stops with the reason when the scene is changed while it waits', async () => {
    const lampAction = (values: Record<string, number>, delay = 0) =>
      createAction(values, { ...toDeviceScope([lampA.id]), delay })
    const actions = [
      lampAction({ Brightness: 11 }),
      lampAction({ Brightness: 12 }, 1),
      lampAction({ PowerSwitch: 0 }),
    ]
    const scene = await createScene('改到一半', { order: 'serial', actions })
    await startScene(scene)
    await waitUntil(
      () => received.length,
      (count) => count === 1,
    )
    const editedScene = { ...scene, actions: [actions[0]!, lampAction({ Brightness: 99 })] }
    await admin().call(sceneApi.update, editedScene)
    expect(await waitForRuns(scene)).toMatchObject([
      { status: 'failed', reason: '场景在执行中被修改；还有 2 步没有执行' },
    ])
    expect(received).toEqual(['a {"Brightness":11}'])
  })
  it('reports an empty group, and a device used by a scene cannot be deleted', async () => {
    const atticId = uuidv7()
    await app.app.db
      .insert(space)
      .values([{ projectId: 1, id: atticId, parentId: null, type: 'floor', name: '阁楼', sort: 2 }])
    const atticLamp = createLamp('alone', { spaceId: atticId })
    await insertDevices(app.app.db, [], [atticLamp])
    const group = await admin().call(deviceGroupApi.create, {
      projectId: 1,
      name: '要清空',
      kind: 'rule',
      deviceIds: [],
      productIds: [],
      spaceIds: [atticId],
      tags: [],
      description: '',
    })
    const scope = { kind: 'group' as const, groupId: group.id }
    const groupScene = await createScene('一组', {
      actions: [createAction({ Brightness: 9 }, { scope })],
    })
    const namedScene = await createScene('点名', {
      actions: [createAction({ Brightness: 9 }, toDeviceScope([atticLamp.id]))],
    })
    await expect(admin().call(managedDeviceApi.remove, { id: atticLamp.id })).rejects.toMatchObject(
      {
        code: 1003,
        data: { references: [{ name: '点名', entity: '场景' }] },
      },
    )
    const { db } = app.app
    await db.update(device).set({ spaceId: null, floorId: null }).where(eq(device.id, atticLamp.id))
    await expect(startScene(groupScene)).rejects.toMatchObject({ code: 1001 })
    expect(await waitForRuns(groupScene)).toMatchObject([
      { status: 'failed', reason: '所选范围内没有可控制的设备' },
    ])
    expect((await getButton(groupScene)).deviceCount).toBe(0)
    await admin().call(sceneApi.remove, { id: namedScene.id })
  })
  it('is refused when disabled, except as a trial run', async () => {
    const scene = await createScene('禁用', {
      status: 'disabled',
      actions: [createAction({ Brightness: 7 }, toDeviceScope([lampB.id]))],
    })
    await expect(startScene(scene)).rejects.toMatchObject({ msg: '场景“禁用”已禁用' })
    expect(await startScene(scene, true)).toMatchObject({ title: '试运行 · 禁用' })
    expect((await waitForRuns(scene, 2)).map(({ cause, status }) => `${cause} ${status}`)).toEqual([
      'trial done',
      'manual failed',
    ])
    await expect(
      admin().call(controlApi.start, { kind: 'scene', projectId: 2, sceneId: scene.id }),
    ).rejects.toMatchObject({ code: 404 })
  })
  it('reports why it reaches no device', async () => {
    const scene = await createScene('无人', {
      actions: [createAction({ PowerSwitch: 0 }, toDeviceScope([offlineLamp.id]))],
    })
    await expect(startScene(scene)).rejects.toMatchObject({ code: 1001 })
    expect(await waitForRuns(scene)).toMatchObject([
      { status: 'failed', reason: '没有可以控制的设备：离线 1', tasks: [] },
    ])
  })
})

describe('schedules', () => {
  // The tests use a future Monday at least a week away, because the platform's own schedules run during the test.
  const monday = [7, 8, 9, 10, 11, 12, 13]
    .map((days) => toShanghaiDate(Date.now() + days * dayMs))
    .find((date) => getWeekday(date) === 1)!
  const dueMoment = toShanghaiMoment(monday, '18:30')
  const setLastTick = (timeMs: number) =>
    app.app.db
      .insert(job)
      .values({ name: 'sceneTimers', lastTime: new Date(timeMs).toISOString() })
      .onConflictDoUpdate({ target: job.name, set: { lastTime: new Date(timeMs).toISOString() } })
  const dimAction = createAction({ Brightness: 42 }, toDeviceScope([lampA.id]))
  let scene: Scene
  const openSecondRunner = () => openSceneRunner(app.app)
  const openScheduler = (overrides: Partial<Parameters<typeof openSceneScheduler>[0]> = {}) => {
    const { db, leases, scenes, devices } = app.app
    return openSceneScheduler({ db, leases, scenes, devices, ...overrides })
  }
  const tick = (timeMs: number, scenes = app.app.scenes) => openScheduler({ scenes }).tick(timeMs)
  beforeEach(async () => {
    scene = await createScene(`定时 ${uuidv7().slice(-8)}`, {
      actions: [dimAction],
      triggers: [workdayTrigger],
    })
  })
  afterEach(() => admin().call(sceneApi.remove, { id: scene.id }))

  it('are run once by two processes', async () => {
    await setLastTick(dueMoment - minuteMs)
    const second = openSecondRunner()
    await Promise.all([
      tick(dueMoment),
      tick(dueMoment, second),
      tick(dueMoment + 1),
      tick(dueMoment + minuteMs, second),
    ])
    const runs = await waitForRuns(scene)
    expect(runs).toMatchObject([{ cause: 'timer', status: 'done', createBy: '定时' }])
    expect(runs[0]!.dueTime).toBe(new Date(dueMoment).toISOString())
    expect(received).toEqual(['a {"Brightness":42}'])
    await second.close()
  })
  it('are caught up within ten minutes and recorded as missed afterwards', async () => {
    await setLastTick(dueMoment - dayMs)
    await tick(dueMoment + 10 * minuteMs)
    expect(await waitForRuns(scene)).toMatchObject([{ status: 'done' }])
    await setLastTick(dueMoment + dayMs - 1)
    await tick(dueMoment + dayMs + 11 * minuteMs)
    expect((await waitForRuns(scene, 2))[0]).toMatchObject({
      status: 'missed',
      reason: `平台没有运行，到 ${toShanghaiDate(dueMoment + dayMs).slice(5)} 18:41 已过 10 分钟，没有补执行`,
      tasks: [],
    })
    expect(received).toHaveLength(1)
  })
  it('are recorded as missed although the scene was renamed since, but not if its schedule was changed', async () => {
    const readTimingTime = async () =>
      (await app.app.db.select().from(table).where(eq(table.id, scene.id)))[0]!.timingTime
    const update = async (change: object) => {
      const { createBy, createTime, updateBy, updateTime, projectId, ...draft } =
        await admin().call(sceneApi.get, { id: scene.id })
      await admin().call(sceneApi.update, { ...draft, ...change })
    }
    await update({ name: `改名 ${uuidv7().slice(-8)}`, sort: 7 })
    expect(await readTimingTime()).toBeNull()
    const renamedTime = new Date(dueMoment + 5 * minuteMs).toISOString()
    await app.app.db.update(table).set({ updateTime: renamedTime }).where(eq(table.id, scene.id))
    await setLastTick(dueMoment - minuteMs)
    await tick(dueMoment + 11 * minuteMs)
    expect(await waitForRuns(scene)).toMatchObject([{ status: 'missed' }])

    await update({ triggers: [{ ...workdayTrigger, time: '18:31' }] })
    expect(await readTimingTime()).not.toBeNull()
    await app.app.db
      .update(table)
      .set({ timingTime: new Date(dueMoment + dayMs + 5 * minuteMs).toISOString() })
      .where(eq(table.id, scene.id))
    await setLastTick(dueMoment + dayMs - minuteMs)
    await tick(dueMoment + dayMs + 12 * minuteMs)
    expect(await listRuns(scene)).toHaveLength(1)
  })
  it('are not made up for from before the scene was enabled again', async () => {
    const ids = [scene.id]
    await admin().call(sceneApi.setStatus, { ids, status: 'disabled' })
    await admin().call(sceneApi.setStatus, { ids, status: 'enabled' })
    const [row] = await app.app.db.select().from(table).where(eq(table.id, scene.id))
    expect(row!.timingTime).not.toBeNull()
  })
  it('are silenced from their due time, and a missed run does not start the silence', async () => {
    const silentScene = await createScene('静默', {
      actions: [dimAction],
      triggers: [workdayTrigger, { ...workdayTrigger, time: '19:00' }],
      silenceMinutes: 30,
    })
    await setLastTick(dueMoment - minuteMs)
    await tick(dueMoment)
    // A run is created a moment after its due minute.
    const createTime = new Date(dueMoment + 60).toISOString()
    await app.app.db
      .update(sceneRun)
      .set({ createTime })
      .where(eq(sceneRun.sceneId, silentScene.id))
    await app.app.db.insert(sceneRun).values({
      projectId: 1,
      sceneId: silentScene.id,
      cause: 'timer',
      status: 'missed',
      createBy: '定时',
      dueTime: new Date(dueMoment + 29 * minuteMs).toISOString(),
      doneTime: createTime,
      claimedBy: uuidv7(),
    })
    await tick(dueMoment + 30 * minuteMs)
    const runs = await waitForRuns(silentScene, 3)
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['done', 'done', 'missed'])
    await admin().call(sceneApi.remove, { id: silentScene.id })
  })
  it('start nothing on the first tick, for disabled scenes, or for triggers set afterwards', async () => {
    await app.app.db.delete(job).where(eq(job.name, 'sceneTimers'))
    await tick(dueMoment + minuteMs)
    await setLastTick(dueMoment - minuteMs)
    await admin().call(sceneApi.setStatus, { ids: [scene.id], status: 'disabled' })
    await tick(dueMoment + minuteMs)
    expect(await listRuns(scene)).toEqual([])
    await admin().call(sceneApi.setStatus, { ids: [scene.id], status: 'enabled' })
    const before = Date.now() - 5 * minuteMs
    await setLastTick(before - 7 * dayMs)
    await tick(Date.now())
    expect(await listRuns(scene)).toEqual([])
  })
  it('of an unreadable scene do not stop the others', async () => {
    const unreadableScene = await createScene('看不懂', {
      actions: [dimAction],
      triggers: [workdayTrigger],
      sort: 1,
    })
    const triggers = [{ kind: 'cron', cron: '到点' }] as unknown as Scene['triggers']
    await app.app.db.update(table).set({ triggers }).where(eq(table.id, unreadableScene.id))
    jest.spyOn(log, 'error').mockImplementation()
    await setLastTick(dueMoment - minuteMs)
    await tick(dueMoment)
    expect(await waitForRuns(scene)).toMatchObject([{ status: 'done' }])
    expect(await listRuns(unreadableScene)).toEqual([])
    await admin().call(sceneApi.remove, { id: unreadableScene.id })
  })
  it('of a scene that fails to start do not stop the others, and are retried', async () => {
    const failingScene = await createScene('启动失败', {
      actions: [dimAction],
      triggers: [workdayTrigger],
      sort: 1,
    })
    jest.spyOn(log, 'error').mockImplementation()
    let shouldFail = true
    const start: typeof app.app.scenes.start = (item, ...rest) =>
      shouldFail && item.id === failingScene.id
        ? Promise.reject(new Error('connection terminated'))
        : app.app.scenes.start(item, ...rest)
    // Each call uses a new scheduler, like a process after a restart.
    const tickAfterRestart = (timeMs: number) => tick(timeMs, { ...app.app.scenes, start })
    await setLastTick(dueMoment - minuteMs)
    await tickAfterRestart(dueMoment)
    await tickAfterRestart(dueMoment + minuteMs)
    expect(await waitForRuns(scene)).toMatchObject([{ status: 'done' }])
    expect(await listRuns(failingScene)).toEqual([])
    shouldFail = false
    await tickAfterRestart(dueMoment + 2 * minuteMs)
    await tickAfterRestart(dueMoment + 3 * minuteMs)
    expect(await waitForRuns(failingScene)).toMatchObject([{ status: 'done' }])
    expect(await listRuns(scene)).toHaveLength(1)

    shouldFail = true
    await setLastTick(dueMoment + dayMs - minuteMs)
    await tickAfterRestart(dueMoment + dayMs)
    await tickAfterRestart(dueMoment + dayMs + 11 * minuteMs)
    expect((await waitForRuns(failingScene, 2))[0]).toMatchObject({
      status: 'missed',
      reason: `启动失败，到 ${toShanghaiDate(dueMoment + dayMs).slice(5)} 18:41 已过 10 分钟，没有补执行`,
    })
    await admin().call(sceneApi.remove, { id: failingScene.id })
    await tickAfterRestart(dueMoment + dayMs + 12 * minuteMs)
    expect(await app.app.db.$count(job, like(job.name, 'sceneTimers%'))).toBe(1)
  })
  it('missed because the evaluation failed record 启动失败 instead of 平台没有运行', async () => {
    jest.spyOn(log, 'error').mockImplementation()
    let shouldFail = true
    const sweep: typeof app.app.scenes.sweep = (timeMs) =>
      shouldFail ? Promise.reject(new Error('connection terminated')) : app.app.scenes.sweep(timeMs)
    const scheduler = openScheduler({ scenes: { ...app.app.scenes, sweep } })
    await setLastTick(dueMoment - 2 * dayMs)
    await expect(scheduler.tick(dueMoment)).rejects.toThrow()
    await expect(scheduler.tick(dueMoment + minuteMs)).rejects.toThrow()
    shouldFail = false
    await scheduler.tick(dueMoment + 11 * minuteMs)
    await setLastTick(dueMoment + dayMs - minuteMs)
    await scheduler.tick(dueMoment + dayMs + 11 * minuteMs)
    const missedReasons = (await waitForRuns(scene, 2)).map(({ reason }) => reason.split('，')[0])
    expect(missedReasons).toEqual(['平台没有运行', '启动失败'])
  })
  it('due on a process that is cut off from the broker are not claimed, and start once it is back', async () => {
    let state: 'away' | 'connected' = 'away'
    const scheduler = openScheduler({ devices: { broker: () => state } })
    await setLastTick(dueMoment - minuteMs)
    expect(await scheduler.tick(dueMoment)).toBe(false)
    expect(await waitForRuns(scene, 0)).toEqual([])
    state = 'connected'
    expect(await scheduler.tick(dueMoment + minuteMs)).toBe(true)
    expect(await waitForRuns(scene, 1)).toMatchObject([{ status: 'done' }])
  })
  it('abandoned by a process are run by another one, or closed when they had begun', async () => {
    const insertAbandonedRun = (overrides: Partial<typeof sceneRun.$inferInsert>) =>
      app.app.db.insert(sceneRun).values({
        projectId: 1,
        sceneId: scene.id,
        cause: 'timer',
        status: 'running',
        createBy: '定时',
        claimedBy: uuidv7(),
        claimTime: new Date(Date.now() - minuteMs).toISOString(),
        ...overrides,
      })
    await insertAbandonedRun({ dueTime: new Date(dueMoment).toISOString() })
    await insertAbandonedRun({ taskIds: [uuidv7()] })
    await Promise.all([
      app.app.scenes.sweep(dueMoment + minuteMs),
      app.app.scenes.sweep(dueMoment + minuteMs),
    ])
    const runs = await waitForRuns(scene, 2)
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['done', 'failed'])
    expect(received).toEqual(['a {"Brightness":42}'])
  })
})

describe('conditions', () => {
  const whenBrightnessAbove = (
    seconds: number,
    ...conditions: [string, number][]
  ): Draft['triggers'] => [
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
  const waitForCondition = (
    scene: Pick<Scene, 'id'>,
    expectedState: { fired: boolean; isHeld: boolean },
  ) =>
    waitUntil(
      async () => {
        const sceneFilter = eq(sceneCondition.sceneId, scene.id)
        const [row] = await app.app.db.select().from(sceneCondition).where(sceneFilter)
        return row && { fired: row.fired, isHeld: row.since !== null }
      },
      (now) => now?.fired === expectedState.fired && now.isHeld === expectedState.isHeld,
    )
  const firedState = { fired: true, isHeld: false }
  const holdingState = { fired: false, isHeld: true }
  const idleState = { fired: false, isHeld: false }

  it('start a scene once when they become true, not when saved, and again after having been false', async () => {
    await reportValues(lampB, { Brightness: 90 })
    const scene = await createScene('条件', {
      actions: [createAction({ PowerSwitch: 0 }, toDeviceScope([lampA.id]))],
      triggers: whenBrightnessAbove(0, [lampB.id, 50]),
    })
    await waitForCondition(scene, firedState)
    await reportValues(lampB, { Brightness: 95 })
    await reportValues(lampB, { Brightness: 20 })
    await waitForCondition(scene, idleState)
    expect(await listRuns(scene)).toEqual([])
    await reportValues(lampB, { Brightness: 70 })
    expect(await waitForRuns(scene)).toMatchObject([
      { cause: 'condition', status: 'done', createBy: '条件' },
    ])
    await reportValues(lampB, { Brightness: 80 })
    await reportValues(lampB, { Brightness: 20 })
    await waitForCondition(scene, idleState)
    expect(await listRuns(scene)).toHaveLength(1)
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  it('are shown with the labels of the model, also in the audit log', async () => {
    const [brightness] = whenBrightnessAbove(90, [lampB.id, 50])
    const conditions = [
      ...(brightness as Extract<Draft['triggers'][number], { kind: 'condition' }>).conditions,
      { deviceId: lampC.id, identifier: 'PowerSwitch', compare: 'eq' as const, value: 1 },
    ]
    const scene = await createScene('名称', { triggers: [{ ...brightness!, conditions } as never] })
    const conditionText = 'b 亮度大于 50 且 c 电源开关等于 开启，持续 90 秒'
    expect((await getButton(scene)).triggerTexts).toEqual([conditionText])
    // A device that has moved to another project is not named in this one.
    expect([...(await readConditionDevices(app.app.db, [2], scene.triggers)).keys()]).toEqual([])
    await admin().call(sceneApi.remove, { id: scene.id })
    const log = await admin().call(actionLogApi.page, { entity: '场景', pageSize: 1 })
    const changes = log.list[0]!.changes.find(({ title }) => title === '触发')
    expect(changes).toMatchObject({ before: conditionText, after: '' })
  })
  it('must hold for the configured duration', async () => {
    await reportValues(lampB, { Brightness: 20 })
    const createConditionScene = (name: string, seconds: number) =>
      createScene(name, {
        actions: [createAction({ PowerSwitch: 0 }, toDeviceScope([lampA.id]))],
        triggers: whenBrightnessAbove(seconds, [lampB.id, 50]),
      })
    // The condition must hold for an hour, so a slow machine cannot start this scene.
    const hourScene = await createConditionScene('一小时', 3600)
    await waitForCondition(hourScene, idleState)
    for (let round = 0; round < 2; round++) {
      await reportValues(lampB, { Brightness: 60 })
      await waitForCondition(hourScene, holdingState)
      await reportValues(lampB, { Brightness: 10 })
      await waitForCondition(hourScene, idleState)
    }
    expect(await listRuns(hourScene)).toEqual([])
    const secondScene = await createConditionScene('一秒', 1)
    await waitForCondition(secondScene, idleState)
    const before = Date.now()
    await reportValues(lampB, { Brightness: 60 })
    const runs = await waitForRuns(secondScene)
    expect(runs).toMatchObject([{ cause: 'condition', status: 'done' }])
    expect(Date.parse(runs[0]!.createTime) - before).toBeGreaterThanOrEqual(1000)
    expect(await listRuns(hourScene)).toEqual([])
    for (const { id } of [hourScene, secondScene]) await admin().call(sceneApi.remove, { id })
  })
})

describe('the forecast of runs', () => {
  const previewScene = ({ id, ...rest }: Scene) => {
    const { triggers, calendarId, dayMode, dayTypes, silenceMinutes, quietFrom, quietTo } = rest
    const timing = { triggers, calendarId, dayMode, dayTypes, silenceMinutes, quietFrom, quietTo }
    return admin().call(sceneApi.preview, { projectId: 1, id, ...timing })
  }
  it('respects the silence after a manual run', async () => {
    const triggers = [{ kind: 'cron' as const, cron: '*/10 * * * *' }]
    const actions = [createAction({ Brightness: 33 }, toDeviceScope([lampA.id]))]
    const scene = await createScene('按过', { triggers, actions, silenceMinutes: 600 })
    const fetchFirstRun = async () => {
      const { list } = await previewScene(scene)
      const nextDue = list.find(({ runs }) => runs)!
      return new Date(toShanghaiMoment(nextDue.date, nextDue.time)).toISOString()
    }
    const before = await fetchFirstRun()
    await startScene(scene)
    await waitForRuns(scene)
    const after = await fetchFirstRun()
    expect(Date.parse(after) - Date.parse(before)).toBeGreaterThan(9 * hourMs)
    expect((await getButton(scene)).nextRun?.time).toBe(after)
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  it('gives the reason when the project forbids automatic scenes', async () => {
    const scene = await createScene('筹建时', { triggers: [workdayTrigger] })
    expect(await getButton(scene)).toMatchObject({ isTimed: true, held: '', nextRun: {} })
    const setProjectStatus = (status: 'preparing' | 'running') =>
      app.app.db.update(project).set({ status }).where(eq(project.projectId, 1))
    await setProjectStatus('preparing')
    const heldButton = await getButton(scene)
    const { list, held: holdReason, unpublished } = await previewScene(scene)
    await setProjectStatus('running')
    expect(list.length).toBeGreaterThan(0)
    expect(holdReason).toBe('项目在筹建，场景不自动执行')
    // Weekdays alone need no published calendar.
    expect(unpublished).toEqual([])
    expect(heldButton).toMatchObject({ held: '项目在筹建，场景不自动执行', nextRun: null })
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  it('reports a sun trigger that cannot fire without a project location', async () => {
    const sunsetTrigger = {
      kind: 'sun' as const,
      event: 'sunset' as const,
      offset: 0,
      position: null,
    }
    const setLongitude = (longitude: number | null) =>
      app.app.db
        .update(project)
        .set({ longitude, latitude: longitude && 22.5 })
        .where(eq(project.projectId, 1))
    const allWeekdays = [1, 2, 3, 4, 5, 6, 7]
    await setLongitude(114)
    const scene = await createScene('日落', {
      triggers: [{ ...sunsetTrigger, weekdays: allWeekdays }],
    })
    expect(await getButton(scene)).toMatchObject({ held: '', nextRun: {} })
    await setLongitude(null)
    const holdReason = '项目没有设置经纬度，日出日落不触发'
    expect(await getButton(scene)).toMatchObject({ held: holdReason, nextRun: null })
    expect(await getFieldErrors(previewScene(scene))).toEqual({
      'triggers.0.position': '项目没有设置经纬度，请在这里填写',
    })
    await setLongitude(114)
    await admin().call(sceneApi.remove, { id: scene.id })
  })
  const getNextSaturday = () => {
    const today = new Date(Date.now() + 8 * hourMs)
    const days = ((6 - today.getUTCDay() + 7) % 7) + 7
    return new Date(today.getTime() + days * dayMs).toISOString().slice(0, 10)
  }
  it('names a make-up workday, and the calendar names the affected scenes', async () => {
    const date = getNextSaturday()
    const calendar = await admin().call(calendarApi.create, {
      name: '预览用',
      code: 'for-preview',
      parentId: null,
      weekendMode: 'double',
      alternateFrom: null,
      description: '',
    })
    const makeupDay = {
      id: calendar.id,
      type: 'makeup' as const,
      name: '补班',
      isOff: false,
      seen: {},
    }
    await admin().call(holidayApi.set, { ...makeupDay, from: date, to: date })
    const timing = {
      triggers: [{ ...workdayTrigger, weekdays: [1, 2, 3, 4, 5, 6, 7] }],
      calendarId: calendar.id,
      dayMode: 'only' as const,
      dayTypes: ['workday' as const, 'makeup' as const],
    }
    const scene = await createScene('预览', timing)
    const { list, more } = await admin().call(sceneApi.preview, {
      projectId: 1,
      silenceMinutes: 0,
      quietFrom: null,
      quietTo: null,
      ...timing,
    })
    expect(more).toBe(false)
    expect(list.find((candidate) => candidate.date === date)).toEqual({
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
    const next = (await getButton(scene)).nextRun!
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
