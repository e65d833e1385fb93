import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import { type ErrorAnswer, sharedApp, type TestApp } from '../../testing'

let app: TestApp
const admin = () => app.as('admin')
const { importRows, page, update, get, remove } = manufacturerApi
const tableHead = [
  ...['厂商名称', '简称', '厂商编码', '统一社会信用代码', '所在地区', '详细地址', '联系人'],
  ...['联系电话', '邮箱', '网址', '备注', '状态'],
]
const createLine = (code: string, overrides: Record<number, TableCell> = {}): TableCell[] =>
  Object.assign(
    [`厂 ${code}`, '', code, '', '440305', ...Array<string>(6).fill(''), '启用'],
    overrides,
  )
const listManufacturers = async (code: string) =>
  (await admin().call(page, { code, sort: 'code' })).list
const catchMessage = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: ErrorAnswer) => error.msg,
  )

beforeAll(async () => {
  app = await sharedApp()
})

describe('a preview', () => {
  it('states the effect of each row and writes nothing, not even to the audit log', async () => {
    const before = (await admin().call(actionLogApi.page, { entity: '厂商' })).total
    const preview = await admin().previewImport(importRows, [
      [...tableHead, '更新时间'],
      createLine('look-1'),
      createLine('look 2'),
      createLine('look-1', { 0: '同码' }),
      createLine('look-4', { 0: { kind: 'date', shown: '1月2日', value: '2026-01-02' } }),
    ])
    expect(preview).toMatchObject({
      status: 'pending',
      counts: { create: 1, update: 0, same: 0, refuse: 3 },
      file: { name: '厂商导入失败.xlsx' },
      preview: { unknown: ['更新时间'], titles: tableHead },
    })
    expect(preview.preview!.rows[0]).toMatchObject({ line: 2, action: 'create' })
    expect(preview.preview!.rows[0]!.cells[4]).toBe('广东省深圳市南山区')
    expect(preview.failures!.map(({ line, reason }) => [line, reason])).toEqual([
      [3, expect.stringContaining('厂商编码只能用字母')],
      [4, '与第 2 行重复'],
      [5, expect.stringContaining('厂商名称被表格软件当成了日期（显示为“1月2日”）')],
    ])
    expect(await listManufacturers('look-')).toEqual([])
    expect((await admin().call(actionLogApi.page, { entity: '厂商' })).total).toBe(before)
    expect((await admin().call(taskApi.recent, {})).map(({ id }) => id)).not.toContain(preview.id)
  })

  it('shows no password', async () => {
    const preview = await admin().previewImport(userApi.importRows, [
      ['账号', '姓名', '手机号', '邮箱', '角色', '项目'],
      ['preview-user', '预览', '', '', '只读访客', '科创园'],
    ])
    expect(preview).toMatchObject({ counts: { create: 1 }, secrets: null })
    expect((await admin().call(userApi.page, { username: 'preview-user' })).total).toBe(0)
  })

  it('is refused for a table with a repeated column', async () => {
    const table = [
      [...tableHead, '状态'],
      [...createLine('twice'), '禁用'],
    ]
    expect(await catchMessage(admin().previewImport(importRows, table))).toBe(
      '表头有重复的列：状态，请删去多余的列',
    )
  })
})

