import { communicationProtocolApi } from '@iot/shared/contract/communicationProtocol'
import { controlTypeApi } from '@iot/shared/contract/controlType'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
import { brandApi } from '@iot/shared/contract/brand'
import { productCategoryApi } from '@iot/shared/contract/category'
import type { Input } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { productApi } from '@iot/shared/contract/product'
import { productTypeApi } from '@iot/shared/contract/productType'
import { ThingModel } from '@iot/shared/contract/thingModel'
import { taskApi, taskFilePath } from '@iot/shared/contract/task'
import { eq, inArray } from 'drizzle-orm'
import { until } from '../../device-access/testing'
import { device } from '../../tables/device'
import { manufacturer } from '../../tables/manufacturer'
import { productCredential } from '../../tables/registration'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
let maker: string
let category: string
const admin = () => app.as('admin')
const int = (unit: string) => ({ type: 'int', specs: { min: 0, max: 100, unit } })
const property = (identifier: string, change: object = {}) => ({
  identifier,
  name: identifier,
  accessMode: 'rw',
  dataType: int('%'),
  ...change,
})
const model = (...properties: object[]) => ThingModel.parse({ properties })
const first = model(property('Power', { required: true }), property('Level'))
const second = model(property('Power', { required: true, name: '电源' }), property('Tone'))
let count = 0
type Draft = Input<typeof productApi.create>
const draft = (change: Partial<Draft> = {}): Draft => ({
  name: `产品 ${++count}`,
  modelNo: `M-${count}`,
  manufacturerId: maker,
  brandId: null,
  categoryId: category,
  productType: 'SAFEWAY_LIGHT',
  node: 'direct',
  net: 'wifi',
  protocol: 'mqtt',
  controlTypes: [],
  authType: 'deviceSecret',
  dataFormat: 'alink',
  ratedPower: 12.5,
  ratedLifeHours: 30_000,
  icon: '',
  picture: '',
  description: '',
  ...change,
})
const create = (change: Partial<Draft> = {}) => admin().call(productApi.create, draft(change))
const wrong = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }) => data?.fields ?? msg,
  )
const publishCategory = async (next: ThingModel) => {
  const row = await admin().call(productCategoryApi.get, { id: category })
  const { version } = await admin().call(productCategoryApi.saveModel, { ...row, model: next })
  await admin().call(productCategoryApi.publish, { id: category, version, note: '' })
}
const published = async (change: Partial<Draft> = {}) => {
  const { id, version } = await create(change)
  return admin().call(productApi.setStatus, { id, version, status: 'published' })
}

beforeAll(async () => {
  app = await sharedApp()
  const texts = { shortName: '', creditCode: '', contact: '', phone: '', email: '', areaCode: '' }
  const more = { address: '', website: '', logo: '', remark: '', createBy: '', updateBy: '' }
  const row = { ...texts, ...more, name: '产品厂商', code: 'pmaker', status: 'enabled' as const }
  maker = (await app.app.db.insert(manufacturer).values(row).returning())[0]!.id
  const made = await admin().call(productCategoryApi.create, {
    parentId: null,
    name: '产品的品类',
    code: 'product-test',
    icon: '',
    description: '',
    sort: 1,
  })
  category = made.id
  await publishCategory(first)
})

