import { errorLogApi } from '@iot/shared/contract/errorLog'
import { changes, type Endpoint } from '@iot/shared/contract/endpoint'
import { loginLogApi } from '@iot/shared/contract/loginLog'
import { networkApi } from '@iot/shared/contract/network'
import { uploadPath } from '@iot/shared/contract/upload'
import { alinkDevice, deviceRow, insertDevices, until } from '../device-access/testing'
import { errorLog } from '../tables/errorLog'
import { product } from '../tables/device'
import { uploadedFile } from '../tables/upload'
import { secondPassword, type TestApp } from '../testing'
import { resolved, valueOf, type Schema } from './input'
import { direct, edge, inPath, lamp, worldOf } from './world'

export type Row = Record<string, unknown>
export type Answer = { status: number; type: string; body: string }
type Operation = {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json'?: { schema: Schema } } }
}

export const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
export const isTaken = ({ status, type, body }: Answer) =>
  status < 300 && (!type.includes('json') || JSON.parse(body).code === 0)

const to = '2026-11-22T09:00:00.000Z'
/** These values replace samples that satisfy the contract but not the platform. */
const said = ({ floorId }: Row): Record<string, Row> => ({
  'POST /v1/calendar/{id}/day': { from: '2026-10-01', to: '2026-10-01' },
  'POST /v1/calendar/{id}/day/clear': { seen: { '2026-10-01': 1 } },
  'POST /v1/device/place': { floorId },
  'POST /v1/product-category/copy-standard': { codes: ['Light'] },
  'POST /v1/product/{id}/copy': { modelNo: 'another' },
  'POST /v1/product/{id}/status': { status: 'published' },
  'POST /v1/product/status': { status: 'published' },
  'PUT /v1/edge-host/{id}/config': { content: '{}' },
  'GET /v1/device/{id}/history': { to },
  'POST /v1/device/{id}/history/export': { to },
  // The path is replaced, because the existing menu row already has the path of every sample.
  'POST /v1/menu': { path: '' },
  'POST /v1/edge-host/{id}/replace': { deviceName: 'another-1' },
  'POST /v1/scene/preview': { quietTo: '09:00' },
  'POST /v1/space/{id}/copy': { name: '另一层' },
  'GET /v1/taken': { resource: 'brand', field: 'name' },
})

