import { AxiosError } from 'axios'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { z } from 'zod'
import { responseCodes, type Endpoint } from '../contract/endpoint'
import { permissionsReloadAtom } from '../session/live'
import { store } from '../session/store'
import { sessionEndReasonAtom, tokenAtom } from '../session/user'
import { clearPrefetched } from './ahead'
import { seedPrefetch, call, prefetchCall, CallError, http, failureHandlers } from './call'
import { statusTexts } from './statusTexts'

type ProbeEndpoint = Endpoint<z.ZodType<unknown, { id: string; q?: string }>, z.ZodString>
const writeEndpoint: ProbeEndpoint = {
  method: 'POST',
  path: '/v1/probe/{id}',
  title: '探测',
  permission: 'session',
}
const getEndpoint: ProbeEndpoint = { ...writeEndpoint, method: 'GET' }
const postReadEndpoint: ProbeEndpoint = { ...writeEndpoint, reads: true }

type Answer = { status?: number; body?: unknown; after?: Promise<unknown>; hangUp?: boolean }
const unresolvedPromise = new Promise(() => {})
let answer: Answer
let lastRequest: { url?: string; satoken?: string; body: string }
let server: Server
const pageMocks = {
  error: jest.fn(),
  login: jest.fn(),
  forbidden: jest.fn(),
  unavailable: jest.fn(),
}

beforeAll(async () => {
  // jsdom's XMLHttpRequest requires CORS headers for another origin.
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'satoken, content-type',
  }
  server = createServer((request, response) => {
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
    if (answer.hangUp) return void request.socket.destroy()
    let body = ''
    request
      .on('data', (part) => (body += part))
      .on('end', () => {
        lastRequest = {
          url: request.url,
          satoken: request.headers.satoken as string | undefined,
          body,
        }
        const { after = Promise.resolve(), status = 200, body: responseBody = {} } = answer
        after.then(() => {
          response.writeHead(status, { ...cors, 'content-type': 'application/json' })
          response.end(JSON.stringify(responseBody))
        })
      })
  })
  await new Promise<void>((onListening) => server.listen(0, '127.0.0.1', onListening))
  const base = document.createElement('meta')
  base.name = 'api-base'
  base.content = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  document.head.append(base)
  Object.assign(failureHandlers, {
    showError: pageMocks.error,
    toLogin: pageMocks.login,
    toForbidden: pageMocks.forbidden,
    toUnavailable: pageMocks.unavailable,
  })
})
afterAll(
  () =>
    new Promise((onClosed) => {
      server.closeAllConnections()
      server.close(onClosed)
    }),
)
beforeEach(() => {
  jest.clearAllMocks()
  store.set(tokenAtom, 'secret')
  answer = { body: { code: 0, msg: 'ok', data: 'fine' } }
})

const callAndCatch = (options = {}) =>
  call(writeEndpoint, { id: '7' }, options).then(
    () => {
      throw new Error('resolved')
    },
    (error: CallError) => error,
  )

it('returns data, sends the token, fills the path, and sends the rest as query or body', async () => {
  expect(await call(writeEndpoint, { id: 'a/b', q: 'x' })).toBe('fine')
  expect(lastRequest).toEqual({
    url: '/v1/probe/a%2Fb',
    satoken: 'Bearer secret',
    body: '{"q":"x"}',
  })
  await call(getEndpoint, { id: '7', q: 'x' })
  expect(lastRequest.url).toBe('/v1/probe/7?q=x')
})

it('sends no token when there is none', async () => {
  store.set(tokenAtom, null)
  await call(writeEndpoint, { id: '7' })
  expect(lastRequest.satoken).toBeUndefined()
})

it('times out after 20 seconds', () => expect(http.defaults.timeout).toBe(20_000))

