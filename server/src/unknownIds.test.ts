import { isWriteCall, type Endpoint, type Envelope } from '@iot/shared/contract/endpoint'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { ServedEndpoint } from './core/http/serve'
import { createTableStateReader, findChangedTables } from './fuzz/tableStates'
import {
  directProduct,
  edgeProduct,
  findByPath,
  lampProduct,
  createWorld,
  type World,
} from './fuzz/world'
import {
  createChannel,
  createPolicy,
  startNotificationApp,
  webhookSecret,
} from './modules/notification/testing'
import { product } from './tables/device'
import { menu } from './tables/menu'
import { secondPassword, type TestApp } from './testing'

/** A place is the path of an id within an input; `0` stands for any index of a list. */
type IdPath = string[]
const startsWithPath = (idPath: IdPath, prefix: IdPath) =>
  prefix.every((name, index) => idPath[index] === name)
const asSchema = (schema: unknown) => schema as z.ZodType

/** Returns the paths of all ids and project numbers in a schema. */
function listIdPaths(schema: z.ZodType, path: IdPath = []): IdPath[] {
  if (schema instanceof z.ZodUUID) return [path]
  if (schema instanceof z.ZodNumber)
    return /^project/.test(path.findLast(isName) ?? '') ? [path] : []
  if (isWrapped(schema)) return listIdPaths(asSchema(schema.unwrap()), path)
  if (schema instanceof z.ZodArray) return listIdPaths(asSchema(schema.element), [...path, '0'])
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => listIdPaths(asSchema(option), path))
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, property]) =>
      listIdPaths(asSchema(property), [...path, key]),
    )
  return []
}
const isName = (name: string) => name !== '0'
const isWrapped = (schema: z.ZodType) =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault

type ValueLookup = (idPath: IdPath) => unknown
const createTexts = () => {
  const number = ++textCount
  return [
    `示例${number}`,
    `sample-${number}`,
    `sample_${number}`,
    `SAMPLE_${number}`,
    '440305',
    '08:30',
    '2026-10-01',
    '2026-10-01T00:00:00+08:00',
    `{deviceName}-${number}`,
    '',
  ]
}
let textCount = 0
const numbers = [1, 0, 60, 12, 2026]

/** Builds a valid input with `wrongValue` at the path `wrongId`; the other ids refer to existing rows. */
function buildInput(
  schema: z.ZodType,
  getKnownValue: ValueLookup,
  wrongId?: WrongId,
  path: IdPath = [],
): unknown {
  const buildPart = (part: unknown, name?: string) =>
    buildInput(asSchema(part), getKnownValue, wrongId, name === undefined ? path : [...path, name])
  const isOnPath = wrongId !== undefined && startsWithPath(wrongId.place, path)
  if (isOnPath && wrongId.place.length === path.length) return wrongId.wrong
  if (getKnownValue(path) !== undefined) return getKnownValue(path)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isOnPath ? buildPart(schema.unwrap()) : undefined
  if (schema instanceof z.ZodNullable) return isOnPath ? buildPart(schema.unwrap()) : null
  if (schema instanceof z.ZodArray) {
    const knownItem = getKnownValue([...path, '0'])
    const knownItems = knownItem === undefined ? [] : [knownItem]
    if (isOnPath) return [...knownItems, buildPart(schema.element, '0')]
    return schema.safeParse(knownItems).success ? knownItems : [buildPart(schema.element, '0')]
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(asSchema)
    const wrongOption = options.find((option) =>
      listIdPaths(option, path).some(
        (idPath) => isOnPath && idPath.join() === wrongId.place.join(),
      ),
    )
    // The option that names existing rows is preferred to the one for all rows.
    const namingOption = options.find((option) =>
      listIdPaths(option, path).some((idPath) => getKnownValue(idPath) !== undefined),
    )
    return buildPart(wrongOption ?? namingOption ?? options[0])
  }
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([key, property]) => [key, buildPart(property, key)]),
    )
  const candidates = [
    ...(schema instanceof z.ZodEnum ? schema.options : []),
    ...(schema instanceof z.ZodLiteral ? schema.values : []),
    ...[...numbers, ...createTexts(), false, {}, { PowerSwitch: 1 }],
  ]
  return candidates.find((value) => schema.safeParse(value).success)
}
type WrongId = { place: IdPath; wrong: unknown }

