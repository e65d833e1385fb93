import { communicationProtocolApi as api } from '@iot/shared/contract/communicationProtocol'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
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
const slave = {
  ...{ key: 'slave', label: '从站地址', type: 'number' as const, required: true },
  ...{ default: '1', secret: false },
}
const draft = (code: string, change: Partial<Draft> = {}): Draft => ({
  ...{ name: `协议 ${code}`, code, transport: 'serial', nodes: ['sub'], protocolVersion: '' },
  ...{ parameters: [slave], document: '', description: '', status: 'enabled', ...change },
})
const refused = (change: Partial<Draft>) =>
  admin()
    .call(api.create, draft('refused', change))
    .catch(({ data }) => data.fields)

test('a parameter has a key of its own and a default of its type, and a secret one none', async () => {
  const of = (...parameters: Draft['parameters']) => refused({ parameters })
  expect(await of(slave, slave)).toEqual({ 'parameters.1.key': '键 slave 重复' })
  const notNumber = { 'parameters.0.default': '默认值须为数字' }
  expect(await of({ ...slave, default: 'one' })).toEqual(notNumber)
  const secret = { 'parameters.0.default': '保密参数不能有默认值' }
  expect(await of({ ...slave, secret: true })).toEqual(secret)
  expect(await refused({ nodes: [] })).toEqual({ nodes: '请选择适用节点' })
})

test('every protocol of the dictionary is there from the start, and stays', async () => {
  const [dictionary] = await admin().call(dictionaryApi.config, { type: 'protocol' })
  const options = await admin().call(api.list, {})
  const codes = options.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(dictionary!.configLists.map(({ code }) => code)))
  const knx = options.find(({ code }) => code === 'knx')!
  await expect(admin().call(api.remove, { id: knx.id })).rejects.toMatchObject({
    msg: '内置通信协议不能删除',
  })
})

test('a protocol that a product speaks is neither removed nor disabled', async () => {
  const made = await admin().call(api.create, draft('spoken'))
  const texts = { createBy: '', updateBy: '', productType: 'SAFEWAY_LIGHT', node: 'sub' as const }
  const model = { properties: [], services: [], events: [] }
  const row = { ...texts, name: '串口灯', productKey: uuidv7(), model, dynamicRegister: false }
  await app.app.db.insert(product).values({ ...row, protocol: 'spoken' })
  const ids = [made.id]
  expect(await admin().call(api.setStatus, { ids, status: 'disabled' })).toMatchObject([
    { ok: false, reason: '正被 1 处使用，不能禁用' },
  ])
  expect(await admin().call(api.removeMany, { ids })).toMatchObject([{ ok: false }])
  await expect(admin().call(api.update, { ...made, status: 'disabled' })).rejects.toMatchObject({
    data: { fields: { status: '正被 1 处使用，不能禁用' } },
  })
  const document = 'https://modbus.org'
  expect(await admin().call(api.update, { ...made, document })).toMatchObject({ document })
})

test('one nobody speaks is found by its node, disabled, exported and removed', async () => {
  const { id } = await admin().call(api.create, draft('free', { nodes: ['gateway'] }))
  const { list } = await admin().call(api.page, { node: 'gateway', name: 'free' })
  expect(list).toMatchObject([{ id, builtin: false }])
  await admin().call(api.setStatus, { ids: [id], status: 'disabled' })
  expect(await admin().call(api.exportRows, { format: 'csv' })).toMatchObject({ kind: 'export' })
  expect(await admin().call(api.remove, { id })).toBeNull()
})