describe('a body code other than 0', () => {
  it('shows its message', async () => {
    answer.body = { code: 1001, msg: '厂商编码已存在', data: null }
    expect(await callAndCatch()).toMatchObject({ code: 1001, message: '厂商编码已存在' })
    expect(pageMocks.error).toHaveBeenCalledWith('厂商编码已存在')
  })
  it('is passed to the caller that handles this code', async () => {
    answer.body = {
      code: responseCodes.fields,
      msg: '请检查',
      data: { fields: { name: '请输入名称' } },
    }
    expect((await callAndCatch({ handles: [responseCodes.fields] })).data).toEqual({
      fields: { name: '请输入名称' },
    })
    expect(pageMocks.error).not.toHaveBeenCalled()
  })
  it('leads to login on 401 with the reason, and clears the token', async () => {
    answer.body = { code: 401, msg: '登录已过期', data: null }
    await callAndCatch()
    expect(pageMocks.login).toHaveBeenCalled()
    expect(store.get(sessionEndReasonAtom)).toBe('登录已过期')
    expect(store.get(tokenAtom)).toBeNull()
    expect(localStorage.getItem('token')).toBeNull()
  })
  it('does not end a session started after the refused call was sent', async () => {
    let sendReply!: () => void
    const after = new Promise<void>((resolveReply) => (sendReply = resolveReply))
    answer = { body: { code: 401, msg: '登录已过期' }, after }
    const lateFailure = callAndCatch()
    store.set(tokenAtom, 'newer')
    sendReply()
    await lateFailure
    expect(store.get(tokenAtom)).toBe('newer')
    expect(pageMocks.login).not.toHaveBeenCalled()
  })
})

describe('an HTTP error status', () => {
  it('403 of a read leads to the not-found screen with the message of the server', async () => {
    answer = { status: 403, body: { message: '缺少权限：厂商列表' } }
    await call(postReadEndpoint, { id: '7' }).catch(() => {})
    expect(pageMocks.forbidden).toHaveBeenCalledWith('缺少权限：厂商列表')
  })
  it('403 of a write stays on the page and reports the missing permission to the caller', async () => {
    answer = { status: 403, body: { message: '没有“编辑厂商”的权限' } }
    const catchWriteFailure = (options = {}) =>
      call(writeEndpoint, { id: '7' }, options).catch((error: CallError) => error)
    expect(await catchWriteFailure()).toMatchObject({ code: 403, message: '没有“编辑厂商”的权限' })
    expect(pageMocks.error).toHaveBeenCalledWith('没有“编辑厂商”的权限')
    jest.clearAllMocks()
    const reloadsBefore = store.get(permissionsReloadAtom)
    await catchWriteFailure({ handles: [403] })
    // Permissions are reloaded, so that every form on the page is updated.
    expect(store.get(permissionsReloadAtom)).toBe(reloadsBefore + 1)
    expect(pageMocks.error).not.toHaveBeenCalled()
    expect(pageMocks.forbidden).not.toHaveBeenCalled()
  })
  it('500 leads to the unavailable screen', async () => {
    answer = { status: 500 }
    await callAndCatch()
    expect(pageMocks.unavailable).toHaveBeenCalled()
    expect(pageMocks.error).not.toHaveBeenCalled()
  })
  it.each([400, 401, 404, 406, 410, 422, 502, 503, 504])(
    '%i shows the mapped text',
    async (status) => {
      answer = { status }
      await callAndCatch()
      expect(pageMocks.error).toHaveBeenCalledWith(statusTexts[status])
    },
  )
  it('shows the message of the server instead of the mapped text', async () => {
    answer = { status: 503, body: { message: '正在升级，约 5 分钟' } }
    await callAndCatch()
    expect(pageMocks.error).toHaveBeenCalledWith('正在升级，约 5 分钟')
  })
  it('shows an unmapped status by its number', async () => {
    answer = { status: 418 }
    await callAndCatch()
    expect(pageMocks.error).toHaveBeenCalledWith('请求失败（418）')
  })
  it('has a text for all fifteen mapped codes', () =>
    expect(Object.keys(statusTexts).map(Number)).toEqual([
      200, 201, 202, 204, 400, 401, 403, 404, 406, 410, 422, 500, 502, 503, 504,
    ]))
})