const getCallKey = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
let app: TestApp
const admin = () => app.as('admin')
/** Calls on other paths than these use the lamp product. */
const productsByPath: Record<string, typeof lampProduct> = {
  '/v1/edge-host': edgeProduct,
  '/v1/registration-rule': directProduct,
}

/** Returns the row of a world that belongs at this path of a call. */
function findRow({ byName, byPath }: World, path: string, idPath: IdPath) {
  const name = idPath.findLast(isName) ?? ''
  if (name === 'parentId') return path.startsWith('/v1/space') ? byName.spaceId : undefined
  return /^ids?$/.test(name) ? findByPath(byPath, path) : byName[name]
}

let ownWorld: World
let foreignWorld: World
const sharedIds = new Map<string, unknown>()
let callerToken: string
let readTableStates: () => Promise<string[]>
beforeAll(async () => {
  app = await startNotificationApp()
  await app.app.db.insert(product).values([lampProduct, edgeProduct, directProduct])
  ;[ownWorld, foreignWorld] = [await createWorld(app, 2), await createWorld(app, 1)]
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
  callerToken = await app.login('ofTwo', secondPassword)
  sharedIds.set('roleIds', role.id)
  sharedIds.set('menuIds', menus[0]!.id)
  const channel = await createChannel(app, { url: 'http://127.0.0.1:9/', secret: webhookSecret })
  sharedIds.set('channelIds', channel.id)
  createdRows.set('/v1/notification-policy', await createPolicy(app, [channel.id]))
  readTableStates = await createTableStateReader(app.app.db)
  createdRows.set('/v1/platform-settings', await admin().call(platformSettingsApi.read, {}))
})
afterAll(() => app.close())

/** Returns an existing row for the other ids of the input. */
async function findKnownId(endpoint: ServedEndpoint, idPath: IdPath): Promise<unknown> {
  const { path } = endpoint
  const name = idPath.findLast(isName) ?? ''
  const row = findRow(ownWorld, path, idPath)
  if (row !== undefined) return row
  if (name === 'productId' || name === 'productIds')
    return (productsByPath[getResourcePath(path)] ?? lampProduct).id
  if (sharedIds.has(name)) return sharedIds.get(name)
  if (name === 'manufacturerId') return (await getOrCreateRow('/v1/manufacturer'))?.id
  return /^ids?$/.test(name) ? (await getOrCreateRow(getResourcePath(path)))?.id : undefined
}
const getResourcePath = (path: string) => path.split('/').slice(0, 3).join('/')

/** Returns a row of a platform resource, created by its own endpoint. */
async function getOrCreateRow(resourcePath: string) {
  if (!createdRows.has(resourcePath)) {
    const createEndpoint = app.app.endpoints.find(
      ({ method, path }) => method === 'POST' && path === resourcePath,
    )
    const answer =
      createEndpoint && (await callEndpoint(createEndpoint, await buildValidInput(createEndpoint)))
    createdRows.set(resourcePath, (answer?.body.data ?? {}) as CreatedRow)
  }
  return createdRows.get(resourcePath)
}
type CreatedRow = { id?: unknown; [field: string]: unknown }
const createdRows = new Map<string, CreatedRow>()

