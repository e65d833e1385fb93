import type { Page } from '@playwright/test'
import { getBuild, createNextBuild, readReleaseRecord, createVariant } from './federation/builds'
import {
  pollReleases,
  expectUpdateTo,
  openConsole,
  screens,
  type TestConsole,
} from './federation/console'
import { expect, navigateTo, storeToken, clickRetry, signInByApi, test } from './fixtures'

let testConsole: TestConsole
let token: string
test.beforeAll(async () => void ({ token } = await signInByApi()))
test.beforeEach(async () => void (testConsole = await openConsole()))
test.afterEach(() => testConsole.close())

async function openPage(page: Page, path: string) {
  await storeToken(page, token)
  await page.goto(testConsole.origin + path)
}
/** Waits for three polls of the pointer; when the third starts, the answer to the second has been handled. */
async function waitForPolls(page: Page) {
  for (let n = 0; n < 3; n++)
    await page.waitForResponse((answer) => answer.url().endsWith('/pointer.json'))
}

test('keeps the lazy routes of an open tab through six publishes, then moves to the newest build', async ({
  page,
}) => {
  const systemBuild = await getBuild('system')
  const firstBuild = await createNextBuild(systemBuild, 1, '新建菜单')
  await testConsole.site.publish(firstBuild)
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单·1')).toBeVisible()
  const loadTime = await page.evaluate(() => performance.timeOrigin)
  // A hidden tab does not follow releases.
  await page.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
  )
  for (let n = 2; n <= 7; n++)
    await testConsole.site.publish(await createNextBuild(systemBuild, n, '新建菜单'))

  await navigateTo(page, '/system/log/actionLog')
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
  const requestedFiles = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.includes('/remotes/system/')),
  )
  expect(requestedFiles.every((name) => name.includes('/000000000001/'))).toBe(true)

  const newBuildResponse = page.waitForResponse((answer) =>
    answer.url().includes('/remotes/system/000000000007/'),
  )
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await newBuildResponse
  await waitForPolls(page)
  // The notice disappears after eight seconds, within which a slow machine may not have rendered the screen, so both
  // are awaited in parallel.
  await Promise.all([
    expect(page.getByText('“系统管理”已更新')).toBeVisible(),
    navigateTo(page, '/system/menu'),
  ])
  await expect(page.getByText('新建菜单·7')).toBeVisible()
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadTime)
})

test('keeps the shell unchanged while remotes are loaded, swapped and rolled back', async ({
  page,
}) => {
  let connections = 0
  page.on('websocket', () => connections++)
  const systemBuild = await getBuild('system')
  await openPage(page, '/home')
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeVisible()
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await menu.evaluate((element) => (element.dataset.mark = 'first'))
  const revisitMenu = async (text: string) => {
    await navigateTo(page, '/enterprise/user')
    await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
    await expectUpdateTo(page, '/system/menu', text, '/enterprise/user')
  }
  await revisitMenu('新建菜单')
  await testConsole.site.publish(await createNextBuild(systemBuild, 1, '新建菜单'))
  await revisitMenu('新建菜单·1')
  await testConsole.site.rollback('system')
  await revisitMenu('新建菜单')
  await expect(menu).toHaveAttribute('data-mark', 'first')
  expect(connections).toBe(1)
})

test('brings the former build back into a running page after a rollback', async ({ page }) => {
  const systemBuild = await getBuild('system')
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  await testConsole.site.publish(await createNextBuild(systemBuild, 1, '新建菜单'))
  await expectUpdateTo(page, '/system/menu', '新建菜单·1')
  await testConsole.site.rollback('system')
  await expectUpdateTo(page, '/system/menu', '新建菜单')
})

test('removes the styles of the newer build after a rollback', async ({ page }) => {
  const systemBuild = await getBuild('system')
  const readMarker = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--newer'))
  await testConsole.site.publish(
    await createVariant(systemBuild, {
      build: '000000000001',
      file: (name, text) =>
        name.endsWith('.css')
          ? `${text}html{--newer:yes}`
          : text.replaceAll('"新建菜单"', '"新建菜单·1"'),
    }),
  )
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单·1')).toBeVisible()
  expect(await readMarker()).toBe('yes')
  await testConsole.site.rollback('system')
  await expectUpdateTo(page, '/system/menu', '新建菜单')
  expect(await readMarker()).toBe('')
})

