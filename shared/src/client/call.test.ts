import { AxiosError } from 'axios'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { codes, endpoint } from '../contract/endpoint'
import { liveRightsAtom } from '../session/live'
import { store } from '../session/store'
import { endReasonAtom, tokenAtom } from '../session/user'
import { dropAhead } from './ahead'
import { answered, call, callAhead, CallError, http, page } from './call'
import { statusTexts } from './statusTexts'

const probe = endpoint({
  method: 'POST',
  path: '/v1/probe/{id}',
  title: '探测',
  permission: 'session',
  input: z.object({ id: z.string(), q: z.string().optional() }),
  output: z.string(),
})
const find = endpoint({ ...probe, method: 'GET' })
const told = endpoint({ ...probe, reads: true })

type Answer = { status?: number; body?: unknown; after?: Promise<unknown>; hangUp?: boolean }
const never = new Promise(() => {})
let answer: Answer
let seen: { url?: string; satoken?: string; body: string }
let server: Server
const shown = { error: jest.fn(), login: jest.fn(), forbidden: jest.fn(), unavailable: jest.fn() }

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
        seen = { url: request.url, satoken: request.headers.satoken as string | undefined, body }
        const { after = Promise.resolve(), status = 200, body: sent = {} } = answer
        void after.then(() => {
          response.writeHead(status, { ...cors, 'content-type': 'application/json' })
          response.end(JSON.stringify(sent))
        })
      })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = document.createElement('meta')
  base.name = 'api-base'
  base.content = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  document.head.append(base)
  Object.assign(page, {
    showError: shown.error,
    toLogin: shown.login,
    toForbidden: shown.forbidden,
    toUnavailable: shown.unavailable,
  })
})
afterAll(
  () =>
    new Promise((done) => {
      server.closeAllConnections()
      server.close(done)
    }),
)
beforeEach(() => {
  jest.clearAllMocks()
  store.set(tokenAtom, 'secret')
  answer = { body: { code: 0, msg: 'ok', data: 'fine' } }
})

const failure = (options = {}) =>
  call(probe, { id: '7' }, options).then(
    () => {
      throw new Error('resolved')
    },
    (error: CallError) => error,
  )

it('answers data, sends the token, fills the path and puts the rest where the method wants it', async () => {
  expect(await call(probe, { id: 'a/b', q: 'x' })).toBe('fine')
  expect(seen).toEqual({ url: '/v1/probe/a%2Fb', satoken: 'Bearer secret', body: '{"q":"x"}' })
  await call(find, { id: '7', q: 'x' })
  expect(seen.url).toBe('/v1/probe/7?q=x')
})

it('sends no token when there is none', async () => {
  store.set(tokenAtom, null)
  await call(probe, { id: '7' })
  expect(seen.satoken).toBeUndefined()
})

it('waits 20 seconds', () => expect(http.defaults.timeout).toBe(20_000))

describe('a body code other than 0', () => {
  it('shows msg', async () => {
    answer.body = { code: 1001, msg: '厂商编码已存在', data: null }
    expect(await failure()).toMatchObject({ code: 1001, message: '厂商编码已存在' })
    expect(shown.error).toHaveBeenCalledWith('厂商编码已存在')
  })
  it('leaves it to the caller who handles that code', async () => {
    answer.body = { code: codes.fields, msg: '请检查', data: { fields: { name: '请输入名称' } } }
    expect((await failure({ handles: [codes.fields] })).data).toEqual({
      fields: { name: '请输入名称' },
    })
    expect(shown.error).not.toHaveBeenCalled()
  })
  it('goes to login on 401 with the reason, and forgets the token', async () => {
    answer.body = { code: 401, msg: '登录已过期', data: null }
    await failure()
    expect(shown.login).toHaveBeenCalled()
    expect(store.get(endReasonAtom)).toBe('登录已过期')
    expect(store.get(tokenAtom)).toBeNull()
    expect(localStorage.getItem('token')).toBeNull()
  })
  it('does not end a session that began after the refused call was sent', async () => {
    let reply!: () => void
    const after = new Promise<void>((done) => (reply = done))
    answer = { body: { code: 401, msg: '登录已过期' }, after }
    const late = failure()
    store.set(tokenAtom, 'newer')
    reply()
    await late
    expect(store.get(tokenAtom)).toBe('newer')
    expect(shown.login).not.toHaveBeenCalled()
  })
})

