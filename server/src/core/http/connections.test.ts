import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import WebSocket from 'ws'
import { livePath } from '@iot/shared/contract/live'
import { waitUntil } from '../until'
import { hasUsableHost } from './connections'
import { ownApp, type TestApp } from '../../testing'

const shortTimeouts = { headers: 300, call: 600, idle: 60_000 }

let app: TestApp
let port: number
async function openApp(options: object) {
  app = await ownApp(options)
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.app.server.address() as AddressInfo).port
}
const close = () => app.close()

/** Sends raw bytes and returns everything the server answers until it ends the connection. */
async function sendRaw(...parts: string[]) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => (answer += data.toString()))
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), ...(JSON.parse(body || 'null') as object) }
}
const buildGetRequest = (path: string, extraHeaders = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${extraHeaders}\r\n`
const halfRequest =
  'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"user'

describe('a request that Node or Fastify rejects gets an answer in our format', () => {
  // The default timeouts are used, so that a busy machine does not run into them.
  beforeAll(() => openApp({}))
  afterAll(close)
  it.each([
    ['a percent sign alone', buildGetRequest('/v1/%'), 400],
    ['a literal percent sign in the query', buildGetRequest('/v1/base-config?x=%'), 422],
    ['an id that is too long in the path', buildGetRequest(`/v1/user/${'x'.repeat(300)}`), 414],
    ['headers of 20 kB', buildGetRequest('/v1/base-config', `X: ${'x'.repeat(20_000)}\r\n`), 431],
    [
      'both a length and chunked encoding',
      'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a request that is no HTTP', 'hello\r\n\r\n', 400],
    ['a request without Host', 'GET /v1/base-config HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Host headers', buildGetRequest('/v1/base-config', 'host: b\r\n'), 400],
    ['a CONNECT request', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an unknown Expect header', buildGetRequest('/v1/base-config', 'Expect: coffee\r\n'), 417],
    ...['', 'a b', 'a/b', 'user@a', 'a:port', '<a>', 'a,b'].map(
      (host): [string, string, number] => [
        `the Host “${host}”`,
        `GET /v1/base-config HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        400,
      ],
    ),
  ])('%s', async (_, bytes, code) =>
    expect(await sendRaw(bytes)).toMatchObject({
      status: code === 422 ? 200 : code,
      code,
      msg: expect.stringMatching(/[\u4e00-\u9fff]/),
    }),
  )
})

test.each(['a', 'iot.example', 'iot.example:8443', '127.0.0.1:80', '[::1]:8080', 'a_b-c', 'a.'])(
  'accepts the Host %s',
  (host) => expect(hasUsableHost({ rawHeaders: ['Host', host], httpVersion: '1.1' })).toBe(true),
)

describe('an incomplete request is answered with 408', () => {
  beforeAll(() => openApp({ patience: shortTimeouts }))
  afterAll(close)
  it.each([
    ['without any byte', []],
    ['with incomplete headers', ['GET / HTTP/1.1\r\nHost']],
    ['with an incomplete body', [halfRequest]],
  ])('%s', async (_, parts) =>
    expect(await sendRaw(...parts)).toMatchObject({ status: 408, code: 408 }),
  )
})

describe('an idle connection', () => {
  beforeAll(() => openApp({ patience: { ...shortTimeouts, call: 60_000, silent: 400 } }))
  afterAll(close)
  it('is closed after half a body, long before the call timeout', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(halfRequest)
    socket.resume()
    await once(socket, 'close')
  })
  it('is closed after an answer', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('GET /v1/base-config HTTP/1.1\r\nHost: a\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
  })
  it('is closed when a page does not answer the close frame', async () => {
    const page = new WebSocket(`ws://127.0.0.1:${port}${livePath}`)
    page.on('error', () => {})
    await once(page, 'open')
    page.pause()
    await waitUntil(
      () => new Promise<number>((resolve) => app.app.server.getConnections((_, n) => resolve(n))),
      (openCount) => openCount === 0,
    )
    page.terminate()
  })
})

describe('the connection limit', () => {
  const connectionLimits = { perAddress: 5, total: 8 }
  afterEach(close)
  /** Opens connections and counts those that are still open after each was answered or ended. */
  async function countOpen(connectionCount: number) {
    const sockets = Array.from({ length: connectionCount }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    )
    const states = await Promise.all(
      sockets.map(async (socket) => {
        socket.write('GET /v1/base-config HTTP/1.1\r\nHost: a\r\n\r\n')
        return new Promise((resolve) => {
          socket.once('data', () => resolve('answered'))
          socket.once('close', () => resolve('ended'))
        })
      }),
    )
    for (const socket of sockets) socket.destroy()
    return states.filter((state) => state === 'answered').length
  }
  it('is per address, and a closed connection frees its slot', async () => {
    await openApp({ connectionLimits })
    expect(await countOpen(12)).toBe(5)
    const countServerConnections = () =>
      new Promise<number>((resolve) => app.app.server.getConnections((_, n) => resolve(n)))
    await waitUntil(countServerConnections, (openCount) => openCount === 0)
    expect(await countOpen(5)).toBe(5)
  })
  it('counts a trusted proxy only in total', async () => {
    await openApp({ connectionLimits, trustProxy: '127.0.0.1' })
    expect(await countOpen(12)).toBe(8)
  })
})

test('half-sent requests and unresponsive pages do not delay a shutdown beyond the drain timeout', async () => {
  await openApp({ patience: { drain: 500 } })
  const sockets: Socket[] = []
  for (let i = 0; i < 100; i++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of sockets) socket.write(halfRequest)
  const page = new WebSocket(`ws://127.0.0.1:${port}${livePath}`)
  page.on('error', () => {})
  await once(page, 'open')
  // A paused client does not read the close frame either.
  page.pause()
  // Close would wait for these connections forever if there were no limit.
  await close()
  page.terminate()
  for (const socket of sockets) socket.destroy()
})
