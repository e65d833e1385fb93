import { gunzipSync } from 'node:zlib'
import { authApi } from '@iot/shared/contract/access/auth.api'
import type { Endpoint, Envelope } from '@iot/shared/contract/endpoint'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import { password, secondPassword, ownApp, type TestApp } from '../../testing'

let app: TestApp
let satoken: string
beforeAll(async () => {
  app = await ownApp()
  satoken = `Bearer ${await app.login('admin', password)}`
})
afterAll(() => app.close())

const id = '01900000-0000-7000-8000-000000000000'
const post = (url: string, payload: string, type = 'application/json') =>
  app.app.inject({ method: 'POST', url, payload, headers: { satoken, 'content-type': type } })

it('reports a wrong field in Chinese, also without a message in the contract', async () => {
  const { data } = (await post('/v1/manufacturer', '{"name":1,"status":"x"}')).json<{
    data: { fields: Record<string, string> }
  }>()
  const sentences = Object.values(data.fields)
  expect(data.fields).toMatchObject({
    name: expect.any(String),
    status: expect.any(String),
    areaCode: expect.any(String),
  })
  expect(sentences.filter((sentence) => !/[\u4e00-\u9fff]/.test(sentence))).toEqual([])
})

describe('malformed input never causes a 500', () => {
  it.each([
    ['broken JSON', '{"a":', 'application/json', 400],
    ['no JSON', 'a=1', 'text/csv', 415],
    ['an array', '[1]', 'application/json', 200],
    ['a number', '1', 'application/json', 200],
    ['null', 'null', 'application/json', 200],
    ['a __proto__ key', '{"__proto__":{"x":1}}', 'application/json', 400],
    ['U+0000', '{"name":"\\u0000"}', 'application/json', 200],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'application/json', 200],
    [
      'a deeply nested body',
      '{"name":'.repeat(9000) + '1' + '}'.repeat(9000),
      'application/json',
      200,
    ],
    ['a multipart without boundary', 'x', 'multipart/form-data', 415],
    ['a huge page number', '{"pageNo":1e308}', 'application/json', 200],
    [
      'a page beyond the last row',
      '{"pageNo":9007199254740991,"pageSize":999}',
      'application/json',
      200,
    ],
    [
      'a body beyond the size limit',
      `{"name":"${'x'.repeat(3_000_000)}"}`,
      'application/json',
      413,
    ],
  ])('%s', async (_, payload, type, status) => {
    const answer = await post('/v1/manufacturer/page', payload, type)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ msg: expect.any(String), code: expect.any(Number) })
  })

  it.each(['multipart/form-data', 'multipart/form-data; boundary='])(
    'an upload of type %s',
    async (type) =>
      expect((await post(uploadPath, 'x', type)).json()).toMatchObject({
        code: 422,
        msg: '上传的内容无法识别',
      }),
  )

  it('any endpoint, with nothing and with nonsense', async () => {
    const nonsense = {
      id: "'; drop table menu",
      ids: [id],
      pageNo: 'x',
      projectId: 'NaN',
      username: {},
      type: '%00\u0001',
      sort: 'id;',
      engineeringId: 1e99,
      parentId: 7,
    }
    for (const { method, path } of app.app.endpoints) {
      if (path === '/v1/auth/logout') continue
      for (const payload of [{}, nonsense]) {
        const url = path.replace(/\{\w+\}/g, "x'%2500")
        const requestInput =
          method === 'GET' || method === 'DELETE'
            ? {
                query: Object.fromEntries(
                  Object.entries(payload).map(([key, value]) => [key, String(value)]),
                ),
              }
            : { payload }
        const answer = await app.app.inject({ method, url, headers: { satoken }, ...requestInput })
        if (answer.statusCode >= 500) throw new Error(`${method} ${path}: ${answer.body}`)
      }
    }
  })
  it('a path that does not exist', async () => {
    expect((await app.app.inject({ method: 'GET', url: '/v1/none' })).json()).toMatchObject({
      code: 404,
      message: '接口不存在',
    })
    expect((await app.app.inject({ method: 'GET', url: '/v1/%' })).statusCode).toBeLessThan(500)
  })
})

/** Calls an endpoint with an empty body, because the permission is checked before the input is read. */
const callWithEmptyBody = async ({ method, path }: Endpoint, token?: string) => {
  const answer = await app.app.inject({
    method,
    url: path.replace(/\{\w+\}/g, id),
    ...(method === 'POST' || method === 'PUT' ? { payload: {} } : {}),
    ...(token && { headers: { satoken: token } }),
  })
  return { status: answer.statusCode, ...answer.json<Envelope>() }
}

