import { paths } from '@iot/shared/screens/paths'
import { failCommand, refusingLamp, waitForIncident } from './buildingLamps'
import { expect, storeToken, createUserAndSignIn, test } from './fixtures'

test('shows home to a read-only visitor, with the reasons for disabled controls, and reports failed reads', async ({
  page,
  api,
}) => {
  await failCommand(api)
  await waitForIncident(api)
  const visitor = await createUserAndSignIn('visitor', api, [1])
  await storeToken(page, visitor.token)
  await page.route('**/v1/control/recent?*', (route) => route.abort())
  await page.goto(paths.home())
  const retryButton = page.getByRole('button', { name: '重试失败' }).first()

  await test.step('a failed read of the last commands is not shown as none, and is repeated', async () => {
    const panel = page.locator('[data-card]', { hasText: '最近的控制' })
    await expect(panel.getByText(/没有取到数据/)).toBeVisible()
    await expect(panel.getByText('还没有控制记录')).toBeHidden()
    await page.unroute('**/v1/control/recent?*')
    await panel.getByRole('button', { name: '重试' }).click()
    await expect(retryButton).toBeVisible()
  })

  await test.step('controls of the plan are disabled', async () => {
    await expect(retryButton).toBeDisabled()
    await expect(page.getByRole('button', { name: '选灯' })).toBeDisabled()
    await expect(page.getByRole('button', { name: '编辑模式' })).toBeDisabled()
    // Content that loads later above the button moves it away from the mouse, so the hover is repeated.
    await expect(async () => {
      await page.mouse.move(0, 0)
      await retryButton.hover({ force: true, timeout: 10_000 })
      const reason = page.getByRole('tooltip', { name: '缺少权限：单灯控制' })
      await expect(reason).toBeVisible({ timeout: 5000 })
    }).toPass()
  })

  await test.step('hours of lamps cannot be reset', async () => {
    await page.getByRole('button', { name: '能耗' }).click()
    const drawer = page.getByRole('dialog', { name: '能耗与寿命' })
    await drawer.getByRole('tab', { name: /^待更换/ }).click()
    await expect(drawer.getByRole('button', { name: /^登记更换/ })).toBeDisabled()
    await drawer.getByRole('button', { name: '关闭' }).click()
    await expect(drawer).toBeHidden()
  })

  await test.step('incidents and operations can be read, not acknowledged', async () => {
    await page.getByRole('button', { name: /^交接/ }).click()
    const drawer = page.getByRole('dialog', { name: '交接' })
    const incident = drawer.getByRole('listitem').filter({ hasText: '控制任务失败' }).first()
    await expect(incident).toBeVisible()
    await expect(drawer.getByRole('row').filter({ hasText: refusingLamp }).first()).toBeVisible()
    await expect(incident.getByRole('button')).toHaveCount(0)
    await expect(drawer.getByRole('button', { name: /^确认/ })).toHaveCount(0)
    await incident.getByRole('link').click()
    await expect(page.getByRole('heading', { name: '时间线' })).toBeVisible()
    await expect(page.getByRole('button', { name: '手动恢复' })).toBeDisabled()
  })
})
