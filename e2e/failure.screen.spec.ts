import { getBuild, createVariant } from './federation/builds'
import { openConsole, screens } from './federation/console'
import { expect, storeToken, signInByApi, test } from './fixtures'
import { createManufacturerDraft, createSender } from './listHelpers'

test('keeps the shell when a screen fails to render, and recovers with the next build', async ({
  page,
}) => {
  const { token } = await signInByApi()
  const testConsole = await openConsole()
  const originalBuild = await getBuild('enterprise')
  await testConsole.site.publish(
    await createVariant(originalBuild, {
      build: '00000000fail',
      file: (_, text) =>
        text.replace('label:"角色"', 'label:(()=>{throw new TypeError("没有这一列")})()'),
    }),
  )
  await storeToken(page, token)
  await page.goto(`${testConsole.origin}/home`)
  const openMenu = async (name: string) => page.getByRole('menuitem', { name }).click()
  const errorAlert = page.getByRole('alert').filter({ hasText: '页面出错了' })
  await openMenu('企业管理')
  const pageError = page.waitForEvent('pageerror')
  const errorReport = page.waitForRequest(
    (request) =>
      request.url().endsWith('/v1/log/error/report') &&
      !!request.postData()?.includes('TypeError: 没有这一列'),
  )
  await openMenu('用户管理')
  await expect(errorAlert).toContainText('TypeError: 没有这一列')
  await errorReport
  expect((await pageError).message).toBe('没有这一列')
  await expect(page.getByRole('button', { name: '用户菜单' })).toBeVisible()

  await openMenu('系统管理')
  await openMenu('日志')
  await openMenu('操作日志')
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
  await page.goBack()
  await expect(errorAlert).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeVisible()
  await page.goForward()
  await expect(errorAlert).toBeVisible()

  await testConsole.site.publish(originalBuild)
  await expect(page.getByText(screens.enterprise.text)).toBeVisible()
  await testConsole.close()
})

test('reports a confirmation dialog whose code fails to load, and shows it after a retry', async ({
  page,
}) => {
  const { token, api } = await signInByApi()
  const { name } = await createSender(api)<{ name: string }>(
    'post',
    '/v1/manufacturer',
    createManufacturerDraft(),
  )
  let isUnavailable = true
  await page.route(/\/host\/.*\.js$/, async (route) => {
    const answer = await route.fetch()
    const hasDialogCode = (await answer.text()).includes('okCancel')
    return isUnavailable && hasDialogCode
      ? route.fulfill({ status: 404, body: 'gone' })
      : route.fulfill({ response: answer })
  })
  await storeToken(page, token)
  await page.goto(`/deviceAccess/config/manufacturer?name=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  const failedDialog = page.getByRole('dialog').filter({ hasText: '系统已更新，请重新加载' })
  await expect(failedDialog).toContainText('文件不存在')
  isUnavailable = false
  await failedDialog.getByRole('button', { name: '重试' }).click()
  const question = page.getByRole('dialog', { name: `删除“${name}”？` })
  await question.getByRole('button', { name: '删除' }).click()
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0)
})
