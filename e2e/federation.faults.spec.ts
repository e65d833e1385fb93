import type { Browser, Page } from '@playwright/test'
import type { Fault } from '../scripts/faults'
import { built, recordOf, variant } from './federation/builds'
import { openConsole, remotes, screens, type Console, type Remote } from './federation/console'
import { expect, go, keepToken, retry, signedIn, signedInAs, signIn, test } from './fixtures'

type Kind = Exclude<Fault, 'trickle'> | 'throws'
type Target = 'manifest' | 'entry' | 'lazy chunk'

const kinds: Kind[] = ['404', '500', '507', 'html', 'mistyped', 'hang', 'truncated', 'throws']
const targets: Target[] = ['manifest', 'entry', 'lazy chunk']
/**
 * Every remote and every file meets every fault, three of them per page. `FAULTS=all` tries each file of each remote,
 * which takes about an hour and is meant for a release.
 */
const turns = process.env.FAULTS === 'all' ? [0, 1, 2] : [0]
/** The reason below the common text depends on the kind of fault. */
const reasons: Record<Kind, RegExp> = {
  '404': /文件不存在/,
  '500': /服务器回答 500/,
  '507': /服务器回答 507/,
  html: /服务器回答的不是程序文件/,
  mistyped: /服务器回答的不是程序文件/,
  hang: /2 秒内没有回答/,
  truncated: /文件内容与发布记录不符|文件不完整|连接中断/,
  tampered: /文件内容与发布记录不符/,
  throws: /boom|入口没有运行|文件运行时出错/,
}

let patient: Console
/**
 * This console has a short load deadline for files that hang. The others have a long one, so that a busy machine does
 * not look like a lost network.
 */
let hasty: Console
const consoleFor = (kind: Kind) => (kind === 'hang' ? hasty : patient)
/**
 * The tests use a user of their own, because sessions per user are limited and the many sign-ins would end those of
 * other tests.
 */
let user: Awaited<ReturnType<typeof signedInAs>>
const files = {} as Record<Remote, Record<Target, string>>

// The tests can run in parallel because each worker has consoles of its own.
test.describe.configure({ mode: 'parallel' })
test.beforeAll(async () => {
  user = await signedInAs('platform-admin', (await signedIn()).api)
  patient = await openConsole({ loadDeadline: 8000 })
  hasty = await openConsole({ loadDeadline: 2000 })
  for (const remote of remotes) {
    const { entry, needs } = await recordOf(await built(remote))
    files[remote] = {
      manifest: 'release.json',
      entry,
      'lazy chunk': needs[screens[remote].path]!.files.at(-1)!,
    }
  }
})
test.afterAll(() => Promise.all([patient.close(), hasty.close()]))

