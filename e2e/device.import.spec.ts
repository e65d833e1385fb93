import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { createUniqueName } from './listHelpers'

test('imports two of three rows as devices and returns the third with its reason', async ({
  operator: page,
}) => {
  const serial = createUniqueName('imp-')
  const lines = [
    '设备名称,DeviceName,产品,位置,受保护',
    `${serial} 甲,${serial}-1,安全照明灯,科创大厦 A 座 / 1 层,否`,
    `${serial} 乙,${serial}-2,安全照明灯,,是`,
    `${serial} 丙,${serial}-1,安全照明灯,,否`,
  ]
  await visit(page, paths.deviceAccess.device())
  await page.getByRole('button', { name: /^导\s?入$/ }).click()
  const dialog = page.getByRole('dialog', { name: '导入设备' })
  await expect(dialog.getByText(/最多 10000 行/)).toBeVisible()
  await dialog.locator('input[type=file]').setInputFiles({
    name: '设备.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  })
  await dialog.getByRole('button', { name: '确认导入 2 行' }).click()
  await expect(dialog.getByText('成功 2 行，失败 1 行')).toBeVisible()
  await expect(
    dialog.getByRole('row', { name: new RegExp(`4.*${serial}-1”与第 2 行重复`) }),
  ).toBeVisible()
  await dialog.getByRole('button', { name: '下载密钥' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('dialog', { name: '下载设备密钥？' })
      .getByRole('button', { name: /^下\s?载$/ })
      .click(),
  ])
  expect(file.suggestedFilename()).toBe('设备密钥.xlsx')
  await expect(dialog.getByRole('button', { name: '下载密钥' })).toHaveCount(0)
  await dialog.getByRole('button', { name: /完\s?成/ }).click()
  await page.getByPlaceholder('设备名称或 DeviceName').fill(serial)
  await expect(page.getByText('共 2 条')).toBeVisible()
  await expect(page.getByRole('row', { name: /甲.*A 座 \/ 1 层/ })).toBeVisible()
})
