import { changes, type Endpoint, type Envelope } from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/role'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { changedIn, stateOf } from './hostile/state'
import { direct, edge, inPath, lamp, worldOf, type World } from './hostile/world'
import { product } from './tables/device'
import { menu } from './tables/menu'
import { secondPassword, testApp, type TestApp } from './testing'

/** A place is the path of an id within an input; `0` stands for any index of a list. */
type Place = string[]
const beginsWith = (place: Place, start: Place) => start.every((name, n) => place[n] === name)
const of = (schema: unknown) => schema as z.ZodType

/** Returns the paths of all ids and project numbers in a schema. */
function placesOf(schema: z.ZodType, at: Place = []): Place[] {
  if (schema instanceof z.ZodUUID) return [at]
  if (schema instanceof z.ZodNumber) return /^project/.test(at.findLast(isName) ?? '') ? [at] : []
  if (isWrapped(schema)) return placesOf(of(schema.unwrap()), at)
  if (schema instanceof z.ZodArray) return placesOf(of(schema.element), [...at, '0'])
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => placesOf(of(one), at))
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, one]) => placesOf(of(one), [...at, key]))
  return []
}
const isName = (name: string) => name !== '0'
const isWrapped = (schema: z.ZodType) =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault

type Known = (place: Place) => unknown
const texts = () => {
  const n = ++made
  return [
    `示例${n}`,
    `sample-${n}`,
    `sample_${n}`,
    `SAMPLE_${n}`,
    '440305',
    '08:30',
    '2026-10-01',
    '2026-10-01T00:00:00+08:00',
    `{deviceName}-${n}`,
    '',
  ]
}
let made = 0
const numbers = [1, 0, 60, 12, 2026]

/** Builds a valid input with `wrong` at the path `lead`; the other ids refer to existing rows. */
function sample(schema: z.ZodType, known: Known, lead?: Lead, at: Place = []): unknown {
  const inside = (part: unknown, name?: string) =>
    sample(of(part), known, lead, name === undefined ? at : [...at, name])
  const isOnTheWay = lead !== undefined && beginsWith(lead.place, at)
  if (isOnTheWay && lead.place.length === at.length) return lead.wrong
  if (known(at) !== undefined) return known(at)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isOnTheWay ? inside(schema.unwrap()) : undefined
  if (schema instanceof z.ZodNullable) return isOnTheWay ? inside(schema.unwrap()) : null
  if (schema instanceof z.ZodArray) {
    const right = known([...at, '0'])
    const rights = right === undefined ? [] : [right]
    if (isOnTheWay) return [...rights, inside(schema.element, '0')]
    return schema.safeParse(rights).success ? rights : [inside(schema.element, '0')]
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(of)
    const leading = options.find((one) =>
      placesOf(one, at).some((place) => isOnTheWay && place.join() === lead.place.join()),
    )
    // The option that names existing rows is preferred to the one for all rows.
    const naming = options.find((one) =>
      placesOf(one, at).some((place) => known(place) !== undefined),
    )
    return inside(leading ?? naming ?? options[0])
  }
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([key, one]) => [key, inside(one, key)]),
    )
  const candidates = [
    ...(schema instanceof z.ZodEnum ? schema.options : []),
    ...(schema instanceof z.ZodLiteral ? schema.values : []),
    ...[...numbers, ...texts(), false, {}, { PowerSwitch: 1 }],
  ]
  return candidates.find((value) => schema.safeParse(value).success)
}
type Lead = { place: Place; wrong: unknown }

const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
let app: TestApp
const admin = () => app.as('admin')
/** Calls on other paths than these use the lamp product. */
const products: Record<string, typeof lamp> = {
  '/v1/edge-host': edge,
  '/v1/registration-rule': direct,
}

/** Returns the row of a world that belongs at this path of a call. */
function rowOf({ byName, byPath }: World, path: string, place: Place) {
  const name = place.findLast(isName) ?? ''
  if (name === 'parentId') return path.startsWith('/v1/space') ? byName.spaceId : undefined
  return /^ids?$/.test(name) ? inPath(byPath, path) : byName[name]
}

