import { codes, type Endpoint } from '@iot/shared/contract/endpoint'
import { sql } from 'drizzle-orm'
import { password, testApp, type TestApp } from '../testing'
import { isTaken, keyOf, openCalls, type Answer, type Row } from './calls'
import { wrongInputs } from './input'
import { changedIn, stateOf } from './state'

/**
 * Each place of an input gets this many wrong values; `HOSTILE=31` tries all of them in a long run before a release.
 */
const each = Number(process.env.HOSTILE ?? 1)

/** These calls end the caller's session, so their own tests cover them. */
const ends = new Set(['POST /v1/auth/logout', 'POST /v1/auth/password'])
let app: TestApp
let calls: Awaited<ReturnType<typeof openCalls>>
beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  calls = await openCalls(app)
})
afterAll(async () => {
  await calls.close()
  await app.close()
})

/** Returns what is wrong with an answer, or undefined. */
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
/**
 * Calls that remove rows run last, followed by the one that ends connections, because devices reconnect
 * asynchronously.
 */
const tried = () => {
  const order = ({ method, path }: Endpoint) =>
    path === '/v1/network/client/kick' ? 2 : Number(method === 'DELETE' || path.endsWith('/remove'))
  return app.app.endpoints
    .filter((one) => !ends.has(keyOf(one)))
    .sort((a, b) => order(a) - order(b))
}

const settled = async () => {
  for (;;) {
    const { rows } = await app.app.db.execute(sql`select 1 from task where done_time is null`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('an old version is answered with the row as it stands, and changes nothing', async () => {
  const faults: string[] = []
  let asked = 0
  for (const endpoint of tried()) {
    const right = await calls.right(endpoint)
    const { version } = right
    if (typeof version !== 'number') continue
    asked++
    const before = await stateOf(app.app.db)
    const answer = await calls.send(endpoint, { ...right, version: version - 1 })
    const { code, msg, data } = JSON.parse(answer.body)
    if (code !== codes.version) faults.push(`${keyOf(endpoint)} → ${code} ${msg}`)
    else if (data.current.version !== version)
      faults.push(`${keyOf(endpoint)} → version ${data.current.version}`)
    const changed = changedIn(before, await stateOf(app.app.db))
    if (changed.length > 0) faults.push(`${keyOf(endpoint)}: ${changed.join()} changed`)
  }
  expect(faults).toEqual([])
  expect(asked).toBeGreaterThan(25)
})

/** True if the input was refused or its row is missing, so that the rules behind the input check were not reached. */
function isAstray({ body }: Answer) {
  const { code, data } = JSON.parse(body)
  if (code === 0) return false
  const sentences: string[] = Object.values(data?.fields ?? {})
  return code === codes.missing || sentences.some((text) => !/已存在|已被使用|已有/.test(text))
}

test(
  'wrong input is refused in Chinese at every call, and what is refused changes no row',
  async () => {
    const faults: string[] = []
    const astray: string[] = []
    const turn = { n: 0 }
    let sent = 0
    for (const endpoint of tried()) {
      const schema = calls.schemaOf(endpoint)
      const right = await calls.right(endpoint)
      const refused: Row[] = []
      let tries = 0
      for (const [name, input] of wrongInputs(right, schema, turn, each)) {
        const answer = await calls.send(endpoint, input)
        const fault = faultOf(answer)
        if (fault) faults.push(`${keyOf(endpoint)} ${name} → ${fault}`)
        if (!isTaken(answer)) refused.push(input)
        tries++
      }
      if (endpoint.method !== 'GET') {
        await settled()
        const before = await stateOf(app.app.db)
        const taken = []
        for (const input of refused)
          if (isTaken(await calls.send(endpoint, input))) taken.push(input)
        const changed = taken.length > 0 ? [] : changedIn(before, await stateOf(app.app.db))
        if (changed.length > 0)
          faults.push(`${keyOf(endpoint)}: refused, and ${changed.join()} changed`)
      }
      sent += tries
      const now = refused.length < tries ? await calls.right(endpoint) : right
      const answer = await calls.send(endpoint, now)
      const fault = faultOf(answer)
      if (fault) faults.push(`${keyOf(endpoint)} → ${fault}`)
      // A generator cannot know passwords and codes.
      if (isAstray(answer) && !endpoint.path.startsWith('/v1/auth/'))
        astray.push(`${keyOf(endpoint)} ${JSON.stringify(now)} → ${answer.body}`)
    }
    expect({ faults, astray }).toEqual({ faults: [], astray: [] })
    expect(sent).toBeGreaterThan(app.app.endpoints.length * each)
  },
  600_000 * each,
)

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
      // Each call gets some of the bodies, and each body goes to many calls.
      if ((place + turn) % bodies.length > each * 2) continue
      const url = path.replace(/\{\w+\}/g, '1')
      const answer = await app.app.inject({ method, url, payload, headers })
      const type = String(answer.headers['content-type'])
      const fault = faultOf({ status: answer.statusCode, type, body: answer.payload })
      if (fault) faults.push(`${method} ${path} ${name} → ${fault}`)
    }
  expect(faults).toEqual([])
})
