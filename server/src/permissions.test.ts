import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { approvalApi } from '@iot/shared/contract/approval'
import { authApi } from '@iot/shared/contract/auth'
import { controlApi } from '@iot/shared/contract/control'
import { deviceApi } from '@iot/shared/contract/device'
import { deviceGroupApi } from '@iot/shared/contract/deviceGroup'
import { energyApi } from '@iot/shared/contract/energy'
import { edgeHostApi } from '@iot/shared/contract/edgeHost'
import { holdApi } from '@iot/shared/contract/hold'
import { changes, holds, type Endpoint, type Input } from '@iot/shared/contract/endpoint'
import { deviceCodes, rights } from '@iot/shared/contract/homeRights'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { projectApi } from '@iot/shared/contract/project'
import { registrationRecordApi } from '@iot/shared/contract/registration'
import { roleApi, type BuiltinRole } from '@iot/shared/contract/role'
import { sceneApi } from '@iot/shared/contract/scene'
import { shiftApi } from '@iot/shared/contract/shift'
import { snapshotApi } from '@iot/shared/contract/snapshot'
import { spaceApi } from '@iot/shared/contract/space'
import { userApi } from '@iot/shared/contract/user'
import { viewApi } from '@iot/shared/contract/view'
import { menu } from '@iot/shared/screens/all'
import { uuidv7 } from 'uuidv7'
import { builtin } from './modules/role/seed'
import { secondPassword, sharedApp, type TestApp } from './testing'

const file = join(__dirname, '../../docs/permissions.md')
const roles = ['visitor', 'operator', 'project-admin', 'platform-admin'] as const
const callers = ['没有登录', '只读访客', '运维值班', '别的项目的项目管理员', '平台管理员']