describe('an HTTP status', () => {
  it('403 goes to the not-found screen with what the server said', async () => {
    answer = { status: 403, body: { message: '缺少权限：厂商列表' } }
    await call(told, { id: '7' }).catch(() => {})
    expect(shown.forbidden).toHaveBeenCalledWith('缺少权限：厂商列表')
  })
  it('403 of a write stays where it is and names the right, to the caller alone who shows it', async () => {
    answer = { status: 403, body: { message: '没有“编辑厂商”的权限' } }
    const failed = (options = {}) =>
      call(probe, { id: '7' }, options).catch((error: CallError) => error)
    expect(await failed()).toMatchObject({ code: 403, message: '没有“编辑厂商”的权限' })
    expect(shown.error).toHaveBeenCalledWith('没有“编辑厂商”的权限')
    jest.clearAllMocks()
    const asked = store.get(liveRightsAtom)
    await failed({ handles: [403] })
    // Permissions are reloaded, so that every form on the page is updated.
    expect(store.get(liveRightsAtom)).toBe(asked + 1)
    expect(shown.error).not.toHaveBeenCalled()
    expect(shown.forbidden).not.toHaveBeenCalled()
  })
  it('500 goes to the unavailable screen', async () => {
    answer = { status: 500 }
    await failure()
    expect(shown.unavailable).toHaveBeenCalled()
    expect(shown.error).not.toHaveBeenCalled()
  })
  it.each([400, 401, 404, 406, 410, 422, 502, 503, 504])(
    '%i shows the mapped text',
    async (status) => {
      answer = { status }
      await failure()
      expect(shown.error).toHaveBeenCalledWith(statusTexts[status])
    },
  )
  it('shows the message of the server before the mapped text', async () => {
    answer = { status: 503, body: { message: '正在升级，约 5 分钟' } }
    await failure()
    expect(shown.error).toHaveBeenCalledWith('正在升级，约 5 分钟')
  })
  it('names a status nobody mapped', async () => {
    answer = { status: 418 }
    await failure()
    expect(shown.error).toHaveBeenCalledWith('请求失败（418）')
  })
  it('maps all fifteen', () =>
    expect(Object.keys(statusTexts).map(Number)).toEqual([
      200, 201, 202, 204, 400, 401, 403, 404, 406, 410, 422, 500, 502, 503, 504,
    ]))
})

it('says so when time is up', async () => {
  answer = { after: never }
  http.defaults.timeout = 50
  await failure()
  http.defaults.timeout = 20_000
  expect(shown.error).toHaveBeenCalledWith('请求超时，请稍后再试')
})

it('shows the message of a network error, in Chinese', async () => {
  answer = { hangUp: true }
  const { message } = await failure()
  expect(message).toBe('网络不通，请检查网络后重试')
  expect(shown.error).toHaveBeenCalledWith(message)
})

it('passes on what a network error says beyond that', async () => {
  jest
    .spyOn(http, 'request')
    .mockRejectedValueOnce(new AxiosError('Unsupported protocol ftp:', AxiosError.ERR_BAD_REQUEST))
  await failure()
  expect(shown.error).toHaveBeenCalledWith('网络连接失败：Unsupported protocol ftp:')
})

it('says nothing when the caller gave up', async () => {
  const giveUp = new AbortController()
  answer = { after: never }
  const pending = call(probe, { id: '7' }, { signal: giveUp.signal }).catch(() => 'gave up')
  giveUp.abort()
  expect(await pending).toBe('gave up')
  expect(shown.error).not.toHaveBeenCalled()
})

it('shows nothing for a quiet call', async () => {
  answer = { status: 500 }
  await failure({ quiet: true })
  expect(shown.unavailable).not.toHaveBeenCalled()
})

describe('a call that was sent ahead', () => {
  let asked: jest.SpyInstance
  beforeEach(() => {
    dropAhead()
    asked = jest.spyOn(http, 'request')
  })
  afterEach(() => asked.mockRestore())

  it('is not sent again by who takes its answer, and serves one', async () => {
    callAhead(find, { id: '7', q: 'a' })
    expect(await call(find, { id: '7', q: 'a' })).toBe('fine')
    expect(asked).toHaveBeenCalledTimes(1)
    await call(find, { id: '7', q: 'a' })
    expect(asked).toHaveBeenCalledTimes(2)
  })
  it('fails for who takes it, with the words and the way of a call made then', async () => {
    answer = { status: 403, body: { message: '没有权限' } }
    callAhead(find, { id: '7' })
    await expect(call(find, { id: '7' })).rejects.toMatchObject({ status: 403 })
    expect(shown.forbidden).toHaveBeenCalledWith('没有权限')
  })
  it('says nothing when nobody takes it', async () => {
    answer = { status: 500 }
    callAhead(find, { id: '7' })
    await asked.mock.results[0]!.value.catch(() => {})
    expect(Object.values(shown).flatMap(({ mock }) => mock.calls)).toEqual([])
  })
  it.each([
    ['something else is asked', () => {}, { id: '8' }],
    ['somebody else asks', () => store.set(tokenAtom, 'other'), { id: '7' }],
    ['something was changed meanwhile', () => call(probe, { id: '1' }), { id: '7' }],
  ])('is not taken when %s', async (_, happens, input) => {
    callAhead(find, { id: '7' })
    await happens()
    asked.mockClear()
    await call(find, input)
    expect(asked).toHaveBeenCalledTimes(1)
  })
  it('is taken although the page told something of itself meanwhile', async () => {
    callAhead(find, { id: '7' })
    await call(told, { id: '1' })
    asked.mockClear()
    await call(find, { id: '7' })
    expect(asked).not.toHaveBeenCalled()
  })
  it('stands for an answer that is known already', async () => {
    answered(find, { id: '7' }, 'known')
    expect(await call(find, { id: '7' })).toBe('known')
    expect(asked).not.toHaveBeenCalled()
  })
})
