import {
  headerNames,
  isWriteCall,
  responseCodes,
  type Endpoint,
} from '@iot/shared/contract/endpoint'
import { sql } from 'drizzle-orm'
import { actionLog } from '../tables/actionLog'
import { project } from '../tables/project'
import { password, secondPassword, ownApp, type TestApp } from '../testing'
import { isAccepted, getCallKey, createCallTester, type CallAnswer, type FuzzRow } from './calls'
import { generateWrongInputs } from './wrongInputs'
import { createTableStateReader, findChangedTables } from './tableStates'

/**
 * Each place of an input gets this many wrong values; `HOSTILE=31` tries all of them in a long run before a release.
 */
const valuesPerPath = Number(process.env.HOSTILE ?? 1)

/** These calls end the caller's session, so their own tests cover them. */
const sessionEndingCalls = new Set(['POST /v1/auth/logout', 'POST /v1/auth/password'])
let app: TestApp
let calls: Awaited<ReturnType<typeof createCallTester>>
let readTableStates: () => Promise<string[]>
beforeAll(async () => {
  // Timers are off, so that incidents change only by calls and no notification is sent.
  app = await ownApp({
    mqttPort: 0,
    alarm: { isTimed: false },
    notification: { privateNetworks: '127.0.0.1', pollMs: 3_600_000 },
  })
  calls = await createCallTester(app)
  readTableStates = await createTableStateReader(app.app.db)
})
afterAll(async () => {
  await calls.close()
  await app.close()
})

/** Returns what is wrong with an answer, or undefined. */
function findFault({ status, type, body }: CallAnswer) {
  if (status >= 500) return `HTTP ${status}`
  if (!type.includes('json')) return status < 300 ? undefined : `HTTP ${status} ${type}`
  const { code, msg, data } = JSON.parse(body)
  if (code === 0) return undefined
  if (code === 401) return 'the session ended'
  if (typeof code !== 'number' || !/\p{sc=Han}/u.test(msg)) return `${code} ${msg}`
  for (const [field, text] of Object.entries(data?.fields ?? {}))
    if (!/\p{sc=Han}/u.test(String(text)) || /\^|expected|Invalid|undefined|NaN/.test(String(text)))
      return `${field}: ${String(text)}`
  return undefined
}
/**
 * Calls that remove rows run last, followed by the one that ends connections, because devices reconnect
 * asynchronously.
 */
const listTestedEndpoints = () => {
  const getOrder = ({ method, path }: Endpoint) =>
    path === '/v1/network/client/kick' ? 2 : Number(method === 'DELETE' || path.endsWith('/remove'))
  return app.app.endpoints
    .filter((endpoint) => !sessionEndingCalls.has(getCallKey(endpoint)))
    .sort((a, b) => getOrder(a) - getOrder(b))
}

