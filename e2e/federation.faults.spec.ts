import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import type { Fault } from '../scripts/faults'
import { getBuild, readReleaseRecord, createVariant } from './federation/builds'
import {
  openConsole,
  remotes,
  screens,
  type TestConsole,
  type RemoteName,
} from './federation/console'
import {
  expect,
  navigateTo,
  storeToken,
  clickRetry,
  signInByApi,
  createUserAndSignIn,
  signIn,
  test,
} from './fixtures'

type Kind = Exclude<Fault, 'trickle'> | 'throws'
type Target = 'manifest' | 'entry' | 'lazy chunk'

const faultKinds: Kind[] = ['404', '500', '507', 'html', 'mistyped', 'hang', 'truncated', 'throws']
const targets: Target[] = ['manifest', 'entry', 'lazy chunk']
/**
 * Every remote and every file meets every fault, three of them per page. `FAULTS=all` tries each file of each remote,
 * which takes about an hour and is meant for a release.
 */
const isFullMatrix = process.env.FAULTS === 'all'
const rotations = isFullMatrix ? [0, 1, 2] : [0]
/** Files beside the remotes' own meet one error status, because all of them take the same way. */
const serverFaultKinds = faultKinds.filter(
  (kind): kind is Exclude<Kind, 'throws'> =>
    kind !== 'throws' && (isFullMatrix || (kind !== '404' && kind !== '507')),
)
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

let lenientConsole: TestConsole
/**
 * This console has a short load deadline for files that hang. The others have a long one, so that a busy machine does
 * not look like a lost network.
 */
let strictConsole: TestConsole
const pickConsole = (kind: Kind) => (kind === 'hang' ? strictConsole : lenientConsole)
/**
 * The tests use a user of their own, because sessions per user are limited and the many sign-ins would end those of
 * other tests.
 */
let user: Awaited<ReturnType<typeof createUserAndSignIn>>
const files = {} as Record<RemoteName, Record<Target, string>>

// The tests can run in parallel because each worker has consoles of its own.
test.describe.configure({ mode: 'parallel' })
test.beforeAll(async () => {
  user = await createUserAndSignIn('platform-admin', (await signInByApi()).api)
  lenientConsole = await openConsole({ loadDeadline: 8000 })
  strictConsole = await openConsole({ loadDeadline: 2000 })
  for (const remote of remotes) {
    const { entry, needs } = await readReleaseRecord(await getBuild(remote))
    files[remote] = {
      manifest: 'release.json',
      entry,
      'lazy chunk': needs[screens[remote].path]!.files.at(-1)!,
    }
  }
})
test.afterAll(() => Promise.all([lenientConsole.close(), strictConsole.close()]))

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

const expectScreen = (page: Page, remote: RemoteName) =>
  expect(page.getByText(screens[remote].text, { exact: true }).first()).toBeVisible()
async function expectErrorAlert(page: Page, remote: RemoteName, kind: Kind) {
  const errorAlert = page.getByRole('alert').filter({ hasText: `区域${screens[remote].title}` })
  await expect(errorAlert.getByText(reasons[kind])).toBeVisible()
  await expect(errorAlert.getByRole('heading', { name: '系统已更新，请重新加载' })).toBeVisible()
  await expect(errorAlert.getByRole('button', { name: '重新加载' })).toBeVisible()
}

async function expectHomeWorks(page: Page) {
  await navigateTo(page, '/home')
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeEnabled()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
}

/**
 * Breaks one file of a remote.
 * @returns the function that repairs it
 */
async function breakFile(remote: RemoteName, target: Target, kind: Kind): Promise<() => unknown> {
  const file = files[remote][target]
  if (kind !== 'throws')
    return pickConsole(kind).fault(
      (path) => path.startsWith(`/remotes/${remote}/`) && path.endsWith(`/${file}`),
      kind,
    )
  // The build was published with this error, so its hashes are right. It is published twice, because the previous build
  // would otherwise be used.
  const originalBuild = await getBuild(remote)
  for (const n of [0, 1])
    await lenientConsole.site.publish(
      await createVariant(originalBuild, {
        build: `bad0000000${n}${targets.indexOf(target)}`,
        file: (name, text) => (name === file ? 'throw new Error("boom")' : text),
      }),
    )
  return () => lenientConsole.site.publish(originalBuild)
}

/** Repairs the fault and expects the remote to load in the page that is open. */
async function expectRecovery(page: Page, remote: RemoteName, repair: () => unknown) {
  const loadTime = await page.evaluate(() => performance.timeOrigin)
  await repair()
  await clickRetry(page)
  await expectScreen(page, remote)
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadTime)
}

for (const kind of faultKinds) {
  const brokenTargets = targets.filter((target) => kind !== 'throws' || target !== 'manifest')
  for (const rotation of rotations.filter((turn) => turn < brokenTargets.length)) {
    const faultCases = remotes.map((remote, n) => ({
      remote,
      target: brokenTargets[(rotation + n) % brokenTargets.length]!,
    }))
    // Each remote in turn is the first one that the console opens.
    const orderedCases = [...faultCases.slice(rotation % 3), ...faultCases.slice(0, rotation % 3)]
    const names = orderedCases.map(({ remote, target }) => `${target} of ${remote}`)
    test(`${kind}: ${names.join(', ')}`, async ({ browser }) => {
      const { origin } = pickConsole(kind)
      const repairs: (() => unknown)[] = []
      for (const { remote, target } of orderedCases)
        repairs.push(await breakFile(remote, target, kind))
      const page = await newPage(browser)
      await storeToken(page, user.token)
      await page.goto(origin + screens[orderedCases[0]!.remote].path)
      await expectErrorAlert(page, orderedCases[0]!.remote, kind)
      if (rotation === 0) await expectHomeWorks(page)
      for (const [n, { remote }] of orderedCases.entries()) {
        await navigateTo(page, screens[remote].path)
        await expectErrorAlert(page, remote, kind)
        await expectRecovery(page, remote, repairs[n]!)
      }
      await page.context().close()
    })
  }
}

