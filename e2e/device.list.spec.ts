import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { createSender, getFieldError, getField, getDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.device()

test('registers a device, shows its secret, finds it, and moves it to another place', async ({
  operator: page,
}) => {
  const name = createUniqueName('设备')
  const serial = createUniqueName('dev-')
  await visit(page, address)
  await expect(page.getByText(/^项目：/)).toBeVisible()
  await page.getByRole('button', { name: '登记设备' }).click()
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  for (const text of ['请选择产品', '请输入设备名称', '请输入 DeviceName'])
    await expect(getFieldError(page, text)).toBeVisible()
  await getField(page, '产品').press('ArrowDown')
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await getField(page, '设备名称').fill(name)
  await getField(page, 'DeviceName').fill(serial)
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(page.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  await page.getByRole('button', { name: '已保存好' }).click()

  await page.getByPlaceholder('设备名称或 DeviceName').fill(serial)
  await expect(page.getByText('共 1 条')).toBeVisible()
  await page.getByRole('checkbox', { name: `选择“${name}”` }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /移\s?动/ })
    .click()
  await getField(page, '位置').fill('A 座 / 1 层')
  await page
    .locator('.ant-select-dropdown:visible')
    .getByTitle('科创大厦 A 座 / 1 层', { exact: true })
    .click()
  await getDialog(page)
    .getByRole('button', { name: /移\s?动/ })
    .click()
  await expect(page.getByRole('row', { name: new RegExp(`${name}.*A 座 / 1 层`) })).toBeVisible()
})

test('disables a device after a confirmation, enables it again, and deletes it', async ({
  operator: page,
  api,
}) => {
  const { data: products } = (await (await api.get('/v1/product/list')).json()) as {
    data: { id: string; node: string }[]
  }
  const name = createUniqueName('设备')
  const productId = products.find(({ node }) => node === 'sub')!.id
  await api.post('/v1/device', {
    data: {
      projectId: 1,
      productId,
      name,
      deviceName: createUniqueName('dev-'),
      spaceId: null,
      protected: false,
    },
  })
  await visit(page, `${address}?name=${encodeURIComponent(name)}`)
  const chooseAction = async (item: string) => {
    await page.getByRole('button', { name: `${name}的更多操作` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const findRow = (state: string) =>
    page.getByRole('row', { name: new RegExp(`${name}.*${state}`) })
  await chooseAction('禁用')
  await expect(getDialog(page).getByText('连接会立即断开')).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /禁\s?用/ })
    .click()
  await expect(findRow('禁用')).toBeVisible()
  await chooseAction('启用')
  await expect(findRow('未激活')).toBeVisible()
  await chooseAction('删除')
  await getDialog(page)
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('replaces the secrets of the selected devices, and hands the new ones out once', async ({
  operator: page,
  api,
}) => {
  const send = createSender(api)
  const products = await send<{ id: string; node: string }[]>('get', '/v1/product/list')
  const productId = products.find(({ node }) => node === 'direct' || node === 'sub')!.id
  const name = createUniqueName('换密钥')
  for (const n of [1, 2])
    await send('post', '/v1/device', {
      projectId: 1,
      productId,
      name: `${name} ${n}`,
      deviceName: createUniqueName('key-'),
      spaceId: null,
      protected: false,
    })
  await visit(page, `${address}?name=${encodeURIComponent(name)}`)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: '更换密钥' })
    .click()
  const question = page.getByRole('dialog', { name: '更换选中的 2 台设备的密钥？' })
  await expect(question).toContainText('旧密钥立即失效')
  await question.getByRole('button', { name: /更\s?换/ }).click()
  const result = page.getByRole('dialog', { name: '更换密钥' })
  await expect(result.getByText('成功 2 台，失败 0 台')).toBeVisible()
  await result.getByRole('button', { name: '下载密钥' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('dialog', { name: '下载设备密钥？' })
      .getByRole('button', { name: /下\s?载/ })
      .click(),
  ])
  expect(file.suggestedFilename()).toBe('设备密钥.xlsx')
  await expect(result.getByRole('button', { name: '下载密钥' })).toBeHidden()
  await result.getByRole('button', { name: /完\s?成/ }).click()
  await page.getByRole('button', { name: '取消选择' }).click()
})
