import type { Browser, Page } from '@playwright/test'
import type { Fault } from '../scripts/faults'
import { built, recordOf, variant } from './federation/builds'
import { openConsole, remotes, screens, type Console, type Remote } from './federation/console'
import { expect, keepToken, signedIn, test } from './fixtures'

type Kind = Fault | 'throws'
type Target = 'manifest' | 'entry' | 'exposed chunk' | 'lazy chunk'

const kinds: Kind[] = ['404', '500', 'html', 'hang', 'truncated', 'throws']
const targets: Target[] = ['manifest', 'entry', 'exposed chunk', 'lazy chunk']
/** What the area says. A file that is absent, wrong or cut off each has its own words. */
const words: Record<Kind, RegExp> = {
  '404': /尚未部署|系统已更新/,
  '500': /网络不通/,
  html: /尚未部署|系统已更新/,
  hang: /网络不通/,
  truncated: /程序有误|网络不通/,
  tampered: /程序有误/,
  throws: /程序有误/,
}

let console_: Console
let token: string
const files = {} as Record<Remote, Record<Target, string>>

test.describe.configure({ mode: 'serial', timeout: 120_000 })
test.beforeAll(async () => {
  ;({ token } = await signedIn())
  console_ = await openConsole()
  for (const remote of remotes) {
    const { entry, needs } = await recordOf(await built(remote))
    files[remote] = { manifest: 'release.json', entry, 'exposed chunk': needs['*']!.files[0]!, 'lazy chunk': needs[screens[remote].path]!.files.at(-1)! }
  }
})
test.afterAll(() => console_.close())

/** A page with an empty cache, so that every file crosses the proxy. */
async function open(browser: Browser, path: string) {
  const page = await (await browser.newContext({ locale: 'zh-CN', viewport: { width: 1280, height: 800 } })).newPage()
  await keepToken(page, token)
  await page.goto(console_.origin + path)
  return page
}

const shows = (page: Page, remote: Remote) => expect(page.getByText(screens[remote].text, { exact: true }).first()).toBeVisible()
/** By the history, as a link does, without loading the page again. */
const go = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

async function survives(browser: Browser, remote: Remote, kind: Kind, others: Remote[]) {
  const page = await open(browser, screens[remote].path)
  const loads = await page.evaluate(() => performance.timeOrigin)
  await expect(page.getByRole('alert').getByText(words[kind])).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await go(page, '/home')
  await expect(page.getByRole('alert')).toBeHidden()
  for (const other of others) {
    await go(page, screens[other].path)
    await shows(page, other)
  }
  await go(page, screens[remote].path)
  await expect(page.getByRole('alert').getByText(words[kind])).toBeVisible()
  return { page, loads }
}

async function recovers(page: Page, remote: Remote, loads: number) {
  // A reload is only offered; the screen comes back without one as soon as it is opened again.
  const retry = page.getByRole('button', { name: '重试' })
  if (await retry.isVisible()) await retry.click()
  else {
    await go(page, '/home')
    await go(page, screens[remote].path)
  }
  await shows(page, remote)
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loads)
  await page.context().close()
}

for (const target of targets)
  for (const kind of kinds.filter((kind) => !(kind === 'throws' && target === 'manifest')))
    test(`${target}: ${kind}`, async ({ browser }) => {
      for (const [index, remote] of remotes.entries()) {
        const others = remotes.filter((other) => other !== remote)
        const good = await built(remote)
        if (kind === 'throws')
          // A build that was published like this: its hashes are right, the script is not.
          await console_.site.publish(
            await variant(good, { build: `000000${target.length}${index}bad`, file: (name, text) => (name === files[remote][target] ? 'throw new Error("boom")' : text) }),
          )
        else console_.fault((path) => path.startsWith(`/remotes/${remote}/`) && path.endsWith(`/${files[remote][target]}`), kind)
        const { page, loads } = await survives(browser, remote, kind, index === 0 ? others : others.slice(0, 1))
        console_.heal()
        if (kind === 'throws') await console_.site.publish(good)
        await recovers(page, remote, loads)
      }
    })

for (const kind of kinds.filter((kind) => kind !== 'throws'))
  test(`pointer: ${kind}`, async ({ browser }) => {
    console_.fault((path) => path === '/pointer.json', kind)
    const login = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
    await login.goto(`${console_.origin}/login`)
    await expect(login.getByRole('button', { name: /登\s*录/ })).toBeEnabled()
    await login.context().close()

    const page = await open(browser, screens.system.path)
    for (const remote of remotes) {
      await go(page, screens[remote].path)
      await expect(page.getByRole('alert')).toBeVisible()
      await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
    }
    console_.heal()
    await page.getByRole('button', { name: '重试' }).click()
    for (const remote of remotes) {
      await go(page, screens[remote].path)
      await shows(page, remote)
    }
    await page.context().close()
  })
