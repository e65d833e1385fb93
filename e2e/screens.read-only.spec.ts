import { paths } from '@iot/shared/screens/paths'
import { expect, storeToken, createUserAndSignIn, test, visit } from './fixtures'
import { createSender } from './listHelpers'

test('shows icons, views and positions of devices to an operator who may not change them', async ({
  page,
  api,
}) => {
  await storeToken(page, (await createUserAndSignIn('operator', api, [1])).token)
  await visit(page, paths.deviceAccess.config.iconLibrary())
  await expect(page.getByRole('button', { name: '新建图标' })).toBeDisabled()
  await expect(page.getByRole('button', { name: '上传多个' })).toBeDisabled()

  await visit(page, paths.deviceAccess.config.viewManager())
  await expect(page.getByText('首页的视图')).toBeVisible()
  await expect(page.getByText('拖动可调整顺序')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '新建视图' })).toBeDisabled()

  const spaces = await createSender(api)<{ id: string; type: string }[]>(
    'get',
    '/v1/project/1/spaces',
  )
  const floor = spaces.find(({ type }) => type === 'floor')!
  await visit(page, `${paths.home()}?placing=${floor.id}`)
  await expect(page.getByText('缺少权限：摆放设备，只能查看')).toBeVisible()
  await expect(page.getByRole('button', { name: /^保\s?存$/ })).toBeDisabled()
})