let here: World
let there: World
const common = new Map<string, unknown>()
let caller: string
beforeAll(async () => {
  app = await testApp()
  await app.app.db.insert(product).values([lamp, edge, direct])
  ;[here, there] = [await worldOf(app, 2), await worldOf(app, 1)]
  const menus = await app.app.db.select({ id: menu.id }).from(menu)
  const role = await admin().call(roleApi.create, {
    name: '二号项目全权',
    code: 'all-of-two',
    description: '',
    menuIds: menus.map(({ id }) => id),
    dataScope: 'assigned',
    deviceRights: ['view', 'control', 'bulkControl', 'configure'],
  })
  await app.join('ofTwo', 'all-of-two', [2])
  caller = await app.login('ofTwo', secondPassword)
  common.set('roleIds', role.id)
  common.set('menuIds', menus[0]!.id)
})
afterAll(() => app.close())

/** Returns an existing row for the other ids of the input. */
async function beside(endpoint: Endpoint, place: Place): Promise<unknown> {
  const { path } = endpoint
  const name = place.findLast(isName) ?? ''
  const row = rowOf(here, path, place)
  if (row !== undefined) return row
  if (name === 'productId' || name === 'productIds') return (products[startOf(path)] ?? lamp).id
  if (common.has(name)) return common.get(name)
  if (name === 'manufacturerId') return (await rowAt('/v1/manufacturer'))?.id
  return /^ids?$/.test(name) ? (await rowAt(startOf(path)))?.id : undefined
}
const startOf = (path: string) => path.split('/').slice(0, 3).join('/')

/** Returns a row of a platform resource, created by its own endpoint. */
async function rowAt(start: string) {
  if (!created.has(start)) {
    const create = app.app.endpoints.find(({ method, path }) => method === 'POST' && path === start)
    const answer = create && (await ask(create, await filled(create)))
    created.set(start, (answer?.body.data ?? {}) as Row)
  }
  return created.get(start)
}
type Row = { id?: unknown; [field: string]: unknown }
const created = new Map<string, Row>()

async function filled(endpoint: Endpoint, lead?: Lead) {
  const { method, path } = endpoint
  const rows = new Map<string, unknown>([
    ['icon', 'BulbOutlined'],
    ...Object.entries(fixed[startOf(path)] ?? {}),
  ])
  if (method === 'PUT' && inPath(here.byPath, path) === undefined)
    for (const [name, value] of Object.entries((await rowAt(startOf(path))) ?? {}))
      if (value !== null && typeof value !== 'object') rows.set(name, value)
  for (const place of placesOf(endpoint.input)) {
    if (place.join() === lead?.place.join() && place.at(-1) !== '0') continue
    // An existing row next to the wrong one would be removed.
    if (path.endsWith('/remove') && lead?.place.at(-1) === '0') continue
    if (lead && excludes(lead.place, place)) continue
    if (place.at(-1) !== 'parentId') rows.set(place.join(), await beside(endpoint, place))
  }
  if (lead && /^(product|space)Ids$/.test(lead.place[0]!)) rows.set('kind', 'rule')
  // An import takes a file, or the id of its preview.
  if (path.endsWith('/import') && lead?.place[0] !== 'confirm') rows.set('table', [['名称']])
  return sample(endpoint.input, (place) => rows.get(place.join()), lead) as Record<string, unknown>
}
/** The two ids exclude each other, because a card refers to either a space or a device group. */
const excludes = (one: Place, other: Place) =>
  one.slice(0, -1).join() === other.slice(0, -1).join() &&
  [one, other]
    .map((place) => place.at(-1))
    .sort()
    .join() === 'groupId,spaceId'
/** These values replace samples that satisfy the contract but not the platform. */
const fixed: Record<string, Record<string, unknown>> = {
  '/v1/product': {
    productType: 'SAFEWAY_LIGHT',
    net: 'ethernet',
    protocol: 'mqtt',
    controlTypes: [],
  },
  '/v1/control': { productType: 'SAFEWAY_LIGHT', actionType: 'all_off' },
  '/v1/scene': { 'actions,0,productType': 'SAFEWAY_LIGHT' },
  '/v1/calendar': { seen: { '2026-10-01': 1 } },
  '/v1/icon': { on: `/v1/upload/file/${'0'.repeat(32)}` },
}

async function ask({ method, path }: Endpoint, input: object, token?: string) {
  const rest: Record<string, unknown> = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]))
    delete rest[name]
    return value
  })
  const query = Object.entries(rest).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, String(value)]],
  )
  const response = await app.app.inject({
    method,
    url,
    ...(method === 'POST' || method === 'PUT'
      ? { payload: rest }
      : { query: Object.fromEntries(query) as Record<string, string> }),
    headers: token ? { satoken: `Bearer ${token}` } : await admin().headers(),
  })
  return { status: response.statusCode, body: response.json<Envelope>() }
}

