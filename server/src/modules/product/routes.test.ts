import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import type { Trigger } from '@iot/shared/contract/control/scene.schema'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { taskFilePath } from '@iot/shared/contract/sheet/task'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import { eq, inArray } from 'drizzle-orm'
import { waitUntil } from '../../core/until'
import { device } from '../../tables/device'
import { alarmRule } from '../../tables/alarm'
import { manufacturer } from '../../tables/manufacturer'
import { productCredential } from '../../tables/registration'
import { scene, sceneAction } from '../../tables/scene'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
let makerId: string
let testCategoryId: string
const admin = () => app.as('admin')
const createIntType = (unit: string) => ({ type: 'int', specs: { min: 0, max: 100, unit } })
const createProperty = (identifier: string, change: object = {}) => ({
  identifier,
  name: identifier,
  accessMode: 'rw',
  dataType: createIntType('%'),
  ...change,
})
const createModel = (...properties: object[]) => ThingModel.parse({ properties })
const firstModel = createModel(createProperty('Power', { required: true }), createProperty('Level'))
const secondModel = createModel(
  createProperty('Power', { required: true, name: '电源' }),
  createProperty('Tone'),
)
let count = 0
type Draft = Input<typeof productApi.create>
const draft = (change: Partial<Draft> = {}): Draft => ({
  name: `产品 ${++count}`,
  modelNo: `M-${count}`,
  manufacturerId: makerId,
  brandId: null,
  categoryId: testCategoryId,
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
const getFieldErrors = (call: Promise<unknown>) =>
  call.then(
    () => ({}),
    ({ data, msg }) => data?.fields ?? msg,
  )
const publishCategory = async (nextModel: ThingModel) => {
  const row = await admin().call(productCategoryApi.get, { id: testCategoryId })
  const { version } = await admin().call(productCategoryApi.saveModel, { ...row, model: nextModel })
  await admin().call(productCategoryApi.publish, { id: testCategoryId, version, note: '' })
}
const createPublished = async (change: Partial<Draft> = {}) => {
  const { id, version } = await create(change)
  return admin().call(productApi.setStatus, { id, version, status: 'published' })
}

beforeAll(async () => {
  app = await sharedApp()
  const textFields = {
    shortName: '',
    creditCode: '',
    contact: '',
    phone: '',
    email: '',
    areaCode: '',
  }
  const otherFields = { address: '', website: '', logo: '', remark: '', createBy: '', updateBy: '' }
  const row = {
    ...textFields,
    ...otherFields,
    name: '产品厂商',
    code: 'pmaker',
    status: 'enabled' as const,
  }
  makerId = (await app.app.db.insert(manufacturer).values(row).returning())[0]!.id
  const createdCategory = await admin().call(productCategoryApi.create, {
    parentId: null,
    name: '产品的品类',
    code: 'product-test',
    icon: '',
    description: '',
    sort: 1,
  })
  testCategoryId = createdCategory.id
  await publishCategory(firstModel)
})

describe('a product is refused', () => {
  it('without a session, and with read access only', async () => {
    await expect(app.stranger.call(productApi.page, {})).rejects.toMatchObject({ code: 401 })
    const reader = await app.join('productreader', 'operator', [1])
    await expect(reader.call(productApi.create, draft())).rejects.toMatchObject({ status: 403 })
  })
  it('at the wrong field', async () => {
    const unknownId = '018f0000-0000-7000-8000-000000000000'
    expect(await getFieldErrors(create({ name: '' }))).toEqual({ name: '请输入产品名称' })
    expect(await getFieldErrors(create({ manufacturerId: unknownId }))).toEqual({
      manufacturerId: '所选厂商不存在或已被删除',
    })
    expect(await getFieldErrors(create({ categoryId: unknownId }))).toEqual({
      categoryId: '所选品类不存在或已被删除',
    })
    expect(await getFieldErrors(create({ node: 'sub', protocol: '' }))).toEqual({
      protocol: '网关子设备须选择通信协议',
    })
    expect(await getFieldErrors(create({ net: 'gateway' }))).toEqual({
      net: '只有网关子设备是经网关联网的',
    })
    expect(await create({ node: 'sub', net: 'gateway', protocol: 'zigbee' })).toMatchObject({
      net: 'gateway',
    })
    expect(await getFieldErrors(create({ productType: 'NO_SUCH_TYPE' }))).toEqual({
      productType: '所选产品类型不存在或已被删除',
    })
  })
  it('with a brand of another manufacturer, and with a duplicate model number', async () => {
    const otherManufacturer = await app.app.db
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
      manufacturerId: otherManufacturer[0]!.id,
      categories: [],
      logo: '',
      servicePhone: '',
      website: '',
      sort: 1,
      status: 'enabled',
    })
    expect(await getFieldErrors(create({ brandId: brand.id }))).toEqual({
      brandId: '品牌“别家的牌子”不属于所选厂商',
    })
    const { modelNo } = await create()
    expect(await getFieldErrors(create({ modelNo }))).toEqual({ modelNo: `型号“${modelNo}”已存在` })
    await create({ modelNo, manufacturerId: otherManufacturer[0]!.id })
  })
})