const id = uuidv7()
const lamp = { productId: id, name: '灯', deviceName: 'lamp-1', spaceId: null, protected: false }
const byHand = {
  triggers: [],
  calendarId: null,
  dayMode: 'ignore' as const,
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
}
const off = {
  productType: 'LAMP',
  scope: { kind: 'project' as const },
  values: { on: 0 },
  delay: 0,
}
const nightly = {
  name: '下班',
  icon: 'BulbOutlined',
  sort: 1,
  status: 'enabled' as const,
  order: 'parallel' as const,
  actions: [off],
  ...byHand,
}
const within = <E extends Endpoint>(endpoint: E, input: Input<E>) => ({ endpoint, input })
const group = {
  name: '走廊组',
  kind: 'hand' as const,
  deviceIds: [id],
  description: '',
  productIds: [],
  spaceIds: [],
  tags: [],
}
const host = {
  productId: id,
  name: '主机',
  deviceName: 'host-1',
  spaceId: null,
  heartbeatInterval: 60,
}
const bulk = (projectId: number) => ({
  kind: 'set' as const,
  projectId,
  scope: { kind: 'project' as const },
  values: { on: 0 },
})
const february = { from: '2026-02-01', to: '2026-02-28' }
/** Calls about one project, each with a valid input except that the project belongs to others. */
const ofAProject = (projectId: number) => [
  within(controlApi.preflight, { kind: 'scene', projectId, sceneId: id }),
  within(controlApi.start, { kind: 'scene', projectId, sceneId: id }),
  within(controlApi.recent, { projectId }),
  within(holdApi.list, { projectId }),
  within(approvalApi.ask, { request: bulk(projectId), reason: '' }),
  within(deviceApi.mapInfo, { projectId }),
  within(deviceApi.search, { projectId, text: '灯' }),
  within(deviceApi.named, { projectId, sentence: '关灯' }),
  within(deviceApi.lights, { projectId }),
  within(deviceApi.problems, { projectId }),
  within(deviceApi.floors, { projectId }),
  within(deviceApi.types, { projectId }),
  within(managedDeviceApi.page, { projectId }),
  within(managedDeviceApi.exportRows, { projectId }),
  within(managedDeviceApi.importRows, { projectId, table: [['设备名称']] }),
  within(managedDeviceApi.create, { projectId, ...lamp }),
  within(managedDeviceApi.move, { projectId, ids: [id], spaceId: null }),
  within(deviceGroupApi.page, { projectId }),
  within(deviceGroupApi.create, { projectId, ...group }),
  within(deviceGroupApi.exportRows, { projectId }),
  within(deviceGroupApi.importRows, { projectId, table: [['设备组名称']] }),
  within(deviceGroupApi.preview, { projectId, productIds: [], spaceIds: [], tags: [] }),
  within(deviceGroupApi.tags, { projectId }),
  within(deviceGroupApi.list, { projectId }),
  within(edgeHostApi.page, { projectId }),
  within(edgeHostApi.create, { projectId, ...host }),
  within(edgeHostApi.exportRows, { projectId }),
  within(edgeHostApi.importRows, { projectId, table: [['主机名称']] }),
  within(registrationRecordApi.page, { projectId }),
  within(registrationRecordApi.exportRows, { projectId }),
  within(registrationRecordApi.dropped, { projectId }),
  within(registrationRecordApi.approve, {
    id,
    projectId,
    state: 'pending' as const,
    name: '灯',
    spaceId: null,
  }),
  within(registrationRecordApi.reject, { ids: [id], projectId, reason: '不认识' }),
  within(registrationRecordApi.removeMany, { ids: [id], projectId }),
  within(projectApi.spaces, { projectId }),
  within(energyApi.areas, { projectId, ...february }),
  within(energyApi.lamps, { projectId, ...february }),
  within(energyApi.exportRows, { projectId, ...february }),
  within(energyApi.replace, { projectId, ids: [id] }),
  within(shiftApi.state, { projectId }),
  within(shiftApi.incidents, { projectId }),
  within(shiftApi.acknowledge, { projectId, incidents: [{ id, count: 1 }] }),
  within(shiftApi.unfinishedScenes, { projectId }),
  within(shiftApi.acknowledgeScenes, { projectId, scenes: [{ id, count: 1 }] }),
  within(shiftApi.people, { projectId, from: '2026-11-01T00:00:00Z' }),
  within(shiftApi.changes, { projectId, from: '2026-11-01T00:00:00Z' }),
  within(snapshotApi.tree, { projectId }),
  within(snapshotApi.page, { projectId }),
  within(snapshotApi.take, { projectId, name: '快照' }),
  within(snapshotApi.schedule, { projectId }),
  within(snapshotApi.setSchedule, { projectId, every: 'daily', keep: 3 }),
  within(sceneApi.page, { projectId }),
  within(sceneApi.types, { projectId }),
  within(sceneApi.devices, { projectId }),
  within(sceneApi.create, { projectId, ...nightly }),
  within(sceneApi.capture, { projectId, scope: { kind: 'project' }, productType: 'LAMP' }),
  within(sceneApi.preview, { projectId, ...byHand }),
  within(viewApi.cards, { id, projectId }),
  within(viewApi.arrange, { id, version: 1, projectId, cards: [] }),
  within(spaceApi.list, { projectId }),
  within(spaceApi.create, { projectId, parentId: null, type: 'building', name: '楼' }),
  within(spaceApi.moveMany, { projectId, ids: [id], parentId: null }),
  within(spaceApi.removeMany, { projectId, ids: [id] }),
  within(spaceApi.exportRows, { projectId }),
  within(spaceApi.importRows, { projectId, table: [['名称']] }),
]

/** These calls report it differently, with a field error or an empty list; their own tests cover that. */
const otherwise = new Set([
  'POST /v1/registration-rule',
  'PUT /v1/registration-rule/{id}',
  'GET /v1/view/mine',
  ...['POST /v1/calendar/page', 'POST /v1/calendar', 'PUT /v1/calendar/{id}'],
])

/** Calls that change rows of a project or the caller's own rows; all other changes concern rows of the platform. */
const ownedOtherwise = new Set([
  ...['approval', 'control', 'device', 'device-group', 'edge-host', 'energy', 'hold', 'scene'],
  ...['project', 'registration-record', 'shift', 'space'],
  // The rows of these modules name their projects, or users cannot grant more than they hold; see the modules.
  ...['calendar', 'view', 'role', 'user', 'login-log'],
  ...['auth', 'task'],
])
/** These calls change only the caller's own session. */
const ownSession = new Set(['POST /v1/release/trial'])

