import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'

test('shows the entries of a dictionary, finds one, and leads to the screen that maintains it', async ({
  operator: page,
}) => {
  await visit(page, paths.system.dictionary())
  const units = page.getByRole('row', { name: /单位 symbol/ })
  await expect(units).toContainText('标准规定，不能修改')
  await page.getByLabel('搜索字典').fill('摄氏')
  await expect(page.getByRole('row', { name: /通信协议 protocol/ })).toBeHidden()
  await units.click()
  await expect(page.getByRole('cell', { name: '摄氏度', exact: true })).toBeVisible()
  await page.getByLabel('搜索字典').fill('没有这一项')
  await expect(page.getByText('没有符合条件的字典')).toBeVisible()
  await page.getByLabel('搜索字典').fill('protocol')
  await page.getByRole('link', { name: '在“通信协议”里维护' }).click()
  await expect(page).toHaveURL(new RegExp(`${paths.deviceAccess.config.communicationProtocol()}$`))
})
