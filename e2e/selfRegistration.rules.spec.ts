import { createHmac } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { paths } from '@iot/shared/screens/paths'
import { address, expect, test, visit } from './fixtures'
import {
  createManufacturerDraft,
  getField,
  getDialog,
  saveDialog,
  createUniqueName,
} from './listHelpers'

const screenPath = paths.deviceAccess.config.selfRegistration()

type ApiAnswer = { data: { id: string; productKey: string } }
async function createProduct(api: APIRequestContext) {
  const send = async (path: string, data: object) =>
    ((await (await api.post(path, { data })).json()) as ApiAnswer).data
  const { id: manufacturerId } = await send('/v1/manufacturer', createManufacturerDraft())
  const name = createUniqueName('自注册灯')
  const { id, productKey } = await send('/v1/product', {
    name,
    modelNo: createUniqueName('M'),
    manufacturerId,
    brandId: null,
    categoryId: null,
    productType: 'SAFEWAY_LIGHT',
    node: 'direct',
    net: 'wifi',
    protocol: 'mqtt',
    controlTypes: [],
    authType: 'productSecret',
    dataFormat: 'alink',
    ratedPower: null,
    ratedLifeHours: null,
    icon: '',
    picture: '',
    description: '',
  })
  return { id, name, productKey }
}

/** Requests a device secret as a device would. */
async function register(
  api: APIRequestContext,
  { productKey, deviceName, secret }: Record<'productKey' | 'deviceName' | 'secret', string>,
) {
  const content = `deviceName${deviceName}productKey${productKey}random1`
  const sign = createHmac('sha256', secret).update(content).digest('hex')
  const form = { productKey, deviceName, random: '1', signMethod: 'hmacsha256', sign }
  const answer = await api.post(`${address}/auth/register/device`, { form })
  return (await answer.json()) as { code: number; data?: { deviceSecret: string } }
}

test('creates a rule, shows the product secret once, finds, disables and deletes the rule', async ({
  operator: page,
  api,
}) => {
  const { name } = await createProduct(api)
  await visit(page, screenPath)
  await page.getByRole('button', { name: '新建注册规则' }).click()
  await getField(page, '产品').fill(name)
  await page.locator('.ant-select-dropdown:visible').getByText(name).click()
  await getField(page, '设备名称模板').fill('大堂灯')
  await expect(getDialog(page).getByText('设备名称模板须含 {deviceName}')).toBeVisible()
  await getField(page, '设备名称模板').fill('大堂 {deviceName}')
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(page.getByText('ProductSecret 只显示这一次')).toBeVisible()
  await page.getByRole('button', { name: '已保存好' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('预注册')
  await page.getByRole('checkbox', { name: `选择“${name}”` }).check()
  await page.getByRole('button', { name: /禁\s?用/ }).click()
  await getDialog(page)
    .getByRole('button', { name: /禁\s?用/ })
    .click()
  await expect(row).toContainText('禁用')
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(row).toHaveCount(0)
})

test('approves a pending serial with a name, and gives it its secret', async ({
  operator: page,
  api,
}) => {
  const { id, productKey } = await createProduct(api)
  const ruleAnswer = await api.post('/v1/registration-rule', {
    data: {
      productId: id,
      mode: 'free',
      projectId: 1,
      nameTemplate: '{deviceName}',
      addresses: [],
      expireTime: null,
      quota: 1,
      approval: true,
      status: 'enabled',
    },
  })
  const { data } = (await ruleAnswer.json()) as { data: { made: { productSecret: string } } }
  const registration = {
    productKey,
    deviceName: createUniqueName('SN-'),
    secret: data.made.productSecret,
  }
  expect((await register(api, registration)).code).toBe(6288)

  await visit(page, `${screenPath}?tab=records`)
  const row = page.getByRole('row', { name: new RegExp(`选择“${registration.deviceName}`) })
  await expect(row).toContainText('待审批')
  await row.getByRole('button', { name: /展\s?开/ }).click()
  await expect(page.getByText('首次报文（不含签名）')).toBeVisible()
  await row.getByRole('button', { name: /通\s?过/ }).click()
  await getField(page, '设备名称').fill('前台灯')
  await saveDialog(page)
  await expect(row).toContainText('已通过')
  expect((await register(api, registration)).data?.deviceSecret).toMatch(/^[0-9a-f]{32}$/)
})
