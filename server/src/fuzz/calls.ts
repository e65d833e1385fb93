import { errorLogApi } from '@iot/shared/contract/platform/errorLog.api'
import { isWriteCall, type Endpoint } from '@iot/shared/contract/endpoint'
import { loginLogApi } from '@iot/shared/contract/access/loginLog.api'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import { hourMs } from '@iot/shared/contract/duration'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import { connectAlinkDevice, deviceRow, insertDevices } from '../device-access/testing'
import { waitUntil } from '../core/until'
import { createBrightRule } from '../modules/alarm/alarm.fixture'
import { errorLog } from '../tables/errorLog'
import { product } from '../tables/device'
import { uploadedFile } from '../tables/upload'
import { secondPassword, type TestApp } from '../testing'
import { resolveSchema, buildValue, type Schema } from './wrongInputs'
import {
  directProduct,
  edgeProduct,
  findByPath,
  lampProduct,
  createWorld,
  offAction,
} from './world'

export type FuzzRow = Record<string, unknown>
export type CallAnswer = { status: number; type: string; body: string }
type OpenApiOperation = {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json'?: { schema: Schema } } }
}

export const getCallKey = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) =>
  `${method} ${path}`
export const isAccepted = ({ status, type, body }: CallAnswer) =>
  status < 300 && (!type.includes('json') || JSON.parse(body).code === 0)

const brightRule = createBrightRule(lampProduct.id)
/** The port of the discard service, on which nothing listens. */
const closedWebhook = {
  kind: 'webhook',
  url: 'http://127.0.0.1:9/',
  secret: 'a secret of the tests',
  template: '',
}
const dayOff = { date: '2026-10-01', type: 'custom', name: '厂休', isOff: true }
const wholeDay = { fromClock: '', toClock: '' }
const historyEnd = '2026-11-22T09:00:00.000Z'
/** These values replace samples that satisfy the contract but not the platform. */
const getFixedInputs = ({ floorId, steps }: FuzzRow): Record<string, FuzzRow> => ({
  'POST /v1/alarm-rule': brightRule,
  'POST /v1/alarm-rule/preview': brightRule,
  'POST /v1/notification-channel': closedWebhook,
  'POST /v1/notification-policy': { ...wholeDay, steps },
  'POST /v1/calendar/{id}/day': { from: '2026-10-01', to: '2026-10-01' },
  'POST /v1/calendar/{id}/file': { days: [dayOff], seen: {} },
  'POST /v1/calendar/{id}/import': { seen: {} },
  'POST /v1/calendar/{id}/file/preview': { days: [dayOff] },
  'POST /v1/calendar/{id}/day/clear': { seen: { '2026-10-01': 1 } },
  'POST /v1/device/change-product': { productId: directProduct.id },
  'POST /v1/device/change-product/check': { productId: directProduct.id },
  'POST /v1/device/place': { floorId },
  'POST /v1/product-category/copy-standard': { codes: ['Light'] },
  'POST /v1/product/{id}/copy': { modelNo: 'another' },
  'POST /v1/product/{id}/status': { status: 'published' },
  'POST /v1/product/status': { status: 'published' },
  'PUT /v1/edge-host/{id}/config': { content: '{}' },
  'GET /v1/device/{id}/history': { to: historyEnd },
  'POST /v1/device/{id}/history/export': { to: historyEnd },
  // The path is replaced, because the existing menu row already has the path of every sample.
  'POST /v1/menu': { path: '' },
  // A delayed command must not start while other calls are tested.
  'POST /v1/delayed-control': { delayMinutes: 1000 },
  'POST /v1/manual-override': { until: new Date(Date.now() + hourMs).toISOString() },
  'POST /v1/edge-host/{id}/replace': { deviceName: 'another-1' },
  'POST /v1/energy/lamp/replace': { seen: {} },
  'POST /v1/shift/handover/give': { seenGivenTime: null },
  'POST /v1/scene/preflight': { actions: [offAction] },
  'POST /v1/scene/preview': { quietTo: '09:00' },
  'POST /v1/space/{id}/copy': { name: '另一层' },
  'POST /v1/user/assign': { roleChange: 'add', projectChange: 'add' },
  'PUT /v1/platform-settings/policy': { idleMinutes: 30 },
  'GET /v1/taken': { resource: 'brand', field: 'name' },
})