describe('protocol and control types of a product', () => {
  const createControlType = (code: string, functions: string[]) =>
    admin().call(controlTypeApi.create, {
      name: `控制 ${code}`,
      code,
      functions,
      capability: 'DIM',
      widget: 'number',
      description: '',
      status: 'enabled',
    })
  const createProtocol = (change: object) =>
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
  const updateProduct = (row: Awaited<ReturnType<typeof create>>, change: Partial<Draft>) =>
    admin().call(productApi.update, { ...row, manufacturerId: makerId, ...change })

  it('must exist, be enabled and suit the node type', async () => {
    const disabledProtocol = await createProtocol({ name: '旧总线', code: 'old-bus' })
    await admin().call(communicationProtocolApi.setStatus, {
      ids: [disabledProtocol.id],
      status: 'disabled',
    })
    expect(await getFieldErrors(create({ protocol: 'nothing' }))).toEqual({
      protocol: '没有通信协议“nothing”',
    })
    expect(await getFieldErrors(create({ node: 'sub', protocol: 'old-bus' }))).toEqual({
      protocol: '通信协议“旧总线”已禁用，请选择其他协议',
    })
    expect(await getFieldErrors(create({ node: 'direct', protocol: 'dali' }))).toEqual({
      protocol: '通信协议“DALI”不用于直连设备',
    })
    expect(await getFieldErrors(create({ controlTypes: ['nothing'] }))).toEqual({
      controlTypes: '没有控制类型“nothing”',
    })
  })
  it('are named by the product, filter its list, and cannot be deleted while it uses them', async () => {
    const type = await createControlType('dim-a', ['Level'])
    const bus = await createProtocol({})
    const row = await create({ node: 'sub', protocol: 'own-bus', controlTypes: ['dim-a'] })
    expect(row).toMatchObject({
      speaks: { name: '自研总线' },
      controls: [{ name: '控制 dim-a', functions: ['Level'], widget: 'number' }],
    })
    const pageProducts = (filters: object) => admin().call(productApi.page, filters)
    expect((await pageProducts({ controlType: 'dim-a' })).list).toMatchObject([{ id: row.id }])
    expect((await pageProducts({ protocol: 'own-bus' })).list).toMatchObject([{ id: row.id }])
    expect((await pageProducts({ controlType: 'dim-a', protocol: 'mqtt' })).list).toEqual([])
    const references = [{ entity: '产品', id: row.id, name: row.name }]
    for (const call of [
      admin().call(controlTypeApi.remove, { id: type.id }),
      admin().call(communicationProtocolApi.remove, { id: bus.id }),
    ])
      await expect(call).rejects.toMatchObject({ code: 1003, data: { references } })
    const [protocols] = await admin().call(dictionaryApi.config, { type: 'protocol' })
    expect(protocols!.configLists).toContainEqual({ code: 'own-bus', description: '自研总线' })
    await updateProduct(row, { protocol: 'dali', controlTypes: [] })
    const [line] = await admin().call(productApi.changes, { id: row.id })
    expect(line!.changes.map(({ title, before, after }) => [title, before, after])).toEqual([
      ['通信协议', '自研总线', 'DALI'],
      ['控制类型', '控制 dim-a', ''],
    ])
  })
  it('are required with a message', async () => {
    const missingTypeErrors = await getFieldErrors(create({ productType: '' }))
    expect(missingTypeErrors).toEqual({ productType: '请选择产品类型' })
  })
  it('are shown in the change log with the labels of the form', async () => {
    const row = await create()
    await updateProduct(row, { net: 'lora', productType: 'CLIMATE_SENSOR' })
    const [line] = await admin().call(productApi.changes, { id: row.id })
    expect(line!.changes.map(({ before, after }) => [before, after])).toEqual([
      ['灯光', '温湿度'],
      ['Wi-Fi', 'LoRa'],
    ])
  })
  it('require their functions before publication', async () => {
    await createControlType('dim-b', ['Power', 'Tint'])
    const row = await create({ controlTypes: ['dim-b'] })
    const { id, version } = row
    const publish = admin().call(productApi.setStatus, { id, version, status: 'published' })
    expect(await getFieldErrors(publish)).toBe(
      '产品缺少控制类型“控制 dim-b”的必备功能 Tint，不能发布',
    )
    const publishedProduct = await createPublished()
    expect(
      await getFieldErrors(updateProduct(publishedProduct, { controlTypes: ['dim-b'] })),
    ).toEqual({
      controlTypes: '产品缺少控制类型“控制 dim-b”的必备功能 Tint，请先添加',
    })
  })
})

