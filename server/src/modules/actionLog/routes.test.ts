import { authApi } from '@iot/shared/contract/access/auth.api'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { userApi } from '@iot/shared/contract/access/user.api'
import { z } from 'zod'
import { diffFields } from '../../core/http/actionLog'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
let guest: { id: string }
type SpaceType = Input<typeof spaceApi.create>['type']
const fetchPage = (query: object = {}) => app.as('admin').call(actionLogApi.page, query)
beforeAll(async () => {
  app = await sharedApp()
  guest = await app.join('guest', 'visitor')
})

describe('POST /v1/action-log/page', () => {
  it('refuses without a session and without the permission', async () => {
    await expect(app.stranger.call(actionLogApi.page, {})).rejects.toMatchObject({ code: 401 })
    await expect(app.as('guest').call(actionLogApi.page, {})).rejects.toMatchObject({
      status: 403,
      data: { permission: 'system:actionLog:list' },
    })
  })
  it('refuses an invalid time', () =>
    expect(fetchPage({ from: 'yesterday' })).rejects.toMatchObject({
      code: 422,
      data: { fields: { from: '时间格式不正确' } },
    }))
  it('lists what happened on a space, inside it, and on the devices that stand there', async () => {
    const admin = app.as('admin')
    const createSpace = async (parentId: string | null, type: SpaceType, name: string) =>
      (await admin.call(spaceApi.create, { projectId: 1, parentId, type, name })).id
    const building = await createSpace(null, 'building', '日志楼')
    const floor = await createSpace(building, 'floor', '日志一层')
    const room = await createSpace(floor, 'room', '日志室')
    await createSpace(building, 'floor', '日志二层')
    const product = productRow('pkLogged', 'direct')
    const lamp = deviceRow(product, 'logged-lamp', { spaceId: room })
    await insertDevices(app.app.db, [product], [lamp])
    await admin.call(managedDeviceApi.setStatus, { ids: [lamp.id], status: 'disabled' })
    const listNames = async (spaceId: string) =>
      (await fetchPage({ spaceId })).list.map(({ entityName }) => entityName)
    expect(await listNames(floor)).toEqual([lamp.name, '日志室', '日志一层'])
    expect(await listNames(room)).toEqual([lamp.name, '日志室'])
    expect(await listNames(building)).toContain('日志二层')
    expect(await listNames('018f0000-0000-7000-8000-000000000000')).toEqual([])
    await expect(fetchPage({ spaceId: 'x' })).rejects.toMatchObject({ code: 422 })
  })
  it('filters by user, entity, field, result and time', async () => {
    await app
      .as('guest')
      .call(userApi.page, {})
      .catch(() => {})
    // Other suites that share the platform create many more entries.
    const creationEntries = (await fetchPage({ entity: '用户', field: '账号', entityId: guest.id }))
      .list
    expect(creationEntries.find(({ entityName }) => entityName === 'guest')).toMatchObject({
      verb: '新建用户',
      duration: expect.any(Number),
      traceId: expect.any(String),
    })
    const usernames = (await fetchPage({ username: 'gue' })).list.map(({ username }) => username)
    expect(usernames).toContain('guest')
    expect(usernames.every((username) => username.includes('gue'))).toBe(true)
    const countEntries = async (query: object) =>
      (await fetchPage({ entityId: guest.id, ...query })).total
    const total = await countEntries({})
    expect(total).toBeGreaterThan(0)
    expect(await countEntries({ entity: '角色' })).toBe(0)
    expect(await countEntries({ field: '权限' })).toBe(0)
    const [refusedCount, successCount] = [
      await countEntries({ ok: 'false' }),
      await countEntries({ ok: 'true' }),
    ]
    expect(refusedCount + successCount).toBe(total)
    expect(successCount).toBeGreaterThan(0)
    const now = new Date(Date.now() + 60_000).toISOString()
    expect(await countEntries({ to: now })).toBe(total)
    expect(await countEntries({ from: now })).toBe(0)
    expect(await countEntries({ to: '2020-01-01T00:00:00+08:00' })).toBe(0)
    expect((await fetchPage({ field: "x' or '1'='1" })).total).toBe(0)
  })
  it('records a refused action with its reason', async () => {
    await app
      .as('admin')
      .call(userApi.create, {
        username: 'admin',
        name: '又一个',
        phone: '',
        email: '',
        roleIds: ['01900000-0000-7000-8000-000000000000'],
        projectIds: 'all',
        expireTime: null,
      })
      .catch(() => {})
    expect((await fetchPage({ ok: 'false' })).list[0]).toMatchObject({
      verb: '新建用户',
      ok: false,
      reason: '账号“admin”已存在',
      changes: [],
    })
  })
  it('names the object of a failed call, also when only its id was sent', async () => {
    const { user } = await app.as('admin').call(authApi.me, {})
    const findFailedEntry = async (verb: string) =>
      (await fetchPage({ ok: 'false' })).list.find((line) => line.verb === verb)
    await app
      .as('guest')
      .call(userApi.remove, { id: guest.id })
      .catch(() => {})
    expect(await findFailedEntry('删除用户')).toMatchObject({
      entityId: guest.id,
      entityName: 'guest',
    })
    // The first account has no entry for its creation.
    await app
      .as('admin')
      .call(userApi.resetPassword, { id: user.id })
      .catch(() => {})
    expect(await findFailedEntry('重置密码')).toMatchObject({
      entityId: user.id,
      entityName: user.name,
    })
  })
  it('records no failure for a save that was answered with the current row', async () => {
    const admin = app.as('admin')
    const row = await admin.call(userApi.get, { id: guest.id })
    const { id, version, name, phone, email, roleIds, expireTime, username } = row
    const draft = { id, username, name, phone, email, roleIds, projectIds: [1], expireTime }
    const updatedUser = await admin.call(userApi.update, {
      ...draft,
      version,
      email: 'a@example.com',
    })
    await expect(
      admin.call(userApi.update, { ...draft, version, phone: '13800000099' }),
    ).rejects.toMatchObject({ data: { current: expect.anything() } })
    const listUserEntries = async () =>
      (await fetchPage({ entityId: id })).list.filter(({ verb }) => /用户/.test(verb))
    expect(
      (await listUserEntries()).filter(({ ok, reason }) => !ok && reason.includes('修改')),
    ).toEqual([])
    await admin.call(userApi.update, {
      ...draft,
      version: updatedUser.version,
      phone: '13800000099',
    })
    expect((await listUserEntries())[0]).toMatchObject({ ok: true })
  })
  it('lists a bulk call as one row with the changed rows below it', async () => {
    const admin = app.as('admin')
    const emptyContactFields = {
      shortName: '',
      creditCode: '',
      contact: '',
      phone: '',
      email: '',
      address: '',
    }
    const manufacturerFields = {
      website: '',
      logo: '',
      remark: '',
      areaCode: '440305',
      status: 'enabled' as const,
    }
    const creations = ['log-a', 'log-b', 'log-c'].map((code) =>
      admin.call(manufacturerApi.create, {
        ...emptyContactFields,
        ...manufacturerFields,
        name: code,
        code,
      }),
    )
    const ids = (await Promise.all(creations)).map(({ id }) => id)
    await admin.call(manufacturerApi.setStatus, { ids, status: 'disabled' })
    const [line] = (await fetchPage()).list
    expect(line).toMatchObject({ entity: '厂商', parts: 3, changes: [] })
    expect(line!.entityName).toMatch(/^log-.、log-. 等 3 个$/)
    const parts = await fetchPage({ partsOf: line!.traceId })
    expect(parts.list.map(({ entityId }) => entityId).sort()).toEqual([...ids].sort())
    expect(parts.list[0]).toMatchObject({
      parts: 0,
      changes: [{ title: '状态', before: '启用', after: '禁用' }],
    })
    // A filter by row finds the entries of changes to that row.
    expect((await fetchPage({ entityId: ids[0] })).list.map(({ verb }) => verb)).toEqual([
      line!.verb,
      '新建厂商',
    ])
  })
  it('lists no read call except refused ones', async () => {
    const reader = await app.join('log-reader', 'visitor')
    await app.as('admin').call(actionLogApi.page, {})
    await expect(reader.call(actionLogApi.page, {})).rejects.toMatchObject({ status: 403 })
    const readEntries = (await fetchPage({ pageSize: 999 })).list.filter(
      ({ verb }) => verb === '操作日志',
    )
    expect(readEntries.map(({ username }) => username)).toContain('log-reader')
    expect(readEntries.filter(({ ok }) => ok)).toEqual([])
  })
})

