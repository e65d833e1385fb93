import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { approvalApi } from '@iot/shared/contract/control/approval.api'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import { handoverApi } from '@iot/shared/contract/control/handover.api'
import { delayedControlApi } from '@iot/shared/contract/control/delayedControl.api'
import { holdApi } from '@iot/shared/contract/control/holdOffNote.api'
import { manualOverrideApi } from '@iot/shared/contract/control/manualOverride.api'
import {
  isWriteCall,
  hasPermission,
  type Endpoint,
  type Input,
} from '@iot/shared/contract/endpoint'
import {
  permissionCodesByDeviceRight,
  devicePermissions,
} from '@iot/shared/contract/device/devicePermissions'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import type { BuiltinRole } from '@iot/shared/contract/access/role'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import { shiftApi } from '@iot/shared/contract/control/shift.api'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { menuRecords } from '@iot/shared/screens/all'
import { uuidv7 } from 'uuidv7'
import { builtinRoles } from './modules/role/seed'
import { password, secondPassword, sharedApp, type TestApp } from './testing'

const file = join(__dirname, '../../docs/permissions.md')
const roles = ['visitor', 'operator', 'project-admin', 'platform-admin'] as const
const callers = ['没有登录', '只读访客', '运维值班', '别的项目的项目管理员', '平台管理员']