/** Opens a page with an empty cache, so that every file passes the proxy, and with retries without pauses. */
async function newPage(browser: Browser) {
  const context = await browser.newContext({
    locale: 'zh-CN',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  await context.addInitScript(() => {
    const { random } = Math
    Math.random = () => random() / 50
  })
  return context.newPage()
}

const shows = (page: Page, remote: Remote) =>
  expect(page.getByText(screens[remote].text, { exact: true }).first()).toBeVisible()
async function says(page: Page, remote: Remote, kind: Kind) {
  const said = page.getByRole('alert').filter({ hasText: `区域${screens[remote].title}` })
  await expect(said.getByText(reasons[kind])).toBeVisible()
  await expect(said.getByRole('heading', { name: '系统已更新，请重新加载' })).toBeVisible()
  await expect(said.getByRole('button', { name: '重新加载' })).toBeVisible()
}

async function homeWorks(page: Page) {
  await go(page, '/home')
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeEnabled()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
}

/**
 * Breaks one file of a remote.
 * @returns the function that repairs it
 */
async function spoil(remote: Remote, target: Target, kind: Kind): Promise<() => unknown> {
  const file = files[remote][target]
  if (kind !== 'throws')
    return consoleFor(kind).fault(
      (path) => path.startsWith(`/remotes/${remote}/`) && path.endsWith(`/${file}`),
      kind,
    )
  // The build was published with this error, so its hashes are right. It is published twice, because the previous build
  // would otherwise be used.
  const good = await built(remote)
  for (const n of [0, 1])
    await patient.site.publish(
      await variant(good, {
        build: `bad0000000${n}${targets.indexOf(target)}`,
        file: (name, text) => (name === file ? 'throw new Error("boom")' : text),
      }),
    )
  return () => patient.site.publish(good)
}

/** Repairs the fault and expects the remote to load in the page that is open. */
async function recovers(page: Page, remote: Remote, mend: () => unknown) {
  const loads = await page.evaluate(() => performance.timeOrigin)
  await mend()
  await retry(page)
  await shows(page, remote)
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loads)
}

for (const kind of kinds) {
  const spoilt = targets.filter((target) => kind !== 'throws' || target !== 'manifest')
  for (const turn of turns.filter((turn) => turn < spoilt.length)) {
    const cells = remotes.map((remote, n) => ({
      remote,
      target: spoilt[(turn + n) % spoilt.length]!,
    }))
    // Each remote in turn is the first one that the console opens.
    const ordered = [...cells.slice(turn % 3), ...cells.slice(0, turn % 3)]
    const names = ordered.map(({ remote, target }) => `${target} of ${remote}`)
    test(`${kind}: ${names.join(', ')}`, async ({ browser }) => {
      const { origin } = consoleFor(kind)
      const mends: (() => unknown)[] = []
      for (const { remote, target } of ordered) mends.push(await spoil(remote, target, kind))
      const page = await newPage(browser)
      await keepToken(page, user.token)
      await page.goto(origin + screens[ordered[0]!.remote].path)
      await says(page, ordered[0]!.remote, kind)
      if (turn === 0) await homeWorks(page)
      for (const [n, { remote }] of ordered.entries()) {
        await go(page, screens[remote].path)
        await says(page, remote, kind)
        await recovers(page, remote, mends[n]!)
      }
      await page.context().close()
    })
  }
}

for (const kind of kinds.filter((kind) => kind !== 'throws'))
  test(`pointer: ${kind}`, async ({ browser }) => {
    const one = consoleFor(kind)
    const heal = one.fault((path) => path === '/pointer.json', kind)
    const page = await newPage(browser)
    await page.goto(one.origin)
    await signIn(page, user)
    await homeWorks(page)
    const loads = await page.evaluate(() => performance.timeOrigin)
    for (const remote of remotes) {
      await go(page, screens[remote].path)
      await expect(
        page.getByRole('alert').filter({ hasText: `区域${screens[remote].title}` }),
      ).toBeVisible()
      await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
    }
    heal()
    await retry(page)
    for (const remote of [...remotes].reverse()) {
      await go(page, screens[remote].path)
      await shows(page, remote)
    }
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loads)
    await page.context().close()
  })

test('a style sheet that does not come', async ({ browser }) => {
  const { needs } = await recordOf(await built('system'))
  const sheet = needs[screens.system.path]!.files.find((file) => file.endsWith('.css'))!
  for (const kind of kinds.filter((kind) => kind !== 'throws')) {
    const one = consoleFor(kind)
    const heal = one.fault((path) => path.endsWith(`/${sheet}`), kind)
    const page = await newPage(browser)
    await keepToken(page, user.token)
    await page.goto(one.origin + screens.system.path)
    await says(page, 'system', kind)
    await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
    await recovers(page, 'system', heal)
    await page.context().close()
  }
})

test('a server that stops and returns', async ({ browser }) => {
  const own = await openConsole()
  const page = await newPage(browser)
  await keepToken(page, user.token)
  await page.goto(own.origin + screens.enterprise.path)
  await shows(page, 'enterprise')
  const start = await own.stop()
  await go(page, screens.system.path)
  await expect(page.getByRole('alert').filter({ hasText: '区域系统管理' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await recovers(page, 'system', start)
  await go(page, screens.deviceAccess.path)
  await shows(page, 'deviceAccess')
  await page.context().close()
  await own.close()
})

test('what comes slowly is waited for as long as it comes', async ({ browser }) => {
  const page = await newPage(browser)
  await keepToken(page, user.token)
  // The file takes ten seconds in total, which is allowed because only eight seconds without data are too long.
  const heal = patient.fault((path) => path.endsWith(`/${files.system.entry}`), 'trickle')
  await page.goto(`${patient.origin}/system/menu`)
  await shows(page, 'system')
  await expect(page.getByRole('alert')).toBeHidden()
  heal()
  await page.context().close()
})

test('what passes by itself is not seen', async ({ browser }) => {
  const page = await newPage(browser)
  await keepToken(page, user.token)
  await page.goto(`${patient.origin}/system/menu`)
  await shows(page, 'system')
  for (const [remote, target] of [
    ['enterprise', 'entry'],
    ['deviceAccess', 'lazy chunk'],
  ] as const) {
    const mend = await spoil(remote, target, '500')
    const failed = page.waitForResponse(
      (answer) => answer.url().endsWith(`/${files[remote][target]}`) && answer.status() === 500,
    )
    await go(page, screens[remote].path)
    await failed
    await mend()
    await shows(page, remote)
    await expect(page.getByRole('alert')).toBeHidden()
  }
  await page.context().close()
})
