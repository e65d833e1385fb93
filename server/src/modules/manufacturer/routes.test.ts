import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { readSheet } from 'read-excel-file/node'
import { waitUntil } from '../../core/until'
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
  it('refuses without the permission and names it', () =>
    expect(app.as('guest').call(manufacturerApi.create, draft('a'))).rejects.toMatchObject({
      status: 403,
      code: 403,
      msg: '没有“新建厂商”的权限',
      data: { permission: 'deviceAccess:manufacturer:add' },
    }))
  it('refuses wrong fields with the messages of the form', () =>
    expect(
      create(draft('b', { name: ' ', creditCode: '91440300MA5F00000X', areaCode: '44' })),
    ).rejects.toMatchObject({
      code: 422,
      data: {
        fields: {
          name: '请输入厂商名称',
          creditCode: expect.stringContaining('不正确'),
          areaCode: '缺少市和区县',
        },
      },
    }))
  it('keeps a district that was abolished since', async () =>
    expect(await create(draft('旧区', { code: 'old-area', areaCode: '350402' }))).toMatchObject({
      areaCode: '350402',
    }))
  it('refuses a region that does not exist', () =>
    expect(create(draft('b', { areaCode: '999999' }))).rejects.toMatchObject({
      data: { fields: { areaCode: expect.any(String) } },
    }))
  it('refuses text that PostgreSQL cannot store', () =>
    expect(create(draft('b', { remark: 'a\0b' }))).rejects.toMatchObject({
      status: 200,
      code: 422,
    }))
  it('reports a duplicate name and a duplicate code together', async () => {
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
  it('refuses one of two concurrent duplicates', async () => {
    const results = await Promise.allSettled([create(draft('race')), create(draft('race'))])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
  it('answers with the row and logs each field by its title', async () => {
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

afterEach(() => jest.restoreAllMocks())

/** Requests the result file of a task. */
const downloadTaskFile = async (id: string, username = 'admin') =>
  app.app.inject({ url: taskFilePath(id), headers: await app.as(username).headers() })
const headerLine =
  '厂商名称,简称,厂商编码,统一社会信用代码,所在地区,详细地址,联系人,联系电话,邮箱,网址,备注,状态'
const createTable = (...lines: string[]) => [headerLine, ...lines].map((line) => line.split(','))

describe('POST /v1/manufacturer/import', () => {
  const startImport = (table: string[][]) => admin().call(manufacturerApi.importRows, { table })

  it('refuses without the permission', () =>
    expect(
      app.as('guest').call(manufacturerApi.importRows, { table: createTable() }),
    ).rejects.toMatchObject({ status: 403 }))
  it('refuses a table without rows, without a column, and with too many rows', async () => {
    await expect(startImport(createTable(',,,,'))).rejects.toMatchObject({
      msg: '文件里没有数据行',
    })
    await expect(startImport([['厂商名称', '所在地区'], ['a']])).rejects.toMatchObject({
      code: 1001,
      msg: expect.stringMatching(/^缺少列：简称、厂商编码、.*。请下载模板对照表头$/),
    })
    await expect(startImport(Array.from({ length: 5002 }, () => ['x']))).rejects.toMatchObject({
      code: 422,
      msg: '一次最多 5000 行，请分成几个文件',
    })
  })
  it('creates the valid rows, and returns the others as a file with the reasons', async () => {
    const task = await admin().runImport(
      manufacturerApi.importRows,
      createTable(
        "'=导入一,,in-1,,广东省深圳市南山区,,,,,,,启用",
        '导入二,,in 2,,火星,,,,,,,停用',
        '=导入一,,in-3,,440305,,,,,,,',
        '导入四,,in-4,,440305,,,,,,,禁用',
      ),
    )
    expect(task).toMatchObject({
      kind: 'import',
      title: '导入厂商',
      status: 'done',
      total: 4,
      counts: { success: 2, failed: 2 },
      file: { name: '厂商导入失败.xlsx' },
    })
    expect(task.failures).toEqual([
      {
        line: 3,
        name: '导入二',
        reason:
          '厂商编码只能用字母、数字、下划线和短横线，1–64 位；所在地区：“火星”不能确定是哪个区县，请写全省、市、区县，街道写在详细地址；状态：只能是“启用”或“禁用”',
      },
      { line: 4, name: '=导入一', reason: '厂商名称“=导入一”已存在' },
    ])
    const { list } = await admin().call(manufacturerApi.page, { name: '导入', sort: 'code' })
    expect(list).toMatchObject([
      { name: '=导入一', areaCode: '440305', status: 'enabled', logo: '' },
      { name: '导入四', status: 'disabled' },
    ])
    const logEntries = (await admin().call(actionLogApi.page, { entity: '厂商' })).list
    // Other files of this worker import manufacturers too; the newest entry is first.
    const importEntry = logEntries.find(({ verb }) => verb === '导入厂商')!
    expect(importEntry).toMatchObject({ entityName: '4 行', parts: 2 })
    const logParts = await admin().call(actionLogApi.page, {
      partsOf: importEntry.traceId,
      sort: 'id',
    })
    expect(logParts.list.map(({ entityName }) => entityName)).toEqual(['=导入一', '导入四'])
    const { rawPayload, headers } = await downloadTaskFile(task.id)
    expect(headers['content-disposition']).toContain(encodeURIComponent('厂商导入失败.xlsx'))
    expect(await readSheet(rawPayload)).toEqual([
      [...headerLine.split(','), '失败原因'],
      expect.arrayContaining(['导入二', 'in 2', '火星', '停用']),
      expect.arrayContaining(["'=导入一", 'in-3', '厂商名称“=导入一”已存在']),
    ])
  })
  it('stops after the current batch when cancelled, and keeps its results and reasons', async () => {
    const lines = Array.from({ length: 400 }, (_, n) => `停${n},,stop-${n},,440305,,,,,,,`)
    const firstFailure = new Promise<string>((resolve) =>
      app.app.tasks.events.on('changed', ({ id, counts }) => counts.failed && resolve(id)),
    )
    const preview = await startImport(createTable('x,,bad code,,440305,,,,,,,', ...lines))
    const startedImport = admin().confirmImport(manufacturerApi.importRows, preview)
    await admin().call(taskApi.cancel, { id: await firstFailure })
    const { id } = await startedImport
    const task = await waitUntil(
      () => admin().call(taskApi.get, { id }),
      ({ doneTime }) => doneTime !== null,
    )
    expect(task).toMatchObject({ status: 'cancelled', total: 401, file: expect.anything() })
    expect(task.counts.success).toBeLessThan(400)
    const { total } = await admin().call(manufacturerApi.page, { code: 'stop-' })
    expect(total).toBe(task.counts.success)
  })
  it('offers a template with import permission', async () => {
    const getTemplate = async (user: string) => {
      const url = `${manufacturerApi.importRows.path}/template?format=csv`
      return app.app.inject({ url, headers: await app.as(user).headers() })
    }
    expect((await getTemplate('guest')).statusCode).toBe(403)
    const { payload } = await getTemplate('admin')
    expect(payload).toContain(`\ufeff${headerLine}\r\n示例照明有限公司,`)
  })
})

describe('POST /v1/manufacturer/export', () => {
  it('refuses without the permission', () =>
    expect(app.as('guest').call(manufacturerApi.exportRows, {})).rejects.toMatchObject({
      status: 403,
    }))
  it('refuses an unknown time zone and sort order', async () => {
    for (const invalidQuery of [{ timeZone: 'Mars' }, { sort: 'constructor' }])
      await expect(admin().call(manufacturerApi.exportRows, invalidQuery)).rejects.toMatchObject({
        code: 422,
      })
  })
  it('refuses a file of another user, an unknown file, and a request without a session', async () => {
    const { id } = await admin().call(manufacturerApi.exportRows, { format: 'csv' })
    expect((await downloadTaskFile(id, 'guest')).json()).toMatchObject({
      code: 404,
      msg: '任务不存在或已被删除',
    })
    expect((await downloadTaskFile('01900000-0000-7000-8000-000000000000')).json().code).toBe(404)
    expect((await downloadTaskFile('x')).statusCode).toBe(404)
    expect((await app.app.inject(taskFilePath(id))).json().code).toBe(401)
    expect((await downloadTaskFile(id)).statusCode).toBe(200)
  })
  it('writes the filtered rows with labels and escaped formulas, and is logged', async () => {
    await create(draft('=1+1 出口', { code: 'out-1' }))
    const task = await admin().call(manufacturerApi.exportRows, {
      name: '出口',
      sort: 'code',
      format: 'csv',
    })
    expect(task).toMatchObject({
      kind: 'export',
      title: '导出厂商',
      status: 'done',
      counts: { success: 1 },
      total: 1,
      file: { name: '厂商.csv' },
    })
    expect((await downloadTaskFile(task.id)).payload.replace('\ufeff', '').split('\r\n')).toEqual([
      headerLine,
      "'=1+1 出口,,out-1,,广东省深圳市南山区,科苑路 1 号,,,,,,启用",
      '',
    ])
    expect((await admin().call(actionLogApi.page, {})).list[0]).toMatchObject({
      verb: '导出厂商',
      entity: '厂商',
      entityName: '1 条',
      ok: true,
    })
  })
  it('continues as a background task when it takes long, and a fourth concurrent one is refused', async () => {
    const { total } = await admin().call(manufacturerApi.page, {})
    jest.replaceProperty(app.app.settings, 'answerTasksWithin', 10)
    let finishWriting = () => {}
    const writeGate = new Promise<void>((resolve) => (finishWriting = resolve))
    jest.spyOn(app.app.tasks.results, 'write').mockImplementation(async () => {
      await writeGate
      return { name: '厂商.xlsx', until: new Date().toISOString() }
    })
    const startedExports = [1, 2, 3].map(() => admin().call(manufacturerApi.exportRows, {}))
    const tasks = await Promise.all(startedExports)
    expect(tasks.map(({ status }) => status)).toEqual(['running', 'running', 'running'])
    await expect(admin().call(manufacturerApi.exportRows, {})).rejects.toMatchObject({
      msg: '您已有 3 个导入导出在进行，请等其中一个完成',
    })
    finishWriting()
    const finishedTasks = await waitUntil(
      () => admin().call(taskApi.recent, {}),
      (all) => all.every(({ doneTime }) => doneTime !== null),
    )
    expect(finishedTasks.slice(0, 3).map(({ counts }) => counts.success)).toEqual([
      total,
      total,
      total,
    ])
  })
})

describe('PUT /v1/manufacturer/{id}', () => {
  it('refuses a deleted row', () =>
    expect(
      admin().call(manufacturerApi.update, {
        ...draft('x'),
        id: '01900000-0000-7000-8000-000000000000',
        version: 1,
      }),
    ).rejects.toMatchObject({ code: 404 }))
  it('answers an outdated version with the current row', async () => {
    const row = await create(draft('大华', { code: 'dahua' }))
    const updatedRow = await admin().call(manufacturerApi.update, { ...row, contact: '张三' })
    await expect(
      admin().call(manufacturerApi.update, { ...row, contact: '李四' }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { contact: '张三', version: 2 } } })
    expect(updatedRow).toMatchObject({ version: 2, code: 'dahua' })
  })
  it('logs only changed fields, and nothing for a save refused by a conflict', async () => {
    const row = await create(draft('宇视', { code: 'uniview' }))
    await admin().call(manufacturerApi.update, { ...row, status: 'disabled' })
    await admin()
      .call(manufacturerApi.update, { ...row })
      .catch(() => {})
    const { list } = await admin().call(actionLogApi.page, { entityId: row.id })
    expect(list.map(({ ok, reason, changes }) => ({ ok, reason, changes }))).toEqual([
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
  it('refuses an invalid id', () =>
    expect(admin().call(manufacturerApi.remove, { id: 'x' })).rejects.toMatchObject({ code: 422 }))
  it('refuses while referenced, naming the rows, and answers per row for a bulk delete', async () => {
    const [usedRow, unusedRow] = [await create(draft('used')), await create(draft('free'))]
    app.app.references.add('manufacturer', async (_, ids) =>
      ids
        .filter((id) => id === usedRow.id)
        .map((to) => ({ to, entity: '品牌', id: '1', name: '某品牌' })),
    )
    await expect(admin().call(manufacturerApi.remove, { id: usedRow.id })).rejects.toMatchObject({
      code: 1003,
      data: { references: [{ entity: '品牌', name: '某品牌' }] },
    })
    expect(
      await admin().call(manufacturerApi.removeMany, { ids: [usedRow.id, unusedRow.id] }),
    ).toEqual([
      {
        id: usedRow.id,
        name: 'used',
        ok: false,
        reason: expect.stringContaining('正被 1 处使用，不能删除：') as unknown,
      },
      { id: unusedRow.id, name: 'free', ok: true },
    ])
  })
})

test('a row is read, offered as a choice with its state, and gone after deletion', async () => {
  const { id } = await create(draft('可选', { code: 'choice', status: 'disabled' }))
  const findOption = async () =>
    (await admin().call(manufacturerApi.list, {})).find((candidate) => candidate.id === id)
  expect(await admin().call(manufacturerApi.get, { id })).toMatchObject({ id, code: 'choice' })
  expect(await findOption()).toMatchObject({ name: '可选', status: 'disabled' })
  await admin().call(manufacturerApi.remove, { id })
  await expect(admin().call(manufacturerApi.get, { id })).rejects.toMatchObject({ code: 404 })
  expect(await findOption()).toBeUndefined()
})

describe('POST /v1/manufacturer/page', () => {
  it('refuses to sort by an unknown column', () =>
    expect(admin().call(manufacturerApi.page, { sort: 'constructor' })).rejects.toMatchObject({
      code: 422,
      data: { fields: { sort: '不能按此列排序' } },
    }))
  it('filters by literal text, province and status, and sorts and pages', async () => {
    await create(draft('100%_a', { code: 'p1', areaCode: '330106' }))
    await create(draft('100xya', { code: 'p2', areaCode: '330106', status: 'disabled' }))
    const listNames = async (query: object) =>
      (await admin().call(manufacturerApi.page, query)).list.map(({ name }) => name)
    expect(await listNames({ name: '%_' })).toEqual(['100%_a'])
    const filters = { name: '100', areaCode: '33' }
    expect(await listNames({ ...filters, sort: '-name' })).toEqual(['100xya', '100%_a'])
    expect(await listNames({ ...filters, status: 'disabled' })).toEqual(['100xya'])
    const secondPage = await admin().call(manufacturerApi.page, {
      pageSize: 2,
      pageNo: 2,
      sort: 'createTime',
    })
    expect(secondPage.list).toHaveLength(2)
    expect(secondPage.total).toBeGreaterThan(4)
  })
})

describe('POST /v1/manufacturer/status', () => {
  it('answers with the result of each of 300 rows', async () => {
    const rows = []
    for (let n = 0; n < 300; n++) rows.push(await create(draft(`厂${n}`, { code: `n${n}` })))
    const unknownId = '01900000-0000-7000-8000-000000000000'
    const result = await admin().call(manufacturerApi.setStatus, {
      ids: [...rows.map(({ id }) => id), unknownId],
      status: 'disabled',
    })
    expect(result.filter(({ ok }) => ok)).toHaveLength(300)
    expect(result.at(-1)).toMatchObject({ id: unknownId, ok: false, reason: '已被删除' })
  })
})
