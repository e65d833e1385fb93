import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { productCategoryApi, standardCategoryApi } from '@iot/shared/contract/product/category.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { parseModelTable } from '@iot/shared/contract/thingModel/modelSheet.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { parseTsl } from '@iot/shared/contract/thingModel/tsl.schema'
import { readSheet } from 'read-excel-file/node'
import { product } from '../../tables/device'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')
let codeCount = 0
type Draft = Input<typeof productCategoryApi.create>
const create = (name: string, parentId: string | null = null, change: Partial<Draft> = {}) =>
  admin().call(productCategoryApi.create, {
    parentId,
    name,
    code: `cat-${++codeCount}`,
    icon: '',
    description: '',
    sort: 1,
    ...change,
  })
const getFieldErrors = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data }) => data.fields,
  )
const model = (overrides: Partial<ThingModel> = {}): ThingModel => ({
  properties: [
    {
      identifier: 'PowerSwitch',
      name: '开关',
      required: true,
      accessMode: 'rw',
      dataType: { type: 'bool', specs: { 0: '关', 1: '开' } },
      isHistory: true,
      isMonitor: true,
    },
  ],
  services: [],
  events: [],
  ...overrides,
})

describe('the category tree', () => {
  it('refuses a caller without a session and one with read access only', async () => {
    await expect(app.stranger.call(productCategoryApi.list, {})).rejects.toMatchObject({
      code: 401,
    })
    const guest = await app.join('catguest', 'operator', [1])
    await expect(
      guest.call(productCategoryApi.copyStandard, { parentId: null, codes: ['Light'] }),
    ).rejects.toMatchObject({ status: 403 })
  })
  it('refuses a wrong field', async () => {
    const missingId = '018f0000-0000-7000-8000-000000000000'
    expect(await getFieldErrors(create(' '))).toEqual({ name: '请输入品类名称' })
    expect(await getFieldErrors(create('x', missingId))).toEqual({
      parentId: '上级不存在或已被删除',
    })
    const firstCategory = await create('唯一的')
    expect(await getFieldErrors(create('唯一的'))).toEqual({ name: '同级已有品类“唯一的”' })
    expect(await getFieldErrors(create('另一个', null, { code: firstCategory.code }))).toEqual({
      code: `品类编码“${firstCategory.code}”已存在`,
    })
  })
  it('is limited to five levels and contains no cycle', async () => {
    let parentId: string | null = null
    const ancestorIds: string[] = []
    for (const level of [1, 2, 3, 4, 5]) {
      const row = await create(`第 ${level} 级`, parentId)
      parentId = row.id
      ancestorIds.push(row.id)
    }
    expect(await getFieldErrors(create('第 6 级', parentId))).toEqual({ parentId: '最多 5 级' })
    const moveCategory = (id: string, to: string | null) =>
      admin().call(productCategoryApi.move, { id, parentId: to, index: 0 })
    expect(await getFieldErrors(moveCategory(ancestorIds[0]!, ancestorIds[2]!))).toEqual({
      parentId: '不能移到自己的下级',
    })
    await moveCategory(ancestorIds[4]!, ancestorIds[0]!)
    const rows = await admin().call(productCategoryApi.list, {})
    expect(rows.find(({ id }) => id === ancestorIds[4])).toMatchObject({
      parentId: ancestorIds[0],
      sort: 1,
    })
  })
  it('moves a category above and below its siblings', async () => {
    const { id: parentId } = await create('有序的')
    const ids: string[] = []
    for (const name of ['甲', '乙', '丙']) ids.push((await create(name, parentId)).id)
    const moveTo = (position: number, index: number) =>
      admin().call(productCategoryApi.move, { id: ids[position]!, parentId, index })
    const listChildren = async () =>
      (await admin().call(productCategoryApi.list, {}))
        .filter((row) => row.parentId === parentId)
        .map(({ name, sort }) => [name, sort])
    await moveTo(2, 0)
    expect(await listChildren()).toEqual([
      ['丙', 1],
      ['甲', 2],
      ['乙', 3],
    ])
    await moveTo(2, 1)
    expect(await listChildren()).toEqual([
      ['甲', 1],
      ['丙', 2],
      ['乙', 3],
    ])
    await moveTo(0, 2)
    expect(await listChildren()).toEqual([
      ['丙', 1],
      ['乙', 2],
      ['甲', 3],
    ])
  })
  it('refuses to delete a category with children or products and names them', async () => {
    const parent = await create('上级品类')
    const child = await create('下级品类', parent.id)
    await expect(admin().call(productCategoryApi.remove, { id: parent.id })).rejects.toMatchObject({
      code: 1003,
      data: { references: [{ name: '下级品类' }] },
    })
    await app.app.db.insert(product).values({
      createBy: '',
      updateBy: '',
      productKey: 'a1catref',
      name: '它的产品',
      productType: 'LIGHT',
      node: 'sub',
      model: model(),
      dynamicRegister: false,
      categoryId: child.id,
    })
    await expect(admin().call(productCategoryApi.remove, { id: child.id })).rejects.toMatchObject({
      code: 1003,
      data: { references: [{ entity: '产品', name: '它的产品' }] },
    })
    const row = (await admin().call(productCategoryApi.list, {})).find(({ id }) => id === child.id)
    expect(row).toMatchObject({ productCount: 1, functionCount: 0 })
    const { id } = await create('可以删')
    await admin().call(productCategoryApi.remove, { id })
    await expect(admin().call(productCategoryApi.get, { id })).rejects.toMatchObject({ code: 404 })
  })
  it('changes every field except the code, and answers an outdated version with the current row', async () => {
    const row = await create('会改名')
    const { code, ...change } = row
    const updatedRow = await admin().call(productCategoryApi.update, { ...change, name: '改了名' })
    expect(updatedRow).toMatchObject({ name: '改了名', code, version: 2 })
    await expect(
      admin().call(productCategoryApi.update, { ...change, name: '再改' }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { name: '改了名', version: 2 } } })
  })
})

