import { built, variant } from './federation/builds'
import { openConsole, screens } from './federation/console'
import { expect, keepToken, signedIn, test } from './fixtures'
import { draft, sender } from './lists'

test('a screen that fails while it is drawn leaves the shell standing, and comes back with the next build', async ({
  page,
}) => {
  const { token } = await signedIn()
  const console_ = await openConsole()
  const good = await built('enterprise')
  await console_.site.publish(
    await variant(good, {
      build: '00000000fail',
      file: (_, text) =>
        text.replace('label:"角色"', 'label:(()=>{throw new TypeError("没有这一列")})()'),
    }),
  )
  await keepToken(page, token)
  await page.goto(`${console_.origin}/home`)
  const open = async (name: string) => page.getByRole('menuitem', { name }).click()
  const failed = page.getByRole('alert').filter({ hasText: '页面出错了' })
  await open('企业管理')
  const outermost = page.waitForEvent('pageerror')
  const reported = page.waitForRequest(
    (request) =>
      request.url().endsWith('/v1/log/error/report') &&
      !!request.postData()?.includes('TypeError: 没有这一列'),
  )
  await open('用户管理')
  await expect(failed).toContainText('TypeError: 没有这一列')
  await reported
  expect((await outermost).message).toBe('没有这一列')
  await expect(page.getByRole('button', { name: '用户菜单' })).toBeVisible()

  await open('系统管理')
  await open('日志')
  await open('操作日志')
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
  await page.goBack()
  await expect(failed).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeVisible()
  await page.goForward()
  await expect(failed).toBeVisible()

  await console_.site.publish(good)
  await expect(page.getByText(screens.enterprise.text)).toBeVisible()
  await console_.close()
})

test('a question whose code does not come says so, and is asked once it has come', async ({
  page,
}) => {
  const { token, api } = await signedIn()
  const { name } = await sender(api)<{ name: string }>('post', '/v1/manufacturer', draft())
  let isGone = true
  await page.route(/\/host\/.*\.js$/, async (route) => {
    const answer = await route.fetch()
    const isOfQuestions = (await answer.text()).includes('okCancel')
    return isGone && isOfQuestions
      ? route.fulfill({ status: 404, body: 'gone' })
      : route.fulfill({ response: answer })
  })
  await keepToken(page, token)
  await page.goto(`/deviceAccess/config/manufacturer?name=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `${name}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  const failed = page.getByRole('dialog').filter({ hasText: '系统已更新，请重新加载' })
  await expect(failed).toContainText('文件不存在')
  isGone = false
  await failed.getByRole('button', { name: '重试' }).click()
  const question = page.getByRole('dialog', { name: `删除“${name}”？` })
  await question.getByRole('button', { name: '删除' }).click()
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0)
})