/** Returns the permissions that a built-in role gets from the screens and for devices. */
function heldBy(role: BuiltinRole) {
  const { everything, deviceRights } = builtin[role]
  if (everything) return new Set(['*'])
  const given = menu.filter((row) => row.roles.includes(role))
  const buttons = given.flatMap((row) => row.buttons.filter((one) => one.roles.includes(role)))
  return new Set([
    ...[...given, ...buttons].map(({ permission }) => permission),
    ...deviceRights.flatMap((right) => deviceCodes[right]),
  ])
}
const held = roles.map(heldBy)

const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
const isOfAProject = new Set(ofAProject(0).map(({ endpoint }) => keyOf(endpoint)))

/** Returns the answers that the contract promises to each caller. */
function expected(endpoint: Endpoint): string[] {
  const { permission } = endpoint
  if (permission === 'public') return callers.map(() => '可')
  return [
    '401',
    ...roles.map((role, n) => {
      if (permission !== 'session' && !holds(held[n]!, permission)) return '403'
      return role === 'project-admin' && isOfAProject.has(keyOf(endpoint)) ? '404' : '可'
    }),
  ]
}

const intro = `# Who may call what

Made from the contract by \`WRITE_PERMISSIONS=1 pnpm unit permissions\`; a test holds the platform to it, and fails for a call
without a row. 可: the call is let in, and what it answers or refuses is its own matter. 401: body code, with the reason.
403: HTTP status, with the missing right. 404: body code; who may not see a project does not learn that it exists.
Calls with the right \`session\` that touch devices also ask for the device rights of the role (查看, 单灯控制, 批量控制, 配置).
The roles are the built-in ones as they are given at first.
“全部项目” behind a permission: what the call changes belongs to no project, so the data scope of the caller must be every
project as well; without it the answer is 403. Views and calendars name their projects: who does not have all of them gets
403, and one that names none is the platform's.
\`POST /v1/upload/file\` has no row: it asks for a right to save what the file is for (\`purpose\`: 图标, 品牌, 厂商 and 产品 their
新建 or 编辑, 平面图 its 设置), and without a purpose for any one of these.

`

function table(endpoints: Endpoint[]) {
  const rows = endpoints
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method))
    .map((one) => [
      `\`${keyOf(one)}\``,
      one.title,
      `\`${one.permission}\`${one.owner ? ' 全部项目' : ''}`,
      ...expected(one),
    ])
  const head = ['调用', '做什么', '权限', ...callers]
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const drawn = (title: string[], body: string[][]) =>
    [title, title.map(() => '---'), ...body].map(line).join('')
  const carried = new Set(endpoints.map(({ permission }) => permission))
  const byHand = [...Object.values(rights), ...menu.flatMap(({ buttons }) => buttons)]
    .map(({ permission, ...right }) => [
      `\`${permission}\``,
      'title' in right ? right.title : right.name,
      ...held.map((codes) => (holds(codes, permission) ? '可' : '')),
    ])
    .filter(([code]) => !carried.has(code!.slice(1, -1) as Endpoint['permission']))
  return `${intro}${drawn(head, rows)}
## Rights no call carries

${drawn(['权限', '做什么', ...callers.slice(1)], byHand)}`
}

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

test('docs/permissions.md has a row for every call, with what the contract promises', () => {
  const made = table(app.app.endpoints)
  if (process.env.WRITE_PERMISSIONS) writeFileSync(file, made)
  expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(made)
})

test('every call about one project is tried with a project of others', () => {
  const named = app.app.endpoints.filter(
    ({ input }) => 'shape' in input && 'projectId' in (input.shape as object),
  )
  const untried = named.map(keyOf).filter((key) => !isOfAProject.has(key) && !otherwise.has(key))
  expect(untried).toEqual([])
})