describe('the standard library', () => {
  it('is copied with published functions, and existing categories are kept', async () => {
    const { id } = await create('标准品类')
    const codes = (await admin().call(standardCategoryApi.list, {})).map(({ code }) => code)
    const answer = await admin().call(productCategoryApi.copyStandard, { parentId: id, codes })
    expect(answer.copied + answer.kept.length).toBe(codes.length)
    expect(answer.copied).toBeGreaterThanOrEqual(40)
    const rows = await admin().call(productCategoryApi.list, {})
    const lamp = rows.find(({ code }) => code === 'Light')!
    expect(lamp).toMatchObject({ modelVersion: 1 })
    expect(lamp.functionCount).toBeGreaterThan(3)
    expect(rows.find((row) => row.id === lamp.parentId)).toMatchObject({
      name: '照明',
      parentId: id,
    })
    const secondCopy = await admin().call(productCategoryApi.copyStandard, {
      parentId: null,
      codes: ['Light'],
    })
    expect(secondCopy).toEqual({ copied: 0, kept: ['灯'] })
  })
  it('refuses an unknown category and then copies none', async () => {
    const before = (await admin().call(productCategoryApi.list, {})).length
    await expect(
      admin().call(productCategoryApi.copyStandard, { parentId: null, codes: ['Light', 'Nix'] }),
    ).rejects.toMatchObject({ code: 404 })
    expect(await admin().call(productCategoryApi.list, {})).toHaveLength(before)
  })
})