describe('a product is refused', () => {
  it('of a stranger, and of who may only look', async () => {
    await expect(app.stranger.call(productApi.page, {})).rejects.toMatchObject({ code: 401 })
    const reader = await app.join('productreader', 'operator', [1])
    await expect(reader.call(productApi.create, draft())).rejects.toMatchObject({ status: 403 })
  })
  it('at the field that is wrong', async () => {
    const nobody = '018f0000-0000-7000-8000-000000000000'
    expect(await wrong(create({ name: '' }))).toEqual({ name: '请输入产品名称' })
    expect(await wrong(create({ manufacturerId: nobody }))).toEqual({
      manufacturerId: '所选厂商不存在或已被删除',
    })
    expect(await wrong(create({ categoryId: nobody }))).toEqual({
      categoryId: '所选品类不存在或已被删除',
    })
    expect(await wrong(create({ node: 'sub', protocol: '' }))).toEqual({
      protocol: '网关子设备须选择通信协议',
    })
    expect(await wrong(create({ net: 'gateway' }))).toEqual({
      net: '只有网关子设备是经网关联网的',
    })
    expect(await create({ node: 'sub', net: 'gateway', protocol: 'zigbee' })).toMatchObject({
      net: 'gateway',
    })
    expect(await wrong(create({ productType: 'NO_SUCH_TYPE' }))).toEqual({
      productType: '所选产品类型不存在或已被删除',
    })
  })
  it('with a brand of another maker, and a model number its maker has', async () => {
    const other = await app.app.db
      .insert(manufacturer)
      .values({
        name: '别家',
        code: 'other-maker',
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
      })
      .returning()
    const brand = await admin().call(brandApi.create, {
      name: '别家的牌子',
      englishName: '',
      manufacturerId: other[0]!.id,
      categories: [],
      logo: '',
      servicePhone: '',
      website: '',
      sort: 1,
      status: 'enabled',
    })
    expect(await wrong(create({ brandId: brand.id }))).toEqual({
      brandId: '品牌“别家的牌子”不属于所选厂商',
    })
    const { modelNo } = await create()
    expect(await wrong(create({ modelNo }))).toEqual({ modelNo: `型号“${modelNo}”已存在` })
    await create({ modelNo, manufacturerId: other[0]!.id })
  })
})

describe('protocol and control types of a product', () => {
  const controlType = (code: string, functions: string[]) =>
    admin().call(controlTypeApi.create, {
      name: `控制 ${code}`,
      code,
      functions,
      capability: 'DIM',
      widget: 'number',
      description: '',
      status: 'enabled',
    })
  const protocol = (change: object) =>
    admin().call(communicationProtocolApi.create, {
      name: '自研总线',
      code: 'own-bus',
      transport: 'bus',
      nodes: ['sub'],
      document: '',
      protocolVersion: '',
      parameters: [],
      description: '',
      status: 'enabled',
      ...change,
    })
  const update = (row: Awaited<ReturnType<typeof create>>, change: Partial<Draft>) =>
    admin().call(productApi.update, { ...row, manufacturerId: maker, ...change })

  it('are of the lists, in use and meant for such a device', async () => {
    const off = await protocol({ name: '旧总线', code: 'old-bus' })
    await admin().call(communicationProtocolApi.setStatus, { ids: [off.id], status: 'disabled' })
    expect(await wrong(create({ protocol: 'nothing' }))).toEqual({
      protocol: '没有通信协议“nothing”',
    })
    expect(await wrong(create({ node: 'sub', protocol: 'old-bus' }))).toEqual({
      protocol: '通信协议“旧总线”已禁用，请选择其他协议',
    })
    expect(await wrong(create({ node: 'direct', protocol: 'dali' }))).toEqual({
      protocol: '通信协议“DALI”不用于直连设备',
    })
    expect(await wrong(create({ controlTypes: ['nothing'] }))).toEqual({
      controlTypes: '没有控制类型“nothing”',
    })
  })
  it('are named by the product, found in its list, and kept while it has them', async () => {
    const type = await controlType('dim-a', ['Level'])
    const bus = await protocol({})
    const row = await create({ node: 'sub', protocol: 'own-bus', controlTypes: ['dim-a'] })
    expect(row).toMatchObject({
      speaks: { name: '自研总线' },
      controls: [{ name: '控制 dim-a', functions: ['Level'], widget: 'number' }],
    })
    const page = (filters: object) => admin().call(productApi.page, filters)
    expect((await page({ controlType: 'dim-a' })).list).toMatchObject([{ id: row.id }])
    expect((await page({ protocol: 'own-bus' })).list).toMatchObject([{ id: row.id }])
    expect((await page({ controlType: 'dim-a', protocol: 'mqtt' })).list).toEqual([])
    const references = [{ entity: '产品', id: row.id, name: row.name }]
    for (const call of [
      admin().call(controlTypeApi.remove, { id: type.id }),
      admin().call(communicationProtocolApi.remove, { id: bus.id }),
    ])
      await expect(call).rejects.toMatchObject({ code: 1003, data: { references } })
    const [protocols] = await admin().call(dictionaryApi.config, { type: 'protocol' })
    expect(protocols!.configLists).toContainEqual({ code: 'own-bus', description: '自研总线' })
    await update(row, { protocol: 'dali', controlTypes: [] })
    const [line] = await admin().call(productApi.changes, { id: row.id })
    expect(line!.changes.map(({ title, before, after }) => [title, before, after])).toEqual([
      ['通信协议', '自研总线', 'DALI'],
      ['控制类型', '控制 dim-a', ''],
    ])
  })
  it('are asked for in words', async () => {
    const none = await wrong(create({ productType: '' }))
    expect(none).toEqual({ productType: '请选择产品类型' })
  })
  it('tell what was changed in the words of the form', async () => {
    const row = await create()
    await update(row, { net: 'lora', productType: 'CLIMATE_SENSOR' })
    const [line] = await admin().call(productApi.changes, { id: row.id })
    expect(line!.changes.map(({ before, after }) => [before, after])).toEqual([
      ['灯光', '温湿度'],
      ['Wi-Fi', 'LoRa'],
    ])
  })
  it('bring functions without which it is not published', async () => {
    await controlType('dim-b', ['Power', 'Tint'])
    const row = await create({ controlTypes: ['dim-b'] })
    const { id, version } = row
    const publish = admin().call(productApi.setStatus, { id, version, status: 'published' })
    expect(await wrong(publish)).toBe('产品缺少控制类型“控制 dim-b”的必备功能 Tint，不能发布')
    const live = await published()
    expect(await wrong(update(live, { controlTypes: ['dim-b'] }))).toEqual({
      controlTypes: '产品缺少控制类型“控制 dim-b”的必备功能 Tint，请先添加',
    })
  })
})

