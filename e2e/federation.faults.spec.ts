import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
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
/** The files that a remote needs for its first screen. */
type RemoteFile = 'manifest' | 'entry' | 'lazy chunk'
type Target = 'pointer' | RemoteFile | 'style sheet' | 'shared module'
type Faults = Partial<Record<Target, Kind>>
/** One page meets all faults of a story; each remote lacks another of its files. */
type Story = { title: string; faults: Faults; brokenFiles: Record<RemoteName, RemoteFile> }

const rotateFiles = (turn: number) => {
  const files: RemoteFile[] = ['manifest', 'entry', 'lazy chunk']
  return Object.fromEntries(
    remotes.map((remote, n) => [remote, files[(turn + n) % files.length]]),
  ) as Story['brokenFiles']
}
const breakEverything = (kind: Exclude<Kind, 'throws'>): Faults => ({
  // The pointer has no hash, so only a cut is noticed in it.
  pointer: kind === 'tampered' ? 'truncated' : kind,
  manifest: kind,
  entry: kind,
  'lazy chunk': kind,
  'style sheet': kind,
  'shared module': kind,
})
const throwingScripts: Faults = { entry: 'throws', 'lazy chunk': 'throws' }

/**
 * Each layer meets every failure that it handles in a way of its own: an answer that is no file, a changed file in the
 * cache, no answer, and a script that throws. `scripts/faults.test.ts` tests which answers are no files.
 */
const stories: Story[] = [
  {
    title: 'recovers from answers that are no files',
    faults: {
      pointer: '500',
      manifest: '404',
      entry: '507',
      'lazy chunk': 'mistyped',
      'style sheet': 'html',
      'shared module': '404',
    },
    brokenFiles: rotateFiles(0),
  },
  {
    title: 'refuses files with one extra byte, and recovers from them',
    faults: breakEverything('tampered'),
    brokenFiles: rotateFiles(1),
  },
  {
    title: 'recovers from requests without an answer',
    faults: breakEverything('hang'),
    brokenFiles: rotateFiles(2),
  },
  {
    title: 'recovers from scripts that throw',
    faults: throwingScripts,
    brokenFiles: rotateFiles(1),
  },
]

/** `FAULTS=all` lets each file of each remote meet every fault, which is meant for a release. */
const fullMatrix: Story[] = [0, 1, 2].flatMap((turn) => [
  ...(['404', '500', '507', 'html', 'mistyped', 'hang', 'truncated', 'tampered'] as const).map(
    (kind) => ({
      title: `recovers from ${kind}, ${turn + 1} of 3`,
      faults: breakEverything(kind),
      brokenFiles: rotateFiles(turn),
    }),
  ),
  {
    title: `recovers from scripts that throw, ${turn + 1} of 3`,
    faults: throwingScripts,
    brokenFiles: rotateFiles(turn),
  },
])

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

/** These screens need a style sheet and a shared module of the host that no screen opened before them needs. */
const screensOfSystem = {
  'style sheet': { path: '/system/alarm/policy', text: '新建通知策略' },
  'shared module': { path: '/system/backup', text: '立即备份' },
}

let lenientConsole: TestConsole
/**
 * This console has a short load deadline for files that hang. The other has a long one, so that a busy machine does not
 * look like a lost network.
 */
let strictConsole: TestConsole
/**
 * The tests use a user of their own, because sessions per user are limited and the many sign-ins would end those of
 * other tests.
 */
let user: Awaited<ReturnType<typeof createUserAndSignIn>>
const files = {} as Record<RemoteName, Record<RemoteFile, string>>
let styleSheet: string
let sharedFiles: string[]

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
  const { needs } = await readReleaseRecord(await getBuild('system'))
  const { files: policyFiles } = needs[screensOfSystem['style sheet'].path]!
  styleSheet = policyFiles.find((file) => file.endsWith('.css'))!
  const { shared } = JSON.parse(
    await readFile(join(await getBuild('host'), 'files.json'), 'utf8'),
  ) as { shared: Record<string, string[]> }
  sharedFiles = shared['antd/es/descriptions']!
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