describe('POST /v1/action-log/own/page', () => {
  it('refuses without a session', () =>
    expect(app.stranger.call(actionLogApi.own, {})).rejects.toMatchObject({ code: 401 }))
  it('lists the actions of the caller alone, also to one who may not read the log', async () => {
    const reader = await app.join('own-log', 'visitor')
    await app.join('own-log-2', 'visitor')
    for (const name of ['own-log', 'own-log-2'])
      await expect(app.as(name).call(userApi.page, {})).rejects.toMatchObject({ status: 403 })
    const { list, total } = await reader.call(actionLogApi.own, {})
    expect(list.map(({ username, verb, ok }) => [username, verb, ok])).toContainEqual([
      'own-log',
      '用户列表',
      false,
    ])
    expect(list.every(({ username }) => username === 'own-log')).toBe(true)
    expect(list).toHaveLength(total)
    expect((await fetchPage({ actor: 'own-lo' })).total).toBe(0)
    expect((await fetchPage({ actor: 'own-log-2' })).total).toBeGreaterThan(0)
  })
})

describe('POST /v1/action-log/export', () => {
  it('refuses an invalid time', () =>
    expect(
      app.as('admin').call(actionLogApi.exportRows, { from: 'yesterday' }),
    ).rejects.toMatchObject({ code: 422 }))
  it('exports the filtered rows with times in the zone of the reader and is itself logged', async () => {
    const { list, total } = await fetchPage({ entity: '用户', sort: 'time' })
    const task = await app.as('admin').call(actionLogApi.exportRows, {
      entity: '用户',
      sort: 'time',
      format: 'csv',
      timeZone: 'UTC',
    })
    expect(task).toMatchObject({ status: 'done', counts: { success: total } })
    const file = await app.app.inject({
      url: taskFilePath(task.id),
      headers: await app.as('admin').headers(),
    })
    const [head, first] = file.payload.split('\r\n')
    expect(head).toMatch(/^\ufeff时间,用户,操作,/)
    const { time, username, verb } = list[0]!
    expect(first).toContain(`${time.slice(0, 19).replace('T', ' ')},${username},${verb},用户,`)
    expect((await fetchPage()).list[0]).toMatchObject({ verb: '导出操作日志', ok: true })
  })
})

