import { getBuild, createNextBuild, readReleaseRecord, createVariant } from './federation/builds'
import { pollReleases, expectUpdateTo } from './federation/console'
import { openPlatform } from './federation/platform'
import { expect, navigateTo, signIn, test } from './fixtures'

let platform: Awaited<ReturnType<typeof openPlatform>>
test.beforeAll(async () => void (platform = await openPlatform()))
test.afterAll(() => platform.close())

test('shows the users of each build, and rolls a remote back to the former one', async ({
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
  await signIn(page)
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
})

test('reports a second concurrent rollback as already done', async ({ page, context }) => {
  await page.goto(`${platform.origin}/system/release`)
  await signIn(page)
  await expect(page.getByRole('row', { name: /企业管理/ })).toBeVisible()
  const otherPage = await context.newPage()
  await otherPage.goto(`${platform.origin}/system/release`)
  for (const releasePage of [page, otherPage])
    await releasePage
      .getByRole('row', { name: /企业管理/ })
      .getByRole('button', { name: '回退' })
      .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(page.getByText(/已回退到/)).toBeVisible()
  await otherPage
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(otherPage.getByText('企业管理已在使用这个版本')).toBeVisible()
})

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
  await signIn(page)
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

/**
 * Creates a remote that the console was not built with: the users screen under another name, with a menu of its own.
 */
async function createEnergyRemote(buildNumber: number) {
  const enterpriseBuild = await getBuild('enterprise')
  const { build, needs, menu } = await readReleaseRecord(enterpriseBuild)
  const user = menu.find(({ routeName }) => routeName === 'enterprise.user')!
  const folder = menu.find(({ routeName }) => routeName === 'enterprise')!
  const renameArea = <T extends object>(row: T) =>
    JSON.parse(JSON.stringify(row).replaceAll('enterprise', 'energy')) as T
  return createVariant(enterpriseBuild, {
    build: `e0000000000${buildNumber}`,
    record: {
      name: 'energy',
      needs: renameArea(needs),
      menu: [
        { ...renameArea(folder), name: '能耗管理', buttons: [] },
        { ...renameArea(user), name: '用电', permission: 'energy:use:list', buttons: [] },
      ],
    },
    file: (name, text, { entry }) =>
      // The entry is the container, which bears the name of its remote.
      (name === entry ? text.replaceAll(/\benterprise\b/g, 'energy') : text)
        .replaceAll(`enterprise_e0000000000${buildNumber}`, `energy_e0000000000${buildNumber}`)
        .replaceAll(`enterprise_${build}`, `energy_e0000000000${buildNumber}`)
        .replaceAll('"新建用户"', `"新建用户·${buildNumber}"`),
  })
}

test('adds a remote unknown at build time to the menu, updates it and rolls it back', async ({
  page,
}) => {
  await page.goto(`${platform.origin}/system/release`)
  await signIn(page)
  await expect(page.getByRole('row', { name: /企业管理/ })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '能耗管理' })).toBeHidden()

  await platform.site.publish(await createEnergyRemote(1), { who: '外部团队', why: '首次发布' })
  const folder = page.getByRole('menuitem', { name: '能耗管理' })
  await expect(async () => {
    await pollReleases(page)
    await expect(folder).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await folder.click()
  await page.getByRole('menuitem', { name: '用电' }).click()
  await expect(page.getByText('新建用户·1', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/energy\/user$/)

  await platform.site.publish(await createEnergyRemote(2), { who: '外部团队', why: '第二版' })
  await expectUpdateTo(page, '/energy/user', '新建用户·2')

  await navigateTo(page, '/system/release')
  const row = page.getByRole('row', { name: /能耗管理/ })
  await row.getByRole('button', { name: '回退' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(page.getByText('“能耗管理”已回退到')).toBeVisible()
  await expectUpdateTo(page, '/energy/user', '新建用户·1')
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
})