/** Lists every call of the OpenAPI document and creates a row of each kind for the calls to use. */
export async function createCallTester(app: TestApp) {
  const targetUser = await app.join('victim', 'visitor', [1])
  await app.join('stranger', 'platform-admin')
  const headers = await app.as('stranger', secondPassword).headers()
  const document = (await app.app.inject({ url: '/v1/openapi.json', headers })).json()
  const components: Record<string, Schema> = document.components.schemas
  const paths: Record<string, Record<string, OpenApiOperation>> = document.paths
  /** Existing ids are looked up by the beginning of a path (`idsByPath`) or by the name of a field (`valuesByField`). */
  const idsByPath: FuzzRow = {}
  const valuesByField: FuzzRow = {}

  /** Returns one schema for all inputs of a call: path, query and body. */
  function getInputSchema({ method, path }: Endpoint): Schema {
    const { parameters, requestBody } = paths[path]![method.toLowerCase()]!
    const body = requestBody?.content['application/json']
    const bodySchema = body ? resolveSchema(body.schema, components) : {}
    return {
      type: 'object',
      ...bodySchema,
      properties: {
        ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
        ...bodySchema.properties,
      },
      required: [...parameters.map(({ name }) => name), ...(bodySchema.required ?? [])],
    }
  }

  async function send(
    { method, path }: Endpoint,
    input: FuzzRow,
    ownHeaders: Record<string, string> = {},
  ): Promise<CallAnswer> {
    const remainingInput = { ...input }
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = remainingInput[name]
      delete remainingInput[name]
      const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
      // Half of a surrogate pair cannot be part of a URL.
      return encodeURIComponent(Buffer.from(text).toString())
    })
    const isBody = method === 'POST' || method === 'PUT'
    const query = new URLSearchParams(
      Object.entries(remainingInput).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const answer = await app.app.inject({
      method,
      ...(isBody ? { url, payload: remainingInput } : { url: `${url}?${query}` }),
      headers: { ...headers, ...ownHeaders },
    })
    const type = String(answer.headers['content-type'])
    return { status: answer.statusCode, type, body: answer.payload }
  }

  const findEndpoint = (key: string) =>
    app.app.endpoints.find((endpoint) => getCallKey(endpoint) === key)
  const fillInput = (endpoint: Endpoint, ownValues: FuzzRow) =>
    buildValue(getInputSchema(endpoint), components, { ...valuesByField, ...ownValues }) as FuzzRow

  /** Returns the row that a call is about, as its own endpoint or a list shows it now. */
  async function findCurrentRow({ path }: Endpoint): Promise<FuzzRow> {
    const resource = path.split('/').slice(0, 3).join('/')
    const id = findByPath(idsByPath, path)
    const lookups = [
      `GET ${path}`,
      `GET ${resource}/{id}`,
      `POST ${resource}/page`,
      `GET ${resource}/list`,
      `GET ${resource}`,
    ]
    for (const key of id === undefined ? [] : lookups) {
      const endpoint = findEndpoint(key)
      const answer = endpoint && (await send(endpoint, fillInput(endpoint, { id })))
      if (!answer || !isAccepted(answer)) continue
      const { data } = JSON.parse(answer.body)
      const list: unknown = data?.list ?? data
      const row = Array.isArray(list)
        ? list.find((candidate: FuzzRow) => candidate.id === id)
        : list
      if (row) return { ...row, id }
    }
    return id === undefined ? {} : { id }
  }

  /** Builds a valid input of a call about an existing row. */
  async function buildValidInput(endpoint: Endpoint): Promise<FuzzRow> {
    const { id, ...row } = await findCurrentRow(endpoint)
    // The filters of a list are not fields of a row.
    const rowFields = isWriteCall(endpoint) && !endpoint.path.endsWith('/export') ? row : {}
    return {
      ...fillInput(endpoint, { ...rowFields, ...(id !== undefined && { id, ids: [id] }) }),
      ...getFixedInputs(valuesByField)[getCallKey(endpoint)],
    }
  }

  async function createRow(path: string, overrides: FuzzRow) {
    const endpoint = findEndpoint(`POST ${path}`)!
    const { body } = await send(endpoint, { ...fillInput(endpoint, overrides), ...overrides })
    const { code, data } = JSON.parse(body)
    if (code !== 0) throw new Error(`${path}: ${body}`)
    return (idsByPath[path] = data.id as string)
  }

  async function createRows() {
    const { db } = app.app
    await db.insert(product).values([lampProduct, edgeProduct, directProduct])
    const { byPath, byName } = await createWorld(app, 1)
    Object.assign(idsByPath, byPath)
    for (const [name, id] of Object.entries(byName))
      valuesByField[name] = name.endsWith('Ids') ? [id] : id
    Object.assign(valuesByField, {
      productType: lampProduct.productType,
      actionType: 'all_off',
      identifier: 'PowerSwitch',
      icon: 'BulbOutlined',
      net: 'ethernet',
      // A workbook is built in a thread that takes 0.1 s to start; roundTrip.test.ts reads workbooks of odd texts.
      format: 'csv',
      // An import takes a file, or the id of its preview.
      table: [['名称'], ['灯']],
    })

    const pictureId = '0'.repeat(32)
    const createTime = new Date().toISOString()
    await db.insert(uploadedFile).values({
      id: pictureId,
      name: 'a',
      type: 'image/svg+xml',
      size: 6,
      content: Buffer.from('<svg/>'),
      createBy: 'test',
      createTime,
    })
    const root = { parentId: null }
    valuesByField.manufacturerId = await createRow('/v1/manufacturer', {
      name: '厂',
      code: 'maker',
      creditCode: '',
    })
    valuesByField.brandId = await createRow('/v1/brand', { name: '牌' })
    valuesByField.categoryId = await createRow('/v1/product-category', {
      ...root,
      name: '类',
      code: 'kind',
    })
    valuesByField.calendarId = await createRow('/v1/calendar', {
      ...root,
      name: '历',
      code: 'days',
      alternateFrom: null,
    })
    idsByPath['/v1/scene/calendar'] = valuesByField.calendarId
    await createRow('/v1/product-type', { name: '型', code: 'HOSTILE' })
    await createRow('/v1/control-type', { name: '控', code: 'hostile' })
    await createRow('/v1/communication-protocol', { name: '协', code: 'hostile' })
    await createRow('/v1/product', { name: '品', protocol: 'mqtt' })
    await createRow('/v1/icon', { name: '标', code: 'hostile', on: `${uploadPath}/${pictureId}` })
    await createRow('/v1/map-engineering', { name: '图' })
    await createRow('/v1/menu', { ...root, name: '单' })
    const channelId = await createRow('/v1/notification-channel', {
      name: '群',
      ...closedWebhook,
    })
    valuesByField.steps = [{ afterMinutes: 0, channelIds: [channelId], roleIds: [] }]
    await createRow('/v1/notification-policy', {
      name: '策',
      ...wholeDay,
      steps: valuesByField.steps,
    })
    idsByPath['/v1/alarm-rule/model'] = lampProduct.id
    // A product with functions; the devices of the other calls do not need it.
    for (const call of ['function-usage', 'drop-function'])
      idsByPath[`/v1/product/{id}/${call}`] = directProduct.id
    valuesByField.roleId = await createRow('/v1/role', { name: '角', code: 'hostile' })
    valuesByField.roleIds = [valuesByField.roleId]
    await createRow('/v1/project', {
      name: '目',
      code: 'hostile',
      groupName: '组',
      calendarId: null,
    })
    await createRow('/v1/view', { ...root, name: '图', path: 'look', roleIds: [], projectIds: [] })

    idsByPath['/v1/user'] = targetUser.id
    const stranger = app.as('stranger', secondPassword)
    const settings = await stranger.call(platformSettingsApi.read, {})
    idsByPath['/v1/platform-settings'] = settings.id
    const logins = await stranger.call(loginLogApi.page, { username: 'victim' })
    idsByPath['/v1/login-log'] = logins.list[0]!.id
    await db.insert(errorLog).values({
      fingerprint: 'hostile',
      source: 'server',
      message: '错',
      stack: '',
      page: '',
      build: '',
      traceId: '',
      count: 1,
      firstTime: createTime,
      lastTime: createTime,
      status: 'open',
    })
    idsByPath['/v1/error-log'] = (await stranger.call(errorLogApi.page, {})).list[0]!.id
    const { id: task } = await stranger.call(errorLogApi.exportRows, { format: 'csv' })
    idsByPath['/v1/task'] = task
    const row = deviceRow(directProduct, 'hostile-1')
    await insertDevices(db, [], [row])
    const device = await connectAlinkDevice(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, row)
    const clients = await waitUntil(
      () => stranger.call(networkApi.clients, {}),
      ({ list }) => list.length > 0,
    )
    idsByPath['/v1/network'] = clients.list[0]!.id
    await app.app.devices.states.flush()
    return device
  }
  const device = await createRows()

  return { getInputSchema, send, buildValidInput, close: () => device.close() }
}