describe('a new product', () => {
  it('has the published functions of its category, a key, and the names of its references', async () => {
    const row = await create()
    expect(row).toMatchObject({
      status: 'developing',
      manufacturerName: '产品厂商',
      categoryName: '产品的品类',
      deviceCount: 0,
      model: firstModel,
      followed: firstModel,
    })
    expect(row.productKey).toMatch(/^a1[0-9a-f]{9}$/)
    const { list } = await admin().call(productApi.page, {
      name: row.modelNo,
      status: 'developing',
    })
    expect(list).toMatchObject([{ id: row.id }])
    expect(await admin().call(productApi.get, { id: row.id })).toEqual(row)
  })
  it('prevents the deletion of its manufacturer and category', async () => {
    const { name } = await create()
    const references = expect.arrayContaining([expect.objectContaining({ entity: '产品', name })])
    await expect(admin().call(manufacturerApi.remove, { id: makerId })).rejects.toMatchObject({
      data: { references },
    })
    await expect(
      admin().call(productCategoryApi.remove, { id: testCategoryId }),
    ).rejects.toMatchObject({
      data: { references },
    })
  })
  it('is copied as a product in development with another key', async () => {
    const originalProduct = await createPublished()
    const copy = await admin().call(productApi.copy, {
      id: originalProduct.id,
      name: '副本',
      modelNo: 'C-1',
    })
    expect(copy).toMatchObject({ status: 'developing', model: originalProduct.model, name: '副本' })
    expect(copy.productKey).not.toBe(originalProduct.productKey)
  })
  it('answers an outdated version with the current row', async () => {
    const row = await create()
    await admin().call(productApi.update, { ...row, manufacturerId: makerId, description: '甲' })
    await expect(
      admin().call(productApi.update, { ...row, manufacturerId: makerId, description: '乙' }),
    ).rejects.toMatchObject({ code: 1002, data: { current: { description: '甲', version: 2 } } })
  })
})

describe('a product changes from development to published to obsolete', () => {
  it('not without properties, and not backwards', async () => {
    const productWithoutModel = await create({ categoryId: null })
    const changeStatus = (row: { id: string; version: number }, status: 'published' | 'disabled') =>
      admin().call(productApi.setStatus, { id: row.id, version: row.version, status })
    expect(await getFieldErrors(changeStatus(productWithoutModel, 'published'))).toBe(
      '产品还没有属性，不能发布',
    )
    expect(await getFieldErrors(changeStatus(productWithoutModel, 'disabled'))).toBe(
      '开发中的产品不用停用，可以删除',
    )
    const row = await createPublished()
    expect(await getFieldErrors(changeStatus(row, 'published'))).toBe('产品已是已发布状态')
  })
  it('and locks the fields that devices rely on', async () => {
    const row = await createPublished()
    const updateProduct = (change: Partial<Draft>) =>
      admin().call(productApi.update, { ...row, manufacturerId: makerId, ...change })
    expect(await getFieldErrors(updateProduct({ node: 'gateway' }))).toEqual({
      node: '产品已发布，节点类型不能修改',
    })
    expect(await getFieldErrors(updateProduct({ authType: 'productSecret' }))).toEqual({
      authType: '产品已发布，认证方式不能修改',
    })
    const submitModel = (nextModel: ThingModel) =>
      admin().call(productApi.saveModel, { id: row.id, version: row.version, model: nextModel })
    expect(
      await getFieldErrors(submitModel(createModel(createProperty('Power', { required: true })))),
    ).toBe('产品已发布，不能去掉“Level”（Level）')
    const changedModel = createModel(
      ...firstModel.properties.map((property) => ({ ...property, dataType: { type: 'double' } })),
    )
    expect(await getFieldErrors(submitModel(changedModel))).toBe(
      '产品已发布，“Power”的类型不能由整数改为双精度浮点',
    )
    const extendedProduct = await submitModel(
      ThingModel.parse({ properties: [...firstModel.properties, createProperty('New')] }),
    )
    expect(extendedProduct.model.properties).toHaveLength(3)
    const disabledProduct = await admin().call(productApi.setStatus, {
      id: row.id,
      version: extendedProduct.version,
      status: 'disabled',
    })
    expect(
      await getFieldErrors(
        admin().call(productApi.saveModel, { ...disabledProduct, model: extendedProduct.model }),
      ),
    ).toBe('产品已停用，重新发布后才能修改')
    const changeLog = await admin().call(productApi.changes, { id: row.id })
    const succeededChanges = changeLog.filter(({ ok }) => ok)
    expect(succeededChanges.map(({ verb }) => verb)).toEqual([
      '发布或停用产品',
      '修改产品功能',
      '发布或停用产品',
      '新建产品',
    ])
    expect(succeededChanges[0]!.changes).toEqual([
      { field: 'status', title: '状态', before: '已发布', after: '停用' },
    ])
  })
})

