import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getFieldError, getField, getDialog, createUniqueName } from './listHelpers'

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