const id = uuidv7()
const lamp = { productId: id, name: '灯', deviceName: 'lamp-1', spaceId: null, protected: false }
const manualTrigger = {
  triggers: [],
  calendarId: null,
  dayMode: 'ignore' as const,
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
}
const offAction = {
  productType: 'LAMP',
  scope: { kind: 'project' as const },
  values: { on: 0 },
  delay: 0,
}
const nightlyScene = {
  name: '下班',
  icon: 'BulbOutlined',
  sort: 1,
  status: 'enabled' as const,
  order: 'parallel' as const,
  actions: [offAction],
  ...manualTrigger,
}
const createCall = <E extends Endpoint>(endpoint: E, input: Input<E>) => ({ endpoint, input })
const groupDraft = {
  name: '走廊组',
  kind: 'hand' as const,
  deviceIds: [id],
  description: '',
  productIds: [],
  spaceIds: [],
  tags: [],
}
const hostDraft = {
  productId: id,
  name: '主机',
  deviceName: 'host-1',
  spaceId: null,
  heartbeatInterval: 60,
}
const createBulkRequest = (projectId: number) => ({
  kind: 'set' as const,
  projectId,
  scope: { kind: 'project' as const },
  values: { on: 0 },
})
const february = { from: '2026-02-01', to: '2026-02-28' }
/** Calls about one project, each with a valid input except that the project belongs to others. */
const listProjectCalls = (projectId: number) => [
  createCall(controlApi.preflight, { kind: 'scene', projectId, sceneId: id }),
  createCall(controlApi.start, { kind: 'scene', projectId, sceneId: id }),
  createCall(controlApi.recent, { projectId }),
  createCall(holdApi.list, { projectId }),
  createCall(delayedControlApi.list, { projectId }),
  createCall(delayedControlApi.create, {
    request: createBulkRequest(projectId),
    delayMinutes: 10,
  }),
  createCall(manualOverrideApi.list, { projectId }),
  createCall(manualOverrideApi.create, {
    projectId,
    scope: { kind: 'space', spaceId: id },
    until: '2126-01-01T00:00:00Z',
    reason: '',
  }),
  createCall(approvalApi.ask, { request: createBulkRequest(projectId), reason: '' }),
  createCall(deviceApi.mapInfo, { projectId }),
  createCall(deviceApi.search, { projectId, text: '灯' }),
  createCall(deviceApi.named, { projectId, sentence: '关灯' }),
  createCall(deviceApi.adjustable, { projectId, deviceIds: [id] }),
  createCall(deviceApi.lights, { projectId }),
  createCall(deviceApi.problems, { projectId }),
  createCall(deviceApi.floors, { projectId }),
  createCall(deviceApi.types, { projectId }),
  createCall(managedDeviceApi.page, { projectId }),
  createCall(managedDeviceApi.exportRows, { projectId }),
  createCall(managedDeviceApi.importRows, { projectId, table: [['设备名称']] }),
  createCall(managedDeviceApi.create, { projectId, ...lamp }),
  createCall(managedDeviceApi.move, { projectId, ids: [id], spaceId: null }),
  createCall(deviceGroupApi.page, { projectId }),
  createCall(deviceGroupApi.create, { projectId, ...groupDraft }),
  createCall(deviceGroupApi.exportRows, { projectId }),
  createCall(deviceGroupApi.importRows, { projectId, table: [['设备组名称']] }),
  createCall(deviceGroupApi.preview, { projectId, productIds: [], spaceIds: [], tags: [] }),
  createCall(deviceGroupApi.tags, { projectId }),
  createCall(deviceGroupApi.list, { projectId }),
  createCall(edgeHostApi.page, { projectId }),
  createCall(edgeHostApi.create, { projectId, ...hostDraft }),
  createCall(edgeHostApi.exportRows, { projectId }),
  createCall(edgeHostApi.importRows, { projectId, table: [['主机名称']] }),
  createCall(registrationRecordApi.page, { projectId }),
  createCall(registrationRecordApi.exportRows, { projectId }),
  createCall(registrationRecordApi.dropped, { projectId }),
  createCall(registrationRecordApi.approve, {
    id,
    projectId,
    state: 'pending' as const,
    name: '灯',
    spaceId: null,
  }),
  createCall(registrationRecordApi.reject, { ids: [id], projectId, reason: '不认识' }),
  createCall(registrationRecordApi.removeMany, { ids: [id], projectId }),
  createCall(projectApi.spaces, { projectId }),
  createCall(energyApi.areas, { projectId, ...february }),
  createCall(energyApi.lamps, { projectId, ...february }),
  createCall(energyApi.exportRows, { projectId, ...february }),
  createCall(energyApi.replace, { projectId, ids: [id], seen: {} }),
  createCall(maintenanceWindowApi.current, { projectId }),
  createCall(shiftApi.state, { projectId }),
  createCall(shiftApi.unfinishedScenes, { projectId }),
  createCall(shiftApi.acknowledgeScenes, { projectId, scenes: [{ id, count: 1 }] }),
  createCall(shiftApi.people, { projectId, from: '2026-11-01T00:00:00Z' }),
  createCall(shiftApi.changes, { projectId, from: '2026-11-01T00:00:00Z' }),
  createCall(handoverApi.state, { projectId }),
  createCall(handoverApi.give, { projectId, note: '', seenGivenTime: null }),
  createCall(handoverApi.take, {
    projectId,
    handoverId: id,
    givenTime: '2026-11-28T00:00:00.000Z',
  }),
  createCall(handoverApi.setShifts, { projectId, version: 1, starts: ['08:00'] }),
  createCall(snapshotApi.tree, { projectId }),
  createCall(snapshotApi.page, { projectId }),
  createCall(snapshotApi.take, { projectId, name: '快照' }),
  createCall(snapshotApi.schedule, { projectId }),
  createCall(snapshotApi.setSchedule, { projectId, version: 1, every: 'daily', keep: 3 }),
  createCall(sceneApi.page, { projectId }),
  createCall(sceneApi.types, { projectId }),
  createCall(sceneApi.devices, { projectId }),
  createCall(sceneApi.create, { projectId, ...nightlyScene }),
  createCall(sceneApi.capture, { projectId, scope: { kind: 'project' }, productType: 'LAMP' }),
  createCall(sceneApi.preflight, { projectId, actions: nightlyScene.actions }),
  createCall(sceneApi.preview, { projectId, ...manualTrigger }),
  createCall(viewApi.cards, { id, projectId }),
  createCall(viewApi.arrange, { id, version: 1, projectId, cards: [] }),
  createCall(spaceApi.list, { projectId }),
  createCall(spaceApi.create, { projectId, parentId: null, type: 'building', name: '楼' }),
  createCall(spaceApi.moveMany, { projectId, ids: [id], parentId: null }),
  createCall(spaceApi.removeMany, { projectId, ids: [id] }),
  createCall(spaceApi.exportRows, { projectId }),
  createCall(spaceApi.importRows, { projectId, table: [['名称']] }),
]

/** These calls report it differently, with a field error or an empty list; their own tests cover that. */
const callsReportedOtherwise = new Set([
  'POST /v1/registration-rule',
  'PUT /v1/registration-rule/{id}',
  'GET /v1/view/mine',
  ...['POST /v1/calendar/page', 'POST /v1/calendar', 'PUT /v1/calendar/{id}'],
  // A list leaves out what the caller does not see, and a draft is refused at its project; see alarm.test.ts.
  ...['POST /v1/alarm-rule/page', 'POST /v1/alarm-rule', 'PUT /v1/alarm-rule/{id}'],
  ...['POST /v1/alarm-rule/preview', 'POST /v1/incident/page', 'POST /v1/incident/statistics'],
  ...['POST /v1/incident/export', 'POST /v1/maintenance-window/page'],
  ...['POST /v1/maintenance-window', 'PUT /v1/maintenance-window/{id}'],
])

