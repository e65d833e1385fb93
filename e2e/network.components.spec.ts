import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { createLamp } from './simulatedLamp'

test('shows the network components with their traffic, and tests whether they are reachable', async ({
  operator: page,
}) => {
  await visit(page, '/system/network')
  const http = page.getByRole('row', { name: /^HTTP / })
  await expect(http).toContainText('运行中')
  await http.getByRole('button', { name: '连通性测试' }).click()
  await expect(page.getByText(/HTTP 可以连通/)).toBeVisible()
  await expect(page.getByRole('row', { name: /MQTT over WebSocket（TLS）/ })).toContainText(
    '未开启',
  )
})

test('lists directly connected devices by address, and opens the page of one by its name', async ({
  operator: page,
}) => {
  await visit(page, '/system/network?state=online')
  const onlineRows = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /断\s?开/ }) })
  // Hosts of other tests are connected without messages.
  const gatewayRow = onlineRows.filter({ hasText: '边缘网关' }).first()
  await expect(gatewayRow).toContainText('127.0.0.1')
  await gatewayRow.getByRole('link').click()
  await expect(page).toHaveURL(/\/system\/network\/[\da-f-]{36}$/)
  await expect(page.getByText('MQTT 3.1.1')).toBeVisible()
  await expect(
    page.getByRole('row', { name: /上行 thing\/event\/property\/post/ }).first(),
  ).toBeVisible()
  await page.goBack()
  await page.getByRole('textbox', { name: 'IP 地址' }).fill('10.99.')
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('shows why a device was refused in the list, on its page and on the page of its product', async ({
  operator: page,
  api,
}) => {
  const lampDevice = await createLamp(api)
  const { deviceName, productId } = lampDevice
  await lampDevice.close()
  await lampDevice.connectWrongly()

  await visit(page, '/system/network')
  await page.getByRole('link', { name: '接入拒绝' }).click()
  await page.getByRole('textbox', { name: 'DeviceName、ProductKey 或 clientId' }).fill(deviceName)
  const row = page.getByRole('row', { name: new RegExp(deviceName) })
  await expect(row).toContainText('密钥不对（签名不符）')
  await expect(row).toContainText('127.0.0.1')
  await row.getByRole('link', { name: deviceName }).click()
  await expect(page.getByText('最近被拒绝的接入')).toBeVisible()
  await expect(page.getByRole('row', { name: /密钥不对（签名不符） 127\.0\.0\.1/ })).toBeVisible()
  await visit(page, `${paths.deviceAccess.config.product()}/${productId}?tab=access`)
  await expect(page.getByRole('row', { name: new RegExp(`${deviceName} 密钥不对`) })).toBeVisible()
})