describe('a new product', () => {
  it('has the functions its category published last, a key, and names for what it refers to', async () => {
    const row = await create()
    expect(row).toMatchObject({
      status: 'developing',
      manufacturerName: '产品厂商',
      categoryName: '产品的品类',
      deviceCount: 0,
      model: first,
      followed: first,
    })
    expect(row.productKey).toMatch(/^a1[0-9a-f]{9}$/)
    const { list } = await admin().call(productApi.page, {
      name: row.modelNo,
      status: 'developing',
    })
    expect(list).toMatchObject([{ id: row.id }])
    expect(await admin().call(productApi.get, { id: row.id })).toEqual(row)
  })
  it('keeps its maker and category from being deleted', async () => {
    const { name } = await create()
    const references = expect.arrayContaining([expect.objectContaining({ entity: '产品', name })])
    await expect(admin().call(manufacturerApi.remove, { id: maker })).rejects.toMatchObject({
      data: { references },
    })
    await expect(admin().call(productCategoryApi.remove, { id: category })).rejects.toMatchObject({
      data: { references },
    })
  })
  it('is copied into development under another key', async () => {
    const from = await published()
    const copy = await admin().call(productApi.copy, { id: from.id, name: '副本', modelNo: 'C-1' })
    expect(copy).toMatchObject({ status: 'developing', model: from.model, name: '副本' })
    expect(copy.productKey).not.toBe(from.productKey)
  })
  it('answers who was second with the row as it stands', async () => {
    const row = await create()
    await admin().call(productApi.update, { ...row, manufacturerId: maker, description: '甲' })
    await expect(
      admin().call(productApi.update, { ...row, manufacturerId: maker, description: '乙' }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { description: '甲', version: 2 } } })
  })
})

