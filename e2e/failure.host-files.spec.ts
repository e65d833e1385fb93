import type { Browser, Page } from '@playwright/test'
import { startFaultProxy, type Fault } from '../scripts/faults'
import { getBuild, readReleaseRecord } from './federation/builds'
import { openConsole, type TestConsole } from './federation/console'
import { address, expect, storeToken, clickRetry, signInByApi, test } from './fixtures'

/**
 * Each page meets two faults, one after the other. The host handles these in different ways: an answer that is no file, a
 * changed file that stays in the cache, and no answer. `scripts/faults.test.ts` tests which answers are no files.
 */
const faultPairs: [Fault, Fault][] = [
  ['404', 'html'],
  ['tampered', 'tampered'],
  ['hang', 'hang'],
]
let testConsole: TestConsole
let token: string

test.beforeAll(async () => {
  ;({ token } = await signInByApi())
  testConsole = await openConsole()
})
test.afterAll(() => testConsole.close())

type BrokenPage = {
  page: Page
  faults: [Fault, Fault]
  /** Breaks files of the host; the returned function repairs them. */
  breakFiles: (fault: Fault, isBroken: (file: string) => boolean) => () => void
  open: (path: string) => Promise<unknown>
}

/** Opens a page in parallel for each pair of faults, behind a proxy of its own. */
const withEachFault = (browser: Browser, run: (broken: BrokenPage) => Promise<void>) =>
  Promise.all(
    faultPairs.map(async (faults) => {
      const proxy = await startFaultProxy(testConsole.origin, address)
      const page = await browser.newPage({ locale: 'zh-CN' })
      const breakFiles: BrokenPage['breakFiles'] = (fault, isBroken) =>
        proxy.fault((file) => file.startsWith('/host/') && isBroken(file), fault)
      const open = (path: string) => page.goto(proxy.origin + path, { waitUntil: 'commit' })
      await run({ page, faults, breakFiles, open })
      await page.close()
      await proxy.close()
    }),
  )

async function expectFailure(page: Page, kind: Fault) {
  await expect(page.getByText('系统已更新，请重新加载'), kind).toBeVisible()
  await expect(page.getByRole('button', { name: '重新加载' }), kind).toBeVisible()
}

test('recovers from a failed load of the entry, and of the style sheets after it', async ({
  browser,
}) => {
  const { entry } = await readReleaseRecord(await getBuild('host'))
  await withEachFault(browser, async ({ page, faults: [kind, nextKind], breakFiles, open }) => {
    const repairEntry = breakFiles(kind, (file) => file.endsWith(`/${entry}`))
    const repairSheets = breakFiles(nextKind, (file) => file.endsWith('.css'))
    await open('/login?from=%2Fsystem%2Fmenu')
    await expectFailure(page, kind)

    repairEntry()
    if (kind === 'tampered') {
      // The wrong file stays in the cache for a year, so only a reload that bypasses the cache helps, as the page says.
      const devtools = await page.context().newCDPSession(page)
      // The answer is ignored, because the page that would send it is being unloaded.
      devtools.send('Page.reload', { ignoreCache: true }).catch(() => {})
    } else await page.getByRole('button', { name: '重新加载' }).click({ noWaitAfter: true })
    // Only the entry names a reason and offers this button.
    await expect(page.getByText(/原因：.*\.css/), kind).toBeVisible()
    await expectFailure(page, kind)
    const countAppliedSheets = () =>
      page.evaluate(
        () => [...document.styleSheets].filter(({ href }) => href?.endsWith('.css')).length,
      )
    expect(await countAppliedSheets(), kind).toBe(0)

    repairSheets()
    await clickRetry(page)
    await expect(page.getByRole('button', { name: '登录' }), kind).toBeVisible()
    expect(await countAppliedSheets(), kind).toBeGreaterThan(0)
  })
})

test('recovers from a failed load of the shell, and of a host screen in it', async ({
  browser,
  page: shellPage,
}) => {
  const { entry } = await readReleaseRecord(await getBuild('host'))
  await storeToken(shellPage, token)
  await shellPage.goto(`${testConsole.origin}/404`)
  await expect(shellPage.getByRole('menuitem', { name: '首页' })).toBeVisible()
  const shellFiles = await shellPage.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  await withEachFault(browser, async ({ page, faults: [kind, nextKind], breakFiles, open }) => {
    const isScript = (file: string) => file.endsWith('.js') && !file.endsWith(`/${entry}`)
    const repairShell = breakFiles(kind, (file) => isScript(file) && shellFiles.includes(file))
    const repairScreen = breakFiles(
      nextKind,
      (file) => isScript(file) && !shellFiles.includes(file),
    )
    await storeToken(page, token)
    await open('/home')
    await expectFailure(page, kind)

    repairShell()
    await clickRetry(page)
    await expect(page.getByRole('menuitem', { name: '首页' }), kind).toBeVisible()
    await expectFailure(page, kind)

    repairScreen()
    await clickRetry(page)
    await expect(page.getByRole('button', { name: /^关 .*盏）$/ }), kind).toBeVisible()
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
