import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { uuidv7 } from 'uuidv7'
import { sharedApp, type TestApp } from '../../testing'
import { product } from '../../tables/device'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')

type Draft = Input<typeof controlTypeApi.create>
const draft = (code: string, change: Partial<Draft> = {}): Draft => ({
  name: `控制类型 ${code}`,
  code,
  capability: 'DIM',
  functions: ['Brightness'],
  widget: 'slider',
  description: '',
  status: 'enabled',
  ...change,
})
const getFieldErrors = (change: Partial<Draft>) =>
  admin()
    .call(controlTypeApi.create, draft('refused', change))
    .catch(({ data }) => data.fields)

test('required functions are unique identifiers', async () => {
  const identifierError = { 'functions.0': '标识符以字母开头，只用字母、数字和下划线' }
  expect(await getFieldErrors({ functions: ['2fast'] })).toEqual(identifierError)
  expect(await getFieldErrors({ functions: ['A', 'A'] })).toEqual({ functions: '标识符重复' })
})

test('a control type used by a product can be neither deleted nor disabled', async () => {
  const type = await admin().call(controlTypeApi.create, draft('used'))
  const productFields = {
    createBy: '',
    updateBy: '',
    productType: 'SAFEWAY_LIGHT',
    node: 'sub' as const,
  }
  const model = { properties: [], services: [], events: [] }
  const row = {
    ...productFields,
    name: '调光灯',
    productKey: uuidv7(),
    model,
    dynamicRegister: false,
  }
  await app.app.db.insert(product).values({ ...row, controlTypes: ['other', type.code] })
  await expect(admin().call(controlTypeApi.remove, { id: type.id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '产品', name: '调光灯' }] },
  })
  const ids = [type.id]
  const disableRefusal = {
    ok: false,
    reason: expect.stringContaining('正被 1 处使用，不能禁用：') as unknown,
  }
  const disableAnswers = await admin().call(controlTypeApi.setStatus, { ids, status: 'disabled' })
  expect(disableAnswers).toMatchObject([disableRefusal])
  const removeAnswers = await admin().call(controlTypeApi.removeMany, { ids })
  expect(removeAnswers).toMatchObject([
    { ok: false, reason: expect.stringContaining('正被 1 处使用，不能删除：') as unknown },
  ])
  const change = { ...type, status: 'disabled' as const }
  await expect(admin().call(controlTypeApi.update, change)).rejects.toMatchObject({
    data: { fields: { status: '正被 1 处使用，不能禁用' } },
  })
  expect(await admin().call(controlTypeApi.update, { ...type, name: '改名' })).toMatchObject({
    name: '改名',
    code: 'used',
  })
})

test('an unused control type is found, disabled and deleted', async () => {
  const { id } = await admin().call(controlTypeApi.create, draft('free', { capability: 'HVAC' }))
  await admin().call(controlTypeApi.setStatus, { ids: [id], status: 'disabled' })
  const { list } = await admin().call(controlTypeApi.page, { capability: 'HVAC' })
  expect(list).toMatchObject([{ id, status: 'disabled' }])
  expect(await admin().call(controlTypeApi.list, {})).toContainEqual(
    expect.objectContaining({ id, functions: ['Brightness'] }),
  )
  expect(await admin().call(controlTypeApi.remove, { id })).toBeNull()
})

test('an import reads functions and labels row by row, and the export writes them likewise', async () => {
  const fileRows = [
    ['控制类型名称', '控制类型编码', '能力', '必备功能', '控件', '说明', '状态'],
    ['导入的', 'imported', '调光', 'PowerSwitch、Brightness', '滑块', '', ''],
    ['写错的', 'wrong', '飞行', 'PowerSwitch、2', '滑块', '', '启用'],
  ]
  const task = await admin().runImport(controlTypeApi.importRows, fileRows)
  const refusalReason =
    '能力：只能是“开关”、“调光”、“调光调色温”、“彩色”、“彩色加白光”、“窗帘”、“空调”、“传感”或“场景面板”；必备功能第 2 项：标识符以字母开头，只用字母、数字和下划线'
  expect(task).toMatchObject({
    counts: { success: 1, failed: 1 },
    failures: [{ line: 3, reason: refusalReason }],
  })
  const { list } = await admin().call(controlTypeApi.page, { name: 'imported' })
  expect(list).toMatchObject([
    { capability: 'DIM', functions: ['PowerSwitch', 'Brightness'], status: 'enabled' },
  ])
  const exportedRows = await admin().exportTable(controlTypeApi.exportRows, { name: 'imported' })
  expect(exportedRows).toEqual([
    fileRows[0],
    ['导入的', 'imported', '调光', 'PowerSwitch、Brightness', '滑块', '', '启用'],
  ])
})
