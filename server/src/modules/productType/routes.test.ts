import { controlApi } from '@iot/shared/contract/control/control.api'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { sharedApp, type TestApp } from '../../testing'
import { icon as iconTable } from '../../tables/icon'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')

type Draft = Input<typeof productTypeApi.create>
const dimAction = {
  actionType: 'dim_half',
  name: '半亮',
  identifier: 'Brightness',
  value: 50,
  confirm: 'ask' as const,
}
const draft = (code: string, change: Partial<Draft> = {}): Draft => ({
  name: `类型 ${code}`,
  code,
  categories: ['Light'],
  icon: '',
  color: '#1677ff',
  actions: [dimAction],
  showOnHome: false,
  description: '',
  sort: 50,
  status: 'enabled',
  ...change,
})
const libraryIcon = {
  name: '类型图标',
  code: 'type-icon',
  group: '',
  on: '',
  off: '',
  offline: '',
  fault: '',
  tags: [],
  status: 'enabled' as const,
  createBy: '',
  updateBy: '',
}
const getFieldErrors = (change: Partial<Draft>) =>
  admin()
    .call(productTypeApi.create, draft('REFUSED', change))
    .catch(({ data }) => data.fields)
const getBuiltinType = async () =>
  (await admin().call(productTypeApi.page, { name: 'SAFEWAY_LIGHT' })).list[0]!
const listActionModes = async (code: string) =>
  (await admin().call(deviceApi.actionModes, {})).filter(({ productType }) => productType === code)

test('a code begins with a capital letter, and an action is limited to functions of its categories', async () => {
  expect(await getFieldErrors({ code: 'light' })).toEqual({
    code: '类型编码以大写字母开头，只用大写字母、数字和下划线，2–64 位',
  })
  const duplicateError = { 'actions.1.actionType': '动作编码 dim_half 重复' }
  expect(await getFieldErrors({ actions: [dimAction, dimAction] })).toEqual(duplicateError)
  const unknownFunctionError = { 'actions.0.identifier': '所选品类没有功能 Speed' }
  expect(await getFieldErrors({ actions: [{ ...dimAction, identifier: 'Speed' }] })).toEqual(
    unknownFunctionError,
  )
  const valueError = { 'actions.0.value': '亮度不能大于 100' }
  expect(await getFieldErrors({ actions: [{ ...dimAction, value: 101 }] })).toEqual(valueError)
  expect(await getFieldErrors({ categories: ['None'] })).toEqual({
    categories: '标准品类库没有None',
  })
})

test('the built-in light types and their two actions cannot be deleted', async () => {
  const lightType = await getBuiltinType()
  expect(await listActionModes('SAFEWAY_LIGHT')).toMatchObject([
    { actionType: 'all_on', name: '全开', identifier: 'PowerSwitch', confirm: 'ask' },
    { actionType: 'all_off', name: '全关', showOnHome: true },
  ])
  await expect(admin().call(productTypeApi.remove, { id: lightType.id })).rejects.toMatchObject({
    code: 1001,
    msg: '内置产品类型不能删除',
  })
  const removals = await admin().call(productTypeApi.removeMany, { ids: [lightType.id] })
  expect(removals).toMatchObject([{ ok: false, reason: '内置产品类型不能删除' }])
  await expect(
    admin().call(productTypeApi.update, { ...lightType, actions: lightType.actions.slice(0, 1) }),
  ).rejects.toMatchObject({
    data: { fields: { actions: '内置类型 SAFEWAY_LIGHT 须保留 all_on 和 all_off' } },
  })
})

test('a built-in type without actions accepts actions, and allows their removal', async () => {
  const meterQuery = { name: 'ELECTRICITY_METER' }
  const [meter] = (await admin().call(productTypeApi.page, meterQuery)).list
  const readAction = {
    actionType: 'read',
    name: '抄表',
    identifier: 'Read',
    value: 1,
    confirm: 'ask' as const,
  }
  const change = { ...meter!, categories: [], actions: [readAction] }
  const typeWithAction = await admin().call(productTypeApi.update, change)
  expect(typeWithAction.actions).toMatchObject([{ actionType: 'read' }])
  const typeWithoutAction = await admin().call(productTypeApi.update, {
    ...typeWithAction,
    actions: [],
    categories: meter!.categories,
  })
  expect(typeWithoutAction.actions).toEqual([])
})

