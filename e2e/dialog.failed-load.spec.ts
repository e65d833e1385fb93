import { paths } from '@iot/shared/screens/paths'
import { expect, test, visit } from './fixtures'
import { getDialog, getField } from './listHelpers'

test('keeps the list behind a dialog whose code does not load, and opens the dialog on 重试', async ({
  newcomer: page,
}) => {
  await visit(page, paths.deviceAccess.config.brand())
  const createButton = page.getByRole('button', { name: '新建品牌' })
  const brandTable = page.getByRole('table').first()
  await createButton.waitFor()
  await page.route('**/*.js', (route) => route.abort())
  await createButton.click()
  const failure = page.getByRole('dialog').filter({ hasText: '系统已更新，请重新加载' })
  await expect(failure).toBeVisible()
  await expect(brandTable).toBeVisible()

  await failure.getByRole('button', { name: '关闭' }).click()
  await expect(failure).toHaveCount(0)
  await createButton.click()
  await expect(failure).toBeVisible()

  await page.unroute('**/*.js')
  await failure.getByRole('button', { name: '重试' }).click()
  await expect(getField(page, '品牌名称')).toBeVisible()
  await expect(getDialog(page)).toHaveCount(1)
  await expect(brandTable).toBeVisible()
})
