import type { Page } from '@playwright/test'
import { getBuild, createNextBuild, readReleaseRecord, createVariant } from './federation/builds'
import { pollReleases, expectUpdateTo } from './federation/console'
import { openPlatform } from './federation/platform'
import { expect, navigateTo, storeToken, test } from './fixtures'

let platform: Awaited<ReturnType<typeof openPlatform>>
test.beforeAll(async () => void (platform = await openPlatform()))
test.afterAll(() => platform.close())
test.beforeEach(({ context }) => storeToken(context, platform.token))

test('shows the users of each build, rolls a remote back, and reports a second concurrent rollback as already done', async ({
  page,
  context,
}) => {
  const enterpriseBuild = await getBuild('enterprise')
  const { build } = await readReleaseRecord(enterpriseBuild)
  await platform.site.publish(await createNextBuild(enterpriseBuild, 1, '新建用户'), {
    who: '李工',
    why: '用户导入',
  })

  // The page reports its builds soon after a remote was opened; the first report may come before the remote is loaded.
  const buildReport = page.waitForResponse((answer) => {
    const requestBody = answer.request().postData() ?? ''
    return answer.url().includes('heartbeat') && requestBody.includes('"build":"000000000001"')
  })
  await page.goto(`${platform.origin}/enterprise/user`)
  await expect(page.getByText('新建用户·1', { exact: true })).toBeVisible()
  await buildReport

  const adminPage = await context.newPage()
  await adminPage.goto(`${platform.origin}/system/release`)
  const row = adminPage.getByRole('row', { name: /企业管理/ })
  const currentCell = row.getByRole('cell', { name: '李工 · 用户导入' }).first()
  await expect(currentCell).toContainText(/\d\d-\d\d \d\d:\d\d/)
  await currentCell.getByText('李工 · 用户导入').hover()
  await expect(adminPage.getByRole('tooltip').getByText('000000000001')).toBeVisible()
  await expect(row.getByRole('cell').nth(4)).toHaveText('1')
  await expect(row).toContainText('100%（1 次）')

  await row.getByRole('button', { name: '回退' }).click()
  const dialog = adminPage.getByRole('dialog')
  await expect(dialog).toContainText(/将“企业管理”回退到“\d\d-\d\d \d\d:\d\d · .+”？/)
  await dialog.getByLabel('原因').fill('导入后列表不刷新')
  // The open page may poll the pointer at any moment from now on.
  const oldBuildResponse = page.waitForResponse((answer) =>
    new RegExp(`remotes/enterprise/${build}/.*\\.js$`).test(answer.url()),
  )
  await dialog.getByRole('button', { name: /回\s*退/ }).click()
  await expect(adminPage.getByText('“企业管理”已回退到')).toBeVisible()
  await expect(row).toContainText('admin · 导入后列表不刷新')
  expect((await platform.site.pointer()).remotes.enterprise).toMatchObject({
    build,
    previous: '000000000001',
  })

  await adminPage.getByRole('link', { name: '企业管理' }).click()
  await expect(adminPage.getByRole('row', { name: /回退 admin 导入后列表不刷新/ })).toBeVisible()
  await expect(
    adminPage.getByRole('listitem').filter({ hasText: '回退发布 · admin' }),
  ).toBeVisible()

  // The open page swaps at its next navigation, without a reload.
  const loadTime = await page.evaluate(() => performance.timeOrigin)
  await page.bringToFront()
  await pollReleases(page)
  await oldBuildResponse
  // The notice disappears after eight seconds, within which a slow machine may not have rendered the screen, so both
  // are awaited in parallel.
  await Promise.all([
    expect(page.getByText('“企业管理”已更新')).toBeVisible(),
    expectUpdateTo(page, '/enterprise/user', '新建用户'),
  ])
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadTime)

  await test.step('the second of two rollbacks at once finds the build already in use', () =>
    rollBackAtOnce(page, adminPage))
})

