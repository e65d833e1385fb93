import { dayMs } from '../contract/duration'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { z } from 'zod'
import { responseCodes, headerNames, type Endpoint } from '../contract/endpoint'
import { call, CallError, http } from './call'
import { sendCommand } from './command'
import { serverNow } from './serverClock'

type CommandAnswer = z.ZodType<{ id: string }>
const commandEndpoint: Endpoint<z.ZodType<unknown, { to: number }>, CommandAnswer> = {
  method: 'POST',
  path: '/v1/press',
  title: '下发',
  permission: 'session',
}
const lookEndpoint: Endpoint<z.ZodType<unknown, object>, CommandAnswer> = {
  ...commandEndpoint,
  method: 'GET',
  path: '/v1/look',
}

/** The server's clock is three days behind this device's. */
const serverLagMs = 3 * dayMs
type ReceivedRequest = { key?: string; deadline?: number; body: string }
let receivedRequests: ReceivedRequest[]
let answer: (response: ServerResponse, requestNumber: number) => void
let server: Server

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, satoken, content-type, idempotency-key, x-deadline',
  'access-control-expose-headers': headerNames.serverTime,
}
const sendJson = (response: ServerResponse, body: object) => {
  const time = String(Date.now() - serverLagMs)
  response.writeHead(200, {
    ...cors,
    'content-type': 'application/json',
    [headerNames.serverTime]: time,
  })
  response.end(JSON.stringify(body))
}
const successBody = { code: 0, msg: 'ok', data: { id: 'task' } }
const expiredBody = { code: responseCodes.expired, msg: '超过了等待期限，没有执行', data: null }
function handleRequest(request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
  if (request.method === 'GET') return sendJson(response, successBody)
  let body = ''
  request.on('data', (part) => (body += part))
  request.on('end', () => {
    const { headers } = request
    const key = headers['idempotency-key'] as string | undefined
    receivedRequests.push({ key, deadline: Number(headers[headerNames.deadline]), body })
    answer(response, receivedRequests.length)
  })
}

beforeAll(async () => {
  server = createServer(handleRequest)
  await new Promise<void>((onListening) => server.listen(0, '127.0.0.1', onListening))
  const base = document.createElement('meta')
  base.name = 'api-base'
  base.content = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  document.head.append(base)
  await call(lookEndpoint, {})
})
afterAll(
  () =>
    new Promise((onClosed) => {
      server.closeAllConnections()
      server.close(onClosed)
    }),
)
beforeEach(() => {
  receivedRequests = []
  // jsdom logs each aborted connection.
  jest.spyOn(console, 'error').mockImplementation()
})

const dropConnection = (response: ServerResponse) => void response.destroy()

it('estimates the time of the server', () => {
  expect(Math.abs(serverNow() - (Date.now() - serverLagMs))).toBeLessThan(1000)
})
it('sends a deadline in server time', async () => {
  answer = (response) => sendJson(response, successBody)
  const sentAtMs = serverNow()
  await sendCommand(commandEndpoint, { to: 1 })
  const { deadline, key } = receivedRequests[0]!
  expect(key).toBeTruthy()
  expect(deadline! - sentAtMs).toBeGreaterThanOrEqual(http.defaults.timeout! - 1000)
  expect(deadline! - sentAtMs).toBeLessThan(http.defaults.timeout! + 5000)
})
it('looks up a lost command by its key with an expired deadline and returns its result', async () => {
  answer = (response, requestNumber) =>
    requestNumber < 3 ? dropConnection(response) : sendJson(response, successBody)
  const onUnanswered = jest.fn()
  expect(await sendCommand(commandEndpoint, { to: 1 }, { onUnanswered })).toEqual({ id: 'task' })
  expect(onUnanswered).toHaveBeenCalledTimes(1)
  expect(new Set(receivedRequests.map(({ key }) => key)).size).toBe(1)
  expect(receivedRequests.map(({ body }) => body)).toEqual(Array(3).fill('{"to":1}'))
  expect(receivedRequests.slice(1).every(({ deadline }) => deadline === 1)).toBe(true)
})
it('accepts "expired" as final only after the deadline', async () => {
  const timeout = http.defaults.timeout
  http.defaults.timeout = 500
  answer = (response, requestNumber) =>
    requestNumber === 1 ? dropConnection(response) : sendJson(response, expiredBody)
  const outcome = sendCommand(commandEndpoint, { to: 1 }).catch((error: CallError) => error)
  expect(await outcome).toMatchObject({ code: responseCodes.expired, message: expiredBody.msg })
  http.defaults.timeout = timeout
  // The deadline of half a second and two seconds of grace had to pass.
  expect(receivedRequests.length).toBeGreaterThan(2)
})
it('does not look up a refused command', async () => {
  const refusal = { code: responseCodes.refused, msg: '没有可以控制的设备', data: null }
  answer = (response) => sendJson(response, refusal)
  const onUnanswered = jest.fn()
  const outcome = sendCommand(commandEndpoint, { to: 1 }, { onUnanswered }).catch(
    (error: CallError) => error,
  )
  expect(await outcome).toMatchObject({ code: responseCodes.refused })
  expect(onUnanswered).not.toHaveBeenCalled()
  expect(receivedRequests).toHaveLength(1)
})