test('GET /v1/action-log/facets answers with the entities and fields that occur', async () => {
  const { entities, fields } = await app.as('admin').call(actionLogApi.facets, {})
  expect(entities).toContain('用户')
  expect(fields).toEqual(expect.arrayContaining(['账号', '角色']))
})

describe('the field diff', () => {
  const schema = z.object({
    name: z.string().meta({ title: '名称' }),
    tags: z.array(z.string()).meta({ title: '标签' }),
    productSecret: z.string().meta({ title: '密钥' }),
    on: z.boolean().meta({ title: '启用' }),
  })
  const baseChange = { entity: 'x', id: '1', name: 'x', schema }
  it('names fields by title and omits equal ones and ones without a title', () =>
    expect(
      diffFields({
        ...baseChange,
        before: { name: 'a', tags: ['b'], other: 1, version: 1 },
        after: { name: 'a', tags: ['b', 'c'], other: 2, version: 2 },
      }),
    ).toEqual([
      { field: 'tags', title: '标签', before: 'b', after: 'b、c', added: ['c'], removed: [] },
    ]))
  it('names what a list gained and lost, except where the whole list came or went', () => {
    const diffTags = (sides: { before?: object; after?: object }) =>
      diffFields({ ...baseChange, ...sides }).map(({ added, removed }) => ({ added, removed }))
    expect(diffTags({ before: { tags: ['a', 'b'] }, after: { tags: ['b', 'c'] } })).toEqual([
      { added: ['c'], removed: ['a'] },
    ])
    expect(diffTags({ before: { tags: ['a', 'b'] }, after: { tags: ['b', 'a'] } })).toEqual([
      { added: [], removed: [] },
    ])
    expect(diffTags({ after: { tags: ['a'] } })).toEqual([{ added: undefined, removed: undefined }])
  })
  it('masks secrets', () =>
    expect(
      diffFields({
        ...baseChange,
        before: { productSecret: 'old' },
        after: { productSecret: 'new' },
      }),
    ).toEqual([{ field: 'productSecret', title: '密钥', before: '******', after: '******' }]))
  it('masks secrets by their title and inside nested values', () => {
    const nestedSchema = z.object({
      key: z.string().meta({ title: '接入密钥' }),
      access: z.object({}).meta({ title: '接入' }),
    })
    const change = { entity: 'x', id: '1', name: 'x', schema: nestedSchema }
    const after = { key: 'tell nobody', access: { user: 'a', password: 'tell nobody' } }
    const fieldDiffs = diffFields({ ...change, after })
    expect(JSON.stringify(fieldDiffs)).not.toContain('tell nobody')
    expect(fieldDiffs.map(({ after }) => after)).toEqual([
      '******',
      '{"user":"a","password":"******"}',
    ])
  })
})