it('reports a timeout', async () => {
  answer = { after: unresolvedPromise }
  http.defaults.timeout = 50
  await callAndCatch()
  http.defaults.timeout = 20_000
  expect(pageMocks.error).toHaveBeenCalledWith('请求超时，请稍后再试')
})

it('shows a network error in Chinese', async () => {
  // jsdom prints each request that fails.
  const printError = jest.spyOn(console, 'error').mockImplementation()
  answer = { hangUp: true }
  const { message } = await callAndCatch()
  expect(message).toBe('网络不通，请检查网络后重试')
  expect(pageMocks.error).toHaveBeenCalledWith(message)
  expect(String(printError.mock.lastCall)).toContain('socket hang up')
  printError.mockRestore()
})

it('appends the details of an uncommon network error', async () => {
  jest
    .spyOn(http, 'request')
    .mockRejectedValueOnce(new AxiosError('Unsupported protocol ftp:', AxiosError.ERR_BAD_REQUEST))
  await callAndCatch()
  expect(pageMocks.error).toHaveBeenCalledWith('网络连接失败：Unsupported protocol ftp:')
})

it('shows nothing when the caller aborts', async () => {
  const abortController = new AbortController()
  answer = { after: unresolvedPromise }
  const pendingCall = call(writeEndpoint, { id: '7' }, { signal: abortController.signal }).catch(
    () => 'gave up',
  )
  abortController.abort()
  expect(await pendingCall).toBe('gave up')
  expect(pageMocks.error).not.toHaveBeenCalled()
})

it('shows nothing for a quiet call', async () => {
  answer = { status: 500 }
  await callAndCatch({ quiet: true })
  expect(pageMocks.unavailable).not.toHaveBeenCalled()
})

describe('a prefetched call', () => {
  let requestSpy: jest.SpyInstance
  beforeEach(() => {
    clearPrefetched()
    requestSpy = jest.spyOn(http, 'request')
  })
  afterEach(() => requestSpy.mockRestore())

  it('answers one later call without a second request', async () => {
    prefetchCall(getEndpoint, { id: '7', q: 'a' })
    expect(await call(getEndpoint, { id: '7', q: 'a' })).toBe('fine')
    expect(requestSpy).toHaveBeenCalledTimes(1)
    await call(getEndpoint, { id: '7', q: 'a' })
    expect(requestSpy).toHaveBeenCalledTimes(2)
  })
  it('fails for the later call with its normal error handling', async () => {
    answer = { status: 403, body: { message: '没有权限' } }
    prefetchCall(getEndpoint, { id: '7' })
    await expect(call(getEndpoint, { id: '7' })).rejects.toMatchObject({ status: 403 })
    expect(pageMocks.forbidden).toHaveBeenCalledWith('没有权限')
  })
  it('shows no error when it is never used', async () => {
    answer = { status: 500 }
    prefetchCall(getEndpoint, { id: '7' })
    await requestSpy.mock.results[0]!.value.catch(() => {})
    expect(Object.values(pageMocks).flatMap(({ mock }) => mock.calls)).toEqual([])
  })
  it.each([
    ['the input differs', async () => {}, { id: '8' }],
    ['another user calls', async () => store.set(tokenAtom, 'other'), { id: '7' }],
    ['a write call was sent in between', () => call(writeEndpoint, { id: '1' }), { id: '7' }],
  ])('is not used when %s', async (_, interfere, input) => {
    prefetchCall(getEndpoint, { id: '7' })
    await interfere()
    requestSpy.mockClear()
    await call(getEndpoint, input)
    expect(requestSpy).toHaveBeenCalledTimes(1)
  })
  it('is still used after another read call of the page', async () => {
    prefetchCall(getEndpoint, { id: '7' })
    await call(postReadEndpoint, { id: '1' })
    requestSpy.mockClear()
    await call(getEndpoint, { id: '7' })
    expect(requestSpy).not.toHaveBeenCalled()
  })
  it('can be seeded with a known answer', async () => {
    seedPrefetch(getEndpoint, { id: '7' }, 'known')
    expect(await call(getEndpoint, { id: '7' })).toBe('known')
    expect(requestSpy).not.toHaveBeenCalled()
  })
})
