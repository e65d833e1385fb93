import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { menu } from '@iot/shared/screens/all'
import { expect, test, visit } from './fixtures'

/** What axe-core calls moderate or worse, each with the first place it was found at; of `rules` where they are named. */
async function barriers(page: Page, ...rules: string[]) {
  const axe = new AxeBuilder({ page })
  if (rules.length) axe.withRules(rules)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.length}× ${nodes[0]!.html}`)
}

/** As another tab of the console does it. */
const choose = (page: Page, theme: string) =>
  page.evaluate((value) => {
    localStorage.setItem('theme', value)
    dispatchEvent(
      new StorageEvent('storage', { key: 'theme', newValue: value, storageArea: localStorage }),
    )
  }, JSON.stringify(theme))

async function inBothThemes(page: Page, what: string) {
  // What the pointer of the test before happens to lie on shows its tooltip.
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await choose(page, 'light')
  expect.soft(await barriers(page), `${what}, light`).toEqual([])
  // Nothing but the colours is different.
  await choose(page, 'dark')
  expect.soft(await barriers(page, 'color-contrast'), `${what}, dark`).toEqual([])
  await choose(page, 'system')
}

for (const { path, name } of menu.filter(({ type }) => type === 'page'))
  test(`${name} has no barrier for keyboard, ear or eye`, async ({ operator: page }) => {
    await visit(page, path)
    await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
    await expect(page.locator('.ant-skeleton, .ant-spin-spinning')).toHaveCount(0)
    await inBothThemes(page, name)

    const create = page.getByRole('main').getByRole('button', { name: /^新建/, disabled: false })
    if ((await create.count()) === 0) return
    await create.first().click()
    await expect(page.getByRole('dialog').locator('form')).toBeVisible()
    await inBothThemes(page, `${name}, 新建`)
    await page.keyboard.press('Escape')
  })

for (const [address, title] of [
  ['/login', '物联云平台'],
  ['/404', '页面不存在'],
  ['/serviceUnavailable', '服务暂时不可用'],
] as const)
  test(`${address} has no barrier for keyboard, ear or eye`, async ({ page }) => {
    // What is looked at leaves by itself when the service answers.
    await page.route('**/healthz', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto(address)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await inBothThemes(page, title)
  })