for (const kind of serverFaultKinds)
  test(`pointer: ${kind}`, async ({ browser }) => {
    const faultyConsole = pickConsole(kind)
    const repair = faultyConsole.fault((path) => path === '/pointer.json', kind)
    const page = await newPage(browser)
    await page.goto(faultyConsole.origin)
    await signIn(page, user)
    await expectHomeWorks(page)
    const loadTime = await page.evaluate(() => performance.timeOrigin)
    for (const remote of remotes) {
      await navigateTo(page, screens[remote].path)
      await expect(
        page.getByRole('alert').filter({ hasText: `区域${screens[remote].title}` }),
      ).toBeVisible()
      await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
    }
    repair()
    await clickRetry(page)
    for (const remote of [...remotes].reverse()) {
      await navigateTo(page, screens[remote].path)
      await expectScreen(page, remote)
    }
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadTime)
    await page.context().close()
  })

test('recovers from a style sheet that fails to load', async ({ browser }) => {
  const { needs } = await readReleaseRecord(await getBuild('system'))
  const sheet = needs[screens.system.path]!.files.find((file) => file.endsWith('.css'))!
  for (const kind of serverFaultKinds) {
    const faultyConsole = pickConsole(kind)
    const repair = faultyConsole.fault((path) => path.endsWith(`/${sheet}`), kind)
    const page = await newPage(browser)
    await storeToken(page, user.token)
    await page.goto(faultyConsole.origin + screens.system.path)
    await expectErrorAlert(page, 'system', kind)
    await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
    await expectRecovery(page, 'system', repair)
    await page.context().close()
  }
})

test('recovers from a shared module of the host that fails to load', async ({ browser }) => {
  const host = await getBuild('host')
  const { shared } = JSON.parse(await readFile(join(host, 'files.json'), 'utf8')) as {
    shared: Record<string, string[]>
  }
  const moduleFiles = shared['antd/es/skeleton']!
  expect(moduleFiles.length).toBeGreaterThan(0)
  for (const kind of serverFaultKinds) {
    const faultyConsole = pickConsole(kind)
    const repair = faultyConsole.fault(
      (path) => path.startsWith('/host/') && moduleFiles.some((file) => path.endsWith(`/${file}`)),
      kind,
    )
    const page = await newPage(browser)
    await storeToken(page, user.token)
    await page.goto(`${faultyConsole.origin}/enterprise/holiday`)
    await expectErrorAlert(page, 'enterprise', kind)
    // Home uses this module as well, the menu's screen does not.
    await navigateTo(page, screens.system.path)
    await expectScreen(page, 'system')
    repair()
    await navigateTo(page, '/enterprise/holiday')
    await clickRetry(page)
    await expect(page.getByRole('heading', { name: '节假日管理', level: 1 })).toBeVisible()
    await expect(page.locator('.ant-segmented').first()).toBeVisible()
    await page.context().close()
  }
})

test('recovers from a server that stops and returns', async ({ browser }) => {
  const ownConsole = await openConsole()
  const page = await newPage(browser)
  await storeToken(page, user.token)
  await page.goto(ownConsole.origin + screens.enterprise.path)
  await expectScreen(page, 'enterprise')
  const restart = await ownConsole.stop()
  await navigateTo(page, screens.system.path)
  await expect(page.getByRole('alert').filter({ hasText: '区域系统管理' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await expectRecovery(page, 'system', restart)
  await navigateTo(page, screens.deviceAccess.path)
  await expectScreen(page, 'deviceAccess')
  await page.context().close()
  await ownConsole.close()
})

test('waits for a slow file as long as data arrives', async ({ browser }) => {
  const page = await newPage(browser)
  await storeToken(page, user.token)
  // The file takes ten seconds in total, which is allowed because only eight seconds without data are too long.
  const repair = lenientConsole.fault((path) => path.endsWith(`/${files.system.entry}`), 'trickle')
  await page.goto(`${lenientConsole.origin}/system/menu`)
  await expectScreen(page, 'system')
  await expect(page.getByRole('alert')).toBeHidden()
  repair()
  await page.context().close()
})

test('hides a failure that a retry resolves', async ({ browser }) => {
  const page = await newPage(browser)
  await storeToken(page, user.token)
  await page.goto(`${lenientConsole.origin}/system/menu`)
  await expectScreen(page, 'system')
  for (const [remote, target] of [
    ['enterprise', 'entry'],
    ['deviceAccess', 'lazy chunk'],
  ] as const) {
    const repair = await breakFile(remote, target, '500')
    const failedResponse = page.waitForResponse(
      (answer) => answer.url().endsWith(`/${files[remote][target]}`) && answer.status() === 500,
    )
    await navigateTo(page, screens[remote].path)
    await failedResponse
    await repair()
    await expectScreen(page, remote)
    await expect(page.getByRole('alert')).toBeHidden()
  }
  await page.context().close()
})