describe('a confirmation is refused', () => {
  it('without a preview, for another call, by another user, and a second time', async () => {
    const preview = await admin().previewImport(importRows, [tableHead, createLine('once-1')])
    const unknownPreview = { id: '018f0000-0000-7000-8000-000000000000' }
    expect(await catchMessage(admin().confirmImport(importRows, unknownPreview))).toContain(
      '导入预览不存在',
    )
    expect(await catchMessage(admin().confirmImport(brandApi.importRows, preview))).toContain(
      '不存在',
    )
    const otherUser = await app.join('preview-other', 'platform-admin')
    expect(await catchMessage(otherUser.confirmImport(importRows, preview))).toContain(
      '导入预览不存在',
    )
    const confirmations = await Promise.allSettled([
      admin().confirmImport(importRows, preview),
      admin().confirmImport(importRows, preview),
    ])
    expect(confirmations.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await catchMessage(admin().confirmImport(importRows, preview))).toBe(
      '这次导入已经确认过',
    )
    expect(await listManufacturers('once-')).toHaveLength(1)
  })

  it('with neither a table nor a preview', async () => {
    expect(await catchMessage(admin().call(importRows, {}))).toBe('请选择文件')
  })

  it('for a row that was created, changed or deleted since the preview, and for no other', async () => {
    await admin().runImport(importRows, [
      tableHead,
      createLine('late-1'),
      createLine('late-2'),
      createLine('late-3'),
    ])
    const createChangedLine = (code: string) => createLine(code, { 10: '新备注' })
    const preview = await admin().previewImport(
      importRows,
      [
        tableHead,
        createChangedLine('late-1'),
        createChangedLine('late-2'),
        createChangedLine('late-3'),
        createLine('late-4'),
      ],
      { existing: 'update' },
    )
    expect(preview.counts).toEqual({ create: 1, update: 3, same: 0, refuse: 0 })
    const [first, second] = await listManufacturers('late-')
    await admin().call(update, { ...(await admin().call(get, { id: first!.id })), remark: '他人' })
    await admin().call(remove, { id: second!.id })
    await admin().runImport(importRows, [tableHead, createLine('late-4', { 10: '先到' })])
    const task = await admin().confirmImport(importRows, preview)
    expect(task.counts).toMatchObject({ success: 1, failed: 3, updated: 1 })
    expect(task.failures!.map(({ reason }) => reason)).toEqual([
      '预览以后被人修改或删除了，请重新导入',
      '预览以后被人修改或删除了，请重新导入',
      expect.stringContaining('已存在'),
    ])
    expect((await listManufacturers('late-')).map(({ code, remark }) => [code, remark])).toEqual([
      ['late-1', '他人'],
      ['late-3', '新备注'],
      ['late-4', '先到'],
    ])
  })
})

describe('a row that was removed and created again since its preview', () => {
  it('is refused although it has the version that the preview saw', async () => {
    await admin().runImport(importRows, [tableHead, createLine('again-1')])
    const table = [tableHead, createLine('again-1', { 10: '新备注' })]
    const preview = await admin().previewImport(importRows, table, { existing: 'update' })
    await admin().call(remove, { id: (await listManufacturers('again-'))[0]!.id })
    await admin().runImport(importRows, [tableHead, createLine('again-1', { 10: '他人' })])
    const task = await admin().confirmImport(importRows, preview)
    expect(task.failures!.map(({ reason }) => reason)).toEqual([
      '预览以后被人修改或删除了，请重新导入',
    ])
    expect((await listManufacturers('again-')).map(({ remark }) => remark)).toEqual(['他人'])
  })
})

describe('rows that exist already', () => {
  it('are refused unless an update is asked for', async () => {
    await admin().runImport(importRows, [tableHead, createLine('there-1')])
    const preview = await admin().previewImport(importRows, [tableHead, createLine('there-1')])
    expect(preview.counts).toMatchObject({ refuse: 1 })
  })

  it('get the previewed change, while unchanged rows and absent columns stay as they are', async () => {
    await admin().runImport(importRows, [
      tableHead,
      createLine('have-1', { 10: '旧' }),
      createLine('have-2', { 10: '旧' }),
    ])
    const preview = await admin().previewImport(
      importRows,
      [
        tableHead,
        createLine('have-1', { 10: '新', 11: '禁用' }),
        createLine('have-2', { 10: '旧' }),
        createLine('have-3'),
      ],
      { existing: 'update' },
    )
    expect(preview.counts).toEqual({ create: 1, update: 1, same: 1, refuse: 0 })
    expect(preview.preview!.rows[0]!.note).toBe('备注：旧 → 新；状态：启用 → 禁用')
    const versions = (await listManufacturers('have-')).map(({ version }) => version)
    const task = await admin().confirmImport(importRows, preview)
    expect(task.counts).toEqual({ success: 2, failed: 0, skipped: 1, created: 1, updated: 1 })
    const rows = await listManufacturers('have-')
    expect(rows.map(({ remark, status }) => [remark, status])).toEqual([
      ['新', 'disabled'],
      ['旧', 'enabled'],
      ['', 'enabled'],
    ])
    expect(rows[1]!.version).toBe(versions[1])
  })

  it('are updated only by a caller with the permission to update', async () => {
    const table = [tableHead, createLine('right-1')]
    const visitor = await app.join('import-only', 'visitor')
    await expect(
      visitor.previewImport(importRows, table, { existing: 'update' }),
    ).rejects.toMatchObject({
      status: 403,
    })
  })
})