describe('the functions of a category', () => {
  it('are refused as a whole when one is wrong', async () => {
    const { id, version } = await create('功能有误')
    const invalidModel = model({
      properties: [{ ...model().properties[0]!, identifier: '1x' }],
    })
    const fields = await getFieldErrors(
      admin().call(productCategoryApi.saveModel, { id, version, model: invalidModel }),
    )
    expect(fields).toEqual({
      'model.properties.0.identifier': expect.stringMatching(/^标识符以字母开头/),
    })
    expect((await admin().call(productCategoryApi.get, { id })).model.properties).toEqual([])
  })
  it('are a draft until published, and a published version never changes', async () => {
    const row = await create('会发布')
    const publish = (version: number, note = '') =>
      admin().call(productCategoryApi.publish, { id: row.id, version, note })
    await expect(publish(1)).rejects.toMatchObject({ msg: '还没有功能，不能发布' })
    const draft = await admin().call(productCategoryApi.saveModel, { ...row, model: model() })
    expect(draft).toMatchObject({ functionCount: 1, modelVersion: 0, published: null })
    await expect(publish(1)).rejects.toMatchObject({ code: 1002 })
    const first = await publish(2, '第一版')
    expect(first).toMatchObject({ modelVersion: 1, published: model() })
    await expect(publish(3)).rejects.toMatchObject({ msg: '与版本 1 相同，没有要发布的修改' })
    const extendedModel = model({
      events: [
        { identifier: 'Fault', name: '故障', type: 'error', required: false, outputData: [] },
      ],
    })
    await admin().call(productCategoryApi.saveModel, { ...first, model: extendedModel })
    const versions = await admin().call(productCategoryApi.versions, { id: row.id })
    expect(versions).toMatchObject([
      { number: 1, note: '第一版', createBy: '平台管理员', model: model() },
    ])
    const { list } = await admin().call(actionLogApi.page, { entityId: row.id, sort: 'time' })
    expect(list.at(-1)).toMatchObject({
      verb: '修改品类功能',
      changes: [{ title: '事件 故障（Fault）', before: '', after: '有' }],
    })
  })
  it('answer an outdated version with the current model', async () => {
    const row = await create('两人改')
    await admin().call(productCategoryApi.saveModel, { ...row, model: model() })
    await expect(
      admin().call(productCategoryApi.saveModel, { ...row, model: model({ properties: [] }) }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { version: 2, model: model() } } })
  })
})

describe('export of the functions', () => {
  const fetchFile = async (url: string) =>
    app.app.inject({ url, headers: await app.as('admin').headers() })
  it('requires read permission and an existing category', async () => {
    const missingId = '018f0000-0000-7000-8000-000000000000'
    const url = `/v1/product-category/${missingId}/model.json`
    expect((await app.app.inject({ url })).json()).toMatchObject({ code: 401 })
    expect((await fetchFile(url)).json()).toMatchObject({ code: 404 })
    expect((await fetchFile('/v1/product-category/x/model.xlsx')).json()).toMatchObject({
      code: 404,
    })
    const template = '/v1/thing-model/template.xlsx'
    expect((await app.app.inject({ url: template })).json()).toMatchObject({ code: 401 })
  })
  it('can be re-imported unchanged', async () => {
    const { id, ...row } = await create('导出 / 品类')
    await admin().call(productCategoryApi.saveModel, { ...row, id, model: model() })
    const tsl = await fetchFile(`/v1/product-category/${id}/model.json`)
    expect(tsl.headers['content-disposition']).toContain(encodeURIComponent('导出 / 品类.json'))
    expect(parseTsl(tsl.payload)).toEqual({ model: model() })
    const book = await fetchFile(`/v1/product-category/${id}/model.xlsx`)
    const readCells = async (content: Buffer) =>
      (await readSheet(content)).map((cells) => cells.map((cell) => String(cell ?? '')))
    expect(parseModelTable(await readCells(book.rawPayload))).toEqual({ model: model() })
    const template = await fetchFile('/v1/thing-model/template.xlsx')
    expect(parseModelTable(await readCells(template.rawPayload)).errors).toBeUndefined()
  })
})