test('every endpoint that is not public answers body code 401 without a session', async () => {
  for (const endpoint of app.app.endpoints)
    if (endpoint.permission !== 'public')
      expect([endpoint.path, await callWithEmptyBody(endpoint)]).toMatchObject([
        endpoint.path,
        { status: 200, code: 401 },
      ])
})

test('every endpoint with a permission code refuses a caller without it and names it', async () => {
  const emptyRole = { description: '', menuIds: [], dataScope: 'all' as const, deviceRights: [] }
  await app.as('admin').call(roleApi.create, { name: '无权限', code: 'none', ...emptyRole })
  await app.join('nobody', 'none')
  const token = await app.login('nobody', secondPassword)
  for (const endpoint of app.app.endpoints)
    if (!['public', 'session'].includes(endpoint.permission))
      expect([endpoint.path, await callWithEmptyBody(endpoint, `Bearer ${token}`)]).toMatchObject([
        endpoint.path,
        { status: 403, code: 403, data: { permission: endpoint.permission } },
      ])
})

test('an answer contains only the fields that the contract declares', async () => {
  const { user } = await app.as('admin').call(authApi.me, {})
  expect(Object.keys(user).sort()).toEqual([
    'id',
    'mustChangePassword',
    'mustEnrolSecondFactor',
    'name',
    'permissions',
    'roles',
    'seesAllProjects',
    'username',
  ])
})

describe('an answer above 1 kB', () => {
  const fetchProfile = (encodings: string) =>
    app.app.inject({
      url: '/v1/auth/me',
      headers: { satoken, 'accept-encoding': encodings },
    })
  it('is not compressed for a client that accepts no encoding', async () => {
    const { headers, body } = await fetchProfile('br')
    expect(headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(body)).toMatchObject({ code: 0 })
  })
  it('is compressed to half its size or less', async () => {
    const { headers, rawPayload } = await fetchProfile('gzip, deflate, br')
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    const decompressed = gunzipSync(rawPayload)
    expect(JSON.parse(decompressed.toString())).toMatchObject({ code: 0 })
    expect(rawPayload.length).toBeLessThan(decompressed.length / 2)
  })
  it('is compressed only above that size', async () => {
    const { headers } = await app.app.inject({
      url: '/v1/base-config',
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(headers['content-encoding']).toBeUndefined()
  })
})

test('an answer has the headers no-store and nosniff', async () => {
  for (const url of ['/v1/auth/me', '/v1/base-config', '/v1/none']) {
    const { headers } = await app.app.inject({ method: 'GET', url, headers: { satoken } })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  }
})

describe('a request repeated because its answer was lost', () => {
  const createMenuDraft = (name: string) => ({
    parentId: null,
    type: 'folder',
    name,
    path: '',
    routeName: '',
    icon: '',
    permission: '',
    visible: true,
    status: 'enabled',
    sort: 99,
  })
  let ownToken: string
  beforeAll(async () => {
    ownToken = `Bearer ${await app.login('admin', password)}`
  })
  const postMenu = async (key: string | undefined, payload: object, userToken = ownToken) =>
    (
      await app.app.inject({
        method: 'POST',
        url: '/v1/menu',
        payload,
        headers: { satoken: userToken, ...(key && { 'idempotency-key': key }) },
      })
    ).json<Envelope<{ id: string }>>()

  it('creates one row, also when both arrive at the same moment', async () => {
    const [first, repeatedAnswer] = await Promise.all([
      postMenu('a1', createMenuDraft('一')),
      postMenu('a1', createMenuDraft('一')),
    ])
    expect(first.code).toBe(0)
    expect(repeatedAnswer).toEqual(first)
    expect(await postMenu('a1', createMenuDraft('一'))).toEqual(first)
  })
  it('is executed again without a key or under another key, refused for another body, and free after a failure', async () => {
    const { data } = await postMenu('b1', createMenuDraft('二'))
    const otherAnswers = [
      await postMenu(undefined, createMenuDraft('二')),
      await postMenu('b2', createMenuDraft('二')),
    ]
    for (const otherAnswer of otherAnswers) expect(otherAnswer.data.id).not.toBe(data.id)
    expect(await postMenu('b1', createMenuDraft('三'))).toMatchObject({
      code: 422,
      data: { fields: { 'Idempotency-Key': '这个 Idempotency-Key 已用于另一次操作' } },
    })
    const invalidDraft = { ...createMenuDraft('四'), type: 'x' }
    expect((await postMenu('b3', invalidDraft)).code).toBe(422)
    expect((await postMenu('b3', invalidDraft)).code).toBe(422)
  })
  it('is checked for its permission each time', async () => {
    await app.join('menuMaker', 'visitor')
    await postMenu('c1', createMenuDraft('五'))
    const otherToken = `Bearer ${await app.login('menuMaker', secondPassword)}`
    expect((await postMenu('c1', createMenuDraft('五'), otherToken)).code).not.toBe(0)
  })
})
