import type { EdgeHost } from '@iot/shared/contract/device/edgeHost.schema'
import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { createSender, getFieldError, getField, getDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.edgeHost()

test('lists hosts of the project with their reports and filters them by state', async ({
  operator: page,
}) => {
  await visit(page, address)
  await expect(page.getByText(/^项目：/)).toBeVisible()
  const host = page.getByRole('row', { name: /edge-a1/ })
  await expect(host).toContainText('在线')
  await expect(host).toContainText(/\d+ \/ \d+/)
  await expect(host).toContainText(/\d+ %/)
  await page.getByLabel('状态').press('ArrowDown')
  await page.locator('.ant-select-dropdown:visible').getByTitle('禁用').click()
  await expect(host).toHaveCount(0)
})

test('registers a host with its secret, disables, enables and deletes it', async ({
  operator: page,
}) => {
  const name = createUniqueName('主机')
  const serial = createUniqueName('host-')
  await visit(page, address)
  await page.getByRole('button', { name: '登记边缘主机' }).click()
  const save = getDialog(page).getByRole('button', { name: /保\s?存/ })
  await save.click()
  for (const text of ['请选择产品', '请输入主机名称', '请输入序列号'])
    await expect(getFieldError(page, text)).toBeVisible()
  await getField(page, '产品').fill('边缘网关')
  await page
    .locator('.ant-select-dropdown:visible')
    .getByTitle(/边缘网关/)
    .first()
    .click()
  await getField(page, '主机名称').fill(name)
  await getField(page, '序列号').fill(serial)
  await save.click()
  await expect(page.getByText('DeviceSecret 只显示这一次')).toBeVisible()
  await page.getByRole('button', { name: '已保存好' }).click()

  await page.getByPlaceholder('主机名称或序列号').fill(serial)
  await expect(page.getByText('共 1 条')).toBeVisible()
  const findRow = (state: string) =>
    page.getByRole('row', { name: new RegExp(`${name}.*${state}`) })
  await expect(findRow('未激活')).toContainText('未知')
  const chooseAction = async (item: string) => {
    await page.getByRole('button', { name: `${name}的更多操作` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await chooseAction('禁用')
  await expect(getDialog(page).getByText(/连接会立即断开/)).toBeVisible()
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

test('replaces the secrets of selected hosts', async ({ operator: page, api }) => {
  const name = createUniqueName('换密钥')
  const send = createSender(api)
  const { list } = await send<{ list: EdgeHost[] }>('post', '/v1/edge-host/page', { projectId: 1 })
  for (const n of [1, 2])
    await send('post', '/v1/edge-host', {
      projectId: 1,
      productId: list[0]!.productId,
      name: `${name} ${n}`,
      deviceName: createUniqueName('host-'),
      spaceId: null,
      heartbeatInterval: 30,
    })
  await visit(page, `${address}?name=${encodeURIComponent(name)}`)
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: '更换密钥' })
    .click()
  await page
    .getByRole('dialog', { name: '更换选中的 2 台主机的密钥？' })
    .getByRole('button', { name: /更\s?换/ })
    .click()
  const result = page.getByRole('dialog', { name: '更换密钥' })
  await expect(result.getByText('成功 2 台，失败 0 台')).toBeVisible()
  await expect(result.getByRole('button', { name: '下载密钥' })).toBeVisible()
  await result.getByRole('button', { name: /完\s?成/ }).click()
  await page.getByRole('button', { name: '取消选择' }).click()
})
