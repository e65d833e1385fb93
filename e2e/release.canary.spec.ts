import { getBuild, createNextBuild } from './federation/builds'
import { expectUpdateTo } from './federation/console'
import { openPlatform } from './federation/platform'
import { expect, signIn, test } from './fixtures'

let platform: Awaited<ReturnType<typeof openPlatform>>
test.beforeAll(async () => {
  platform = await openPlatform()
})
test.afterAll(() => platform.close())

test('rolls a canary out to half of the browsers, then to all, and stops the next one', async ({
  browser,
  page,
}) => {
  const enterpriseBuild = await getBuild('enterprise')
  const canaryBuild = await createNextBuild(enterpriseBuild, 1, '新建用户')
  await platform.site.publish(canaryBuild, { who: '李工', why: '用户改版', share: 50 })

  // Two draws half the range apart are used, so that exactly one of them is in the share for any build id.
  const testPages = await Promise.all(
    ['0', '50'].map(async (draw) => {
      const one = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
      await one.addInitScript((value) => localStorage.setItem('draw', value), draw)
      await one.goto(`${platform.origin}/enterprise/user`)
      await signIn(one)
      const create = one.getByText(/^新建用户/)
      await expect(create).toBeVisible()
      return { one, text: await create.innerText() }
    }),
  )
  expect(testPages.map(({ text }) => text).sort()).toEqual(['新建用户', '新建用户·1'])

  await page.goto(`${platform.origin}/system/release`)
  await signIn(page)
  const row = page.getByRole('row', { name: /企业管理/ })
  await expect(row.getByText('灰度 50%').first()).toBeVisible()
  await expect(row.getByText('李工 · 用户改版').first()).toBeVisible()
  await row.getByRole('button', { name: '调整' }).click()
  await page.getByRole('menuitem', { name: '改为 25%' }).click()
  await expect(row.getByText('灰度 25%').first()).toBeVisible()
  await row.getByRole('button', { name: '调整' }).click()
  await page.getByRole('menuitem', { name: '全量启用…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '全量启用' }).click()
  await expect(page.getByText('灰度版本已全量启用')).toBeVisible()
  await expect(row.getByText(/灰度 \d/)).toHaveCount(0)

  for (const { one } of testPages) {
    await expectUpdateTo(one, '/enterprise/user', '新建用户·1', '/enterprise/holiday')
    await one.context().close()
  }

  const stoppedBuild = await createNextBuild(enterpriseBuild, 2, '新建用户')
  await platform.site.publish(stoppedBuild, { who: '李工', why: '又一版', share: 99 })
  await page.getByRole('button', { name: '刷新' }).click()
  await row.getByRole('button', { name: '停止' }).click()
  await expect(page.getByRole('dialog')).toContainText('停止“企业管理”的灰度？')
  await page.getByRole('dialog').getByRole('button', { name: '停止灰度' }).click()
  await expect(page.getByText('“企业管理”的灰度已停止')).toBeVisible()
  await expect(row.getByText(/灰度 \d/)).toHaveCount(0)
  const { enterprise } = (await platform.site.pointer()).remotes
  expect(enterprise).toMatchObject({ build: '000000000001' })
  expect(enterprise!.canary).toBeUndefined()
})
