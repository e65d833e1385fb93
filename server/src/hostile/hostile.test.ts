import type { Endpoint } from '@iot/shared/contract/endpoint'
import { sql } from 'drizzle-orm'
import { deviceRow, insertDevices, productRow } from '../device-access/testing'
import { password, secondPassword, testApp, type TestApp } from '../testing'
import { resolved, valueOf, wrongInputs, type Schema, type Shared } from './input'

/** Wrong values for every place of an input; `HOSTILE=31` tries them all, for the hour before a release. */
const each = Number(process.env.HOSTILE ?? 1)

/** Tried by their own tests: they end the session that asks. */
const ends = new Set(['POST /v1/auth/logout', 'POST /v1/auth/password'])
/** What the platform writes on its own account, or about the call. */
const own = ['action_log', 'login_log', 'error_log', 'session', 'login_failure', 'job', 'task']

type Answer = { status: number; type: string; body: string }
type Operation = {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json'?: { schema: Schema } } }
}

let app: TestApp
let shared: Shared
let paths: Record<string, Record<string, Operation>>
let headers: { satoken: string }
beforeAll(async () => {
  app = await testApp()
  const document = (await app.app.inject('/v1/openapi.json')).json()
  shared = document.components.schemas
  paths = document.paths
  await app.join('victim', 'visitor', [1])
  await app.join('stranger', 'platform-admin')
  headers = await app.as('stranger', secondPassword).headers()
  await makeRows()
})
afterAll(() => app.close())

const keyOf = ({ method, path }: Endpoint) => `${method} ${path}`
const resourceOf = (path: string) => path.split('/')[2]!

/** The schema of everything a call takes, wherever it stands. */
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

