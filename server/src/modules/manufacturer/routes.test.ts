import { actionLogApi } from '@iot/shared/contract/actionLog'
import type { Input } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
  await app.join('guest', 'visitor')
})

const admin = () => app.as('admin')
type Draft = Input<typeof manufacturerApi.create>
const draft = (name: string, change: Partial<Draft> = {}): Draft => ({
  name,
  shortName: '',
  code: name,
  creditCode: '',
  contact: '',
  phone: '',
  email: '',
  areaCode: '440305',
  address: '科苑路 1 号',
  website: '',
  logo: '',
  remark: '',
  status: 'enabled',
  ...change,
})
const create = (input: Draft) => admin().call(manufacturerApi.create, input)

describe('POST /v1/manufacturer', () => {
  it('refuses without a session', () =>
    expect(app.stranger.call(manufacturerApi.create, draft('a'))).rejects.toMatchObject({
      status: 200,
      code: 401,
    }))
  it('refuses without the right and names it', () =>
    expect(app.as('guest').call(manufacturerApi.create, draft('a'))).rejects.toMatchObject({
      status: 403,
      code: 403,
      msg: '没有“新建厂商”的权限',
      data: { permission: 'deviceAccess:manufacturer:add' },
    }))
  it('refuses wrong fields with the sentences of the form', () =>
    expect(
      create(draft('b', { name: ' ', creditCode: '91440300MA5F00000X', areaCode: '44' })),
    ).rejects.toMatchObject({
      code: 422,
      data: {
        fields: {
          name: '请输入厂商名称',
          creditCode: expect.stringContaining('不正确'),
          areaCode: '请选择省、市、区',
        },
      },
    }))
  it('keeps a district that was abolished since, until somebody decides', async () =>
    expect(await create(draft('旧区', { code: 'old-area', areaCode: '350402' }))).toMatchObject({
      areaCode: '350402',
    }))
  it('refuses a region that does not exist', () =>
    expect(create(draft('b', { areaCode: '999999' }))).rejects.toMatchObject({
      data: { fields: { areaCode: expect.any(String) } },
    }))
  it('refuses text no database holds', () =>
    expect(create(draft('b', { remark: 'a\0b' }))).rejects.toMatchObject({
      status: 200,
      code: 422,
    }))
  it('refuses a name and a code that are taken, both at once', async () => {
    await create(draft('taken'))
    await expect(create(draft('taken'))).rejects.toMatchObject({
      code: 422,
      data: {
        fields: {
          name: expect.stringContaining('已存在'),
          code: expect.stringContaining('已存在'),
        },
      },
    })
  })
  it('refuses one of two that come at the same moment', async () => {
    const results = await Promise.allSettled([create(draft('race')), create(draft('race'))])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
  it('answers the row and logs each field with its title', async () => {
    const row = await create(draft('海康', { code: 'hik' }))
    expect(row).toMatchObject({ name: '海康', code: 'hik', createBy: 'admin', version: 1 })
    const { list } = await admin().call(actionLogApi.page, { entityId: row.id })
    expect(list[0]).toMatchObject({
      entity: '厂商',
      entityName: '海康',
      verb: '新建厂商',
      ok: true,
      username: 'admin',
    })
    expect(list[0]!.changes).toContainEqual({
      field: 'areaCode',
      title: '所在地区',
      before: '',
      after: '广东省 / 深圳市 / 南山区',
    })
  })
})

describe('POST /v1/manufacturer/import', () => {
  it('refuses without the right', () =>
    expect(
      app.as('guest').call(manufacturerApi.importRows, { rows: [draft('i')] }),
    ).rejects.toMatchObject({ status: 403 }))
  it('refuses more rows than one portion', () =>
    expect(
      admin().call(manufacturerApi.importRows, {
        rows: Array.from({ length: 201 }, () => draft('i')),
      }),
    ).rejects.toMatchObject({ code: 422 }))
  it('creates the right rows and says of each other one why not', async () => {
    const rows = [
      draft('导入一', { code: 'in-1' }),
      draft('导入二', { code: 'in 2', areaCode: '' }),
      { name: 7 },
      draft('导入一', { code: 'in-4' }),
      draft('导入五', { code: 'in-5' }),
    ]
    expect(await admin().call(manufacturerApi.importRows, { rows })).toMatchObject([
      { ok: true },
      {
        ok: false,
        reason:
          '厂商编码：厂商编码只能用字母、数字、下划线和短横线，1–64 位；所在地区：请选择省、市、区',
      },
      { ok: false },
      { ok: false, reason: '厂商名称“导入一”已存在' },
      { ok: true },
    ])
    expect((await admin().call(manufacturerApi.page, { name: '导入' })).total).toBe(2)
    expect((await admin().call(actionLogApi.page, { entity: '厂商' })).list[0]).toMatchObject({
      verb: '导入厂商',
      entityName: '导入五',
    })
  })
})

describe('POST /v1/manufacturer/export', () => {
  it('refuses without the right', () =>
    expect(app.as('guest').call(manufacturerApi.exportRows, {})).rejects.toMatchObject({
      status: 403,
    }))
  it('answers what the filters let through and logs it', async () => {
    await create(draft('出口', { code: 'out-1' }))
    expect(
      (await admin().call(manufacturerApi.exportRows, { name: '出口', sort: 'code' })).map(
        ({ code }) => code,
      ),
    ).toEqual(['out-1'])
    expect((await admin().call(actionLogApi.page, {})).list[0]).toMatchObject({
      verb: '导出厂商',
      entity: '厂商',
      entityName: '1 条',
      ok: true,
    })
  })
})

describe('PUT /v1/manufacturer/{id}', () => {
  it('refuses a row that is gone', () =>
    expect(
      admin().call(manufacturerApi.update, {
        ...draft('x'),
        id: '01900000-0000-7000-8000-000000000000',
        version: 1,
      }),
    ).rejects.toMatchObject({ code: 404 }))
  it('refuses an old version with the row as it stands', async () => {
    const row = await create(draft('大华', { code: 'dahua' }))
    const changed = await admin().call(manufacturerApi.update, { ...row, contact: '张三' })
    await expect(
      admin().call(manufacturerApi.update, { ...row, contact: '李四' }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { contact: '张三', version: 2 } } })
    expect(changed).toMatchObject({ version: 2, code: 'dahua' })
  })
  it('logs only what differs, and a refused try with its reason', async () => {
    const row = await create(draft('宇视', { code: 'uniview' }))
    await admin().call(manufacturerApi.update, { ...row, status: 'disabled' })
    await admin()
      .call(manufacturerApi.update, { ...row })
      .catch(() => {})
    const { list } = await admin().call(actionLogApi.page, { entityId: row.id })
    expect(list.map(({ ok, reason, changes }) => ({ ok, reason, changes }))).toEqual([
      { ok: false, reason: '这条记录已被别人修改', changes: [] },
      {
        ok: true,
        reason: '',
        changes: [{ field: 'status', title: '状态', before: '启用', after: '禁用' }],
      },
      expect.objectContaining({ ok: true }),
    ])
  })
})

describe('DELETE /v1/manufacturer/{id}', () => {
  it('refuses an id that is none', () =>
    expect(admin().call(manufacturerApi.remove, { id: 'x' })).rejects.toMatchObject({ code: 422 }))
  it('refuses while referenced, naming the rows; many at once answers for each', async () => {
    const [used, free] = [await create(draft('used')), await create(draft('free'))]
    app.app.references.add('manufacturer', async (_, ids) =>
      ids
        .filter((id) => id === used.id)
        .map((to) => ({ to, entity: '品牌', id: '1', name: '某品牌' })),
    )
    await expect(admin().call(manufacturerApi.remove, { id: used.id })).rejects.toMatchObject({
      code: 1003,
      data: { references: [{ entity: '品牌', name: '某品牌' }] },
    })
    expect(await admin().call(manufacturerApi.removeMany, { ids: [used.id, free.id] })).toEqual([
      { id: used.id, name: 'used', ok: false, reason: '正被 1 处使用，不能删除' },
      { id: free.id, name: 'free', ok: true },
    ])
  })
})

test('a row is read alone, listed for choice with its state, and gone when deleted', async () => {
  const { id } = await create(draft('可选', { code: 'choice', status: 'disabled' }))
  const listed = async () =>
    (await admin().call(manufacturerApi.list, {})).find((one) => one.id === id)
  expect(await admin().call(manufacturerApi.get, { id })).toMatchObject({ id, code: 'choice' })
  expect(await listed()).toMatchObject({ name: '可选', status: 'disabled' })
  await admin().call(manufacturerApi.remove, { id })
  await expect(admin().call(manufacturerApi.get, { id })).rejects.toMatchObject({ code: 404 })
  expect(await listed()).toBeUndefined()
})

describe('POST /v1/manufacturer/page', () => {
  it('refuses to sort by what is no column', () =>
    expect(admin().call(manufacturerApi.page, { sort: 'constructor' })).rejects.toMatchObject({
      code: 422,
      data: { fields: { sort: '不能按此列排序' } },
    }))
  it('filters by text as written, by province, by status; sorts and pages', async () => {
    await create(draft('100%_a', { code: 'p1', areaCode: '330106' }))
    await create(draft('100xya', { code: 'p2', areaCode: '330106', status: 'disabled' }))
    const names = async (query: object) =>
      (await admin().call(manufacturerApi.page, query)).list.map(({ name }) => name)
    expect(await names({ name: '%_' })).toEqual(['100%_a'])
    const mine = { name: '100', areaCode: '33' }
    expect(await names({ ...mine, sort: '-name' })).toEqual(['100xya', '100%_a'])
    expect(await names({ ...mine, status: 'disabled' })).toEqual(['100xya'])
    const all = await admin().call(manufacturerApi.page, {
      pageSize: 2,
      pageNo: 2,
      sort: 'createTime',
    })
    expect(all.list).toHaveLength(2)
    expect(all.total).toBeGreaterThan(4)
  })
})

describe('POST /v1/manufacturer/status', () => {
  it('says of each row what happened, 300 at once', async () => {
    const rows = []
    for (let n = 0; n < 300; n++) rows.push(await create(draft(`厂${n}`, { code: `n${n}` })))
    const gone = '01900000-0000-7000-8000-000000000000'
    const started = performance.now()
    const result = await admin().call(manufacturerApi.setStatus, {
      ids: [...rows.map(({ id }) => id), gone],
      status: 'disabled',
    })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(result.filter(({ ok }) => ok)).toHaveLength(300)
    expect(result.at(-1)).toMatchObject({ id: gone, ok: false, reason: '已被删除' })
  })
})
