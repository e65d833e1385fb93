import { expect, test, visit } from './fixtures'

test('shows the ways in with what goes on there, and tries whether they can be reached', async ({
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

test('lists devices with a connection of their own, by their address', async ({
  operator: page,
}) => {
  await visit(page, '/system/network?state=online')
  const first = page.getByRole('row').filter({ has: page.getByRole('button', { name: /断\s?开/ }) })
  await expect(first.first()).toContainText('127.0.0.1')
  await page.getByRole('textbox', { name: 'IP 地址' }).fill('10.99.')
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})