describe('a product goes from development over published to out of use', () => {
  it('not without properties, and not back', async () => {
    const bare = await create({ categoryId: null })
    const to = (row: { id: string; version: number }, status: 'published' | 'disabled') =>
      admin().call(productApi.setStatus, { id: row.id, version: row.version, status })
    expect(await wrong(to(bare, 'published'))).toBe('产品还没有属性，不能发布')
    expect(await wrong(to(bare, 'disabled'))).toBe('开发中的产品不用停用，可以删除')
    const row = await published()
    expect(await wrong(to(row, 'published'))).toBe('产品已是已发布状态')
  })
  it('and locks what devices rely on', async () => {
    const row = await published()
    const update = (change: Partial<Draft>) =>
      admin().call(productApi.update, { ...row, manufacturerId: maker, ...change })
    expect(await wrong(update({ node: 'gateway' }))).toEqual({
      node: '产品已发布，节点类型不能修改',
    })
    expect(await wrong(update({ authType: 'productSecret' }))).toEqual({
      authType: '产品已发布，认证方式不能修改',
    })
    const save = (next: ThingModel) =>
      admin().call(productApi.saveModel, { id: row.id, version: row.version, model: next })
    expect(await wrong(save(model(property('Power', { required: true }))))).toBe(
      '产品已发布，不能去掉“Level”（Level）',
    )
    const other = model(
      ...first.properties.map((one) => ({ ...one, dataType: { type: 'double' } })),
    )
    expect(await wrong(save(other))).toBe('产品已发布，“Power”的类型不能由整数改为双精度浮点')
    const more = await save(
      ThingModel.parse({ properties: [...first.properties, property('New')] }),
    )
    expect(more.model.properties).toHaveLength(3)
    const off = await admin().call(productApi.setStatus, {
      id: row.id,
      version: more.version,
      status: 'disabled',
    })
    expect(await wrong(admin().call(productApi.saveModel, { ...off, model: more.model }))).toBe(
      '产品已停用，重新发布后才能修改',
    )
    const lines = await admin().call(productApi.changes, { id: row.id })
    const done = lines.filter(({ ok }) => ok)
    expect(done.map(({ verb }) => verb)).toEqual([
      '发布或停用产品',
      '修改产品功能',
      '发布或停用产品',
      '新建产品',
    ])
    expect(done[0]!.changes).toEqual([
      { field: 'status', title: '状态', before: '已发布', after: '停用' },
    ])
  })
})

test('a published product keeps the elements of its lists and the members of its structures', async () => {
  const { id, version } = await create()
  const list = (item: object) => ({ type: 'array', specs: { size: 4, item } })
  const struct = (...specs: object[]) => ({ type: 'struct', specs })
  const text = { type: 'text', specs: { length: 8 } }
  const withTypes = (levels: object, colour: object) =>
    ThingModel.parse({
      properties: [
        ...first.properties,
        property('Levels', { name: '各档', dataType: levels }),
        property('Colour', { name: '颜色', dataType: colour }),
      ],
    })
  const red = { identifier: 'Red', name: '红', dataType: int('%') }
  const model = withTypes(list(int('%')), struct(red))
  const saved = await admin().call(productApi.saveModel, { id, version, model })
  const live = await admin().call(productApi.setStatus, {
    id,
    version: saved.version,
    status: 'published',
  })
  const save = (model: ThingModel) =>
    admin().call(productApi.saveModel, { id, version: live.version, model })
  expect(await wrong(save(withTypes(list(text), struct(red))))).toBe(
    '产品已发布，“各档”的元素类型不能由整数改为文本',
  )
  expect(await wrong(save(withTypes(list(int('%')), struct({ ...red, dataType: text }))))).toBe(
    '产品已发布，“颜色”的成员“红”的类型不能由整数改为文本',
  )
  const blue = { ...red, identifier: 'Blue', name: '蓝' }
  expect(await wrong(save(withTypes(list(int('%')), struct(blue))))).toBe(
    '产品已发布，“颜色”的成员“红”（Red）不能去掉',
  )
  expect(await save(withTypes(list(int('lux')), struct(red, blue)))).toMatchObject({ id })
})

