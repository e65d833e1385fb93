import type { Browser, Locator, Page } from '@playwright/test'
import { startFaultProxy, type Fault } from '../scripts/faults'
import { getBuild, readReleaseRecord } from './federation/builds'
import { openConsole, type TestConsole } from './federation/console'
import { address, expect, storeToken, clickRetry, signInByApi, test } from './fixtures'

const faultKinds: Fault[] = ['404', '500', 'html', 'hang', 'tampered']
let testConsole: TestConsole
let token: string

test.describe.configure({ mode: 'parallel' })
test.beforeAll(async () => {
  ;({ token } = await signInByApi())
  testConsole = await openConsole()
})
test.afterAll(() => testConsole.close())

type BrokenPart = {
  path: string
  isBroken: (file: string) => boolean
  /** This button continues once the file is available again; `shown` is the element expected afterwards. */
  recoveryButton: '重新加载' | '重试'
  getExpectedElement: (page: Page) => Locator
  checkMore?: (page: Page) => Promise<void>
}

/** Opens a page that cannot load a part, in parallel for each kind of fault behind a proxy of its own. */
const expectRecovery = (
  browser: Browser,
  { path, isBroken, recoveryButton, getExpectedElement, checkMore }: BrokenPart,
) =>
  Promise.all(
    faultKinds.map(async (kind) => {
      const proxy = await startFaultProxy(testConsole.origin, address)
      const repair = proxy.fault((file) => file.startsWith('/host/') && isBroken(file), kind)
      const page = await browser.newPage({ locale: 'zh-CN' })
      if (path !== '/login') await storeToken(page, token)
      await page.goto(proxy.origin + path, { waitUntil: 'commit' })
      await expect(page.getByText('系统已更新，请重新加载'), kind).toBeVisible()
      await expect(page.getByRole('button', { name: '重新加载' }), kind).toBeVisible()
      await checkMore?.(page)
      repair()
      if (recoveryButton === '重新加载' && kind === 'tampered') {
        // The wrong file stays in the cache for a year, so only a reload that bypasses the cache helps, as the page
        // says.
        const devtools = await page.context().newCDPSession(page)
        // The answer is ignored, because the page that would send it is being unloaded.
        devtools.send('Page.reload', { ignoreCache: true }).catch(() => {})
      } else if (recoveryButton === '重试') await clickRetry(page)
      else {
        // The browser may retry a truncated file on its own, and then there is no button to press.
        const buttonClick = page.getByRole('button', { name: recoveryButton }).click()
        await Promise.race([buttonClick.catch(() => {}), getExpectedElement(page).waitFor()])
      }
      await expect(getExpectedElement(page), kind).toBeVisible()
      await page.close()
      await proxy.close()
    }),
  )

const getLoginButton = (page: Page) => page.getByRole('button', { name: '登录' })
const getLightsButton = (page: Page) => page.getByRole('button', { name: /^关 .*盏）$/ })

test('recovers from a failed load of the entry', async ({ browser }) => {
  const { entry } = await readReleaseRecord(await getBuild('host'))
  await expectRecovery(browser, {
    path: '/login?from=%2Fsystem%2Fmenu',
    isBroken: (file) => file.endsWith(`/${entry}`),
    recoveryButton: '重新加载',
    getExpectedElement: getLoginButton,
  })
})

test('recovers from a failed load of the style sheets', ({ browser }) =>
  expectRecovery(browser, {
    path: '/login',
    isBroken: (file) => file.endsWith('.css'),
    recoveryButton: '重试',
    getExpectedElement: getLoginButton,
  }))

test('recovers from a failed load of the shell', async ({ browser }) => {
  const { entry } = await readReleaseRecord(await getBuild('host'))
  await expectRecovery(browser, {
    path: '/home',
    isBroken: (file) => file.endsWith('.js') && !file.endsWith(`/${entry}`),
    recoveryButton: '重试',
    getExpectedElement: getLightsButton,
  })
})

test('recovers from a failed load of a host screen', async ({ browser, page }) => {
  await storeToken(page, token)
  await page.goto(`${testConsole.origin}/404`)
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  const shellFiles = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  await expectRecovery(browser, {
    path: '/home',
    isBroken: (file) => file.endsWith('.js') && !shellFiles.includes(file),
    recoveryButton: '重试',
    getExpectedElement: getLightsButton,
    checkMore: (page) => expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible(),
  })
})

test('tells the user of an outdated browser which versions can open the console', async ({
  browser,
}) => {
  const page = await browser.newPage({ locale: 'zh-CN' })
  // An old browser finds a condition of the style sheet false, and cannot read the scripts.
  await page.route('**/*.js', (route) => route.fulfill({ body: 'import(;' }))
  await page.route('**/login', async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace('selector(:has(a))', 'selector(:unknown(a))')
    await route.fulfill({ response, body: html })
  })
  await page.goto(`${address}/login`)
  await expect(page.getByText('浏览器版本过旧，无法打开控制台')).toBeVisible()
  await expect(page.getByText('Firefox 121')).toBeVisible()
  await expect(page.getByText('正在打开…')).toBeHidden()
  await expect(page.getByText('程序文件没有加载成功')).toBeHidden()
  await page.close()
})
