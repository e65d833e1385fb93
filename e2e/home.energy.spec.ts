import { expect, test, visit } from './fixtures'
import { exportList } from './listHelpers'

const lamp = 'A座1F-茶水间-01'

test('shows consumption as measured or estimated, and resets the hours of a replaced lamp', async ({
  operator,
}) => {
  await visit(operator, '/home')
  await operator.getByRole('button', { name: '能耗' }).click()
  const drawer = operator.getByRole('dialog', { name: '能耗与寿命' })
  await expect(drawer.getByText(/今天到现在 .+，昨天此时.+；昨天全天 .+/)).toBeVisible()
  const row = (name: string) => drawer.getByRole('row').filter({ hasText: name }).first()
  await expect(row('整个项目')).toContainText(/\d k?Wh/)
  await expect(row('整个项目')).toContainText(/实测|估算/)
  await expect(drawer.getByRole('img', { name: /每天的用电/ })).toBeVisible()

  await drawer.getByRole('tab', { name: '按灯' }).click()
  const lampPanel = drawer.getByRole('tabpanel', { name: '按灯' })
  await lampPanel.getByPlaceholder('设备名称').fill(lamp)
  await lampPanel.getByPlaceholder('设备名称').press('Enter')
  const consumption = lampPanel.getByRole('row').filter({ hasText: lamp })
  await expect(consumption).toHaveCount(1)
  await expect(consumption).toContainText('估算')
  expect((await exportList(operator, 'csv')).suggestedFilename()).toMatch(/\.csv$/)

  await drawer.getByRole('tab', { name: /^待更换/ }).click()
  const panel = drawer.getByRole('tabpanel', { name: /^待更换/ })
  await panel.getByText('全部', { exact: true }).click()
  await panel.getByPlaceholder('设备名称').fill(lamp)
  await panel.getByPlaceholder('设备名称').press('Enter')
  const line = panel.getByRole('row').filter({ hasText: lamp })
  await expect(line).toHaveCount(1)
  await line.getByRole('checkbox', { name: `选择“${lamp}”` }).check()
  await panel.getByRole('button', { name: '登记更换 1 盏' }).click()
  const dialog = operator.getByRole('dialog', { name: '登记更换 1 盏灯' })
  // This exceeds the lamp's rated life of 30,000 hours.
  await dialog.getByLabel('已用小时').fill('30300')
  await dialog.getByRole('button', { name: /登\s?记/ }).click()
  await expect(line).toContainText('101%')
  await expect(line).toContainText('admin')
  await expect(drawer.getByRole('tab', { name: /^待更换/ })).toHaveText(/待更换 \d+/)
  await drawer.getByRole('button', { name: '关闭' }).click()
})
