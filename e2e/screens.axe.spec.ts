import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { menuRecords } from '@iot/shared/screens/all'
import { paths } from '@iot/shared/screens/paths'
import { address, expect, setTheme, test, visit } from './fixtures'
import { createManufacturerDraft } from './listHelpers'
import { takeScreenshot, takeStateScreenshots } from './screenshots'

/** These selectors find what opens above a page; the page itself is checked without it. */
const panels = '[role=dialog], [role=menu], [role=listbox], [role=region], .ant-popover'

/**
 * Returns violations that axe-core rates moderate or worse, each with its first element.
 * @param panel CSS selector that limits the check to what has opened above a page that was checked before
 * @param rules limits the check to these rules
 */
async function findViolations(page: Page, panel?: string, ...rules: string[]) {
  // axe-core is added once to a page, because to parse it takes longer than to analyse a panel.
  const hasAxe = await page.evaluate(() => 'axe' in window)
  // The page has no frames of other origins, so the results need no second page to be collected in.
  const axe = new AxeBuilder({ page, ...(hasAxe && { axeSource: ';' }) }).setLegacyMode().options({
    // Selectors of everything that passes would take most of the time.
    resultTypes: ['violations'],
    preload: false,
    ...(rules.length > 0 && { runOnly: rules }),
  })
  if (panel) axe.include(panel)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.length}× ${nodes[0]!.html}`)
}

async function checkBothThemes(page: Page, screenName: string, panel?: string) {
  // The mouse is moved away, because an element below its old position may show a tooltip.
  await page.mouse.move(0, 0)
  await expect(page.locator('.ant-tooltip').filter({ visible: true })).toHaveCount(0)
  // A table is dimmed while its rows load, which lowers the contrast of its header.
  await expect(page.locator('.ant-skeleton, .ant-spin-spinning')).toHaveCount(0)
  // The theme of the page comes first, because each change styles the whole page anew.
  const isDark = await page.evaluate(() => localStorage.getItem('theme') === '"dark"')
  for (const theme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    await setTheme(page, theme)
    // The dark theme differs only in colours, so only the contrast is checked.
    const rules = theme === 'dark' ? ['color-contrast'] : []
    const violations = await findViolations(page, panel, ...rules)
    expect.soft(violations, `${screenName}, ${theme}`).toEqual([])
    await takeScreenshot(page, screenName, theme)
  }
}

// The page stays open for other tests.
test.afterAll(async ({ kept }) => {
  const page = await kept.page()
  if (page.url().startsWith(address)) await setTheme(page, 'light')
})

for (const { path, name } of menuRecords.filter(({ type }) => type === 'page'))
  test(`${name} opens and is accessible by keyboard and screen reader`, async ({
    operator: page,
  }) => {
    await visit(page, path)
    await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
    await checkBothThemes(page, name)
    // A remote that fails to load or that lacks the page would show an alert.
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(path))

    const create = page.getByRole('main').getByRole('button', { name: /^新建/, disabled: false })
    if ((await create.count()) > 0) {
      await create.first().click()
      // A scene opens as a page, every other form as a dialog.
      const isDialog = path !== paths.home()
      await expect(page.getByRole(isDialog ? 'dialog' : 'main').locator('form')).toBeVisible()
      await expect(page.locator('.ant-skeleton')).toHaveCount(0)
      await checkBothThemes(page, `${name}, 新建`, isDialog ? panels : undefined)
      await (isDialog ? page.keyboard.press('Escape') : visit(page, path))
    }
    await takeStateScreenshots(page, path, name)
  })

/** Lists whose rows have a detail page with tabs. */
for (const [path, screenName] of [
  [paths.deviceAccess.device(), '设备'],
  [paths.deviceAccess.edgeHost(), '边缘主机'],
  [paths.deviceAccess.config.product(), '产品'],
  [paths.system.project(), '项目'],
] as const)
  test(`the page of one ${screenName} is accessible with its tabs and its form`, async ({
    operator: page,
  }) => {
    await visit(page, path)
    await page.getByRole('main').getByRole('row').getByRole('link').first().click()
    const tabs = page.getByRole('main').getByRole('tab')
    await expect(tabs.nth(1)).toBeVisible()
    for (const tab of await tabs.all()) {
      await tab.click()
      await checkBothThemes(page, `${screenName}, ${await tab.textContent()}`, 'main')
    }
    await page.getByRole('main').getByRole('button', { name: '编辑', exact: true }).first().click()
    await expect(page.getByRole('dialog').locator('form')).toBeVisible()
    await checkBothThemes(page, `${screenName}, 编辑`, panels)
    await page.keyboard.press('Escape')
  })

test('panels opened from a list are accessible: row, columns, menu, import, confirmation', async ({
  operator: page,
  api,
}) => {
  await api.post('/v1/manufacturer', { data: createManufacturerDraft() })
  const main = page.getByRole('main')
  await visit(page, paths.deviceAccess.config.manufacturer())
  await main.getByRole('row').getByRole('button', { name: '编辑' }).first().click()
  await expect(page.getByRole('dialog').locator('form')).toBeVisible()
  await checkBothThemes(page, '编辑', panels)
  await page.keyboard.press('Escape')
  await main.getByRole('button', { name: '列设置' }).click()
  await expect(page.getByRole('checkbox', { name: '联系人' })).toBeVisible()
  await checkBothThemes(page, '列设置', panels)
  await page.keyboard.press('Escape')
  await main.getByRole('button', { name: '导入' }).click()
  await expect(page.getByRole('dialog', { name: /导入/ })).toBeVisible()
  await checkBothThemes(page, '导入', panels)
  await page.keyboard.press('Escape')
  await main
    .getByRole('button', { name: /的更多操作$/ })
    .first()
    .click()
  await expect(page.getByRole('menuitem', { name: '删除' })).toBeVisible()
  await checkBothThemes(page, '更多操作', panels)
  await page.getByRole('menuitem', { name: '删除' }).click()
  await expect(page.getByRole('dialog', { name: /删除/ })).toBeVisible()
  await checkBothThemes(page, '删除', panels)
  await page.keyboard.press('Escape')
})

test('panels opened from home are accessible: shift, notices, voice commands, energy, wall display', async ({
  operator: page,
}) => {
  await visit(page, paths.home())
  const openPanel = (name: string | RegExp) =>
    page.getByRole('main').getByRole('button', { name }).click()
  await openPanel(/^交接/)
  await expect(page.getByRole('dialog').getByRole('heading', { name: '操作记录' })).toBeVisible()
  await checkBothThemes(page, '交接', panels)
  await page.keyboard.press('Escape')
  await openPanel('提醒设置')
  await expect(page.getByRole('region').getByRole('switch').first()).toBeVisible()
  await checkBothThemes(page, '提醒设置', panels)
  await page.keyboard.press('Escape')
  await openPanel('口令')
  await expect(page.getByRole('searchbox', { name: '口令' })).toBeVisible()
  await checkBothThemes(page, '口令', panels)
  await page.keyboard.press('Escape')
  await openPanel('能耗')
  await expect(page.getByRole('dialog')).toBeVisible()
  await checkBothThemes(page, '能耗', panels)
  await page.keyboard.press('Escape')
  await openPanel('大屏')
  await expect(page.getByRole('dialog', { name: '大屏' })).toBeVisible()
  await checkBothThemes(page, '大屏', panels)
  await page.keyboard.press('Escape')
})

test('panels opened from the header are accessible: search, tasks, settings, account', async ({
  operator: page,
}) => {
  await visit(page, paths.system.menu())
  const header = page.getByRole('banner')
  await header.getByRole('button', { name: '搜索' }).click()
  await page.getByRole('combobox', { name: '搜索' }).fill('大堂')
  await expect(page.getByRole('option').first()).toBeVisible()
  await checkBothThemes(page, '搜索', panels)
  await page.keyboard.press('Escape')
  for (const name of [/^任务/, /^设置$/, /^用户菜单/]) {
    await header.getByRole('button', { name }).first().click()
    await checkBothThemes(page, String(name), panels)
    await page.keyboard.press('Escape')
  }
})

for (const [address, title] of [
  ['/login', '物联云平台'],
  ['/404', '页面不存在'],
  ['/serviceUnavailable', '服务暂时不可用'],
] as const)
  test(`${address} is accessible by keyboard and screen reader`, async ({ page }) => {
    // The page is kept from returning automatically when the service answers.
    await page.route('**/healthz', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto(address)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await checkBothThemes(page, title)
  })
