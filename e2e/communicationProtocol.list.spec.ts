import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getField, getDialog, saveDialog, createUniqueName } from './listHelpers'

const address = paths.deviceAccess.config.communicationProtocol()

test('creates a protocol with a parameter, and refuses a default for a secret one', async ({
  operator: page,
}) => {
  const name = createUniqueName('私有协议')
  await visit(page, address)
  await page.getByRole('button', { name: '新建通信协议' }).click()
  await getField(page, '协议名称').fill(name)
  await getField(page, '协议编码').fill(createUniqueName('own'))
  await getField(page, '适用节点').click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('网关子设备').click()
  await page.keyboard.press('Escape')
  await getDialog(page).getByRole('button', { name: '添加参数' }).click()
  const line = getDialog(page).getByRole('group', { name: '参数 1' })
  await line.getByLabel('键').fill('psk')
  await line.getByLabel('名称').fill('接入密钥')
  await line.getByLabel('默认值').fill('123456')
  await line.getByLabel('保密').check()
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await expect(line.getByText('保密参数不能有默认值')).toBeVisible()
  await line.getByLabel('默认值').fill('')
  await saveDialog(page)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('接入密钥')
})

test('refuses to disable a protocol used by products', async ({ operator: page }) => {
  await visit(page, `${address}?name=mqtt`)
  await page.getByRole('checkbox', { name: '选择“MQTT”' }).check()
  await page
    .getByRole('toolbar', { name: '批量操作' })
    .getByRole('button', { name: /禁\s?用/ })
    .click()
  await getDialog(page)
    .getByRole('button', { name: /禁\s?用/ })
    .click()
  await expect(getDialog(page).getByText(/正被 \d+ 处使用，不能禁用/)).toBeVisible()
  await getDialog(page)
    .getByRole('button', { name: /知道了|确\s?定/ })
    .click()
})
