import { paths } from '@iot/shared/screens/paths'
import { openPlatform } from './federation/platform'
import { expect, navigateTo, signIn, test } from './fixtures'

test('leads the administrator of an empty platform to the example building', async ({ page }) => {
  const platform = await openPlatform()
  try {
    await page.goto(`${platform.origin}/login`)
    await signIn(page)
    await expect(page.getByText('还没有项目')).toBeVisible()
    await expect(page.getByRole('link', { name: '新建项目' })).toBeVisible()
    await navigateTo(page, paths.deviceAccess.device())
    await expect(page.getByText('还没有项目，请先新建项目')).toBeVisible()
    await expect(page.getByRole('button', { name: '登记设备' })).toBeDisabled()
    await navigateTo(page, paths.home())
    await page.getByRole('button', { name: '导入示例楼宇' }).click()
    await expect(page.getByText('示例楼宇已导入')).toBeVisible()
    await expect(page.getByText('科创大厦 A 座').first()).toBeVisible()
    await expect(page.getByText('还没有项目')).toBeHidden()
  } finally {
    await platform.close()
  }
})