test('a published product keeps the types of what goes into its services and comes out of them and of its events', async () => {
  const { id, version } = await create()
  const text = { type: 'text', specs: { length: 8 } }
  const param = (name: string, dataType: object, identifier = 'Seconds') => ({
    identifier,
    name,
    dataType,
  })
  const withTypes = (input: object[], output: object[], said: object[]) =>
    ThingModel.parse({
      properties: first.properties,
      services: [{ identifier: 'Blink', name: '闪灯', inputData: input, outputData: output }],
      events: [{ identifier: 'Burnt', name: '烧毁', type: 'error', outputData: said }],
    })
  const [seconds, left, hours] = ['时长', '剩余', '小时'].map((name) => param(name, int('s')))
  const model = withTypes([seconds!], [left!], [hours!])
  const saved = await admin().call(productApi.saveModel, { id, version, model })
  const live = await admin().call(productApi.setStatus, {
    id,
    version: saved.version,
    status: 'published',
  })
  const save = (model: ThingModel) =>
    admin().call(productApi.saveModel, { id, version: live.version, model })
  expect(await wrong(save(withTypes([param('时长', text)], [left!], [hours!])))).toBe(
    '产品已发布，“闪灯”的输入参数“时长”的类型不能由整数改为文本',
  )
  expect(await wrong(save(withTypes([seconds!], [], [hours!])))).toBe(
    '产品已发布，“闪灯”的输出参数“剩余”（Seconds）不能去掉',
  )
  expect(await wrong(save(withTypes([seconds!], [left!], [param('小时', text)])))).toBe(
    '产品已发布，“烧毁”的输出参数“小时”的类型不能由整数改为文本',
  )
  const more = withTypes(
    [param('多久', int('min')), param('颜色', text, 'Colour')],
    [left!],
    [hours!],
  )
  expect(await save(more)).toMatchObject({ id })
})

test('a product is of no type that is out of use, unless it was', async () => {
  const { list } = await admin().call(productTypeApi.page, { name: '电表' })
  const row = await create({ productType: list[0]!.code })
  await admin().call(productTypeApi.setStatus, { ids: [list[0]!.id], status: 'disabled' })
  expect(await wrong(create({ productType: list[0]!.code }))).toEqual({
    productType: '产品类型“电表”已禁用，请选择其他类型',
  })
  expect(
    await admin().call(productApi.update, { ...row, manufacturerId: maker, net: 'lora' }),
  ).toMatchObject({ productType: list[0]!.code })
  await admin().call(productTypeApi.setStatus, { ids: [list[0]!.id], status: 'enabled' })
})

test('a product takes a newer version of its category and keeps its own', async () => {
  const row = await create()
  const own = ThingModel.parse({ properties: [...first.properties, property('Own')] })
  const saved = await admin().call(productApi.saveModel, { ...row, model: own })
  await publishCategory(second)
  const behind = await admin().call(productApi.get, { id: row.id })
  expect(behind).toMatchObject({ categoryVersion: row.categoryVersion, newest: { model: second } })
  const number = behind.newest!.number
  const follow = { id: row.id, version: saved.version, number }
  expect(await wrong(admin().call(productApi.follow, { ...follow, number: 99 }))).toBe(
    '所属品类没有这个版本',
  )
  const after = await admin().call(productApi.follow, follow)
  expect(after).toMatchObject({ categoryVersion: number, followed: second })
  expect(after.model.properties.map(({ identifier, name }) => `${identifier} ${name}`)).toEqual([
    'Power 电源',
    'Own Own',
    'Tone Tone',
  ])
})

test('a product stays while it has devices, and names the first that was heard', async () => {
  const { id } = await create()
  const { id: deviceId } = await admin().call(managedDeviceApi.create, {
    projectId: 1,
    productId: id,
    name: '一号灯',
    deviceName: 'lamp-0001',
    spaceId: null,
    protected: false,
  })
  await expect(admin().call(productApi.remove, { id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '设备', name: '一号灯' }] },
  })
  const aside = await app.join('productaside', 'project-admin', [2])
  await expect(aside.call(productApi.remove, { id })).rejects.toMatchObject({ status: 403 })
  expect((await admin().call(productApi.access, { id })).heard).toBeNull()
  const time = '2026-01-02T03:04:05.000Z'
  await app.app.db.update(device).set({ reportedTime: time }).where(eq(device.id, deviceId))
  expect((await admin().call(productApi.access, { id })).heard).toEqual({
    name: '一号灯',
    deviceName: 'lamp-0001',
    time,
  })
  const elsewhere = await app.join('productelsewhere', 'project-admin', [2])
  expect((await elsewhere.call(productApi.access, { id })).heard).toBeNull()
  expect(await admin().call(productApi.list, {})).toEqual(
    expect.arrayContaining([expect.objectContaining({ id, status: 'developing' })]),
  )
})