async function send({ method, path }: Endpoint, input: Record<string, unknown>): Promise<Answer> {
  const rest = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    // Half a character has no place in an address.
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

/** Says what is wrong with an answer, if anything is. */
function faultOf({ status, type, body }: Answer) {
  if (status >= 500) return `HTTP ${status}`
  if (!type.includes('json')) return status < 300 ? undefined : `HTTP ${status} ${type}`
  const { code, msg, data } = JSON.parse(body)
  if (code === 0) return undefined
  if (code === 401) return 'the session ended'
  if (typeof code !== 'number' || !/\p{sc=Han}/u.test(msg)) return `${code} ${msg}`
  for (const [field, text] of Object.entries(data?.fields ?? {}))
    if (!/\p{sc=Han}/u.test(String(text)) || /\^|expected|Invalid|undefined|NaN/.test(String(text)))
      return `${field}: ${text}`
  return undefined
}
const isTaken = ({ status, type, body }: Answer) =>
  status < 300 && (!type.includes('json') || JSON.parse(body).code === 0)

/** One row of each resource that a new platform has none of. */
async function makeRows() {
  const lamp = productRow('pkHostile', 'direct')
  await insertDevices(app.app.db, [lamp], [deviceRow(lamp, 'hostile-1')])
  const make = async (key: string, over: Record<string, unknown>) => {
    const endpoint = app.app.endpoints.find((one) => keyOf(one) === key)!
    const input = { ...(valueOf(schemaOf(endpoint), shared, over) as object), ...over }
    const { body } = await send(endpoint, input)
    if (JSON.parse(body).code !== 0) throw new Error(`${key}: ${body}`)
    return JSON.parse(body).data.id
  }
  const maker = await make('POST /v1/manufacturer', { name: '厂', code: 'maker', creditCode: '' })
  await make('POST /v1/brand', { name: '牌', manufacturerId: maker })
  await make('POST /v1/product-category', { name: '类', code: 'kind', parentId: null })
  await make('POST /v1/view', { name: '图', path: 'look', parentId: null, roleIds: [] })
  await make('POST /v1/space', { projectId: 1, name: '楼', type: 'building', parentId: null })
  const scope = { kind: 'project' }
  const action = { productType: 'SAFEWAY_LIGHT', scope, values: { PowerSwitch: 0 }, delay: 0 }
  await make('POST /v1/scene', {
    ...{ projectId: 1, name: '景', actions: [action], triggers: [], calendarId: null },
    ...{ quietFrom: null, quietTo: null, silenceMinutes: 0 },
  })
}
/** A row of each resource, so that a wrong input is wrong in one place only. */
async function rowsOfResources() {
  const rows = new Map<string, Record<string, unknown>>()
  const byEnd = (end: string) => app.app.endpoints.filter(({ path }) => path.endsWith(end))
  for (const endpoint of [...byEnd('/list'), ...byEnd('/page')]) {
    const answer = await send(endpoint, { projectId: 1 })
    const again = isTaken(answer) ? answer : await send(endpoint, {})
    if (!isTaken(again)) continue
    const { data } = JSON.parse(again.body)
    const list: Record<string, unknown>[] = Array.isArray(data) ? data : (data.list ?? [])
    const row = list.find(({ username }) => username === 'victim') ?? list[0]
    if (row) rows.set(resourceOf(endpoint.path), row)
  }
  return rows
}
/** What stands under the names of a call's fields: its own row, and the ids of others. */
function knownTo({ method, path }: Endpoint, rows: Map<string, Record<string, unknown>>) {
  const named = [...rows].flatMap(([name, { id }]) => {
    const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return id === undefined ? [] : [[`${camel}Id`, id] as const]
  })
  // What a list is filtered by is no row.
  const isOfRow = method !== 'GET' && !/\/(page|export)$/.test(path)
  const row = rows.get(resourceOf(path)) ?? {}
  return {
    ...Object.fromEntries(named),
    ...(isOfRow ? row : 'id' in row && { id: row.id }),
    projectId: 1,
    ...('id' in row && { ids: [row.id] }),
  }
}

/** What removes rows comes last. */
const tried = () => {
  const removes = ({ method, path }: Endpoint) => method === 'DELETE' || path.endsWith('/remove')
  const all = app.app.endpoints.filter((one) => !ends.has(keyOf(one)))
  return [...all.filter((one) => !removes(one)), ...all.filter(removes)]
}

/** Of each table the count and the last transaction that wrote to it. */
async function state() {
  const { rows: tables } = await app.app.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const counted = tables
    .filter(({ name }) => !own.includes(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*)::int as n, max(xmin::text::bigint)::text as last from "${name}"`,
    )
  const { rows } = await app.app.db.execute(sql.raw(counted.join(' union all ')))
  return rows
}
const settled = async () => {
  for (;;) {
    const { rows } = await app.app.db.execute(sql`select 1 from task where done_time is null`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('wrong input is refused in Chinese at every call, and what is refused changes no row', async () => {
  const rows = await rowsOfResources()
  const faults: string[] = []
  const turn = { n: 0 }
  let calls = 0
  for (const endpoint of tried()) {
    const schema = schemaOf(endpoint)
    const known = knownTo(endpoint, rows)
    const right = valueOf(schema, shared, known) as Record<string, unknown>
    const refused: Record<string, unknown>[] = []
    for (const [name, input] of wrongInputs(right, schema, turn, each)) {
      const answer = await send(endpoint, input)
      const fault = faultOf(answer)
      if (fault) faults.push(`${keyOf(endpoint)} ${name} → ${fault}`)
      if (!isTaken(answer)) refused.push(input)
      calls++
    }
    if (endpoint.method === 'GET') continue
    await settled()
    const before = await state()
    const taken = []
    for (const input of refused) if (isTaken(await send(endpoint, input))) taken.push(input)
    if (taken.length === 0 && JSON.stringify(await state()) !== JSON.stringify(before))
      faults.push(`${keyOf(endpoint)}: refused, and a row changed`)
  }
  expect(faults).toEqual([])
  expect(calls).toBeGreaterThan(app.app.endpoints.length * each)
}, 600_000)

test('bodies that are no input are refused in Chinese', async () => {
  const { satoken } = await app.as('admin', password).headers()
  const json = { satoken, 'content-type': 'application/json' }
  const bodies: [string, string | Buffer, Record<string, string>][] = [
    ['nothing', '', json],
    ['half of it', '{"name":"灯', json],
    ['a list', '[1]', json],
    ['a text', '"灯"', json],
    ['null', 'null', json],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), json],
    ['beyond numbers', '{"pageNo":1e999}', json],
    ['prototype', '{"__proto__":{"pageNo":1}}', json],
    ['9,000 deep', `${'['.repeat(9000)}${']'.repeat(9000)}`, json],
    ['a form', 'name=a', { satoken, 'content-type': 'application/x-www-form-urlencoded' }],
    ['no type', '{}', { satoken, 'content-type': 'nonsense' }],
  ]
  const faults: string[] = []
  const asked = tried().filter(({ method }) => method === 'POST' || method === 'PUT')
  for (const [turn, { method, path }] of asked.entries())
    for (const [place, [name, payload, headers]] of bodies.entries()) {
      // Each call meets some of them, and each of them many calls.
      if ((place + turn) % bodies.length > each * 2) continue
      const url = path.replace(/\{\w+\}/g, '1')
      const answer = await app.app.inject({ method, url, payload, headers })
      const type = String(answer.headers['content-type'])
      const fault = faultOf({ status: answer.statusCode, type, body: answer.payload })
      if (fault) faults.push(`${method} ${path} ${name} → ${fault}`)
    }
  expect(faults).toEqual([])
})