/** Lists every call of the OpenAPI document and creates a row of each kind for the calls to use. */
export async function openCalls(app: TestApp) {
  const document = (await app.app.inject('/v1/openapi.json')).json()
  const shared: Record<string, Schema> = document.components.schemas
  const paths: Record<string, Record<string, Operation>> = document.paths
  const victim = await app.join('victim', 'visitor', [1])
  await app.join('stranger', 'platform-admin')
  const headers = await app.as('stranger', secondPassword).headers()
  /** Existing ids are looked up by the beginning of a path (`ids`) or by the name of a field (`named`). */
  const ids: Row = {}
  const named: Row = {}

  /** Returns one schema for all inputs of a call: path, query and body. */
  function schemaOf({ method, path }: Endpoint): Schema {
    const { parameters, requestBody } = paths[path]![method.toLowerCase()]!
    const body = requestBody?.content['application/json']
    const taken = body ? resolved(body.schema, shared) : {}
    return {
      type: 'object',
      ...taken,
      properties: {
        ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
        ...taken.properties,
      },
      required: [...parameters.map(({ name }) => name), ...(taken.required ?? [])],
    }
  }

  async function send({ method, path }: Endpoint, input: Row): Promise<Answer> {
    const rest = { ...input }
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest[name]
      delete rest[name]
      const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
      // Half of a surrogate pair cannot be part of a URL.
      return encodeURIComponent(Buffer.from(text).toString())
    })
    const isBody = method === 'POST' || method === 'PUT'
    const query = new URLSearchParams(
      Object.entries(rest).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const answer = await app.app.inject({
      method,
      ...(isBody ? { url, payload: rest } : { url: `${url}?${query}` }),
      headers,
    })
    const type = String(answer.headers['content-type'])
    return { status: answer.statusCode, type, body: answer.payload }
  }

  const find = (key: string) => app.app.endpoints.find((one) => keyOf(one) === key)
  const filled = (endpoint: Endpoint, own: Row) =>
    valueOf(schemaOf(endpoint), shared, { ...named, ...own }) as Row

  /** Returns the row that a call is about, as its own endpoint or a list shows it now. */
  async function rowFor({ path }: Endpoint): Promise<Row> {
    const resource = path.split('/').slice(0, 3).join('/')
    const id = inPath(ids, path)
    const ways = [`GET ${path}`, `GET ${resource}/{id}`, `POST ${resource}/page`]
    for (const key of id === undefined ? [] : [...ways, `GET ${resource}/list`]) {
      const endpoint = find(key)
      const answer = endpoint && (await send(endpoint, filled(endpoint, { id })))
      if (!answer || !isTaken(answer)) continue
      const { data } = JSON.parse(answer.body)
      const list: unknown = data.list ?? data
      const row = Array.isArray(list) ? list.find((one: Row) => one.id === id) : list
      if (row) return { ...row, id }
    }
    return id === undefined ? {} : { id }
  }

  /** Builds a valid input of a call about an existing row. */
  async function right(endpoint: Endpoint): Promise<Row> {
    const { id, ...row } = await rowFor(endpoint)
    // The filters of a list are not fields of a row.
    const about = changes(endpoint) && !endpoint.path.endsWith('/export') ? row : {}
    return {
      ...filled(endpoint, { ...about, ...(id !== undefined && { id, ids: [id] }) }),
      ...said(named)[keyOf(endpoint)],
    }
  }

  async function make(path: string, over: Row) {
    const endpoint = find(`POST ${path}`)!
    const { body } = await send(endpoint, { ...filled(endpoint, over), ...over })
    const { code, data } = JSON.parse(body)
    if (code !== 0) throw new Error(`${path}: ${body}`)
    return (ids[path] = data.id as string)
  }

  async function makeRows() {
    const { db } = app.app
    await db.insert(product).values([lamp, edge, direct])
    const { byPath, byName } = await worldOf(app, 1)
    Object.assign(ids, byPath)
    for (const [name, id] of Object.entries(byName)) named[name] = name.endsWith('Ids') ? [id] : id
    Object.assign(named, {
      productType: lamp.productType,
      actionType: 'all_off',
      identifier: 'PowerSwitch',
      icon: 'BulbOutlined',
      net: 'ethernet',
      // An import takes a file, or the id of its preview.
      table: [['名称'], ['灯']],
    })

    const picture = '0'.repeat(32)
    const createTime = new Date().toISOString()
    await db.insert(uploadedFile).values({
      id: picture,
      name: 'a',
      type: 'image/svg+xml',
      size: 6,
      content: Buffer.from('<svg/>'),
      createBy: 'test',
      createTime,
    })
    const root = { parentId: null }
    named.manufacturerId = await make('/v1/manufacturer', {
      name: '厂',
      code: 'maker',
      creditCode: '',
    })
    named.brandId = await make('/v1/brand', { name: '牌' })
    named.categoryId = await make('/v1/product-category', { ...root, name: '类', code: 'kind' })
    named.calendarId = await make('/v1/calendar', {
      ...root,
      name: '历',
      code: 'days',
      alternateFrom: null,
    })
    ids['/v1/scene/calendar'] = named.calendarId
    await make('/v1/product-type', { name: '型', code: 'HOSTILE' })
    await make('/v1/control-type', { name: '控', code: 'hostile' })
    await make('/v1/communication-protocol', { name: '协', code: 'hostile' })
    await make('/v1/product', { name: '品', protocol: 'mqtt' })
    await make('/v1/icon', { name: '标', code: 'hostile', on: `${uploadPath}/${picture}` })
    await make('/v1/map-engineering', { name: '图' })
    await make('/v1/menu', { ...root, name: '单' })
    named.roleId = await make('/v1/role', { name: '角', code: 'hostile' })
    named.roleIds = [named.roleId]
    await make('/v1/project', { name: '目', code: 'hostile', groupName: '组', calendarId: null })
    await make('/v1/view', { ...root, name: '图', path: 'look', roleIds: [], projectIds: [] })

    ids['/v1/user'] = victim.id
    const stranger = app.as('stranger', secondPassword)
    const logins = await stranger.call(loginLogApi.page, { username: 'victim' })
    ids['/v1/login-log'] = logins.list[0]!.id
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
    ids['/v1/error-log'] = (await stranger.call(errorLogApi.page, {})).list[0]!.id
    const { id: task } = await stranger.call(errorLogApi.exportRows, { format: 'csv' })
    ids['/v1/task'] = task
    const row = deviceRow(direct, 'hostile-1')
    await insertDevices(db, [], [row])
    const device = await alinkDevice(`mqtt://127.0.0.1:${app.app.devices.mqttPort}`, row)
    const clients = await until(
      () => stranger.call(networkApi.clients, {}),
      ({ list }) => list.length > 0,
    )
    ids['/v1/network'] = clients.list[0]!.id
    await app.app.devices.states.flush()
    return device
  }
  const device = await makeRows()

  return { schemaOf, send, right, close: () => device.close() }
}