/** Calls that change rows of a project or the caller's own rows; all other changes concern rows of the platform. */
const selfOwnedResources = new Set([
  ...[
    'approval',
    'control',
    'delayed-control',
    'device',
    'device-group',
    'edge-host',
    'energy',
    'hold',
    'manual-override',
    'scene',
  ],
  ...['project', 'registration-record', 'shift', 'space'],
  // The rows of these modules name their projects, or users cannot grant more than they hold; see the modules.
  ...['calendar', 'view', 'role', 'user', 'login-log'],
  ...['alarm-rule', 'incident', 'maintenance-window'],
  ...['auth', 'task'],
])
/** These calls change only the caller's own session. */
const ownSessionCalls = new Set(['POST /v1/release/trial'])

/** Returns the permissions that a built-in role gets from the screens and for devices. */
function getRolePermissions(role: BuiltinRole) {
  const { everything, deviceRights } = builtinRoles[role]
  if (everything) return new Set(['*'])
  const roleMenus = menuRecords.filter((row) => row.roles.includes(role))
  const buttons = roleMenus.flatMap((row) =>
    row.buttons.filter((button) => button.roles.includes(role)),
  )
  return new Set([
    ...[...roleMenus, ...buttons].map(({ permission }) => permission),
    ...deviceRights.flatMap((right) => permissionCodesByDeviceRight[right]),
  ])
}
const permissionsByRole = roles.map(getRolePermissions)

const getCallKey = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
const projectCallKeys = new Set(listProjectCalls(0).map(({ endpoint }) => getCallKey(endpoint)))

/** Returns the answers that the contract promises to each caller. */
function getExpectedAnswers(endpoint: Endpoint): string[] {
  const { permission } = endpoint
  if (permission === 'public') return callers.map(() => '可')
  return [
    '401',
    ...roles.map((role, roleIndex) => {
      if (permission !== 'session' && !hasPermission(permissionsByRole[roleIndex]!, permission))
        return '403'
      return role === 'project-admin' && projectCallKeys.has(getCallKey(endpoint)) ? '404' : '可'
    }),
  ]
}

const introduction = `# Who may call what

Made from the contract by \`WRITE_PERMISSIONS=1 pnpm unit permissions\`; a test holds the platform to it, and fails for a call
without a row. 可: the call is let in, and what it answers or refuses is its own matter. 401: body code, with the reason.
403: HTTP status, with the missing right. 404: body code; who may not see a project does not learn that it exists.
Calls with the right \`session\` that touch devices also ask for the device rights of the role (查看, 单灯控制, 批量控制, 配置).
The roles are the built-in ones as they are given at first.
“全部项目” behind a permission: what the call changes belongs to no project, so the data scope of the caller must be every
project as well; without it the answer is 403. Views and calendars name their projects: who does not have all of them gets
403, and one that names none is the platform's.
\`POST /v1/upload/file\` has no row: it asks for a right to save what the file is for (\`purpose\`: 图标, 品牌, 厂商 and 产品 their
新建 or 编辑, 平面图 its 设置, 平台 修改平台设置), and without a purpose for any one of these.

`

function buildDocument(endpoints: Endpoint[]) {
  const rows = endpoints
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method))
    .map((endpoint) => [
      `\`${getCallKey(endpoint)}\``,
      endpoint.title,
      `\`${endpoint.permission}\`${endpoint.owner ? ' 全部项目' : ''}`,
      ...getExpectedAnswers(endpoint),
    ])
  const headerCells = ['调用', '做什么', '权限', ...callers]
  const formatRow = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const formatTable = (title: string[], body: string[][]) =>
    [title, title.map(() => '---'), ...body].map(formatRow).join('')
  const usedPermissions = new Set(endpoints.map(({ permission }) => permission))
  const unusedRights = [
    ...Object.values(devicePermissions),
    ...menuRecords.flatMap(({ buttons }) => buttons),
  ]
    .map(({ permission, ...right }) => [
      `\`${permission}\``,
      'title' in right ? right.title : right.name,
      ...permissionsByRole.map((codes) => (hasPermission(codes, permission) ? '可' : '')),
    ])
    .filter(([code]) => !usedPermissions.has(code!.slice(1, -1) as Endpoint['permission']))
  return `${introduction}${formatTable(headerCells, rows)}
## Rights no call carries

${formatTable(['权限', '做什么', ...callers.slice(1)], unusedRights)}`
}

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

test('docs/permissions.md has a row for every call that matches the contract', () => {
  const document = buildDocument(app.app.endpoints)
  if (process.env.WRITE_PERMISSIONS) writeFileSync(file, document)
  expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(document)
})

test('every call with a projectId is tested with a project of other users', () => {
  const projectEndpoints = app.app.endpoints.filter(
    ({ input }) => 'shape' in input && 'projectId' in (input.shape as object),
  )
  const untestedCalls = projectEndpoints
    .map(getCallKey)
    .filter((key) => !projectCallKeys.has(key) && !callsReportedOtherwise.has(key))
  expect(untestedCalls).toEqual([])
})

