import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test } from './fixtures'
import { draft, errorAt, field, inDialog, save, unique } from './lists'

type Answer = { data: { id: string; version: number } }
const property = (identifier: string, unit: string, required = false) => ({
  identifier,
  name: identifier,
  required,
  accessMode: 'rw',
  dataType: { type: 'int', specs: { min: 0, max: 100, unit } },
})
const model = (...properties: object[]) => ({ properties, services: [], events: [] })

/** Creates a manufacturer and a category with published functions. */
async function prepared(api: APIRequestContext) {
  const send = async (way: 'post' | 'put', path: string, data: object) =>
    ((await (await api[way](path, { data })).json()) as Answer).data
  const name = unique('品类')
  const maker = draft()
  const { id: manufacturerId } = await send('post', '/v1/manufacturer', maker)
  const { id } = await send('post', '/v1/product-category', {
    parentId: null,
    name,
    code: unique('c'),
    icon: '',
    description: '',
    sort: 1,
  })
  const publish = async (version: number, next: object) => {
    const path = `/v1/product-category/${id}`
    const saved = await send('put', `${path}/model`, { version, model: next })
    return send('post', `${path}/publish`, { version: saved.version, note: '' })
  }
  const { version } = await publish(1, model(property('Level', '%', true)))
  return { name, maker: maker.name, id, manufacturerId, version, publish, send }
}

test('a product goes from nothing to a device with its secret', async ({ operator: page, api }) => {
  const { name: category, maker } = await prepared(api)
  const name = unique('产品')
  await page.goto(paths.deviceAccess.config.product())
  await page.getByRole('button', { name: '新建产品' }).click()
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  for (const text of ['请输入产品名称', '请选择厂商', '请输入型号'])
    await expect(errorAt(page, text)).toBeVisible()
  await field(page, '产品名称').fill(name)
  await field(page, '厂商').fill(maker)
  await page.getByTitle(maker).click()
  await field(page, '型号').fill('L-1')
  await field(page, '品类').fill(category)
  await page.getByTitle(category).click()
  await field(page, '产品类型').fill('SAFEWAY_LIGHT')
  await page.getByTitle(/SAFEWAY_LIGHT/).click()
  await save(page)

  await page.getByRole('link', { name }).click()
  await page.getByRole('tab', { name: '功能定义' }).click()
  await expect(page.getByRole('row', { name: /Level/ })).toBeVisible()
  await expect(page.getByText('符合所属品类')).toBeVisible()
  await page.getByRole('button', { name: /^发\s?布$/ }).click()
  await inDialog(page)
    .getByRole('button', { name: /^发\s?布$/ })
    .click()
  await expect(page.getByRole('button', { name: /停\s?用/ })).toBeVisible()

  await page.getByRole('tab', { name: '接入信息' }).click()
  await expect(page.getByText('等待第一条消息')).toBeVisible()
  await page.getByRole('tab', { name: '设备' }).click()
  await page.getByRole('button', { name: '登记设备' }).click()
  await field(page, '设备名称').fill('一号灯')
  await field(page, 'DeviceName').fill(unique('lamp-'))
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(page.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  await page.getByRole('button', { name: '已保存好' }).click()
  await expect(page.getByRole('row', { name: /一号灯.*未激活/ })).toBeVisible()
  await page.getByRole('tab', { name: '变更记录' }).click()
  await expect(page.getByText('状态：开发中 → 已发布')).toBeVisible()
})

test('a product says where it departs from its category, is mended, and takes a newer version', async ({
  operator: page,
  api,
}) => {
  const { id: categoryId, manufacturerId, version, publish, send } = await prepared(api)
  const row = await send('post', '/v1/product', {
    name: unique('产品'),
    modelNo: unique('M'),
    manufacturerId,
    brandId: null,
    categoryId,
    productType: 'SAFEWAY_LIGHT',
    node: 'direct',
    net: 'wifi',
    protocol: 'mqtt',
    controlTypes: [],
    authType: 'deviceSecret',
    dataFormat: 'alink',
    ratedPower: null,
    ratedLifeHours: null,
    icon: '',
    picture: '',
    description: '',
  })
  await send('put', `/v1/product/${row.id}/model`, {
    version: row.version,
    model: model(property('Level', 'lux', true)),
  })
  await publish(version, model(property('Level', '%', true), property('Tone', 'K')))
  await page.goto(`${paths.deviceAccess.config.product()}/${row.id}?tab=functions`)
  const departure = page.getByRole('row', { name: /单位应为 %，现为 lux/ })
  await departure.getByRole('button', { name: '改为标准' }).click()
  await expect(page.getByText('符合所属品类')).toBeVisible()
  await page.getByRole('button', { name: '查看差异并采用' }).click()
  await expect(inDialog(page).getByRole('row', { name: /新增.*Tone/ })).toBeVisible()
  await inDialog(page)
    .getByRole('button', { name: /采\s?用/ })
    .click()
  await expect(page.getByRole('row', { name: /Tone.*整数/ })).toBeVisible()
  await expect(page.getByText('已发布版本 2')).toHaveCount(0)
})
