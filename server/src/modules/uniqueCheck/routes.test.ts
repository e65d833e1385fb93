import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { uniqueCheckApi } from '@iot/shared/contract/thingModel/uniqueCheck.api'
import { sharedApp, type TestApp } from '../../testing'

let app: TestApp
let id: string
beforeAll(async () => {
  app = await sharedApp()
  await app.join('guest', 'visitor')
  const blank = { shortName: '', creditCode: '', contact: '', phone: '', email: '' as const }
  const rest = { areaCode: '440305', address: '', website: '' as const, logo: '', remark: '' }
  const draft = { ...blank, ...rest, name: '同名', code: 'same', status: 'enabled' as const }
  id = (await app.as('admin').call(manufacturerApi.create, draft)).id
})

const checkValue = (field: string, value: string, otherParams: object = {}) =>
  app
    .as('admin')
    .call(uniqueCheckApi.ask, { resource: 'manufacturer', field, value, ...otherParams })

describe('GET /v1/taken', () => {
  it('refuses without permission to view the list', () =>
    expect(
      app
        .as('guest')
        .call(uniqueCheckApi.ask, { resource: 'manufacturer', field: 'name', value: 'a' }),
    ).rejects.toMatchObject({ status: 403 }))
  it('refuses an unknown resource', () =>
    expect(
      app
        .as('admin')
        .call(uniqueCheckApi.ask, { resource: '__proto__', field: 'name', value: 'a' }),
    ).rejects.toMatchObject({ code: 422 }))
  it('reports a duplicate name or code with the message of the form', async () => {
    expect(await checkValue('name', ' 同名 ')).toBe('厂商名称“同名”已存在')
    expect(await checkValue('code', 'same')).toBe('厂商编码“same”已存在')
  })
  it('accepts the own name of a row', async () =>
    expect(await checkValue('name', '同名', { exceptId: id })).toBeNull())
  it('accepts a free value, an empty value, and a field that need not be unique', async () => {
    expect(await checkValue('code', 'free')).toBeNull()
    expect(await checkValue('name', '')).toBeNull()
    expect(await checkValue('remark', '')).toBeNull()
    expect(await checkValue('constructor', 'a')).toBeNull()
  })
})

test('a role reports a duplicate name in the same words while typing and on save', async () => {
  const [role] = await app.as('admin').call(roleApi.list, {})
  const sentence = `角色名称“${role!.name}”已存在`
  const query = { resource: 'role', field: 'name', value: role!.name }
  expect(await app.as('admin').call(uniqueCheckApi.ask, query)).toBe(sentence)
  const { name, description, menuIds, dataScope, deviceRights } = role!
  const draft = { name, code: 'other', description, menuIds, dataScope, deviceRights }
  await expect(app.as('admin').call(roleApi.create, draft)).rejects.toMatchObject({
    data: { fields: { name: sentence } },
  })
})