test('every write call without a project declares the platform as the owner of its rows', () => {
  const undeclared = app.app.endpoints.filter(
    (endpoint) =>
      endpoint.permission !== 'public' &&
      isWriteCall(endpoint) &&
      !endpoint.path.endsWith('/export') &&
      !endpoint.owner &&
      !selfOwnedResources.has(endpoint.path.split('/')[2]!) &&
      !ownSessionCalls.has(getCallKey(endpoint)),
  )
  expect(undeclared.map(getCallKey)).toEqual([])
})

test('no built-in role for assigned projects contains a permission on platform rows', () => {
  const platformPermissions = app.app.endpoints
    .filter(({ owner }) => owner)
    .map(({ permission }) => permission)
  const offeredPermissions = roles
    .filter((role) => builtinRoles[role].dataScope === 'assigned')
    .flatMap((role) => platformPermissions.filter((code) => getRolePermissions(role).has(code)))
  expect(offeredPermissions).toEqual([])
})

describe('the documented permissions hold', () => {
  const tokens: string[] = []
  beforeAll(async () => {
    for (const role of ['visitor', 'operator', 'project-admin'] as const) {
      await app.join(`may-${role}`, role, [role === 'project-admin' ? 2 : 1])
      tokens.push(await app.login(`may-${role}`, secondPassword))
    }
    tokens.push(await app.login('admin', password))
  })

  async function getAnswer({ method, path }: Endpoint, token: string | undefined, input: object) {
    const remainingInput: Record<string, unknown> = { ...input }
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(remainingInput[name] ?? 'none'))
      delete remainingInput[name]
      return value
    })
    const isBody = method === 'POST' || method === 'PUT'
    const response = await app.app.inject({
      method,
      url,
      ...(isBody
        ? { payload: remainingInput }
        : { query: remainingInput as Record<string, string> }),
      headers: token ? { satoken: `Bearer ${token}` } : {},
    })
    const { code } = response.json<{ code: number }>()
    if (response.statusCode === 403) return '403'
    return code === 401 ? '401' : code === 404 ? '404' : '可'
  }

  it('for every call and caller', async () => {
    const mismatches: string[] = []
    for (const endpoint of app.app.endpoints) {
      const expectedAnswers = getExpectedAnswers(endpoint)
      for (const [callerIndex, caller] of callers.entries()) {
        // No call accepts this input, so a permitted caller changes no data.
        const answer = await getAnswer(endpoint, [undefined, ...tokens][callerIndex], {
          nobody: 'x',
        })
        const actualAnswer = answer === '401' || answer === '403' ? answer : '可'
        const expectedAnswer =
          expectedAnswers[callerIndex] === '404' ? '可' : expectedAnswers[callerIndex]
        if (actualAnswer !== expectedAnswer)
          mismatches.push(
            `${getCallKey(endpoint)} ${caller}: ${actualAnswer}, not ${expectedAnswer}`,
          )
      }
    }
    expect(mismatches).toEqual([])
  })
  it('for a caller with every permission in one project, who cannot change rows of the platform', async () => {
    const admin = app.as('admin')
    const { id: roleId } = await admin.call(roleApi.create, {
      name: '一个项目的一切',
      code: 'may-one-project',
      description: '',
      dataScope: 'assigned',
      menuIds: (await admin.call(roleApi.grantable, {})).map((menuItem) => menuItem.id),
      deviceRights: ['view', 'control', 'bulkControl', 'configure'],
    })
    const userFields = { name: '管理一个项目', phone: '', email: '' as const, expireTime: null }
    const { password } = await admin.call(userApi.create, {
      username: 'may-one-project',
      ...userFields,
      roleIds: [roleId],
      projectIds: [1],
    })
    const limitedUser = app.as('may-one-project', password)
    const passwordChange = { oldPassword: password, newPassword: secondPassword }
    await limitedUser.call(authApi.changePassword, passwordChange)
    const token = await app.login('may-one-project', secondPassword)
    const platformEndpoints = app.app.endpoints.filter(({ owner }) => owner)
    const answers = await Promise.all(
      platformEndpoints.map(async (endpoint) => [
        getCallKey(endpoint),
        await getAnswer(endpoint, token, { nobody: 'x' }),
      ]),
    )
    expect(answers).toEqual(platformEndpoints.map((endpoint) => [getCallKey(endpoint), '403']))
    expect(platformEndpoints.length).toBeGreaterThan(60)
  })
  it('for projects of other users', async () => {
    const answers = await Promise.all(
      listProjectCalls(3).map(async ({ endpoint, input }) => [
        getCallKey(endpoint),
        await getAnswer(endpoint, tokens[2], input),
      ]),
    )
    expect(answers).toEqual(
      listProjectCalls(3).map(({ endpoint }) => [getCallKey(endpoint), '404']),
    )
  })
})
