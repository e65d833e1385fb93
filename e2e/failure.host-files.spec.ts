import type { Browser, Locator, Page } from '@playwright/test'
import { faultProxy, type Fault } from '../scripts/faults'
import { built, recordOf } from './federation/builds'
import { openConsole, type Console } from './federation/console'
import { address, expect, keepToken, retry, signedIn, test } from './fixtures'

const kinds: Fault[] = ['404', '500', 'html', 'hang', 'tampered']
let console_: Console
let token: string

test.describe.configure({ mode: 'parallel' })
test.beforeAll(async () => {
  ;({ token } = await signedIn())
  console_ = await openConsole()
})
test.afterAll(() => console_.close())

type Part = {
  path: string
  isSpoilt: (file: string) => boolean
  /** This button continues once the file is available again; `shown` is the element expected afterwards. */
  again: '重新加载' | '重试'
  shown: (page: Page) => Locator
  also?: (page: Page) => Promise<void>
}

/** Opens a page that cannot load a part, in parallel for each kind of fault behind a proxy of its own. */
const spoilt = (browser: Browser, { path, isSpoilt, again, shown, also }: Part) =>
  Promise.all(
    kinds.map(async (kind) => {
      const proxy = await faultProxy(console_.origin, address)
      const heal = proxy.fault((file) => file.startsWith('/host/') && isSpoilt(file), kind)
      const page = await browser.newPage({ locale: 'zh-CN' })
      if (path !== '/login') await keepToken(page, token)
      await page.goto(proxy.origin + path, { waitUntil: 'commit' })
      await expect(page.getByText('系统已更新，请重新加载'), kind).toBeVisible()
      await expect(page.getByRole('button', { name: '重新加载' }), kind).toBeVisible()
      await also?.(page)
      heal()
      if (again === '重新加载' && kind === 'tampered') {
        // The wrong file stays in the cache for a year, so only a reload that bypasses the cache helps, as the page
        // says.
        const browserItself = await page.context().newCDPSession(page)
        // The answer is ignored, because the page that would send it is being unloaded.
        browserItself.send('Page.reload', { ignoreCache: true }).catch(() => {})
      } else if (again === '重试') await retry(page)
      else {
        // The browser may retry a truncated file on its own, and then there is no button to press.
        const pressed = page.getByRole('button', { name: again }).click()
        await Promise.race([pressed.catch(() => {}), shown(page).waitFor()])
      }
      await expect(shown(page), kind).toBeVisible()
      await page.close()
      await proxy.close()
    }),
  )

const login = (page: Page) => page.getByRole('button', { name: '登录' })
const home = (page: Page) => page.getByRole('button', { name: /^关 .*盏）$/ })

test('the entry', async ({ browser }) => {
  const { entry } = await recordOf(await built('host'))
  await spoilt(browser, {
    path: '/login?from=%2Fsystem%2Fmenu',
    isSpoilt: (file) => file.endsWith(`/${entry}`),
    again: '重新加载',
    shown: login,
  })
})

test('the style sheets of the page', ({ browser }) =>
  spoilt(browser, {
    path: '/login',
    isSpoilt: (file) => file.endsWith('.css'),
    again: '重试',
    shown: login,
  }))

test('what the shell is made of', async ({ browser }) => {
  const { entry } = await recordOf(await built('host'))
  await spoilt(browser, {
    path: '/home',
    isSpoilt: (file) => file.endsWith('.js') && !file.endsWith(`/${entry}`),
    again: '重试',
    shown: home,
  })
})

test('a screen of the host', async ({ browser, page }) => {
  await keepToken(page, token)
  await page.goto(`${console_.origin}/404`)
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  const shell = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  await spoilt(browser, {
    path: '/home',
    isSpoilt: (file) => file.endsWith('.js') && !shell.includes(file),
    again: '重试',
    shown: home,
    also: (page) => expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible(),
  })
})
