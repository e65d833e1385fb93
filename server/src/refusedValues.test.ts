import { brandApi } from '@iot/shared/contract/brand'
import { productCategoryApi } from '@iot/shared/contract/category'
import type { Endpoint, Input } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { menuApi } from '@iot/shared/contract/menu'
import { productTypeApi } from '@iot/shared/contract/productType'
import { registrationRuleApi } from '@iot/shared/contract/registration'
import { roleApi } from '@iot/shared/contract/role'
import { sceneApi } from '@iot/shared/contract/scene'
import { userApi } from '@iot/shared/contract/user'
import { viewApi } from '@iot/shared/contract/view'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { productRow } from './device-access/testing'
import { product } from './tables/device'
import { productType } from './tables/productType'
import { sharedApp, type TestApp } from './testing'

const sensor = productRow('pkRefusedValues', 'direct')
const lost = uuidv7()
const lostPicture = `/v1/upload/file/${'0'.repeat(32)}`
const past = '2020-01-01T00:00:00+08:00'

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
const maker = {
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
const call = <E extends Endpoint>(endpoint: E, input: Input<E>) =>
  app.as('admin').call(endpoint, input)
beforeAll(async () => {
  app = await sharedApp()
  await app.app.db.insert(product).values(sensor)
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
    ...maker,
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
  await call(menuApi.create, { ...menu, name: '占用路径', path: '/values/kept' })
})

const textsThatNameNothing = ['null', 'undefined', 'NaN', '[object Object]', '不存在', lost]
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
const pastTimes = [past, '1970-01-01T00:00:00Z', '0000-01-01T00:00:00Z', 'null']
const badPictures = [lostPicture, 'null', 'https://evil.example/a.png']

/** The table lists a call, a field of its input and the values that must be refused there. */
const table = (): [string, (change: object) => Promise<unknown>, string, unknown[]][] => {
  const of =
    <E extends Endpoint>(endpoint: E, base: Input<E>) =>
    (change: object) =>
      call(endpoint, { ...(base as object), ...change } as Input<E>)
  const [menus, types] = [of(menuApi.create, menu), of(productTypeApi.create, type)]
  const [views, categories] = [of(viewApi.create, view), of(productCategoryApi.create, category)]
  const [rules, users] = [of(registrationRuleApi.create, rule), of(userApi.create, user)]
  const [brands, makers] = [of(brandApi.create, brand), of(manufacturerApi.create, maker)]
  return [
    ['menu', menus, 'icon', textsThatNameNothing],
    ['menu', menus, 'path', [...paths, ...encodedPaths]],
    ['menu', menus, 'parentId', [lost]],
    ['product type', types, 'icon', textsThatNameNothing],
    ['product type', types, 'color', badColors],
    ['product type', types, 'sort', badSorts],
    ['product type', types, 'categories', [['null']]],
    ['view', views, 'icon', textsThatNameNothing],
    ['view', views, 'roleIds', [[lost]]],
    ['view', views, 'projectIds', [[999_999]]],
    ['category', categories, 'icon', textsThatNameNothing],
    ['category', categories, 'parentId', [lost]],
    ['scene', of(sceneApi.create, scene), 'icon', textsThatNameNothing],
    ['scene', of(sceneApi.create, scene), 'calendarId', [lost]],
    ['brand', brands, 'logo', badPictures],
    ['brand', brands, 'categories', [['null']]],
    ['brand', brands, 'manufacturerId', [lost]],
    ['manufacturer', makers, 'logo', badPictures],
    ['manufacturer', makers, 'website', badUrls],
    ['manufacturer', makers, 'areaCode', ['000000', '999999', 'null']],
    ['registration rule', rules, 'expireTime', pastTimes],
    ['registration rule', rules, 'projectId', [0, -1, 999_999]],
    ['registration rule', rules, 'quota', [-1, 1.5, 1e9]],
    ['user', users, 'expireTime', pastTimes],
    ['user', users, 'roleIds', [[lost]]],
    ['user', users, 'projectIds', [[999_999], [-1]]],
  ]
}

test('a value that names nothing, is over already or out of range is refused at its field', async () => {
  const taken: string[] = []
  for (const [name, create, field, values] of table())
    for (const value of values) {
      const fields = await create({ [field]: value }).then(
        () => ({}),
        ({ data }) => (data as { fields?: object } | null)?.fields ?? {},
      )
      const isRefused = Object.keys(fields).some((one) => one.split('.')[0] === field)
      if (!isRefused) taken.push(`${name} ${field} ${JSON.stringify(value)}`)
    }
  expect(taken).toEqual([])
})

test('a change is held to the same, and what the row holds already stays', async () => {
  const row = await call(productTypeApi.create, { ...type, icon: 'BulbOutlined' })
  await expect(call(productTypeApi.update, { ...row, icon: 'null' })).rejects.toMatchObject({
    data: { fields: { icon: '所选图标不存在或已被删除' } },
  })
  await app.app.db
    .update(productType)
    .set({ icon: 'OfAnOlderVersion' })
    .where(eq(productType.id, row.id))
  const kept = { ...row, icon: 'OfAnOlderVersion', description: '改了说明' }
  expect(await call(productTypeApi.update, kept)).toMatchObject({ description: '改了说明' })
})

test('a menu may keep its own path and take one that no other has', async () => {
  const row = await call(menuApi.create, { ...menu, name: '自己的路径', path: '/values/own' })
  expect(await call(menuApi.update, { ...row, name: '改名' })).toMatchObject({
    path: '/values/own',
  })
  await expect(call(menuApi.update, { ...row, path: '/VALUES/Kept' })).rejects.toMatchObject({
    data: { fields: { path: '路径“/VALUES/Kept”已用于“占用路径”' } },
  })
})