describe('the check before publication', () => {
  it('is refused without a session and for an unknown product', async () => {
    const { id } = await create()
    await expect(app.stranger.call(productApi.publishCheck, { id })).rejects.toMatchObject({
      code: 401,
    })
    await expect(admin().call(productApi.publishCheck, { id: makerId })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('names values that devices posted in vain and properties that none has reported', async () => {
    const { id } = await create()
    const check = () => admin().call(productApi.publishCheck, { id })
    expect(await check()).toEqual({
      missing: [],
      dropped: [],
      silent: [],
      deviceCount: 0,
      reportingCount: 0,
    })
    const time = '2026-01-02T00:00:00.000Z'
    const insertDevice = (name: string, projectId: number, change: object) =>
      app.app.db.insert(device).values({
        projectId,
        productId: id,
        name,
        deviceName: `check-${++count}`,
        protected: false,
        state: 'offline',
        address: '',
        reported: { Power: 1 },
        reportedAt: { Power: 1_700_000_000_000 },
        reportedTime: time,
        createBy: '',
        updateBy: '',
        ...change,
      })
    const dropped = { Volume: { reason: '模型里没有', time } }
    await insertDevice('灯甲', 1, { dropped })
    await insertDevice('灯乙', 2, { dropped })
    expect(await check()).toMatchObject({
      dropped: [{ identifier: 'Volume', reason: '模型里没有', deviceCount: 2, lastTime: time }],
      silent: [{ identifier: 'Level' }],
      deviceCount: 2,
      reportingCount: 2,
    })
    const reader = await app.join('checkreader', 'operator', [1])
    expect(await reader.call(productApi.publishCheck, { id })).toMatchObject({
      dropped: [{ deviceCount: 1, devices: ['灯甲'] }],
      deviceCount: 1,
    })
  })
})

describe('a function of a published product', () => {
  const insertReporting = (productId: string, name: string, daysAgo: number) =>
    app.app.db.insert(device).values({
      projectId: 1,
      productId,
      name,
      deviceName: `drop-${++count}`,
      protected: false,
      state: 'offline',
      address: '',
      reported: { Level: 1 },
      reportedAt: { Level: Date.now() - daysAgo * 86_400_000 },
      reportedTime: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      createBy: '',
      updateBy: '',
    })
  const drop = ({ id, version }: { id: string; version: number }, identifier = 'Level') =>
    admin().call(productApi.dropFunction, { id, version, identifier })

  it('is not removed without permission, if it is unknown, or if it is the last property', async () => {
    const row = await createPublished()
    const reader = await app.join('dropreader', 'operator', [1])
    const input = { id: row.id, version: row.version, identifier: 'Level' }
    await expect(reader.call(productApi.dropFunction, input)).rejects.toMatchObject({ status: 403 })
    await expect(
      reader.call(productApi.functionUsage, { id: row.id, identifier: 'Level' }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(drop(row, 'Nothing')).rejects.toMatchObject({ code: 404 })
    const shortened = await drop(row)
    expect(await getFieldErrors(drop(shortened, 'Power'))).toBe('产品至少要有一个属性')
    await expect(drop(row, 'Power')).rejects.toMatchObject({ code: 1002 })
  })
  it('is not removed while a device posts it or a scene sets it, and names them', async () => {
    const row = await createPublished()
    await insertReporting(row.id, '新灯', 3)
    expect(await getFieldErrors(drop(row))).toBe('30 天内还在使用“Level”：新灯')

    const other = await createPublished()
    await insertReporting(other.id, '旧灯', 40)
    const [sceneRow] = await app.app.db
      .insert(scene)
      .values({ projectId: 1, name: '下班', icon: '', sort: 1, createBy: '', updateBy: '' })
      .returning()
    const byScene = { projectId: 1, sceneId: sceneRow!.id }
    await app.app.db.insert(sceneAction).values({
      ...byScene,
      sort: 1,
      productType: other.productType,
      scope: { kind: 'project' },
      values: { Level: 0 },
    })
    const usage = await admin().call(productApi.functionUsage, {
      id: other.id,
      identifier: 'Level',
    })
    expect(usage).toMatchObject({
      kind: 'properties',
      deviceCount: 1,
      devices: ['旧灯'],
      references: [{ id: byScene.sceneId, name: '下班', entity: '场景' }],
      refusal: '正被使用，请先改掉：场景“下班”',
    })
    expect(await getFieldErrors(drop(other))).toBe('正被使用，请先改掉：场景“下班”')

    await app.app.db.delete(scene).where(eq(scene.id, byScene.sceneId))
    const shortenedProduct = await drop(other)
    expect(shortenedProduct.model.properties.map(({ identifier }) => identifier)).toEqual(['Power'])
    const [change] = await admin().call(productApi.changes, { id: other.id })
    expect(change).toMatchObject({ verb: '移除产品功能', ok: true })
  })
  it('is deprecated and restored, and is then no longer missed in the check', async () => {
    const row = await createPublished()
    await insertReporting(row.id, '在用灯', 1)
    const setMark = ({ version, model }: ProductDetail, isDeprecated?: boolean) => {
      const properties = model.properties.map((property) =>
        property.identifier === 'Power' ? { ...property, isDeprecated } : property,
      )
      return admin().call(productApi.saveModel, {
        id: row.id,
        version,
        model: { ...model, properties },
      })
    }
    const listSilent = async () =>
      (await admin().call(productApi.publishCheck, { id: row.id })).silent.map(({ name }) => name)
    expect(await listSilent()).toEqual(['Power'])
    const deprecatedProduct = await setMark(row, true)
    expect(await listSilent()).toEqual([])
    const [change] = await admin().call(productApi.changes, { id: row.id })
    expect(JSON.stringify(change)).toContain('弃用 是')
    const restoredProduct = await setMark(deprecatedProduct)
    expect(restoredProduct.model).toEqual(row.model)
    expect(await listSilent()).toEqual(['Power'])
  })
  it('is not removed while it starts a scene or an alarm rule reads it', async () => {
    const row = await createPublished()
    await insertReporting(row.id, '闲灯', 40)
    const [lamp] = await app.app.db.select().from(device).where(eq(device.productId, row.id))
    const trigger: Trigger = {
      kind: 'condition',
      match: 'all',
      conditions: [{ deviceId: lamp!.id, identifier: 'Level', compare: 'gt', value: 1 }],
      seconds: 0,
    }
    const sceneValues = { projectId: 1, icon: '', sort: 1, createBy: '', updateBy: '' }
    const [sceneRow] = await app.app.db
      .insert(scene)
      .values({ ...sceneValues, name: '亮度过高', triggers: [trigger] })
      .returning()
    const [rule] = await app.app.db
      .insert(alarmRule)
      .values({
        projectId: 1,
        name: `亮度告警 ${++count}`,
        severity: 'minor',
        productId: row.id,
        source: {
          kind: 'threshold',
          identifier: 'Level',
          operator: 'gt',
          value: 90,
          recoverValue: null,
        },
        forMinutes: 0,
        recoverMinutes: 0,
        createBy: '',
        updateBy: '',
      })
      .returning()
    expect(await getFieldErrors(drop(row))).toBe(
      `正被使用，请先改掉：场景“亮度过高”、告警规则“${rule!.name}”`,
    )
    await app.app.db.delete(scene).where(eq(scene.id, sceneRow!.id))
    await app.app.db.delete(alarmRule).where(eq(alarmRule.id, rule!.id))
    expect((await drop(row)).model.properties).toHaveLength(1)
  })
})

test('a published product keeps the element types of its lists and the members of its structures', async () => {
  const { id, version } = await create()
  const createListType = (item: object) => ({ type: 'array', specs: { size: 4, item } })
  const createStructType = (...specs: object[]) => ({ type: 'struct', specs })
  const textType = { type: 'text', specs: { length: 8 } }
  const createModelWith = (levels: object, colour: object) =>
    ThingModel.parse({
      properties: [
        ...firstModel.properties,
        createProperty('Levels', { name: '各档', dataType: levels }),
        createProperty('Colour', { name: '颜色', dataType: colour }),
      ],
    })
  const redMember = { identifier: 'Red', name: '红', dataType: createIntType('%') }
  const initialModel = createModelWith(
    createListType(createIntType('%')),
    createStructType(redMember),
  )
  const savedProduct = await admin().call(productApi.saveModel, {
    id,
    version,
    model: initialModel,
  })
  const publishedProduct = await admin().call(productApi.setStatus, {
    id,
    version: savedProduct.version,
    status: 'published',
  })
  const submitModel = (model: ThingModel) =>
    admin().call(productApi.saveModel, { id, version: publishedProduct.version, model })
  expect(
    await getFieldErrors(
      submitModel(createModelWith(createListType(textType), createStructType(redMember))),
    ),
  ).toBe('产品已发布，“各档”的元素类型不能由整数改为文本')
  expect(
    await getFieldErrors(
      submitModel(
        createModelWith(
          createListType(createIntType('%')),
          createStructType({ ...redMember, dataType: textType }),
        ),
      ),
    ),
  ).toBe('产品已发布，“颜色”的成员“红”的类型不能由整数改为文本')
  const blueMember = { ...redMember, identifier: 'Blue', name: '蓝' }
  expect(
    await getFieldErrors(
      submitModel(
        createModelWith(createListType(createIntType('%')), createStructType(blueMember)),
      ),
    ),
  ).toBe('产品已发布，“颜色”的成员“红”（Red）不能去掉')
  expect(
    await submitModel(
      createModelWith(
        createListType(createIntType('lux')),
        createStructType(redMember, blueMember),
      ),
    ),
  ).toMatchObject({ id })
})

test('a published product keeps the parameter types of its services and events', async () => {
  const { id, version } = await create()
  const textType = { type: 'text', specs: { length: 8 } }
  const createParameter = (name: string, dataType: object, identifier = 'Seconds') => ({
    identifier,
    name,
    dataType,
  })
  const createModelWith = (input: object[], output: object[], eventOutput: object[]) =>
    ThingModel.parse({
      properties: firstModel.properties,
      services: [{ identifier: 'Blink', name: '闪灯', inputData: input, outputData: output }],
      events: [{ identifier: 'Burnt', name: '烧毁', type: 'error', outputData: eventOutput }],
    })
  const [seconds, remainingParameter, hours] = ['时长', '剩余', '小时'].map((name) =>
    createParameter(name, createIntType('s')),
  )
  const initialModel = createModelWith([seconds!], [remainingParameter!], [hours!])
  const savedProduct = await admin().call(productApi.saveModel, {
    id,
    version,
    model: initialModel,
  })
  const publishedProduct = await admin().call(productApi.setStatus, {
    id,
    version: savedProduct.version,
    status: 'published',
  })
  const submitModel = (model: ThingModel) =>
    admin().call(productApi.saveModel, { id, version: publishedProduct.version, model })
  expect(
    await getFieldErrors(
      submitModel(
        createModelWith([createParameter('时长', textType)], [remainingParameter!], [hours!]),
      ),
    ),
  ).toBe('产品已发布，“闪灯”的输入参数“时长”的类型不能由整数改为文本')
  expect(await getFieldErrors(submitModel(createModelWith([seconds!], [], [hours!])))).toBe(
    '产品已发布，“闪灯”的输出参数“剩余”（Seconds）不能去掉',
  )
  expect(
    await getFieldErrors(
      submitModel(
        createModelWith([seconds!], [remainingParameter!], [createParameter('小时', textType)]),
      ),
    ),
  ).toBe('产品已发布，“烧毁”的输出参数“小时”的类型不能由整数改为文本')
  const renamedModel = createModelWith(
    [createParameter('多久', createIntType('min')), createParameter('颜色', textType, 'Colour')],
    [remainingParameter!],
    [hours!],
  )
  expect(await submitModel(renamedModel)).toMatchObject({ id })
})

test('a disabled product type cannot be chosen, but is kept by a product that has it', async () => {
  const { list } = await admin().call(productTypeApi.page, { name: '电表' })
  const row = await create({ productType: list[0]!.code })
  await admin().call(productTypeApi.setStatus, { ids: [list[0]!.id], status: 'disabled' })
  expect(await getFieldErrors(create({ productType: list[0]!.code }))).toEqual({
    productType: '产品类型“电表”已禁用，请选择其他类型',
  })
  expect(
    await admin().call(productApi.update, { ...row, manufacturerId: makerId, net: 'lora' }),
  ).toMatchObject({ productType: list[0]!.code })
  await admin().call(productTypeApi.setStatus, { ids: [list[0]!.id], status: 'enabled' })
})

test('a product takes a newer version of its category and keeps its own functions', async () => {
  const row = await create()
  const ownModel = ThingModel.parse({
    properties: [...firstModel.properties, createProperty('Own')],
  })
  const savedProduct = await admin().call(productApi.saveModel, { ...row, model: ownModel })
  await publishCategory(secondModel)
  const outdatedProduct = await admin().call(productApi.get, { id: row.id })
  expect(outdatedProduct).toMatchObject({
    categoryVersion: row.categoryVersion,
    newest: { model: secondModel },
  })
  const number = outdatedProduct.newest!.number
  const followInput = { id: row.id, version: savedProduct.version, number }
  expect(
    await getFieldErrors(admin().call(productApi.follow, { ...followInput, number: 99 })),
  ).toBe('所属品类没有这个版本')
  const followedProduct = await admin().call(productApi.follow, followInput)
  expect(followedProduct).toMatchObject({ categoryVersion: number, followed: secondModel })
  expect(
    followedProduct.model.properties.map(({ identifier, name }) => `${identifier} ${name}`),
  ).toEqual(['Power 电源', 'Own Own', 'Tone Tone'])
})

test('a product with devices cannot be deleted, and the refusal names the first device', async () => {
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
  const projectAdmin = await app.join('productaside', 'project-admin', [2])
  await expect(projectAdmin.call(productApi.remove, { id })).rejects.toMatchObject({ status: 403 })
  expect((await admin().call(productApi.access, { id })).heard).toBeNull()
  const time = '2026-01-02T03:04:05.000Z'
  await app.app.db.update(device).set({ reportedTime: time }).where(eq(device.id, deviceId))
  expect((await admin().call(productApi.access, { id })).heard).toEqual({
    name: '一号灯',
    deviceName: 'lamp-0001',
    time,
  })
  const otherProjectAdmin = await app.join('productelsewhere', 'project-admin', [2])
  expect((await otherProjectAdmin.call(productApi.access, { id })).heard).toBeNull()
  expect(await admin().call(productApi.list, {})).toEqual(
    expect.arrayContaining([expect.objectContaining({ id, status: 'developing' })]),
  )
})

test('products without devices are deleted with their secrets only', async () => {
  const createdProducts = [await create(), await create(), await create()] as const
  const [removedAlone, removedTogether, remainingProduct] = createdProducts
  await app.app.db
    .insert(productCredential)
    .values(createdProducts.map(({ productKey }) => ({ productKey, productSecret: 'secret' })))
  await admin().call(productApi.remove, { id: removedAlone.id })
  await admin().call(productApi.removeMany, { ids: [removedTogether.id] })
  for (const { id } of [removedAlone, removedTogether])
    await expect(admin().call(productApi.get, { id })).rejects.toMatchObject({ code: 404 })
  const productKeys = createdProducts.map(({ productKey }) => productKey)
  const remainingSecrets = await app.app.db
    .select({ productKey: productCredential.productKey })
    .from(productCredential)
    .where(inArray(productCredential.productKey, productKeys))
  expect(remainingSecrets).toEqual([{ productKey: remainingProduct.productKey }])
})

describe('bulk operations on products', () => {
  const waitUntilDone = (id: string) =>
    waitUntil(
      () => admin().call(taskApi.get, { id }),
      ({ doneTime }) => doneTime !== null,
    )
  const headerRow = [
    ...['产品名称', '型号', '厂商', '品牌', '品类', '产品类型', '节点类型', '联网方式', '通信协议'],
    ...['控制类型', '认证方式', '数据格式', '额定功率 (W)', '额定寿命 (小时)', '说明'],
  ]
  const createRow = (change: Record<string, string>) => {
    const validCells = {
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
    return headerRow.map((title) => validCells[title] ?? '')
  }
  it('import products with the functions of their category, and return wrong rows with the reason', async () => {
    const { counts, failures } = await admin().runImport(productApi.importRows, [
      headerRow,
      createRow({}),
      createRow({ 产品名称: '无厂', 型号: 'T-2', 厂商: '没有这家' }),
      createRow({ 产品名称: '无类', 型号: 'T-3', 品类: '没有这类' }),
      createRow({ 产品名称: '无型', 型号: 'T-4', 产品类型: 'NO_SUCH' }),
      createRow({ 产品名称: '负数', 型号: 'T-5', '额定功率 (W)': '-1' }),
      createRow({ 产品名称: '同号' }),
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
    const importedProduct = await admin().call(productApi.get, { id: list[0]!.id })
    expect(importedProduct.model.properties.length).toBeGreaterThan(0)
  })
  it('resolve brands of the same manufacturer and refuse an ambiguous category name', async () => {
    const [firstManufacturer] = await app.app.db
      .select()
      .from(manufacturer)
      .where(eq(manufacturer.id, makerId))
    const [otherManufacturer] = await app.app.db
      .insert(manufacturer)
      .values({ ...firstManufacturer!, id: undefined, name: '同品牌的厂商', code: 'samebrand' })
      .returning()
    const brand = { englishName: '', categories: [], logo: '', servicePhone: '', website: '' }
    for (const manufacturerId of [makerId, otherManufacturer!.id])
      await admin().call(brandApi.create, {
        ...brand,
        name: '同名品牌',
        manufacturerId,
        sort: 1,
        status: 'enabled',
      })
    const categoryFields = { icon: '', sort: 1, description: '' }
    for (const [name, code] of [
      ['室内的品类', 'twinInside'],
      ['室外的品类', 'twinOutside'],
    ] as const) {
      const { id: parentId } = await admin().call(productCategoryApi.create, {
        ...categoryFields,
        parentId: null,
        name,
        code,
      })
      const sameNameCategory = {
        ...categoryFields,
        parentId,
        name: '同名品类',
        code: `${code}Lamp`,
      }
      await admin().call(productCategoryApi.create, sameNameCategory)
    }
    const { counts, failures } = await admin().runImport(productApi.importRows, [
      headerRow,
      createRow({ 产品名称: '乙的灯', 型号: 'T-6', 厂商: '同品牌的厂商', 品牌: '同名品牌' }),
      createRow({ 产品名称: '两可的灯', 型号: 'T-7', 品类: '同名品类' }),
      createRow({ 产品名称: '室外的灯', 型号: 'T-8', 品类: 'twinOutsideLamp' }),
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
  it('export products with the names of their references', async () => {
    const { id } = await admin().call(productApi.exportRows, {
      name: '表里的灯',
      format: 'csv',
      timeZone: 'Asia/Shanghai',
    })
    await waitUntilDone(id)
    const headers = await admin().headers()
    const { payload } = await app.app.inject({ url: taskFilePath(id), headers })
    expect(payload).toContain(
      '表里的灯,T-1,产品厂商,,产品的品类,SAFEWAY_LIGHT,网关子设备,Wi-Fi,DALI',
    )
  })
  it('publish and retire products, each with its own result', async () => {
    const { setStatusOfMany: setStatuses } = productApi
    const [publishedProduct, productWithoutModel] = [
      await createPublished(),
      await create({ categoryId: null }),
    ]
    const ids = [publishedProduct.id, productWithoutModel.id]
    const disableResult = await admin().call(setStatuses, { ids, status: 'disabled' })
    expect(disableResult).toMatchObject([
      { ok: true },
      { reason: '开发中的产品不用停用，可以删除' },
    ])
    const publishResult = await admin().call(setStatuses, { ids, status: 'published' })
    expect(publishResult).toMatchObject([{ ok: true }, { reason: '产品还没有属性，不能发布' }])
    const { version } = await admin().call(productApi.get, { id: publishedProduct.id })
    await admin().call(setStatuses, { ids: [publishedProduct.id], status: 'published' })
    expect(await admin().call(productApi.get, { id: publishedProduct.id })).toMatchObject({
      status: 'published',
      version,
    })
  })
  it('delete products except those with devices', async () => {
    const [unusedProduct, usedProduct] = [await create(), await createPublished()]
    await admin().call(managedDeviceApi.create, {
      projectId: 1,
      productId: usedProduct.id,
      name: '占着',
      deviceName: 'holds-a-product',
      spaceId: null,
      protected: false,
    })
    expect(
      await admin().call(productApi.removeMany, { ids: [unusedProduct.id, usedProduct.id] }),
    ).toMatchObject([
      { id: unusedProduct.id, ok: true },
      {
        id: usedProduct.id,
        ok: false,
        reason: expect.stringContaining('正被 1 处使用，不能删除：') as unknown,
      },
    ])
  })
})
