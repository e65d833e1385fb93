import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { sharedApp, type TestApp } from '../../testing'
import { manufacturer } from '../../tables/manufacturer'

let app: TestApp
let manufacturerRow: { id: string }
const manufacturerFields = {
  shortName: '',
  creditCode: '',
  contact: '',
  phone: '',
  email: '',
  areaCode: '',
  address: '',
  website: '',
  logo: '',
  remark: '',
  createBy: '',
  updateBy: '',
  status: 'enabled' as const,
}
beforeAll(async () => {
  app = await sharedApp()
  const row = { ...manufacturerFields, name: '雷士照明', code: 'nvc' }
  manufacturerRow = (await app.app.db.insert(manufacturer).values(row).returning())[0]!
})

const admin = () => app.as('admin')
const draft = (name: string, change = {}): Input<typeof brandApi.create> => ({
  name,
  englishName: '',
  manufacturerId: manufacturerRow.id,
  categories: [],
  logo: '',
  servicePhone: '',
  website: '',
  sort: 1,
  status: 'enabled',
  ...change,
})
const getFieldErrors = (change: object) =>
  admin()
    .call(brandApi.create, draft('雷士', change))
    .catch(({ data }) => data.fields)

test('a brand with a wrong field is refused at that field', async () => {
  const missingId = '018f0000-0000-7000-8000-000000000000'
  expect(await getFieldErrors({ name: ' ' })).toEqual({ name: '请输入品牌名称' })
  expect(await getFieldErrors({ manufacturerId: '' })).toEqual({ manufacturerId: '请选择厂商' })
  const missingManufacturer = { manufacturerId: '所选厂商不存在或已被删除' }
  expect(await getFieldErrors({ manufacturerId: missingId })).toEqual(missingManufacturer)
  const phoneMessage = '请输入手机号、带区号的座机（可加分机）或 400、95 号码'
  expect(await getFieldErrors({ servicePhone: '400-600' })).toEqual({ servicePhone: phoneMessage })
  expect(await getFieldErrors({ categories: ['none'] })).toEqual({
    categories: '标准品类库没有none',
  })
  for (const logo of ['https://evil.example/a.png', '//evil.example/a', '/v1/upload/file/../me'])
    expect(await getFieldErrors({ logo })).toEqual({ logo: '请上传图片' })
})

test('a brand name may repeat under another manufacturer, but not under the same one', async () => {
  const { name } = await admin().call(brandApi.create, draft('雷士'))
  const [otherManufacturer] = await app.app.db
    .insert(manufacturer)
    .values({ ...manufacturerFields, name: '欧普照明', code: 'opple' })
    .returning()
  const otherBrand = draft(name, { manufacturerId: otherManufacturer!.id })
  expect(await admin().call(brandApi.create, otherBrand)).toMatchObject({
    name,
    manufacturerName: '欧普照明',
  })
  expect(await getFieldErrors({})).toEqual({ name: `品牌名称“${name}”已存在` })
})

test('a disabled manufacturer cannot be chosen, and one with brands cannot be deleted', async () => {
  const brand = await admin().call(brandApi.create, draft('光环境'))
  await admin().call(manufacturerApi.setStatus, { ids: [manufacturerRow.id], status: 'disabled' })
  const disabledMessage = '厂商“雷士照明”已禁用，请选择其他厂商'
  expect(await getFieldErrors({ name: '新' })).toEqual({ manufacturerId: disabledMessage })
  const updatedBrand = await admin().call(brandApi.update, { ...brand, englishName: 'Light' })
  expect(updatedBrand).toMatchObject({
    englishName: 'Light',
    manufacturerName: '雷士照明',
    version: 2,
  })
  await expect(
    admin().call(manufacturerApi.remove, { id: manufacturerRow.id }),
  ).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '品牌', name: '雷士' }, { name: '光环境' }] },
  })
})

test('an import resolves manufacturer and categories by name and reports each wrong row', async () => {
  const headerCells = ['品牌名称', '英文名', '厂商', '品类', '服务电话', '网址', '排序', '状态']
  const toCells = (name: string, maker: string, categories = '', sort = '1') => [
    ...[name, '', maker, categories, '', '', sort, ''],
  ]
  const reader = await app.join('brandreader', 'operator', [1])
  await expect(reader.runImport(brandApi.importRows, [headerCells])).rejects.toMatchObject({
    status: 403,
  })
  await admin().call(manufacturerApi.setStatus, { ids: [manufacturerRow.id], status: 'disabled' })
  const disabledRows = [headerCells, toCells('停', '雷士照明', '灯')]
  expect(await admin().runImport(brandApi.importRows, disabledRows)).toMatchObject({
    failures: [{ line: 2, name: '停', reason: '厂商“雷士照明”已禁用，请选择其他厂商' }],
  })
  await admin().call(manufacturerApi.setStatus, { ids: [manufacturerRow.id], status: 'enabled' })
  const task = await admin().runImport(brandApi.importRows, [
    headerCells,
    toCells('无厂商', '', '', ''),
    toCells('无此厂商', '雷工'),
    toCells('无此品类', '雷士照明', '灯、飞机'),
  ])
  expect(task.failures!.map(({ reason }) => reason)).toEqual([
    '请输入排序；请填写厂商',
    '没有厂商“雷工”',
    '标准品类库没有飞机',
  ])
  expect(task).toMatchObject({ counts: { success: 0, failed: 3 }, file: {} })
})