const waitForTasks = async () => {
  for (;;) {
    const { rows } = await app.app.db.execute(sql`select 1 from task where done_time is null`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('an outdated version is answered with the current row and changes nothing', async () => {
  const faults: string[] = []
  let askedCount = 0
  for (const endpoint of listTestedEndpoints()) {
    const validInput = await calls.buildValidInput(endpoint)
    const { version } = validInput
    if (typeof version !== 'number') continue
    askedCount++
    const before = await readTableStates()
    const answer = await calls.send(endpoint, { ...validInput, version: version - 1 })
    const { code, msg, data } = JSON.parse(answer.body)
    if (code !== responseCodes.version) faults.push(`${getCallKey(endpoint)} → ${code} ${msg}`)
    else if (data.current.version !== version)
      faults.push(`${getCallKey(endpoint)} → version ${data.current.version}`)
    const changedTables = findChangedTables(before, await readTableStates())
    if (changedTables.length > 0)
      faults.push(`${getCallKey(endpoint)}: ${changedTables.join()} changed`)
  }
  expect(faults).toEqual([])
  expect(askedCount).toBeGreaterThan(25)
})

test('the action log names the object of every refused call with an id', async () => {
  const projects = await app.app.db.select({ id: project.projectId }).from(project)
  await app.join(
    'reader',
    'visitor',
    projects.map(({ id }) => id),
  )
  const refusals = {
    deadline: { [headerNames.deadline]: '1' },
    permission: await app.as('reader', secondPassword).headers(),
  }
  const faults: string[] = []
  let refusedCount = 0
  for (const endpoint of listTestedEndpoints().filter(isWriteCall)) {
    const validInput = await calls.buildValidInput(endpoint)
    if (!validInput.id && !validInput.ids) continue
    for (const [kind, headers] of Object.entries(refusals)) {
      await app.app.db.delete(actionLog)
      // Visitors may make some of the calls.
      if (isAccepted(await calls.send(endpoint, validInput, headers))) continue
      refusedCount++
      const lines = await app.app.db.select().from(actionLog)
      if (lines.length !== 1 || lines[0]!.ok || lines[0]!.entityName === '')
        faults.push(`${getCallKey(endpoint)} ${kind}: ${JSON.stringify(lines)}`)
    }
  }
  expect(faults).toEqual([])
  expect(refusedCount).toBeGreaterThan(200)
})

/** True if the input was refused or its row is missing, so that the rules behind the input check were not reached. */
function isOffTarget({ body }: CallAnswer) {
  const { code, data } = JSON.parse(body)
  if (code === 0) return false
  const sentences: string[] = Object.values(data?.fields ?? {})
  return (
    code === responseCodes.missing || sentences.some((text) => !/已存在|已被使用|已有/.test(text))
  )
}

test(
  'invalid input is refused in Chinese by every call and changes no row',
  async () => {
    const faults: string[] = []
    const offTarget: string[] = []
    const cursor = { n: 0 }
    let sentCount = 0
    for (const endpoint of listTestedEndpoints()) {
      const schema = calls.getInputSchema(endpoint)
      const validInput = await calls.buildValidInput(endpoint)
      const refusedInputs: FuzzRow[] = []
      let triedCount = 0
      const isWrite = endpoint.method !== 'GET'
      if (isWrite) await waitForTasks()
      let before = isWrite ? await readTableStates() : undefined
      for (const [name, input] of generateWrongInputs(validInput, schema, cursor, valuesPerPath)) {
        const answer = await calls.send(endpoint, input)
        const fault = findFault(answer)
        if (fault) faults.push(`${getCallKey(endpoint)} ${name} → ${fault}`)
        if (!isAccepted(answer)) refusedInputs.push(input)
        triedCount++
      }
      if (before) {
        let acceptedCount = 0
        // Rows that accepted inputs changed say nothing about the refused ones, so these are sent once more.
        if (refusedInputs.length < triedCount) {
          await waitForTasks()
          before = await readTableStates()
          for (const input of refusedInputs)
            if (isAccepted(await calls.send(endpoint, input))) acceptedCount++
        }
        const changedTables =
          acceptedCount > 0 ? [] : findChangedTables(before, await readTableStates())
        if (changedTables.length > 0)
          faults.push(`${getCallKey(endpoint)}: refused, and ${changedTables.join()} changed`)
      }
      sentCount += triedCount
      const currentInput =
        refusedInputs.length < triedCount ? await calls.buildValidInput(endpoint) : validInput
      const answer = await calls.send(endpoint, currentInput)
      const fault = findFault(answer)
      if (fault) faults.push(`${getCallKey(endpoint)} → ${fault}`)
      // A generator cannot know passwords and codes.
      if (isOffTarget(answer) && !endpoint.path.startsWith('/v1/auth/'))
        offTarget.push(`${getCallKey(endpoint)} ${JSON.stringify(currentInput)} → ${answer.body}`)
    }
    expect({ faults, astray: offTarget }).toEqual({ faults: [], astray: [] })
    expect(sentCount).toBeGreaterThan(app.app.endpoints.length * valuesPerPath)
  },
  600_000 * valuesPerPath,
)

test('bodies that are not valid input are refused in Chinese', async () => {
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
  const writingEndpoints = listTestedEndpoints().filter(
    ({ method }) => method === 'POST' || method === 'PUT',
  )
  for (const [endpointIndex, { method, path }] of writingEndpoints.entries())
    for (const [bodyIndex, [name, payload, headers]] of bodies.entries()) {
      // Each call gets some of the bodies, and each body goes to many calls.
      if ((bodyIndex + endpointIndex) % bodies.length > valuesPerPath * 2) continue
      const url = path.replace(/\{\w+\}/g, '1')
      const answer = await app.app.inject({ method, url, payload, headers })
      const type = String(answer.headers['content-type'])
      const fault = findFault({ status: answer.statusCode, type, body: answer.payload })
      if (fault) faults.push(`${method} ${path} ${name} → ${fault}`)
    }
  expect(faults).toEqual([])
})