const findScreen = (page: Page, remote: RemoteName) =>
  page.getByText(screens[remote].text, { exact: true }).first()
async function expectErrorAlert(page: Page, remote: RemoteName, kind: Kind) {
  const errorAlert = page.getByRole('alert').filter({ hasText: `区域${screens[remote].title}` })
  await expect(errorAlert.getByText(reasons[kind])).toBeVisible()
  await expect(errorAlert.getByRole('heading', { name: '系统已更新，请重新加载' })).toBeVisible()
  await expect(errorAlert.getByRole('button', { name: '重新加载' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
}

async function expectHomeWorks(page: Page) {
  await navigateTo(page, '/home')
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeEnabled()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
}

/** Repairs the fault and expects the screen to load in the page that is open. */
async function expectRecovery(page: Page, screen: Locator, repair: () => unknown) {
  const loadTime = await page.evaluate(() => performance.timeOrigin)
  await repair()
  await clickRetry(page)
  await expect(screen).toBeVisible()
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadTime)
}

type Repairs = Map<string, () => unknown>

/** Breaks the files of a story; the returned functions repair them, by remote or by target. */
async function breakFiles({ faults, brokenFiles }: Story, testConsole: TestConsole) {
  const repairs: Repairs = new Map()
  const inject = (name: string, kind: Kind | undefined, match: (path: string) => boolean) =>
    kind && kind !== 'throws' && repairs.set(name, testConsole.fault(match, kind))
  inject('pointer', faults.pointer, (path) => path === '/pointer.json')
  inject('style sheet', faults['style sheet'], (path) => path.endsWith(`/${styleSheet}`))
  inject('shared module', faults['shared module'], (path) =>
    sharedFiles.some((file) => path.startsWith('/host/') && path.endsWith(`/${file}`)),
  )
  for (const remote of remotes) {
    const target = brokenFiles[remote]
    const isBroken = (path: string) =>
      path.startsWith(`/remotes/${remote}/`) && path.endsWith(`/${files[remote][target]}`)
    inject(remote, faults[target], isBroken)
    if (faults[target] === 'throws')
      repairs.set(remote, await publishThrowingFile(remote, files[remote][target], testConsole))
  }
  return repairs
}

/**
 * Publishes builds with this error, so that their hashes are right: two of them, because the previous build would
 * otherwise be used.
 */
async function publishThrowingFile(remote: RemoteName, file: string, { site }: TestConsole) {
  const originalBuild = await getBuild(remote)
  for (const n of [0, 1])
    await site.publish(
      await createVariant(originalBuild, {
        build: `bad00000000${n}`,
        file: (name, text) => (name === file ? 'throw new Error("boom")' : text),
      }),
    )
  return () => site.publish(originalBuild)
}

async function expectScreensToNeedPointer(page: Page, kind: Kind, repair: () => unknown) {
  for (const remote of remotes) {
    await navigateTo(page, screens[remote].path)
    await expectErrorAlert(page, remote, kind)
  }
  repair()
  // The next step opens another screen before the retry has ended, which must not bring the user back.
  await clickRetry(page)
}

async function expectRemotesToRecover(
  page: Page,
  { faults, brokenFiles }: Story,
  repairs: Repairs,
) {
  const brokenRemotes = remotes.filter((remote) => repairs.has(remote))
  for (const remote of brokenRemotes) {
    const kind = faults[brokenFiles[remote]]!
    await navigateTo(page, screens[remote].path)
    await expectErrorAlert(page, remote, kind)
    // Home works although all remotes are broken.
    if (remote === brokenRemotes[0]) await expectHomeWorks(page)
    await navigateTo(page, screens[remote].path)
    await expectErrorAlert(page, remote, kind)
    await expectRecovery(page, findScreen(page, remote), repairs.get(remote)!)
  }
}

async function expectScreensOfSystemToRecover(page: Page, faults: Faults, repairs: Repairs) {
  const countAppliedSheets = () =>
    page.evaluate(
      (file) => [...document.styleSheets].filter(({ href }) => href?.endsWith(file)).length,
      styleSheet,
    )
  for (const target of ['style sheet', 'shared module'] as const) {
    const { path, text } = screensOfSystem[target]
    await navigateTo(page, path)
    await expectErrorAlert(page, 'system', faults[target]!)
    expect(await countAppliedSheets()).toBe(target === 'style sheet' ? 0 : 1)
    const screen = page.getByText(text, { exact: true })
    await expectRecovery(page, screen, repairs.get(target)!)
    expect(await countAppliedSheets()).toBe(1)
  }
}

for (const story of process.env.FAULTS === 'all' ? fullMatrix : stories)
  test(story.title, async ({ browser }) => {
    const { faults } = story
    const testConsole = Object.values(faults).includes('hang') ? strictConsole : lenientConsole
    const repairs = await breakFiles(story, testConsole)
    const page = await newPage(browser)
    await test.step('signs in and opens home while all files are broken', async () => {
      await page.goto(testConsole.origin)
      await signIn(page, user)
      await expectHomeWorks(page)
    })
    if (faults.pointer)
      await test.step('each remote says why it lacks the pointer', () =>
        expectScreensToNeedPointer(page, faults.pointer!, repairs.get('pointer')!))
    await test.step('each remote says which of its files is broken, and recovers in the open page', () =>
      expectRemotesToRecover(page, story, repairs))
    if (faults['style sheet'])
      await test.step('screens recover from a broken style sheet and a broken shared module', () =>
        expectScreensOfSystemToRecover(page, faults, repairs))
    await page.context().close()
  })

test('keeps a page through a slow file, passing failures and a stop of the server', async ({
  browser,
}) => {
  const page = await newPage(browser)
  await storeToken(page, user.token)
  const { origin } = lenientConsole
  const errorAlert = page.getByRole('alert')

  await test.step('waits for a slow file as long as data arrives', async () => {
    // The file takes ten seconds in total, which is allowed because only eight seconds without data are too long.
    const repair = lenientConsole.fault(
      (path) => path.endsWith(`/${files.system.entry}`),
      'trickle',
    )
    await page.goto(`${origin}/system/menu`)
    await expect(findScreen(page, 'system')).toBeVisible()
    await expect(errorAlert).toBeHidden()
    repair()
  })

  await test.step('hides failures that a retry resolves', async () => {
    const { needs } = await readReleaseRecord(await getBuild('system'))
    const actionLog = '/system/log/actionLog'
    for (const [file, path, screen] of [
      [files.enterprise.entry, screens.enterprise.path, findScreen(page, 'enterprise')],
      [
        needs[actionLog]!.files.at(-1)!,
        actionLog,
        page.getByRole('columnheader', { name: '修改内容' }),
      ],
    ] as const) {
      const repair = lenientConsole.fault((requested) => requested.endsWith(`/${file}`), '500')
      const failedResponse = page.waitForResponse(
        (answer) => answer.url().endsWith(`/${file}`) && answer.status() === 500,
      )
      await navigateTo(page, path)
      await failedResponse
      repair()
      await expect(screen).toBeVisible()
      await expect(errorAlert).toBeHidden()
    }
  })

  await test.step('recovers when the server that stopped has returned', async () => {
    const restart = await lenientConsole.stop()
    await navigateTo(page, screens.deviceAccess.path)
    await expect(errorAlert.filter({ hasText: '区域设备接入' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
    await expectRecovery(page, findScreen(page, 'deviceAccess'), restart)
    await navigateTo(page, screens.system.path)
    await expect(findScreen(page, 'system')).toBeVisible()
  })
  await page.context().close()
})
