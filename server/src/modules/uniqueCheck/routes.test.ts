import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { roleApi } from '@iot/shared/contract/role'
import { uniqueCheckApi } from '@iot/shared/contract/uniqueCheck'
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
  it('refuses who may not see the list', () =>
    expect(
      app
        .as('guest')
        .call(uniqueCheckApi.ask, { resource: 'manufacturer', field: 'name', value: 'a' }),
    ).rejects.toMatchObject({ status: 403 }))
  it('refuses a kind of record that does not exist', () =>
    expect(
      app
        .as('admin')
        .call(uniqueCheckApi.ask, { resource: '__proto__', field: 'name', value: 'a' }),
    ).rejects.toMatchObject({ code: 422 }))
  it('says at once that a name or a code is taken, in the words of the form', async () => {
    expect(await checkValue('name', ' 同名 ')).toBe('厂商名称“同名”已存在')
    expect(await checkValue('code', 'same')).toBe('厂商编码“same”已存在')
  })
  it('lets a row keep its own name', async () =>
    expect(await checkValue('name', '同名', { exceptId: id })).toBeNull())
  it('has nothing against a free value, an empty one, or a field that need not be unique', async () => {
    expect(await checkValue('code', 'free')).toBeNull()
    expect(await checkValue('name', '')).toBeNull()
    expect(await checkValue('remark', '')).toBeNull()
    expect(await checkValue('constructor', 'a')).toBeNull()
  })
})

test('a role says the same of its name while it is typed and when it is saved', async () => {
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