async function buildValidInput(endpoint: ServedEndpoint, wrongId?: WrongId) {
  const { method, path } = endpoint
  const rows = new Map<string, unknown>([
    ['icon', 'BulbOutlined'],
    ...Object.entries(fixedValues[getResourcePath(path)] ?? {}),
  ])
  if (method === 'PUT' && findByPath(ownWorld.byPath, path) === undefined)
    for (const [name, value] of Object.entries((await getOrCreateRow(getResourcePath(path))) ?? {}))
      if (value !== null && typeof value !== 'object') rows.set(name, value)
  for (const idPath of listIdPaths(endpoint.input)) {
    if (idPath.join() === wrongId?.place.join() && idPath.at(-1) !== '0') continue
    // An existing row next to the wrong one would be removed.
    if (path.endsWith('/remove') && wrongId?.place.at(-1) === '0') continue
    if (wrongId && areExclusive(wrongId.place, idPath)) continue
    if (idPath.at(-1) !== 'parentId') rows.set(idPath.join(), await findKnownId(endpoint, idPath))
  }
  if (wrongId && /^(product|space)Ids$/.test(wrongId.place[0]!)) rows.set('kind', 'rule')
  // An import takes a file, or the id of its preview.
  if (path.endsWith('/import') && wrongId?.place[0] !== 'confirm') rows.set('table', [['名称']])
  return buildInput(
    endpoint.input,
    (currentPath) => rows.get(currentPath.join()),
    wrongId,
  ) as Record<string, unknown>
}
/** The two ids exclude each other, because a card refers to either a space or a device group. */
const areExclusive = (idPath: IdPath, otherPath: IdPath) =>
  idPath.slice(0, -1).join() === otherPath.slice(0, -1).join() &&
  [idPath, otherPath]
    .map((path) => path.at(-1))
    .sort()
    .join() === 'groupId,spaceId'
/** These values replace samples that satisfy the contract but not the platform. */
const fixedValues: Record<string, Record<string, unknown>> = {
  '/v1/product': {
    productType: 'SAFEWAY_LIGHT',
    net: 'ethernet',
    protocol: 'mqtt',
    controlTypes: [],
  },
  '/v1/control': { productType: 'SAFEWAY_LIGHT', actionType: 'all_off' },
  '/v1/scene': { 'actions,0,productType': 'SAFEWAY_LIGHT' },
  '/v1/notification-policy': { 'steps,0,afterMinutes': 0, fromClock: '', toClock: '' },
  '/v1/user': { roleChange: 'add', projectChange: 'add' },
  '/v1/calendar': { seen: { '2026-10-01': 1 } },
  '/v1/energy': { seen: {} },
  '/v1/icon': { on: `/v1/upload/file/${'0'.repeat(32)}` },
}

async function callEndpoint({ method, path }: Endpoint, input: object, token?: string) {
  const remainingInput: Record<string, unknown> = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(remainingInput[name]))
    delete remainingInput[name]
    return value
  })
  const query = Object.entries(remainingInput).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, String(value)]],
  )
  const response = await app.app.inject({
    method,
    url,
    ...(method === 'POST' || method === 'PUT'
      ? { payload: remainingInput }
      : { query: Object.fromEntries(query) as Record<string, string> }),
    headers: token ? { satoken: `Bearer ${token}` } : await admin().headers(),
  })
  return { status: response.statusCode, body: response.json<Envelope>() }
}

const isChinese = (text: unknown) => typeof text === 'string' && /[\u4e00-\u9fff]/.test(text)

type CallAnswer = Awaited<ReturnType<typeof callEndpoint>>
/** The error may be at the field itself, at one that contains it, or at one inside it. */
function isFieldOnPath(wrongPath: IdPath, field: string) {
  const [idPath, fieldPath] = [wrongPath.join('.'), field.replace(/\b\d+\b/g, '0')]
  return (
    idPath === fieldPath || idPath.startsWith(`${fieldPath}.`) || fieldPath.startsWith(`${idPath}.`)
  )
}
const isEmpty = (data: unknown): boolean =>
  typeof data === 'object' && data !== null ? Object.values(data).every(isEmpty) : !data