test('every call that changes rows without a project says that they are the platform’s', () => {
  const undeclared = app.app.endpoints.filter(
    (one) =>
      one.permission !== 'public' &&
      changes(one) &&
      !one.path.endsWith('/export') &&
      !one.owner &&
      !ownedOtherwise.has(one.path.split('/')[2]!) &&
      !ownSession.has(keyOf(one)),
  )
  expect(undeclared.map(keyOf)).toEqual([])
})

test('no role for assigned projects is offered a right it may not use', () => {
  const shared = app.app.endpoints.filter(({ owner }) => owner).map(({ permission }) => permission)
  const offered = roles
    .filter((role) => builtin[role].dataScope === 'assigned')
    .flatMap((role) => shared.filter((code) => heldBy(role).has(code)))
  expect(offered).toEqual([])
})

describe('the platform keeps it', () => {
  const tokens: string[] = []
  beforeAll(async () => {
    for (const role of ['visitor', 'operator', 'project-admin'] as const) {
      await app.join(`may-${role}`, role, [role === 'project-admin' ? 2 : 1])
      tokens.push(await app.login(`may-${role}`, secondPassword))
    }
    tokens.push(await app.login('admin', 'admin-2026'))
  })

  async function answerTo({ method, path }: Endpoint, token: string | undefined, input: object) {
    const rest: Record<string, unknown> = { ...input }
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(rest[name] ?? 'none'))
      delete rest[name]
      return value
    })
    const isBody = method === 'POST' || method === 'PUT'
    const response = await app.app.inject({
      method,
      url,
      ...(isBody ? { payload: rest } : { query: rest as Record<string, string> }),
      headers: token ? { satoken: `Bearer ${token}` } : {},
    })
    const { code } = response.json<{ code: number }>()
    if (response.statusCode === 403) return '403'
    return code === 401 ? '401' : code === 404 ? '404' : '可'
  }

  it('for every call and caller', async () => {
    const wrong: string[] = []
    for (const endpoint of app.app.endpoints) {
      const promised = expected(endpoint)
      for (const [n, caller] of callers.entries()) {
        // No call accepts this input, so a permitted caller changes no data.
        const answer = await answerTo(endpoint, [undefined, ...tokens][n], { nobody: 'x' })
        const is = answer === '401' || answer === '403' ? answer : '可'
        const should = promised[n] === '404' ? '可' : promised[n]
        if (is !== should) wrong.push(`${keyOf(endpoint)} ${caller}: ${is}, not ${should}`)
      }
    }
    expect(wrong).toEqual([])
  })
  it('for who holds every right in one project, and no row of the platform is theirs to change', async () => {
    const admin = app.as('admin')
    const { id: roleId } = await admin.call(roleApi.create, {
      name: '一个项目的一切',
      code: 'may-one-project',
      description: '',
      dataScope: 'assigned',
      menuIds: (await admin.call(roleApi.grantable, {})).map((one) => one.id),
      deviceRights: ['view', 'control', 'bulkControl', 'configure'],
    })
    const person = { name: '管理一个项目', phone: '', email: '' as const, expireTime: null }
    const { password } = await admin.call(userApi.create, {
      username: 'may-one-project',
      ...person,
      roleIds: [roleId],
      projectIds: [1],
    })
    const user = app.as('may-one-project', password)
    const changed = { oldPassword: password, newPassword: secondPassword }
    await user.call(authApi.changePassword, changed)
    const token = await app.login('may-one-project', secondPassword)
    const shared = app.app.endpoints.filter(({ owner }) => owner)
    const answers = await Promise.all(
      shared.map(async (one) => [keyOf(one), await answerTo(one, token, { nobody: 'x' })]),
    )
    expect(answers).toEqual(shared.map((one) => [keyOf(one), '403']))
    expect(shared.length).toBeGreaterThan(60)
  })
  it('for projects of others', async () => {
    const answers = await Promise.all(
      ofAProject(3).map(async ({ endpoint, input }) => [
        keyOf(endpoint),
        await answerTo(endpoint, tokens[2], input),
      ]),
    )
    expect(answers).toEqual(ofAProject(3).map(({ endpoint }) => [keyOf(endpoint), '404']))
  })
})