test('an action of a new type is available at once, and unavailable when the type is disabled', async () => {
  const type = await admin().call(productTypeApi.create, draft('SHADE'))
  expect(await listActionModes('SHADE')).toMatchObject([
    { actionType: 'dim_half', typeName: '类型 SHADE', name: '半亮', showOnHome: false },
  ])
  const runPreflight = () =>
    admin().call(controlApi.preflight, {
      kind: 'action',
      projectId: 1,
      productType: 'SHADE',
      actionType: 'dim_half',
      scope: { kind: 'project' },
    })
  expect(await runPreflight()).toMatchObject({ affected: 0 })
  await admin().call(productTypeApi.setStatus, { ids: [type.id], status: 'disabled' })
  expect(await listActionModes('SHADE')).toEqual([])
  await expect(runPreflight()).rejects.toMatchObject({ msg: '批量动作不存在或已被删除' })
  expect(await admin().call(productTypeApi.remove, { id: type.id })).toBeNull()
})

test('an update keeps the code, and the choices show the new name', async () => {
  const type = await admin().call(productTypeApi.create, draft('KEPT'))
  await admin().call(productTypeApi.update, { ...type, name: '改名' })
  const options = await admin().call(productTypeApi.list, {})
  expect(options.find(({ id }) => id === type.id)).toMatchObject({ name: '改名', code: 'KEPT' })
})

test('an exported type can be re-imported with its actions and its library icon', async () => {
  const [icon] = await app.app.db.insert(iconTable).values(libraryIcon).returning()
  const textAction = {
    ...dimAction,
    actionType: 'scene_one',
    name: '一号',
    identifier: 'Scene',
    value: '1',
  }
  const change = {
    icon: icon!.id,
    actions: [dimAction, textAction],
    categories: [],
    showOnHome: true,
  }
  const createdType = await admin().call(productTypeApi.create, draft('ROUND_TRIP', change))
  const file = await admin().exportTable(productTypeApi.exportRows, { ids: [createdType.id] })
  expect(file).toHaveLength(2)
  expect(file[1]).toContain(
    '半亮|dim_half|Brightness|50|先说明再执行\n一号|scene_one|Scene|"""1"""|先说明再执行',
  )
  expect(file[1]).toContain('type-icon')
  await admin().call(productTypeApi.remove, { id: createdType.id })
  expect(await admin().runImport(productTypeApi.importRows, file)).toMatchObject({
    counts: { failed: 0 },
  })
  const { list } = await admin().call(productTypeApi.page, { name: 'ROUND_TRIP' })
  expect(list).toMatchObject([change])
})

test('a value written as a number is read as a number, and in quotes as text', async () => {
  const { id } = await admin().call(productTypeApi.create, draft('BY_HAND', { categories: [] }))
  const [headerRow, line] = await admin().exportTable(productTypeApi.exportRows, { ids: [id] })
  const values = ['1', '"1"', '"""1"""', '1.0', '-0.5', '"01"', '开']
  const actions = values.map((value, i) => `动作${i}|act_${i}|Scene|${value}|直接执行`).join('\n')
  const handwrittenRow = line!
    .with(0, '手写')
    .with(1, 'TYPED')
    .with(headerRow!.indexOf('批量动作'), actions)
  expect(
    await admin().runImport(productTypeApi.importRows, [headerRow!, handwrittenRow]),
  ).toMatchObject({
    counts: { failed: 0 },
  })
  const { list } = await admin().call(productTypeApi.page, { name: 'TYPED' })
  expect(list[0]!.actions.map(({ value }) => value)).toEqual([1, '1', '1', 1, -0.5, '01', '开'])
})

test('an import names the wrong action and the wrong icon', async () => {
  const head = await admin().exportTable(productTypeApi.exportRows, { name: 'nobody' })
  const line = (code: string, icon: string, actions: string) => [
    ...[`类型 ${code}`, code, '灯', icon, '', actions, '否', '1', '启用', ''],
  ]
  const task = await admin().runImport(productTypeApi.importRows, [
    ...head,
    line('SAFEWAY_LIGHT', '', ''),
    line('OF_ICON', 'no-such', ''),
    line('OF_ACTION', '', '全开|All|PowerSwitch|1|直接执行'),
    line('OF_VALUE', '', '过亮|too_bright|Brightness|101|直接执行'),
  ])
  expect(task.failures!.map(({ reason }) => reason)).toEqual([
    '类型编码“SAFEWAY_LIGHT”已存在',
    '图标库没有“no-such”',
    '批量动作第 1 项的动作编码：动作编码以小写字母开头，只用小写字母、数字和下划线',
    '亮度不能大于 100',
  ])
})
