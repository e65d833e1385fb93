import { communicationProtocolApi as api } from '@iot/shared/contract/product/communicationProtocol.api'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'
import type { Input } from '@iot/shared/contract/endpoint'
import { uuidv7 } from 'uuidv7'
import { sharedApp, type TestApp } from '../../testing'
import { product } from '../../tables/device'

let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})
const admin = () => app.as('admin')

type Draft = Input<typeof api.create>
const slaveParameter = {
  key: 'slave',
  label: '从站地址',
  type: 'number' as const,
  required: true,
  default: '1',
  secret: false,
}
const draft = (code: string, change: Partial<Draft> = {}): Draft => ({
  name: `协议 ${code}`,
  code,
  transport: 'serial',
  nodes: ['sub'],
  protocolVersion: '',
  parameters: [slaveParameter],
  document: '',
  description: '',
  status: 'enabled',
  ...change,
})
const getFieldErrors = (change: Partial<Draft>) =>
  admin()
    .call(api.create, draft('refused', change))
    .catch(({ data }) => data.fields)

test('a parameter has a unique key and a default of its type, and a secret one has no default', async () => {
  const getParameterErrors = (...parameters: Draft['parameters']) => getFieldErrors({ parameters })
  expect(await getParameterErrors(slaveParameter, slaveParameter)).toEqual({
    'parameters.1.key': '键 slave 重复',
  })
  const numberError = { 'parameters.0.default': '默认值须为数字' }
  expect(await getParameterErrors({ ...slaveParameter, default: 'one' })).toEqual(numberError)
  const secretError = { 'parameters.0.default': '保密参数不能有默认值' }
  expect(await getParameterErrors({ ...slaveParameter, secret: true })).toEqual(secretError)
  expect(await getFieldErrors({ nodes: [] })).toEqual({ nodes: '请选择适用节点' })
})

test('every protocol of the dictionary is built in and cannot be deleted', async () => {
  const [dictionary] = await admin().call(dictionaryApi.config, { type: 'protocol' })
  const options = await admin().call(api.list, {})
  const codes = options.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(dictionary!.configLists.map(({ code }) => code)))
  const knx = options.find(({ code }) => code === 'knx')!
  await expect(admin().call(api.remove, { id: knx.id })).rejects.toMatchObject({
    msg: '内置通信协议不能删除',
  })
})

test('a protocol used by a product can be neither deleted nor disabled', async () => {
  const createdProtocol = await admin().call(api.create, draft('spoken'))
  const productFields = {
    createBy: '',
    updateBy: '',
    productType: 'SAFEWAY_LIGHT',
    node: 'sub' as const,
  }
  const model = { properties: [], services: [], events: [] }
  const row = {
    ...productFields,
    name: '串口灯',
    productKey: uuidv7(),
    model,
    dynamicRegister: false,
  }
  await app.app.db.insert(product).values({ ...row, protocol: 'spoken' })
  const ids = [createdProtocol.id]
  expect(await admin().call(api.setStatus, { ids, status: 'disabled' })).toMatchObject([
    { ok: false, reason: expect.stringContaining('正被 1 处使用，不能禁用：') as unknown },
  ])
  expect(await admin().call(api.removeMany, { ids })).toMatchObject([{ ok: false }])
  await expect(
    admin().call(api.update, { ...createdProtocol, status: 'disabled' }),
  ).rejects.toMatchObject({
    data: { fields: { status: '正被 1 处使用，不能禁用' } },
  })
  const document = 'https://modbus.org'
  expect(await admin().call(api.update, { ...createdProtocol, document })).toMatchObject({
    document,
  })
})

test('an unused protocol is found by its node type, disabled and deleted', async () => {
  const { id } = await admin().call(api.create, draft('free', { nodes: ['gateway'] }))
  const { list } = await admin().call(api.page, { node: 'gateway', name: 'free' })
  expect(list).toMatchObject([{ id, builtin: false }])
  await admin().call(api.setStatus, { ids: [id], status: 'disabled' })
  const listByStatus = async (status: 'enabled' | 'disabled') =>
    (await admin().call(api.page, { name: 'free', status })).list.map((row) => row.id)
  expect(await listByStatus('enabled')).toEqual([])
  expect(await listByStatus('disabled')).toEqual([id])
  expect(await admin().call(api.remove, { id })).toBeNull()
  expect((await admin().call(api.page, { name: 'free' })).total).toBe(0)
})

test('an exported protocol can be re-imported with its parameters', async () => {
  const groupParameter = { key: 'group', label: '组|地址', default: '1/1/1 "主"', required: false }
  const parameters: Draft['parameters'] = [
    slaveParameter,
    { ...slaveParameter, ...groupParameter, type: 'text' },
    { ...slaveParameter, key: 'password', label: '密码', type: 'text', default: '', secret: true },
  ]
  const change = { parameters, nodes: ['sub' as const, 'gateway' as const] }
  const createdProtocol = await admin().call(api.create, draft('round-trip', change))
  const file = await admin().exportTable(api.exportRows, { ids: [createdProtocol.id] })
  expect(file[1]!.slice(0, 6)).toEqual([
    ...['协议 round-trip', 'round-trip', '串口 RS-485', '网关子设备、网关', ''],
    'slave|从站地址|数字|必填|公开|1\ngroup|"组|地址"|文字|选填|公开|"1/1/1 ""主"""\npassword|密码|文字|必填|保密|',
  ])
  await admin().call(api.remove, { id: createdProtocol.id })
  expect(await admin().runImport(api.importRows, file)).toMatchObject({ counts: { failed: 0 } })
  const { list } = await admin().call(api.page, { name: 'round-trip' })
  expect(list).toMatchObject([{ ...change, builtin: false }])
})

test('an import names the wrong parameter', async () => {
  const headerCells = [
    '协议名称',
    '协议编码',
    '传输方式',
    '适用节点',
    '协议版本',
    '参数模板',
    '文档地址',
    '说明',
    '状态',
  ]
  const toCells = (code: string, parameters: string) => [
    ...[`协议 ${code}`, code, 'MQTT', '直连设备', '', parameters, '', '', ''],
  ]
  const task = await admin().runImport(api.importRows, [
    headerCells,
    toCells('mqtt', ''),
    toCells('of-type', 'a|甲|小数|必填|公开|'),
    toCells('of-default', 'a|甲|数字|必填|公开|1\nb|乙|数字|必填|公开|一'),
    toCells('of-secret', 'a|甲|文字|必填|保密|123'),
    toCells('of-word', 'a|甲|文字|必须|公开|'),
  ])
  expect(task.failures!.map(({ reason }) => reason)).toEqual([
    '协议编码“mqtt”已存在',
    '参数模板第 1 项的类型：只能是“文字”、“数字”或“是或否”',
    '参数模板第 2 项的默认值：默认值须为数字',
    '参数模板第 1 项的默认值：保密参数不能有默认值',
    '参数模板第 1 项的必填：只能是“必填”或“选填”',
  ])
})