test('exported brands can be re-imported unchanged, both filtered and selected ones', async () => {
  const change = {
    categories: ['Light', 'TunableLight'],
    englishName: '=1+1',
    sort: 7,
    servicePhone: '400-600-8000',
  }
  const firstBrand = await admin().call(brandApi.create, draft('往返一', change))
  const secondBrand = await admin().call(brandApi.create, draft('往返二', { status: 'disabled' }))
  const file = await admin().exportTable(brandApi.exportRows, { name: '往返' })
  expect(file.map(([name]) => name)).toEqual(['品牌名称', '往返二', '往返一'])
  expect(file[2]).toEqual([
    ...[
      '往返一',
      "'=1+1",
      '雷士照明',
      '灯、双色温灯',
      '400-600-8000',
      '',
      '7',
      '启用',
      expect.any(String),
    ],
  ])
  const selectedRows = await admin().exportTable(brandApi.exportRows, { ids: [firstBrand.id] })
  expect(selectedRows.map(([name]) => name)).toEqual(['品牌名称', '往返一'])

  await admin().call(brandApi.removeMany, { ids: [firstBrand.id, secondBrand.id] })
  expect(await admin().runImport(brandApi.importRows, file)).toMatchObject({
    counts: { success: 2, failed: 0 },
  })
  const { list } = await admin().call(brandApi.page, { name: '往返', sort: 'sort' })
  expect(list).toMatchObject([
    { name: '往返二', status: 'disabled' },
    { ...change, name: '往返一', manufacturerId: manufacturerRow.id },
  ])
})

describe('POST /v1/brand/status', () => {
  const setStatus = (ids: string[], change: Partial<Input<typeof brandApi.setStatus>> = {}) =>
    admin().call(brandApi.setStatus, { ids, status: 'disabled', ...change })

  it('refuses a caller with read access only, no rows, and an unknown status', async () => {
    const reader = await app.join('brandreader', 'operator', [1])
    const { id } = await admin().call(brandApi.create, draft('只读不改'))
    const refusedCall = reader.call(brandApi.setStatus, { ids: [id], status: 'disabled' })
    await expect(refusedCall).rejects.toMatchObject({ status: 403 })
    await expect(setStatus([])).rejects.toMatchObject({ code: 422 })
    await expect(setStatus([id], { status: 'gone' as never })).rejects.toMatchObject({ code: 422 })
    const { list } = await admin().call(brandApi.page, { name: '只读不改' })
    expect(list).toMatchObject([{ status: 'enabled', version: 1 }])
  })
  it('disables the chosen brands only, reports a missing one, and enables them again', async () => {
    const missingId = '018f0000-0000-7000-8000-000000000000'
    const [first, second] = [
      await admin().call(brandApi.create, draft('停用一')),
      await admin().call(brandApi.create, draft('停用二')),
    ]
    const listStatuses = async () =>
      (await admin().call(brandApi.page, { name: '停用', sort: 'name' })).list.map(
        ({ id, status }) => [id, status],
      )
    const results = await setStatus([first.id, missingId])
    expect(results.map(({ id, ok }) => [id, ok])).toEqual([
      [first.id, true],
      [missingId, false],
    ])
    expect(new Map((await listStatuses()) as [string, string][])).toEqual(
      new Map([
        [first.id, 'disabled'],
        [second.id, 'enabled'],
      ]),
    )
    await setStatus([first.id], { status: 'enabled' })
    expect((await listStatuses()).map(([, status]) => status)).toEqual(['enabled', 'enabled'])
  })
})

describe('DELETE /v1/brand/{id}', () => {
  it('refuses a caller with read access only, and a missing brand', async () => {
    const { id } = await admin().call(brandApi.create, draft('不可删'))
    const reader = await app.join('brandreader', 'operator', [1])
    await expect(reader.call(brandApi.remove, { id })).rejects.toMatchObject({ status: 403 })
    const missingId = '018f0000-0000-7000-8000-000000000000'
    await expect(admin().call(brandApi.remove, { id: missingId })).rejects.toMatchObject({
      code: 404,
    })
    expect((await admin().call(brandApi.page, { name: '不可删' })).total).toBe(1)
  })
  it('deletes the brand only, records it, and frees its name', async () => {
    const removedBrand = await admin().call(brandApi.create, draft('待删一'))
    await admin().call(brandApi.create, draft('待删二'))
    expect(await admin().call(brandApi.remove, { id: removedBrand.id })).toBeNull()
    const { list } = await admin().call(brandApi.page, { name: '待删' })
    expect(list.map(({ name }) => name)).toEqual(['待删二'])
    const log = await admin().call(actionLogApi.page, { entityId: removedBrand.id })
    expect(log.list[0]).toMatchObject({ verb: '删除品牌', entityName: '待删一', ok: true })
    expect(await admin().call(brandApi.create, draft('待删一'))).toMatchObject({ version: 1 })
  })
})