/** Asks for the same rollback in two open pages and confirms both. */
async function rollBackAtOnce(first: Page, second: Page) {
  for (const page of [first, second]) {
    await page.bringToFront()
    await navigateTo(page, '/system/release')
    await page
      .getByRole('row', { name: /企业管理/ })
      .getByRole('button', { name: '回退' })
      .click()
  }
  const confirm = (page: Page) =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: /回\s*退/ })
      .click()
  await confirm(first)
  await expect(first.getByText(/已回退到/)).toBeVisible()
  await confirm(second)
  await expect(second.getByText('企业管理已在使用这个版本')).toBeVisible()
}

test('offers the former build when screens of the current one fail', async ({ page, context }) => {
  const brokenBuild = await createVariant(await getBuild('enterprise'), {
    build: '00000000bad1',
    file: (_, text) =>
      text.replace('label:"角色"', 'label:(()=>{throw new TypeError("没有这一列")})()'),
  })
  await platform.site.publish(brokenBuild, { who: '李工', why: '角色改版' })
  const crashReport = page.waitForResponse(
    (answer) => !!answer.request().postData()?.includes('"kind":"crash"'),
  )
  await page.goto(`${platform.origin}/enterprise/user`)
  await expect(page.getByText('页面出错了')).toBeVisible()
  await crashReport

  const adminPage = await context.newPage()
  await adminPage.goto(`${platform.origin}/system/release`)
  const offer = adminPage.getByRole('alert').filter({ hasText: '页面出错' })
  await expect(offer).toContainText('“企业管理”的当前版本在 1 / 1 个会话中页面出错，可以回退到')
  await offer.getByRole('button', { name: '回退…' }).click()
  await adminPage
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(adminPage.getByText('“企业管理”已回退到')).toBeVisible()
  await expect(offer).toBeHidden()
})

test('rolls a canary out to half of the browsers, then to all, and stops the next one', async ({
  browser,
  page,
}) => {
  const enterpriseBuild = await getBuild('enterprise')
  await platform.site.publish(enterpriseBuild)
  const canaryBuild = await createNextBuild(enterpriseBuild, 3, '新建用户')
  await platform.site.publish(canaryBuild, { who: '李工', why: '用户改版', share: 50 })

  // Two draws half the range apart are used, so that exactly one of them is in the share for any build id.
  const testPages = await Promise.all(
    ['0', '50'].map(async (draw) => {
      const one = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
      await one.addInitScript((value) => localStorage.setItem('draw', value), draw)
      await storeToken(one, platform.token)
      await one.goto(`${platform.origin}/enterprise/user`)
      const create = one.getByText(/^新建用户/)
      await expect(create).toBeVisible()
      return { one, text: await create.innerText() }
    }),
  )
  expect(testPages.map(({ text }) => text).sort()).toEqual(['新建用户', '新建用户·3'])

  await page.goto(`${platform.origin}/system/release`)
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
    await expectUpdateTo(one, '/enterprise/user', '新建用户·3', '/enterprise/holiday')
    await one.context().close()
  }

  const stoppedBuild = await createNextBuild(enterpriseBuild, 4, '新建用户')
  await platform.site.publish(stoppedBuild, { who: '李工', why: '又一版', share: 99 })
  await page.getByRole('button', { name: '刷新' }).click()
  await row.getByRole('button', { name: '停止' }).click()
  await expect(page.getByRole('dialog')).toContainText('停止“企业管理”的灰度？')
  await page.getByRole('dialog').getByRole('button', { name: '停止灰度' }).click()
  await expect(page.getByText('“企业管理”的灰度已停止')).toBeVisible()
  await expect(row.getByText(/灰度 \d/)).toHaveCount(0)
  const { enterprise } = (await platform.site.pointer()).remotes
  expect(enterprise).toMatchObject({ build: '000000000003' })
  expect(enterprise!.canary).toBeUndefined()
})