test('swaps the code of a list on another path, but not on filters, tabs and pages', async ({
  page,
}) => {
  await openPage(page, '/enterprise/user')
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
  const newBuildResponse = page.waitForResponse((answer) =>
    /remotes\/enterprise\/000000000001\/.*\.js$/.test(answer.url()),
  )
  await testConsole.site.publish(await createNextBuild(await getBuild('enterprise'), 1, '新建用户'))
  await newBuildResponse
  await waitForPolls(page)
  const rows = page.waitForResponse(/\/v1\/user\/page/)
  await navigateTo(page, '/enterprise/user?username=admin')
  await rows
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
  await navigateTo(page, '/home')
  await navigateTo(page, '/enterprise/user')
  await expect(page.getByText('新建用户·1', { exact: true })).toBeVisible()
})

test('retries a build after a temporary failure', async ({ page }) => {
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const repair = testConsole.fault((path) => path.includes('/remotes/system/000000000001/'), '404')
  const failedResponse = page.waitForResponse((answer) =>
    answer.url().includes('/remotes/system/000000000001/'),
  )
  await testConsole.site.publish(await createNextBuild(await getBuild('system'), 1, '新建菜单'))
  expect((await failedResponse).status()).toBe(404)
  await waitForPolls(page)
  repair()
  await page.waitForResponse((answer) =>
    /remotes\/system\/000000000001\/.*\.js$/.test(answer.url()),
  )
  await expectUpdateTo(page, '/system/menu', '新建菜单·1')
})

/**
 * Opens a page whose newest build fails to load.
 * @returns the text of the banner
 */
async function openWithFallback(page: Page) {
  const systemBuild = await getBuild('system')
  const { entry } = await readReleaseRecord(systemBuild)
  await testConsole.site.publish(
    await createVariant(systemBuild, {
      build: '00000000fail',
      file: (name, text) => (name === entry ? 'throw new Error("boom")' : text),
    }),
  )
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const fallbackNotice = page.getByText(/“系统管理”的新版本没有加载成功，正在使用上一版本/)
  await expect(fallbackNotice).toBeVisible()
  return fallbackNotice
}

test('uses the former build when the newest fails to load, with a notice, and moves on with the next', async ({
  page,
}) => {
  const fallbackNotice = await openWithFallback(page)
  await testConsole.site.publish(await createNextBuild(await getBuild('system'), 2, '新建菜单'))
  await expectUpdateTo(page, '/system/menu', '新建菜单·2')
  await expect(fallbackNotice).toBeHidden()
})

test('removes the fallback notice when the newest build is rolled back', async ({ page }) => {
  const fallbackNotice = await openWithFallback(page)
  await testConsole.site.rollback('system')
  await pollReleases(page)
  await expect(fallbackNotice).toBeHidden()
})

test('frees a prepared build that was superseded before its swap', async ({ page }) => {
  const systemBuild = await getBuild('system')
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const countBuildGlobals = (build: string) =>
    page.evaluate(
      (id) =>
        Object.entries(window).filter(([key, value]) => key.includes(id) && value !== undefined)
          .length,
      build,
    )
  await testConsole.site.publish(await createNextBuild(systemBuild, 1, '新建菜单'))
  await expect.poll(() => countBuildGlobals('000000000001')).toBeGreaterThan(0)
  await waitForPolls(page)
  await testConsole.site.publish(await createNextBuild(systemBuild, 2, '新建菜单'))
  await expect.poll(() => countBuildGlobals('000000000002')).toBeGreaterThan(0)
  await expect.poll(() => countBuildGlobals('000000000001')).toBe(0)
  await navigateTo(page, '/home')
  await navigateTo(page, '/system/menu')
  await expect(page.getByText('新建菜单·2', { exact: true })).toBeVisible()
})

