import { built, next, recordOf, variant } from './federation/builds'
import { look, movesTo } from './federation/console'
import { openPlatform } from './federation/platform'
import { expect, go, signIn, test } from './fixtures'

let platform: Awaited<ReturnType<typeof openPlatform>>
test.beforeAll(async () => void (platform = await openPlatform()))
test.afterAll(() => platform.close())

test('tells who uses which build, and takes an area back to the one before', async ({
  page,
  context,
}) => {
  const real = await built('enterprise')
  const { build } = await recordOf(real)
  await platform.site.publish(await next(real, 1, '新建用户'), { who: '李工', why: '用户导入' })

  // The page reports its builds soon after a remote was opened; the first report may come before the remote is loaded.
  const told = page.waitForResponse((answer) => {
    const said = answer.request().postData() ?? ''
    return answer.url().includes('heartbeat') && said.includes('"build":"000000000001"')
  })
  await page.goto(`${platform.origin}/enterprise/user`)
  await signIn(page)
  await expect(page.getByText('新建用户·1', { exact: true })).toBeVisible()
  await told

  const office = await context.newPage()
  await office.goto(`${platform.origin}/system/release`)
  const row = office.getByRole('row', { name: /企业管理/ })
  const now = row.getByRole('cell', { name: '李工 · 用户导入' }).first()
  await expect(now).toContainText(/\d\d-\d\d \d\d:\d\d/)
  await now.getByText('李工 · 用户导入').hover()
  await expect(office.getByRole('tooltip').getByText('000000000001')).toBeVisible()
  await expect(row.getByRole('cell').nth(5)).toHaveText('1')
  await expect(row).toContainText('100%（1 次）')

  await row.getByRole('button', { name: '回退' }).click()
  const dialog = office.getByRole('dialog')
  await expect(dialog).toContainText(/将“企业管理”回退到“\d\d-\d\d \d\d:\d\d · .+”？/)
  await dialog.getByLabel('原因').fill('导入后列表不刷新')
  // The open page may poll the pointer at any moment from now on.
  const loaded = page.waitForResponse((answer) =>
    new RegExp(`remotes/enterprise/${build}/.*\\.js$`).test(answer.url()),
  )
  await dialog.getByRole('button', { name: /回\s*退/ }).click()
  await expect(office.getByText('“企业管理”已回退到')).toBeVisible()
  await expect(row).toContainText('admin · 导入后列表不刷新')
  expect((await platform.site.pointer()).remotes.enterprise).toMatchObject({
    build,
    previous: '000000000001',
  })

  // The open page swaps at its next navigation, without a reload.
  const loads = await page.evaluate(() => performance.timeOrigin)
  await page.bringToFront()
  await look(page)
  await loaded
  // The notice disappears after eight seconds, within which a slow machine may not have rendered the screen, so both
  // are awaited in parallel.
  await Promise.all([
    expect(page.getByText('“企业管理”已更新')).toBeVisible(),
    movesTo(page, '/enterprise/user', '新建用户'),
  ])
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loads)
})

test('two who roll back at the same time: the later is told that it is done', async ({
  page,
  context,
}) => {
  await page.goto(`${platform.origin}/system/release`)
  await signIn(page)
  await expect(page.getByRole('row', { name: /企业管理/ })).toBeVisible()
  const other = await context.newPage()
  await other.goto(`${platform.origin}/system/release`)
  for (const one of [page, other])
    await one
      .getByRole('row', { name: /企业管理/ })
      .getByRole('button', { name: '回退' })
      .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(page.getByText(/已回退到/)).toBeVisible()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(other.getByText('企业管理已在使用这个版本')).toBeVisible()
})

test('offers the build before where screens of the present one fail', async ({ page, context }) => {
  const broken = await variant(await built('enterprise'), {
    build: '00000000bad1',
    file: (_, text) =>
      text.replace('label:"角色"', 'label:(()=>{throw new TypeError("没有这一列")})()'),
  })
  await platform.site.publish(broken, { who: '李工', why: '角色改版' })
  const told = page.waitForResponse(
    (answer) => !!answer.request().postData()?.includes('"kind":"crash"'),
  )
  await page.goto(`${platform.origin}/enterprise/user`)
  await signIn(page)
  await expect(page.getByText('页面出错了')).toBeVisible()
  await told

  const office = await context.newPage()
  await office.goto(`${platform.origin}/system/release`)
  const offer = office.getByRole('alert').filter({ hasText: '页面出错' })
  await expect(offer).toContainText('“企业管理”的当前版本在 1 / 1 个会话中页面出错，可以回退到')
  await offer.getByRole('button', { name: '回退…' }).click()
  await office
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(office.getByText('“企业管理”已回退到')).toBeVisible()
  await expect(offer).toBeHidden()
})

/**
 * Creates a remote that the console was not built with: the users screen under another name, with a menu of its own.
 */
async function energy(n: number) {
  const real = await built('enterprise')
  const { build, needs, menu } = await recordOf(real)
  const user = menu.find(({ routeName }) => routeName === 'enterprise.user')!
  const folder = menu.find(({ routeName }) => routeName === 'enterprise')!
  const named = <T extends object>(row: T) =>
    JSON.parse(JSON.stringify(row).replaceAll('enterprise', 'energy')) as T
  return variant(real, {
    build: `e0000000000${n}`,
    record: {
      name: 'energy',
      needs: named(needs),
      menu: [
        { ...named(folder), name: '能耗管理', buttons: [] },
        { ...named(user), name: '用电', permission: 'energy:use:list', buttons: [] },
      ],
    },
    file: (_, text) =>
      text
        .replaceAll(`enterprise_e0000000000${n}`, `energy_e0000000000${n}`)
        .replaceAll(`enterprise_${build}`, `energy_e0000000000${n}`)
        .replaceAll('"新建用户"', `"新建用户·${n}"`),
  })
}

test('a remote the console was not built with comes into the menu, is updated and rolled back', async ({
  page,
}) => {
  await page.goto(`${platform.origin}/system/release`)
  await signIn(page)
  await expect(page.getByRole('row', { name: /企业管理/ })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '能耗管理' })).toBeHidden()

  await platform.site.publish(await energy(1), { who: '外部团队', why: '首次发布' })
  const folder = page.getByRole('menuitem', { name: '能耗管理' })
  await expect(async () => {
    await look(page)
    await expect(folder).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await folder.click()
  await page.getByRole('menuitem', { name: '用电' }).click()
  await expect(page.getByText('新建用户·1', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/energy\/user$/)

  await platform.site.publish(await energy(2), { who: '外部团队', why: '第二版' })
  await movesTo(page, '/energy/user', '新建用户·2')

  await go(page, '/system/release')
  const row = page.getByRole('row', { name: /能耗管理/ })
  await row.getByRole('button', { name: '回退' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(page.getByText('“能耗管理”已回退到')).toBeVisible()
  await movesTo(page, '/energy/user', '新建用户·1')
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
})