test('products without devices are deleted with their secrets, and no other secret is', async () => {
  const made = [await create(), await create(), await create()] as const
  const [alone, among, stays] = made
  await app.app.db
    .insert(productCredential)
    .values(made.map(({ productKey }) => ({ productKey, productSecret: 'secret' })))
  await admin().call(productApi.remove, { id: alone.id })
  await admin().call(productApi.removeMany, { ids: [among.id] })
  for (const { id } of [alone, among])
    await expect(admin().call(productApi.get, { id })).rejects.toMatchObject({ code: 404 })
  const keys = made.map(({ productKey }) => productKey)
  const left = await app.app.db
    .select({ productKey: productCredential.productKey })
    .from(productCredential)
    .where(inArray(productCredential.productKey, keys))
  expect(left).toEqual([{ productKey: stays.productKey }])
})

describe('many products', () => {
  const over = (id: string) =>
    until(
      () => admin().call(taskApi.get, { id }),
      ({ doneTime }) => doneTime !== null,
    )
  const head = [
    ...['产品名称', '型号', '厂商', '品牌', '品类', '产品类型', '节点类型', '联网方式', '通信协议'],
    ...['控制类型', '认证方式', '数据格式', '额定功率 (W)', '额定寿命 (小时)', '说明'],
  ]
  const line = (change: Record<string, string>) => {
    const right = {
      产品名称: '表里的灯',
      型号: 'T-1',
      厂商: '产品厂商',
      品类: '产品的品类',
      产品类型: 'SAFEWAY_LIGHT',
      节点类型: '网关子设备',
      联网方式: 'Wi-Fi',
      通信协议: 'DALI',
      认证方式: '一机一密',
      数据格式: 'Alink JSON',
      '额定功率 (W)': '40',
      ...change,
    } as Record<string, string>
    return head.map((title) => right[title] ?? '')
  }
  it('come from a file with the functions of their category; wrong rows come back with why', async () => {
    const { counts, failures } = await admin().imported(productApi.importRows, [
      head,
      line({}),
      line({ 产品名称: '无厂', 型号: 'T-2', 厂商: '没有这家' }),
      line({ 产品名称: '无类', 型号: 'T-3', 品类: '没有这类' }),
      line({ 产品名称: '无型', 型号: 'T-4', 产品类型: 'NO_SUCH' }),
      line({ 产品名称: '负数', 型号: 'T-5', '额定功率 (W)': '-1' }),
      line({ 产品名称: '同号' }),
    ])
    expect(counts).toMatchObject({ success: 1, failed: 5 })
    expect(failures!.map(({ name, reason }) => [name, reason])).toEqual([
      ['无厂', expect.stringContaining('没有厂商“没有这家”')],
      ['无类', expect.stringContaining('没有品类“没有这类”')],
      ['无型', expect.stringContaining('所选产品类型不存在')],
      ['负数', expect.stringContaining('额定功率不能小于 0')],
      ['同号', '与第 2 行重复'],
    ])
    const { list } = await admin().call(productApi.page, { name: '表里的灯' })
    expect(list).toMatchObject([
      { manufacturerName: '产品厂商', protocol: 'dali', net: 'wifi', ratedPower: 40 },
    ])
    const made = await admin().call(productApi.get, { id: list[0]!.id })
    expect(made.model.properties.length).toBeGreaterThan(0)
  })
  it('take the brand of their manufacturer, and no category that shares its name', async () => {
    const [first] = await app.app.db.select().from(manufacturer).where(eq(manufacturer.id, maker))
    const [other] = await app.app.db
      .insert(manufacturer)
      .values({ ...first!, id: undefined, name: '同品牌的厂商', code: 'samebrand' })
      .returning()
    const brand = { englishName: '', categories: [], logo: '', servicePhone: '', website: '' }
    for (const manufacturerId of [maker, other!.id])
      await admin().call(brandApi.create, {
        ...brand,
        name: '同名品牌',
        manufacturerId,
        sort: 1,
        status: 'enabled',
      })
    const kind = { icon: '', sort: 1, description: '' }
    for (const [name, code] of [
      ['室内的品类', 'twinInside'],
      ['室外的品类', 'twinOutside'],
    ] as const) {
      const { id: parentId } = await admin().call(productCategoryApi.create, {
        ...kind,
        parentId: null,
        name,
        code,
      })
      const twin = { ...kind, parentId, name: '同名品类', code: `${code}Lamp` }
      await admin().call(productCategoryApi.create, twin)
    }
    const { counts, failures } = await admin().imported(productApi.importRows, [
      head,
      line({ 产品名称: '乙的灯', 型号: 'T-6', 厂商: '同品牌的厂商', 品牌: '同名品牌' }),
      line({ 产品名称: '两可的灯', 型号: 'T-7', 品类: '同名品类' }),
      line({ 产品名称: '室外的灯', 型号: 'T-8', 品类: 'twinOutsideLamp' }),
    ])
    expect(failures!.map(({ name, reason }) => [name, reason])).toEqual([
      ['两可的灯', expect.stringContaining('有多个品类叫“同名品类”，请填写品类编码')],
    ])
    expect(counts).toMatchObject({ success: 2, failed: 1 })
    const { list } = await admin().call(productApi.page, { name: '的灯' })
    expect(list.find(({ name }) => name === '乙的灯')).toMatchObject({
      manufacturerName: '同品牌的厂商',
      brandName: '同名品牌',
    })
    expect(list.find(({ name }) => name === '室外的灯')?.categoryName).toBe('同名品类')
  })
  it('leave as a file with names for what they refer to', async () => {
    const { id } = await admin().call(productApi.exportRows, {
      name: '表里的灯',
      format: 'csv',
      timeZone: 'Asia/Shanghai',
    })
    await over(id)
    const headers = await admin().headers()
    const { payload } = await app.app.inject({ url: taskFilePath(id), headers })
    expect(payload).toContain(
      '表里的灯,T-1,产品厂商,,产品的品类,SAFEWAY_LIGHT,网关子设备,Wi-Fi,DALI',
    )
  })
  it('are published and put out of use, each for itself', async () => {
    const { setStatusOfMany: send } = productApi
    const [ready, bare] = [await published(), await create({ categoryId: null })]
    const ids = [ready.id, bare.id]
    const out = await admin().call(send, { ids, status: 'disabled' })
    expect(out).toMatchObject([{ ok: true }, { reason: '开发中的产品不用停用，可以删除' }])
    const back = await admin().call(send, { ids, status: 'published' })
    expect(back).toMatchObject([{ ok: true }, { reason: '产品还没有属性，不能发布' }])
    const { version } = await admin().call(productApi.get, { id: ready.id })
    await admin().call(send, { ids: [ready.id], status: 'published' })
    expect(await admin().call(productApi.get, { id: ready.id })).toMatchObject({
      status: 'published',
      version,
    })
  })
  it('are deleted but those that have devices', async () => {
    const [free, held] = [await create(), await published()]
    await admin().call(managedDeviceApi.create, {
      projectId: 1,
      productId: held.id,
      name: '占着',
      deviceName: 'holds-a-product',
      spaceId: null,
      protected: false,
    })
    expect(await admin().call(productApi.removeMany, { ids: [free.id, held.id] })).toMatchObject([
      { id: free.id, ok: true },
      {
        id: held.id,
        ok: false,
        reason: expect.stringContaining('正被 1 处使用，不能删除：') as unknown,
      },
    ])
  })
})