test('renders a pending screen while another remote is swapped', async ({ page }) => {
  const lenientConsole = await openConsole({ loadDeadline: 120_000 })
  const { needs } = await readReleaseRecord(await getBuild('system'))
  const slowFile = needs['/system/log/actionLog']!.files[0]!
  await storeToken(page, token)
  await page.goto(`${lenientConsole.origin}/enterprise/user`)
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
  await navigateTo(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const releaseFile = lenientConsole.fault((path) => path.endsWith(`/${slowFile}`), 'hang')
  const fileRequest = page.waitForRequest((request) => request.url().endsWith(`/${slowFile}`))
  await navigateTo(page, '/system/log/actionLog')
  await fileRequest
  await lenientConsole.site.publish(
    await createNextBuild(await getBuild('enterprise'), 1, '新建用户'),
  )
  await expect(page.getByText('“企业管理”已更新')).toBeVisible()
  releaseFile()
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
  await lenientConsole.close()
})

test('removes the update notice of the console after a rollback', async ({ page }) => {
  await openPage(page, '/home')
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await testConsole.site.publish(
    await createVariant(await getBuild('host'), { build: '00000000host' }),
  )
  const offer = page.getByText('控制台有新版本')
  await expect(offer).toBeVisible()
  await testConsole.site.rollback('host')
  await expect(offer).toBeHidden()
})

test('delays the swap for a half-filled form, and restores the form after a reload without its chunk', async ({
  page,
}) => {
  await openPage(page, '/deviceAccess/config/manufacturer')
  await page.getByRole('button', { name: '新建厂商' }).click()
  await page.getByRole('dialog').getByLabel('厂商名称').fill('明光照明')
  await page.getByRole('dialog').getByLabel('联系人').fill('张工')
  await testConsole.site.publish(
    await createNextBuild(await getBuild('deviceAccess'), 1, '新建厂商'),
  )
  await waitForPolls(page)
  await expect(page.getByText('“设备接入”已更新')).toBeHidden()

  await page.reload()
  await expect(page).toHaveURL(/\/deviceAccess\/config\/manufacturer/)
  await page.getByRole('button', { name: '继续' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('厂商名称')).toHaveValue('明光照明')
  await expect(dialog.getByLabel('联系人')).toHaveValue('张工')
})

test('asks for a reload for a missing chunk, and shows what to report when that did not help', async ({
  page,
}) => {
  const { needs } = await readReleaseRecord(await getBuild('system'))
  const missingFile = needs['/system/log/actionLog']!.files[0]!
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单')).toBeVisible()
  const repair = testConsole.fault((path) => path.endsWith(`/${missingFile}`), '404')
  const heartbeat = page.waitForRequest(
    (request) =>
      request.url().endsWith('/heartbeat') && !!request.postData()?.includes('"kind":"updated"'),
  )
  await navigateTo(page, '/system/log/actionLog')
  await expect(page.getByText('系统已更新，请重新加载')).toBeVisible()
  await navigateTo(page, '/home')
  await heartbeat
  await navigateTo(page, '/system/log/actionLog')
  await page.getByRole('button', { name: '重新加载' }).click()
  await expect(page.getByText(/已重新加载过一次/)).toBeVisible()
  repair()
  await clickRetry(page)
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
})

test('shows the menu of the deployed build', async ({ page }) => {
  const systemBuild = await getBuild('system')
  const { menu, needs } = await readReleaseRecord(systemBuild)
  const remainingNeeds = Object.fromEntries(
    Object.entries(needs).filter(([path]) => path !== '/system/network'),
  )
  await openPage(page, '/home')
  const link = page.getByRole('menuitem', { name: '网络组件' })
  await page.getByRole('menuitem', { name: '系统管理' }).click()
  await expect(link).toBeVisible()
  await testConsole.site.publish(
    await createNextBuild(systemBuild, 1, undefined, {
      menu: menu.filter(({ path }) => path !== '/system/network'),
      needs: remainingNeeds,
    }),
  )
  await expect(link).toBeHidden()
  await expect(page.getByRole('menuitem', { name: '菜单管理' })).toBeVisible()
  await testConsole.site.rollback('system')
  await expect(link).toBeVisible()
  // The menu needed no code of the remote.
  expect(
    await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => /remotes\/system\/.*\.js$/.test(name)),
    ),
  ).toBe(false)
})

test('preloads the code of a hovered link, except in data-saving mode', async ({
  page,
  browser,
}) => {
  const hasLoadedRemote = (targetPage: Page) =>
    targetPage.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => /remotes\/enterprise\/.*\.js$/.test(name)),
    )
  const hoverRemoteLink = async (targetPage: Page) => {
    await targetPage.goto(`${testConsole.origin}/home`)
    await targetPage.getByRole('menuitem', { name: '企业管理' }).click()
    await targetPage.getByRole('menuitem', { name: '用户管理' }).hover()
  }
  await storeToken(page, token)
  await hoverRemoteLink(page)
  await expect.poll(() => hasLoadedRemote(page)).toBe(true)

  const dataSaverPage = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
  await storeToken(dataSaverPage, token)
  await dataSaverPage.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  await hoverRemoteLink(dataSaverPage)
  await waitForPolls(dataSaverPage)
  expect(await hasLoadedRemote(dataSaverPage)).toBe(false)
  await dataSaverPage.context().close()
})

