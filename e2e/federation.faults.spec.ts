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

// Each worker has a console of its own.
test.describe.configure({ mode: 'parallel', timeout: 120_000 })
test.beforeAll(async () => {
  ;({ token } = await signedIn())
  console_ = await openConsole({ loadDeadline: 1000 })
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

const says = (page: Page, kind: Kind) => expect(page.getByRole('alert').getByText(words[kind])).toBeVisible()

/** Shell, home and the other remotes go on beside the one that fails. */
async function othersWork(page: Page, remote: Remote, kind: Kind) {
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await go(page, '/home')
  await expect(page.getByRole('alert')).toBeHidden()
  for (const other of remotes.filter((each) => each !== remote)) {
    await go(page, screens[other].path)
    await shows(page, other)
  }
  await go(page, screens[remote].path)
  await says(page, kind)
}

async function spoil(remote: Remote, target: Target, kind: Kind) {
  const file = files[remote][target]
  if (kind !== 'throws') return console_.fault((path) => path.startsWith(`/remotes/${remote}/`) && path.endsWith(`/${file}`), kind)
  // A build that was published like this: its hashes are right, the script is not.
  const build = `${target.length}${remotes.indexOf(remote)}bad${test.info().workerIndex}`
  const bad = await variant(await built(remote), { build, file: (name, text) => (name === file ? 'throw new Error("boom")' : text) })
  await console_.site.publish(bad)
}

async function mend(remote: Remote, kind: Kind) {
  console_.heal()
  if (kind === 'throws') await console_.site.publish(await built(remote))
}

for (const target of targets)
  for (const kind of kinds.filter((kind) => !(kind === 'throws' && target === 'manifest')))
    test(`${target}: ${kind}`, async ({ browser }) => {
      // Each remote in turn is the one that all else is looked at beside.
      const [first, ...rest] = [...remotes, ...remotes].slice(kinds.indexOf(kind) % 3).slice(0, 3) as [Remote, ...Remote[]]
      await spoil(first, target, kind)
      const page = await open(browser, screens[first].path)
      const loads = await page.evaluate(() => performance.timeOrigin)
      await says(page, kind)
      await othersWork(page, first, kind)
      await mend(first, kind)
      await page.getByRole('button', { name: '重试' }).click()
      await shows(page, first)
      expect(await page.evaluate(() => performance.timeOrigin)).toBe(loads)
      await page.context().close()

      const second = await open(browser, '/404')
      for (const remote of rest) {
        await spoil(remote, target, kind)
        await go(second, screens[remote].path)
        await says(second, kind)
        await mend(remote, kind)
        await second.getByRole('button', { name: '重试' }).click()
        await shows(second, remote)
      }
      await second.context().close()
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
    for (const remote of [...remotes].reverse()) {
      await shows(page, remote)
      await go(page, screens[remotes[remotes.indexOf(remote) - 1] ?? remote].path)
    }
    await page.context().close()
  })
