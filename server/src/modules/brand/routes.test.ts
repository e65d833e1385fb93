import { brandApi } from '@iot/shared/contract/brand'
import type { Input } from '@iot/shared/contract/endpoint'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { sharedApp, type TestApp } from '../../testing'
import { manufacturer } from '../../tables/manufacturer'

let app: TestApp
let maker: { id: string }
beforeAll(async () => {
  app = await sharedApp()
  const texts = { shortName: '', creditCode: '', contact: '', phone: '', email: '', areaCode: '' }
  const more = { address: '', website: '', logo: '', remark: '', createBy: '', updateBy: '' }
  const row = { ...texts, ...more, name: '雷士照明', code: 'nvc', status: 'enabled' as const }
  maker = (await app.app.db.insert(manufacturer).values(row).returning())[0]!
})

const admin = () => app.as('admin')
const draft = (name: string, change = {}): Input<typeof brandApi.create> => ({
  ...{ name, englishName: '', manufacturerId: maker.id, categories: [], logo: '' },
  ...{ servicePhone: '', website: '', sort: 1, status: 'enabled', ...change },
})
const refused = (change: object) =>
  admin()
    .call(brandApi.create, draft('雷士', change))
    .catch(({ data }) => data.fields)

test('a draft is refused at the field that is wrong', async () => {
  const nobody = '018f0000-0000-7000-8000-000000000000'
  expect(await refused({ name: ' ' })).toEqual({ name: '请输入品牌名称' })
  expect(await refused({ manufacturerId: '' })).toEqual({ manufacturerId: '请选择厂商' })
  const gone = { manufacturerId: '所选厂商不存在或已被删除' }
  expect(await refused({ manufacturerId: nobody })).toEqual(gone)
  expect(await refused({ categories: ['none'] })).toEqual({ categories: '所选品类不存在' })
  for (const logo of ['https://evil.example/a.png', '//evil.example/a', '/v1/upload/file/../me'])
    expect(await refused({ logo })).toEqual({ logo: '请上传图片' })
})

test('a name is free with another manufacturer, and taken with its own', async () => {
  const { name } = await admin().call(brandApi.create, draft('雷士'))
  expect(await refused({})).toEqual({ name: `品牌名称“${name}”已存在` })
})

test('a disabled manufacturer is chosen no more, and one with brands is not deleted', async () => {
  const brand = await admin().call(brandApi.create, draft('光环境'))
  await admin().call(manufacturerApi.setStatus, { ids: [maker.id], status: 'disabled' })
  const why = '厂商“雷士照明”已禁用，请选择其他厂商'
  expect(await refused({ name: '新' })).toEqual({ manufacturerId: why })
  const kept = await admin().call(brandApi.update, { ...brand, englishName: 'Light' })
  expect(kept).toMatchObject({ englishName: 'Light', manufacturerName: '雷士照明', version: 2 })
  await expect(admin().call(manufacturerApi.remove, { id: maker.id })).rejects.toMatchObject({
    code: 1003,
    data: { references: [{ entity: '品牌', name: '雷士' }, { name: '光环境' }] },
  })
})