test('runs or refuses, with a reason, hosts and remotes of different versions', async ({
  page,
}) => {
  const [host, system] = [await getBuild('host'), await getBuild('system')]
  const currentApi = (await readReleaseRecord(host)).shellApi.replace('^', '')
  const laterApi = currentApi.replace(/\.(\d+)\.\d+$/, (_, minor) => `.${Number(minor) + 1}.0`)
  // The later host has one more feature in its shell API, and the latest remote requires it.
  const laterHost = await createVariant(host, {
    build: '00000000host',
    record: { shellApi: `^${laterApi}` },
    file: (_, text) => text.replaceAll(`"${currentApi}"`, `"${laterApi}"`),
  })
  const rows: string[][] = []
  const [previousBuild, newestBuild] = [
    await createNextBuild(system, 1),
    await createNextBuild(system, 2, undefined, { shellApi: `^${laterApi}` }),
  ]
  await storeToken(page, token)
  const expectMenuOpens = () => expect(page.getByText('新建菜单')).toBeVisible()
  for (const [hostName, hostDist, remotes] of [
    ['N-1', host, { 'N-1': previousBuild, N: system }],
    ['N', laterHost, { 'N-1': previousBuild, N: system, 'N+1': newestBuild }],
  ] as const)
    for (const [remoteName, remoteDist] of Object.entries(remotes)) {
      await testConsole.site.publish([hostDist, remoteDist])
      await page.goto(`${testConsole.origin}/system/menu`)
      await expectMenuOpens()
      rows.push([hostName, remoteName, 'runs'])
    }

  // An incompatible build cannot be deployed, neither by publishing nor by a rollback.
  const incompatibility = `它需要控制台接口 ^${laterApi}，当前为 ${currentApi}`
  await expect(testConsole.site.rollback('host')).rejects.toThrow(incompatibility)
  await testConsole.site.publish([host, system])
  await expect(testConsole.site.publish(newestBuild)).rejects.toThrow(incompatibility)
  rows.push(['N-1', 'N+1', 'not published'])

  // A page opened earlier runs the older host: it uses the previous build, and shows the reason if that is incompatible
  // as well.
  await page.goto(`${testConsole.origin}/home`)
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await testConsole.site.publish([laterHost, newestBuild])
  await testConsole.site.publish(
    await createNextBuild(system, 3, undefined, { shellApi: `^${laterApi}` }),
  )
  await waitForPolls(page)
  await navigateTo(page, '/system/menu')
  const incompatibleAlert = page.getByRole('alert').filter({ hasText: '版本不兼容' })
  await expect(incompatibleAlert).toContainText(incompatibility)
  rows.push(['N-1, open', 'N+1', `refused: ${incompatibility}`])
  await navigateTo(page, screens.enterprise.path)
  await expect(page.getByText(screens.enterprise.text)).toBeVisible()
  console.table(rows.map(([host, remote, result]) => ({ host, remote, result })))
})

test('refuses to publish a remote that uses a name its host does not have, and an older page does not load it', async ({
  page,
}) => {
  const [host, system] = [await getBuild('host'), await getBuild('system')]
  const [{ offers }, { uses }] = [await readReleaseRecord(host), await readReleaseRecord(system)]
  const [module, names] = Object.entries(uses).find(([key]) => key.startsWith('@iot/shared/ui/'))!
  const incompatibleBuild = await createNextBuild(system, 1, '新建菜单', {
    uses: { [module]: [...names, 'Later'] },
  })
  await expect(testConsole.site.publish(incompatibleBuild)).rejects.toThrow(
    `当前控制台的 ${module} 没有 Later`,
  )

  await openPage(page, '/home')
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  const laterHost = await createVariant(host, {
    build: '00000000host',
    record: { offers: { ...offers, [module]: [...offers[module]!, 'Later'] } },
  })
  await testConsole.site.publish([laterHost, incompatibleBuild])
  await waitForPolls(page)
  await navigateTo(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  await expect(page.getByText(/“系统管理”的新版本没有加载成功/)).toBeVisible()
})