const isChinese = (text: unknown) => typeof text === 'string' && /[\u4e00-\u9fff]/.test(text)

type Answer = Awaited<ReturnType<typeof ask>>
/** The error may be at the field itself, at one that contains it, or at one inside it. */
function isAbout(place: Place, field: string) {
  const [at, said] = [place.join('.'), field.replace(/\b\d+\b/g, '0')]
  return at === said || at.startsWith(`${said}.`) || said.startsWith(`${at}.`)
}
const isEmpty = (data: unknown): boolean =>
  typeof data === 'object' && data !== null ? Object.values(data).every(isEmpty) : !data

/** Returns why the answer does not refuse the wrong id, or undefined if it does. */
function problemOf(endpoint: Endpoint, answer: Answer, { place, wrong }: Lead) {
  const { status, body } = answer
  const { code, msg, data } = body
  const said = `${status} ${code} ${msg} ${JSON.stringify(data)?.slice(0, 200)}`
  if (status === 403) return undefined
  if (status !== 200) return said
  if (code === 404 || code === 1001) return isChinese(msg) ? undefined : said
  if (code === 422) {
    const { fields } = data as { fields: Record<string, string> }
    // Rows of the test do not exist in an unknown project, so another field may be reported as missing.
    const isMeant = (field: string, sentence: string) =>
      isAbout(place, field) || (place[0] === 'projectId' && sentence.includes('不存在'))
    const about = Object.entries(fields).find(([field, sentence]) => isMeant(field, sentence))
    return about && isChinese(about[1]) ? undefined : said
  }
  if (code !== 0) return said
  if (Array.isArray(data)) {
    const all = data as { id?: unknown; ok?: unknown; reason?: unknown }[]
    const rows = all.filter(({ id }) => id === wrong || place.at(-1) !== '0')
    if (rows.length > 0)
      return rows.every(({ ok, reason }) => ok === false && isChinese(reason)) ? undefined : said
  }
  // A list or an export that is filtered by an unknown id returns no rows.
  if (place.at(-1) === 'id') return said
  const { total } = (data ?? {}) as { total?: unknown }
  if (total === 0) return undefined
  // The export contains the one selected row that exists.
  if (endpoint.path.endsWith('/export') && place[0] === 'ids' && total === 1) return undefined
  if (!changes(endpoint) && isEmpty(data)) return undefined
  return said
}

/** Bulk calls change the rows whose ids are valid. */
const isTakenInPart = ({ body: { code, data } }: Answer) =>
  code === 0 && Array.isArray(data) && data.some(({ ok }) => ok)

const unread = new Set([
  // The preview tells when a schedule would run; a condition has no time.
  'POST /v1/scene/preview triggers.0.conditions.0.deviceId',
  // The call returns the names of the devices that exist.
  'POST /v1/scene/devices ids.0',
])

/** Calls every endpoint once per id in its input, with only that id wrong. */
async function tryAll(wrongAt: (endpoint: Endpoint, place: Place) => unknown, token?: string) {
  const problems: string[] = []
  let tried = 0
  for (const endpoint of app.app.endpoints)
    for (const place of placesOf(endpoint.input)) {
      const wrong = wrongAt(endpoint, place)
      if (wrong === undefined || unread.has(`${keyOf(endpoint)} ${place.join('.')}`)) continue
      tried++
      const lead = { place, wrong }
      const input = await filled(endpoint, lead)
      const before = changes(endpoint) && (await stateOf(app.app.db))
      const answer = await ask(endpoint, input, token)
      const problem = problemOf(endpoint, answer, lead)
      if (problem) problems.push(`${keyOf(endpoint)} ${place.join('.')}: ${problem}`)
      if (!before || isTakenInPart(answer)) continue
      const changed = changedIn(before, await stateOf(app.app.db))
      if (changed.length > 0)
        problems.push(`${keyOf(endpoint)} ${place.join('.')}: ${changed.join()} changed`)
    }
  return { problems, tried }
}

test('every call refuses ids that do not exist', async () => {
  const { problems, tried } = await tryAll((_, place) =>
    /^project/.test(place.findLast(isName)!) ? 999_999 : uuidv7(),
  )
  expect(problems).toEqual([])
  expect(tried).toBeGreaterThan(200)
})

test('every call refuses ids of a project out of sight', async () => {
  const { problems, tried } = await tryAll(({ path }, place) => rowOf(there, path, place), caller)
  expect(problems).toEqual([])
  expect(tried).toBeGreaterThan(80)
})
