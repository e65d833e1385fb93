import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { codes, endpoint, headerNames } from '../contract/endpoint'
import { call, CallError, http } from './call'
import { sendCommand } from './command'
import { serverNow } from './serverClock'

const press = endpoint({
  method: 'POST',
  path: '/v1/press',
  title: '下发',
  permission: 'session',
  input: z.object({ to: z.number() }),
  output: z.object({ id: z.string() }),
})
const look = endpoint({ ...press, method: 'GET', path: '/v1/look', input: z.object({}) })

/** The server's clock is three days behind this device's. */
const behindMs = 3 * 24 * 3600_000
type Seen = { key?: string; deadline?: number; body: string }
let seen: Seen[]
let answer: (response: ServerResponse, nth: number) => void
let server: Server

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, satoken, content-type, idempotency-key, x-deadline',
  'access-control-expose-headers': headerNames.serverTime,
}
const say = (response: ServerResponse, body: object) => {
  const time = String(Date.now() - behindMs)
  response.writeHead(200, {
    ...cors,
    'content-type': 'application/json',
    [headerNames.serverTime]: time,
  })
  response.end(JSON.stringify(body))
}
const done = { code: 0, msg: 'ok', data: { id: 'task' } }
const dropped = { code: codes.expired, msg: '超过了等待期限，没有执行', data: null }
function take(request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
  if (request.method === 'GET') return say(response, done)
  let body = ''
  request.on('data', (part) => (body += part))
  request.on('end', () => {
    const { headers } = request
    const key = headers['idempotency-key'] as string | undefined
    seen.push({ key, deadline: Number(headers[headerNames.deadline]), body })
    answer(response, seen.length)
  })
}

beforeAll(async () => {
  server = createServer(take)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const base = document.createElement('meta')
  base.name = 'api-base'
  base.content = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  document.head.append(base)
  await call(look, {})
})
afterAll(
  () =>
    new Promise((closed) => {
      server.closeAllConnections()
      server.close(closed)
    }),
)
beforeEach(() => {
  seen = []
  // jsdom logs each aborted connection.
  jest.spyOn(console, 'error').mockImplementation()
})

const cut = (response: ServerResponse) => void response.destroy()

it('reckons by the clock of the server', () => {
  expect(Math.abs(serverNow() - (Date.now() - behindMs))).toBeLessThan(1000)
})
it('carries a deadline of the server’s clock', async () => {
  answer = (response) => say(response, done)
  const before = serverNow()
  await sendCommand(press, { to: 1 })
  const { deadline, key } = seen[0]!
  expect(key).toBeTruthy()
  expect(deadline! - before).toBeGreaterThanOrEqual(http.defaults.timeout! - 1000)
  expect(deadline! - before).toBeLessThan(http.defaults.timeout! + 5000)
})
it('looks a lost command up by its key with a deadline that is over, and ends with what became of it', async () => {
  answer = (response, nth) => (nth < 3 ? cut(response) : say(response, done))
  const onUnanswered = jest.fn()
  expect(await sendCommand(press, { to: 1 }, { onUnanswered })).toEqual({ id: 'task' })
  expect(onUnanswered).toHaveBeenCalledTimes(1)
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
  expect(seen.map(({ body }) => body)).toEqual(Array(3).fill('{"to":1}'))
  expect(seen.slice(1).every(({ deadline }) => deadline === 1)).toBe(true)
})
it('takes “not done” for the last word only after the deadline', async () => {
  const timeout = http.defaults.timeout
  http.defaults.timeout = 500
  answer = (response, nth) => (nth === 1 ? cut(response) : say(response, dropped))
  const outcome = sendCommand(press, { to: 1 }).catch((error: CallError) => error)
  expect(await outcome).toMatchObject({ code: codes.expired, message: dropped.msg })
  http.defaults.timeout = timeout
  // The deadline of half a second and two seconds of grace had to pass.
  expect(seen.length).toBeGreaterThan(2)
})
it('does not look up what was refused', async () => {
  const refusal = { code: codes.refused, msg: '没有可以控制的设备', data: null }
  answer = (response) => say(response, refusal)
  const onUnanswered = jest.fn()
  const outcome = sendCommand(press, { to: 1 }, { onUnanswered }).catch((error: CallError) => error)
  expect(await outcome).toMatchObject({ code: codes.refused })
  expect(onUnanswered).not.toHaveBeenCalled()
  expect(seen).toHaveLength(1)
})
