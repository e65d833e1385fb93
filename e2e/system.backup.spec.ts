import { expect, test, visit } from './fixtures'

test('says that no backups are set up and why none can be started', async ({ operator: page }) => {
  await visit(page, '/system/backup')
  await expect(page.getByText('没有定时备份')).toBeVisible()
  await expect(page.getByText('还没有备份')).toBeVisible()
  await expect(page.getByRole('button', { name: '立即备份' })).toBeDisabled()
})