/** Returns why the answer does not refuse the wrong id, or undefined if it does. */
function findProblem(
  endpoint: ServedEndpoint,
  answer: CallAnswer,
  { place: idPath, wrong: wrongValue }: WrongId,
) {
  const { status, body } = answer
  const { code, msg, data } = body
  const problem = `${status} ${code} ${msg} ${JSON.stringify(data)?.slice(0, 200)}`
  if (status === 403) return undefined
  if (status !== 200) return problem
  if (code === 404 || code === 1001) return isChinese(msg) ? undefined : problem
  if (code === 422) {
    const { fields } = data as { fields: Record<string, string> }
    // Rows of the test do not exist in an unknown project, so another field may be reported as missing.
    const isExpectedField = (field: string, sentence: string) =>
      isFieldOnPath(idPath, field) || (idPath[0] === 'projectId' && sentence.includes('不存在'))
    const fieldError = Object.entries(fields).find(([field, sentence]) =>
      isExpectedField(field, sentence),
    )
    return fieldError && isChinese(fieldError[1]) ? undefined : problem
  }
  if (code !== 0) return problem
  if (Array.isArray(data)) {
    const resultRows = data as { id?: unknown; ok?: unknown; reason?: unknown }[]
    const rows = resultRows.filter(({ id }) => id === wrongValue || idPath.at(-1) !== '0')
    if (rows.length > 0)
      return rows.every(({ ok, reason }) => ok === false && isChinese(reason)) ? undefined : problem
  }
  // A list or an export that is filtered by an unknown id returns no rows.
  if (idPath.at(-1) === 'id') return problem
  const { total } = (data ?? {}) as { total?: unknown }
  if (total === 0) return undefined
  // The export contains the one selected row that exists.
  if (endpoint.path.endsWith('/export') && idPath[0] === 'ids' && total === 1) return undefined
  if (!isWriteCall(endpoint) && isEmpty(data)) return undefined
  return problem
}

/** Bulk calls change the rows whose ids are valid. */
const isPartlyAccepted = ({ body: { code, data } }: CallAnswer) =>
  code === 0 && Array.isArray(data) && data.some(({ ok }) => ok)

const ignoredIds = new Set([
  // The preview tells when a schedule would run; a condition has no time.
  'POST /v1/scene/preview triggers.0.conditions.0.deviceId',
  // The call returns the names of the devices that exist.
  'POST /v1/scene/devices ids.0',
  // The task replaces the secrets of the devices that exist and lists the others as failed.
  'POST /v1/device/secret ids.0',
])

/** Calls every endpoint once per id in its input, with only that id wrong. */
async function tryWrongIds(
  getWrongValue: (endpoint: ServedEndpoint, wrongPath: IdPath) => unknown,
  token?: string,
) {
  const problems: string[] = []
  let triedCount = 0
  for (const endpoint of app.app.endpoints)
    for (const idPath of listIdPaths(endpoint.input)) {
      const wrongValue = getWrongValue(endpoint, idPath)
      if (wrongValue === undefined || ignoredIds.has(`${getCallKey(endpoint)} ${idPath.join('.')}`))
        continue
      triedCount++
      const wrongId = { place: idPath, wrong: wrongValue }
      const input = await buildValidInput(endpoint, wrongId)
      const before = isWriteCall(endpoint) && (await readTableStates())
      const answer = await callEndpoint(endpoint, input, token)
      const problem = findProblem(endpoint, answer, wrongId)
      if (problem) problems.push(`${getCallKey(endpoint)} ${idPath.join('.')}: ${problem}`)
      if (!before || isPartlyAccepted(answer)) continue
      const changedTables = findChangedTables(before, await readTableStates())
      if (changedTables.length > 0)
        problems.push(
          `${getCallKey(endpoint)} ${idPath.join('.')}: ${changedTables.join()} changed`,
        )
    }
  return { problems, tried: triedCount }
}

test('every call refuses ids that do not exist', async () => {
  const { problems, tried: triedCount } = await tryWrongIds((_, idPath) =>
    /^project/.test(idPath.findLast(isName)!) ? 999_999 : uuidv7(),
  )
  expect(problems).toEqual([])
  expect(triedCount).toBeGreaterThan(200)
})

test('every call refuses ids of a project the caller cannot see', async () => {
  const { problems, tried: triedCount } = await tryWrongIds(
    ({ path }, idPath) => findRow(foreignWorld, path, idPath),
    callerToken,
  )
  expect(problems).toEqual([])
  expect(triedCount).toBeGreaterThan(80)
})
