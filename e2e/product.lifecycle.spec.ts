import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import {
  createManufacturerDraft,
  createSender,
  getFieldError,
  getField,
  getDialog,
  saveDialog,
  createUniqueName,
} from './listHelpers'

type ApiAnswer = { data: { id: string; version: number } }
const createProperty = (identifier: string, unit: string, required = false) => ({
  identifier,
  name: identifier,
  required,
  accessMode: 'rw',
  dataType: { type: 'int', specs: { min: 0, max: 100, unit } },
})
const createModel = (...properties: object[]) => ({ properties, services: [], events: [] })

const createProductDraft = (manufacturerId: string, categoryId: string | null) => ({
  name: createUniqueName('产品'),
  modelNo: createUniqueName('M'),
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

/** Creates a manufacturer and a category with published functions. */
async function prepareCategory(api: APIRequestContext) {
  const send = async (method: 'post' | 'put', path: string, data: object) =>
    ((await (await api[method](path, { data })).json()) as ApiAnswer).data
  const name = createUniqueName('品类')
  const maker = createManufacturerDraft()
  const { id: manufacturerId } = await send('post', '/v1/manufacturer', maker)
  const { id } = await send('post', '/v1/product-category', {
    parentId: null,
    name,
    code: createUniqueName('c'),
    icon: '',
    description: '',
    sort: 1,
  })
  const publish = async (version: number, nextModel: object) => {
    const path = `/v1/product-category/${id}`
    const savedModel = await send('put', `${path}/model`, { version, model: nextModel })
    return send('post', `${path}/publish`, { version: savedModel.version, note: '' })
  }
  const { version } = await publish(1, createModel(createProperty('Level', '%', true)))
  return { name, maker: maker.name, id, manufacturerId, version, publish, send }
}

test('creates a product up to a device with its secret', async ({ operator: page, api }) => {
  const { name: category, maker } = await prepareCategory(api)
  const name = createUniqueName('产品')
  await visit(page, paths.deviceAccess.config.product())
  await page.getByRole('button', { name: '新建产品' }).click()
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  for (const text of ['请输入产品名称', '请选择厂商', '请输入型号'])
    await expect(getFieldError(page, text)).toBeVisible()
  await getField(page, '产品名称').fill(name)
  await getField(page, '厂商').fill(maker)
  await page.getByTitle(maker).click()
  await getField(page, '型号').fill('L-1')
  await getField(page, '品类').fill(category)
  await page.getByTitle(category).click()
  await getField(page, '产品类型').fill('SAFEWAY_LIGHT')
  await page.getByTitle(/SAFEWAY_LIGHT/).click()
  await saveDialog(page)

  await page.getByRole('link', { name }).click()
  await page.getByRole('tab', { name: '功能定义' }).click()
  await expect(page.getByRole('row', { name: /Level/ })).toBeVisible()
  await expect(page.getByText('符合所属品类')).toBeVisible()
  await page.getByRole('button', { name: /^发\s?布$/ }).click()
  await getDialog(page)
    .getByRole('button', { name: /^发\s?布$/ })
    .click()
  await expect(page.getByRole('button', { name: /停\s?用/ })).toBeVisible()

  await page.getByRole('tab', { name: '接入信息' }).click()
  await expect(page.getByText('等待第一条消息')).toBeVisible()
  await page.getByRole('tab', { name: '设备' }).click()
  await page.getByRole('button', { name: '登记设备' }).click()
  await getField(page, '设备名称').fill('一号灯')
  await getField(page, 'DeviceName').fill(createUniqueName('lamp-'))
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(page.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  await page.getByRole('button', { name: '已保存好' }).click()
  await expect(page.getByRole('row', { name: /一号灯.*未激活/ })).toBeVisible()
  await page.getByRole('tab', { name: '变更记录' }).click()
  await expect(page.getByText('状态：开发中 → 已发布')).toBeVisible()
})

test('shows deviations from the category, fixes them, and takes a newer version', async ({
  operator: page,
  api,
}) => {
  const { id: categoryId, manufacturerId, version, publish, send } = await prepareCategory(api)
  const row = await send('post', '/v1/product', createProductDraft(manufacturerId, categoryId))
  await send('put', `/v1/product/${row.id}/model`, {
    version: row.version,
    model: createModel(createProperty('Level', 'lux', true)),
  })
  await publish(
    version,
    createModel(createProperty('Level', '%', true), createProperty('Tone', 'K')),
  )
  await visit(page, `${paths.deviceAccess.config.product()}/${row.id}?tab=functions`)
  const deviationRow = page.getByRole('row', { name: /单位应为 %，现为 lux/ })
  await deviationRow.getByRole('button', { name: '改为标准' }).click()
  await expect(page.getByText('符合所属品类')).toBeVisible()
  await page.getByRole('button', { name: '查看差异并采用' }).click()
  await expect(getDialog(page).getByRole('row', { name: /新增.*Tone/ })).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /采\s?用/ })
    .click()
  await expect(page.getByRole('row', { name: /Tone.*整数/ })).toBeVisible()
  await expect(page.getByText('已发布版本 2')).toHaveCount(0)
})

/** Creates a published product with two functions. */
async function createPublishedProduct(api: APIRequestContext) {
  const send = createSender(api)
  const { id: manufacturerId } = await send<{ id: string }>(
    'post',
    '/v1/manufacturer',
    createManufacturerDraft(),
  )
  const draft = createProductDraft(manufacturerId, null)
  const { id, version } = await send<ApiAnswer['data']>('post', '/v1/product', draft)
  const savedProduct = await send<ApiAnswer['data']>('put', `/v1/product/${id}/model`, {
    version,
    model: createModel(createProperty('Level', '%'), createProperty('Tone', 'K')),
  })
  await send('post', `/v1/product/${id}/status`, {
    version: savedProduct.version,
    status: 'published',
  })
  return id
}

test('removes a function of a published product that no device has used', async ({
  operator: page,
  api,
}) => {
  const id = await createPublishedProduct(api)
  await visit(page, `${paths.deviceAccess.config.product()}/${id}?tab=functions`)
  await page.getByRole('button', { name: '移除不再使用的功能' }).click()
  const removeButton = getDialog(page).getByRole('button', { name: /^移\s?除$/ })
  await expect(removeButton).toBeDisabled()
  await getField(page, '功能').fill('Tone')
  await page.getByTitle(/Tone/).click()
  await expect(getDialog(page).getByText('没有设备用过它')).toBeVisible()
  await removeButton.click()
  await expect(page.getByText('“Tone”已移除')).toBeVisible()
  await expect(page.getByRole('row', { name: /Level/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Tone/ })).toHaveCount(0)
})

test('deprecates a function of a published product, keeps the mark on editing, and restores it', async ({
  operator: page,
  api,
}) => {
  const id = await createPublishedProduct(api)
  await visit(page, `${paths.deviceAccess.config.product()}/${id}?tab=functions`)
  const row = page.getByRole('row', { name: /Tone/ })
  const chooseAction = async (name: string) => {
    await row.getByRole('button', { name: 'Tone的更多操作' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await chooseAction('弃用')
  const dialog = getDialog(page)
  await expect(dialog.getByText('没有设备用过它')).toBeVisible()
  await expect(dialog.getByText('没有场景或告警规则用到它')).toBeVisible()
  await dialog.getByRole('button', { name: /^弃\s?用$/ }).click()
  await expect(page.getByText('“Tone”已弃用')).toBeVisible()
  await expect(row.getByText('已弃用')).toBeVisible()

  await row.getByRole('button', { name: /编\s?辑/ }).click()
  await getField(page, '名称').fill('旧色温')
  await saveDialog(page)
  const renamedRow = page.getByRole('row', { name: /旧色温/ })
  await expect(renamedRow.getByText('已弃用')).toBeVisible()

  await renamedRow.getByRole('button', { name: '旧色温的更多操作' }).click()
  await page.getByRole('menuitem', { name: '恢复使用' }).click()
  await expect(page.getByText('“旧色温”已恢复使用')).toBeVisible()
  await expect(renamedRow.getByText('已弃用')).toHaveCount(0)
})
