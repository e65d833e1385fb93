import { calendarApi } from '@iot/shared/contract/project/calendar.api'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import type { Endpoint, Input } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { registrationRuleApi } from '@iot/shared/contract/device/registration.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { userApi } from '@iot/shared/contract/access/user.api'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { productRow } from './device-access/testing'
import { product as productTable } from './tables/device'
import { productType } from './tables/productType'
import { sharedApp, type TestApp } from './testing'

const sensor = productRow('pkRefusedValues', 'direct')
const disabledSensor = productRow('pkDisabledValues', 'direct', { status: 'disabled' })
const unknownId = uuidv7()
const unknownPicture = `/v1/upload/file/${'0'.repeat(32)}`
const pastTime = '2020-01-01T00:00:00+08:00'

const menu = {
  parentId: null,
  type: 'folder' as const,
  name: '值',
  path: '',
  routeName: '',
  icon: '',
  permission: '',
  visible: true,
  sort: 1,
  status: 'enabled' as const,
}
const type = {
  name: '值类型',
  code: 'REFUSED_VALUES',
  categories: [],
  icon: '',
  color: '' as const,
  actions: [],
  showOnHome: false,
  description: '',
  sort: 1,
  status: 'enabled' as const,
}
const view = {
  parentId: null,
  name: '值视图',
  path: 'refused-values',
  icon: '',
  roleIds: [],
  projectIds: [],
  visible: true,
  isDefault: false,
  sort: 1,
  status: 'enabled' as const,
}
const category = {
  parentId: null,
  name: '值品类',
  code: 'refused-values',
  sort: 1,
  icon: '',
  description: '',
}
const manufacturer = {
  name: '值厂商',
  shortName: '',
  code: 'refused-values',
  creditCode: '',
  contact: '',
  phone: '',
  email: '' as const,
  areaCode: '440305',
  address: '',
  website: '' as const,
  logo: '',
  remark: '',
  status: 'enabled' as const,
}
const calendar = {
  name: '值日历',
  code: 'refused-values',
  projectId: null,
  parentId: null,
  weekendMode: 'alternate' as const,
  alternateFrom: '2026-01-05',
  description: '',
}
const rule = {
  productId: sensor.id,
  mode: 'free' as const,
  projectId: 1,
  nameTemplate: '{deviceName}',
  addresses: [],
  expireTime: null,
  quota: null,
  approval: true,
  status: 'enabled' as const,
}
const scene = {
  projectId: 1,
  name: '值场景',
  icon: 'BulbOutlined',
  sort: 1,
  status: 'enabled' as const,
  order: 'parallel' as const,
  triggers: [],
  calendarId: null,
  dayMode: 'ignore' as const,
  dayTypes: [],
  silenceMinutes: 0,
  quietFrom: null,
  quietTo: null,
  actions: [
    ...[{ productType: 'SAFEWAY_LIGHT', scope: { kind: 'project' as const }, delay: 0 }].map(
      (action) => ({ ...action, values: { PowerSwitch: 0 } }),
    ),
  ],
}

let app: TestApp
let user: Input<typeof userApi.create>
let brand: Input<typeof brandApi.create>
let product: Input<typeof productApi.create>
let disabledBrandId: string
const call = <E extends Endpoint>(endpoint: E, input: Input<E>) =>
  app.as('admin').call(endpoint, input)
beforeAll(async () => {
  app = await sharedApp()
  await app.app.db.insert(productTable).values([sensor, disabledSensor])
  const visitor = (await call(roleApi.list, {})).find(({ code }) => code === 'visitor')!
  user = {
    username: 'refused.values',
    name: '值',
    phone: '',
    email: '',
    expireTime: null,
    roleIds: [visitor.id],
    projectIds: [1],
  }
  const { id } = await call(manufacturerApi.create, {
    ...manufacturer,
    code: 'values-maker',
    name: '值甲',
  })
  brand = {
    name: '值品牌',
    englishName: '',
    manufacturerId: id,
    categories: [],
    logo: '',
    servicePhone: '',
    website: '',
    sort: 1,
    status: 'enabled',
  }
  product = {
    name: '值产品',
    modelNo: 'refused-values',
    manufacturerId: id,
    brandId: null,
    categoryId: null,
    productType: 'SAFEWAY_LIGHT',
    node: 'direct',
    net: 'ethernet',
    protocol: '',
    controlTypes: [],
    authType: 'deviceSecret',
    dataFormat: 'alink',
    ratedPower: null,
    ratedLifeHours: null,
    icon: '',
    picture: '',
    description: '',
  }
  const disabledBrand = { ...brand, name: '值禁用品牌', status: 'disabled' as const }
  disabledBrandId = (await call(brandApi.create, disabledBrand)).id
  await call(menuApi.create, { ...menu, name: '占用路径', path: '/values/kept' })
})

const textsWithoutMeaning = ['null', 'undefined', 'NaN', '[object Object]', '不存在', unknownId]
const paths = ['/values/kept', '/values/kept/', '//values/kept', '/values//kept', '/Values/KEPT']
const encodedPaths = [
  '/values/%6bept',
  '/values/kept?x=1',
  '/values/kept#a',
  '/values/../values/kept',
]
const badColors = ['null', '#12', 'red', '#GGGGGG', 'rgb(0,0,0)']
const badUrls = ['null', 'javascript:alert(1)', '//evil.example', 'ftp://a.example']
const badSorts = [0, -1, 1.5, 1e12]
const pastTimes = [pastTime, '1970-01-01T00:00:00Z', '0000-01-01T00:00:00Z', 'null']
const unstorableTimes = [
  '9999-12-31T23:59:59-12:00',
  '2099-01-01T00:00:00+23:59',
  '2099-02-30T00:00:00Z',
]
const badTemplates = [
  '固定',
  '{DeviceName}',
  '{deviceName}-{floor}',
  `{deviceName}${'长'.repeat(33)}`,
]
const badDates = ['0001-01-01', '2003-12-31', '2101-01-01', '9999-12-31', '2026-02-30', 'null']
const badPictures = [unknownPicture, 'null', 'https://evil.example/a.png']

/** The table lists a call, a field of its input and the values that must be refused there. */
const listCases = (): [string, (change: object) => Promise<unknown>, string, unknown[]][] => {
  const createCaller =
    <E extends Endpoint>(endpoint: E, baseInput: Input<E>) =>
    (change: object) =>
      call(endpoint, { ...(baseInput as object), ...change } as Input<E>)
  const [createMenu, createType] = [
    createCaller(menuApi.create, menu),
    createCaller(productTypeApi.create, type),
  ]
  const [createView, createCategory] = [
    createCaller(viewApi.create, view),
    createCaller(productCategoryApi.create, category),
  ]
  const [createRule, createTestUser] = [
    createCaller(registrationRuleApi.create, rule),
    createCaller(userApi.create, user),
  ]
  const [createBrand, createManufacturer] = [
    createCaller(brandApi.create, brand),
    createCaller(manufacturerApi.create, manufacturer),
  ]
  const createProduct = createCaller(productApi.create, product)
  return [
    ['menu', createMenu, 'icon', textsWithoutMeaning],
    ['menu', createMenu, 'path', [...paths, ...encodedPaths]],
    ['menu', createMenu, 'parentId', [unknownId]],
    ['product type', createType, 'icon', textsWithoutMeaning],
    ['product type', createType, 'color', badColors],
    ['product type', createType, 'sort', badSorts],
    ['product type', createType, 'categories', [['null']]],
    ['view', createView, 'icon', textsWithoutMeaning],
    ['view', createView, 'roleIds', [[unknownId]]],
    ['view', createView, 'projectIds', [[999_999]]],
    ['product', createProduct, 'icon', textsWithoutMeaning],
    ['product', createProduct, 'picture', badPictures],
    ['product', createProduct, 'brandId', [unknownId, disabledBrandId]],
    ['product', createProduct, 'protocol', ['null']],
    ['product', createProduct, 'controlTypes', [['null']]],
    ['category', createCategory, 'icon', textsWithoutMeaning],
    ['category', createCategory, 'parentId', [unknownId]],
    ['scene', createCaller(sceneApi.create, scene), 'icon', textsWithoutMeaning],
    ['scene', createCaller(sceneApi.create, scene), 'calendarId', [unknownId]],
    ['calendar', createCaller(calendarApi.create, calendar), 'alternateFrom', badDates],
    ['brand', createBrand, 'logo', badPictures],
    ['brand', createBrand, 'categories', [['null']]],
    ['brand', createBrand, 'manufacturerId', [unknownId]],
    ['manufacturer', createManufacturer, 'logo', badPictures],
    ['manufacturer', createManufacturer, 'website', badUrls],
    ['manufacturer', createManufacturer, 'areaCode', ['000000', '999999', 'null']],
    ['registration rule', createRule, 'expireTime', pastTimes],
    ['registration rule', createRule, 'expireTime', unstorableTimes],
    ['registration rule', createRule, 'nameTemplate', badTemplates],
    ['registration rule', createRule, 'productId', [unknownId, disabledSensor.id]],
    ['registration rule', createRule, 'projectId', [0, -1, 999_999]],
    ['registration rule', createRule, 'quota', [-1, 1.5, 1e9]],
    ['user', createTestUser, 'expireTime', pastTimes],
    ['user', createTestUser, 'expireTime', unstorableTimes],
    ['user', createTestUser, 'roleIds', [[unknownId]]],
    ['user', createTestUser, 'projectIds', [[999_999], [-1]]],
  ]
}

test('a value that refers to nothing, is in the past or is out of range is refused at its field', async () => {
  const acceptedValues: string[] = []
  for (const [name, createRow, field, values] of listCases())
    for (const value of values) {
      const fields = await createRow({ [field]: value }).then(
        () => ({}),
        ({ data }) => (data as { fields?: object } | null)?.fields ?? {},
      )
      const isRefused = Object.keys(fields).some((fieldPath) => fieldPath.split('.')[0] === field)
      if (!isRefused) acceptedValues.push(`${name} ${field} ${JSON.stringify(value)}`)
    }
  expect(acceptedValues).toEqual([])
})

test('an update is validated likewise, but a value already stored in the row is accepted', async () => {
  const row = await call(productTypeApi.create, { ...type, icon: 'BulbOutlined' })
  await expect(call(productTypeApi.update, { ...row, icon: 'null' })).rejects.toMatchObject({
    data: { fields: { icon: '所选图标不存在或已被删除' } },
  })
  await app.app.db
    .update(productType)
    .set({ icon: 'OfAnOlderVersion' })
    .where(eq(productType.id, row.id))
  const changedRow = { ...row, icon: 'OfAnOlderVersion', description: '改了说明' }
  expect(await call(productTypeApi.update, changedRow)).toMatchObject({ description: '改了说明' })
})

test('a menu keeps its own path or takes a free one, but not the path of another menu', async () => {
  const row = await call(menuApi.create, { ...menu, name: '自己的路径', path: '/values/own' })
  expect(await call(menuApi.update, { ...row, name: '改名' })).toMatchObject({
    path: '/values/own',
  })
  await expect(call(menuApi.update, { ...row, path: '/VALUES/Kept' })).rejects.toMatchObject({
    data: { fields: { path: '路径“/VALUES/Kept”已用于“占用路径”' } },
  })
})
