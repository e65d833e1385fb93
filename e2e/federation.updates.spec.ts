import type { Page } from '@playwright/test'
import { getBuild, createNextBuild, readReleaseRecord, createVariant } from './federation/builds'
import {
  pollReleases,
  expectUpdateTo,
  openConsole,
  screens,
  type RemoteName,
  type TestConsole,
} from './federation/console'
import { expect, navigateTo, storeToken, clickRetry, signInByApi, test } from './fixtures'

let testConsole: TestConsole
let token: string
test.beforeAll(async () => void ({ token } = await signInByApi()))
// The deadline is long, so that a busy machine does not look like a lost network.
test.beforeEach(async () => void (testConsole = await openConsole({ loadDeadline: 120_000 })))
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

/** Tells whether a page has loaded a script of a remote. */
const hasLoadedCode = (page: Page, remote: RemoteName) =>
  page.evaluate(
    (folder) =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => name.includes(folder) && name.endsWith('.js')),
    `/remotes/${remote}/`,
  )

test('follows an open tab: lazy routes stay through six publishes, a superseded build is freed, a failed one retried', async ({
  page,
}) => {
  const systemBuild = await getBuild('system')
  const publishNext = async (buildNumber: number) =>
    testConsole.site.publish(await createNextBuild(systemBuild, buildNumber, '新建菜单'))
  await publishNext(1)
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单·1')).toBeVisible()
  const loadTime = await page.evaluate(() => performance.timeOrigin)

  await test.step('a hidden tab does not follow releases, and opens a route of its own build', async () => {
    await page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
    )
    for (let n = 2; n <= 7; n++) await publishNext(n)
    await navigateTo(page, '/system/log/actionLog')
    await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
    const requestedFiles = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('/remotes/system/')),
    )
    expect(requestedFiles.every((name) => name.includes('/000000000001/'))).toBe(true)
  })

  await test.step('a visible tab moves to the newest build', async () => {
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
  })

  await test.step('a prepared build that was superseded before its swap is freed', async () => {
    const countBuildGlobals = (build: string) =>
      page.evaluate(
        (id) =>
          Object.entries(window).filter(([key, value]) => key.includes(id) && value !== undefined)
            .length,
        build,
      )
    await publishNext(8)
    await expect.poll(() => countBuildGlobals('000000000008')).toBeGreaterThan(0)
    await waitForPolls(page)
    await publishNext(9)
    await expect.poll(() => countBuildGlobals('000000000009')).toBeGreaterThan(0)
    await expect.poll(() => countBuildGlobals('000000000008')).toBe(0)
    await navigateTo(page, '/404')
    await navigateTo(page, '/system/menu')
    await expect(page.getByText('新建菜单·9', { exact: true })).toBeVisible()
  })

  await test.step('a build that failed to load for a moment is tried again', async () => {
    const isOfNextBuild = (url: string) => url.includes('/remotes/system/000000000010/')
    const repair = testConsole.fault(isOfNextBuild, '404')
    const failedResponse = page.waitForResponse((answer) => isOfNextBuild(answer.url()))
    await publishNext(10)
    expect((await failedResponse).status()).toBe(404)
    // The next poll starts when the failure was handled.
    await page.waitForResponse((answer) => answer.url().endsWith('/pointer.json'))
    repair()
    await expectUpdateTo(page, '/system/menu', '新建菜单·10')
  })
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadTime)
})

test('keeps the shell unchanged while menu, console notice, code and styles follow publishes and rollbacks', async ({
  page,
}) => {
  let connections = 0
  page.on('websocket', () => connections++)
  const systemBuild = await getBuild('system')
  const { menu, needs } = await readReleaseRecord(systemBuild)
  await openPage(page, '/home')
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeVisible()
  const mainMenu = page.getByRole('navigation', { name: '主菜单' })
  await mainMenu.evaluate((element) => (element.dataset.mark = 'first'))

  await test.step('the menu is that of the deployed build, and needs no code of it', async () => {
    const link = page.getByRole('menuitem', { name: '网络组件' })
    await page.getByRole('menuitem', { name: '系统管理' }).click()
    await expect(link).toBeVisible()
    await testConsole.site.publish(
      await createNextBuild(systemBuild, 1, undefined, {
        menu: menu.filter(({ path }) => path !== '/system/network'),
        needs: Object.fromEntries(
          Object.entries(needs).filter(([path]) => path !== '/system/network'),
        ),
      }),
    )
    await expect(link).toBeHidden()
    await expect(page.getByRole('menuitem', { name: '菜单管理' })).toBeVisible()
    await testConsole.site.rollback('system')
    await expect(link).toBeVisible()
    expect(await hasLoadedCode(page, 'system')).toBe(false)
  })

  await test.step('a new console is offered until it is rolled back', async () => {
    await testConsole.site.publish(
      await createVariant(await getBuild('host'), { build: '00000000host' }),
    )
    const offer = page.getByText('控制台有新版本')
    await expect(offer).toBeVisible()
    await testConsole.site.rollback('host')
    await expect(offer).toBeHidden()
  })

  await test.step('code and styles of a remote are swapped, and come back after a rollback', async () => {
    const readMarker = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--newer'))
    const revisitMenu = async (text: string) => {
      await navigateTo(page, '/enterprise/user')
      await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
      await expectUpdateTo(page, '/system/menu', text, '/enterprise/user')
    }
    await revisitMenu('新建菜单')
    await testConsole.site.publish(
      await createVariant(systemBuild, {
        build: '000000000002',
        file: (name, text) =>
          name.endsWith('.css')
            ? `${text}html{--newer:yes}`
            : text.replaceAll('"新建菜单"', '"新建菜单·2"'),
      }),
    )
    await revisitMenu('新建菜单·2')
    expect(await readMarker()).toBe('yes')
    await testConsole.site.rollback('system')
    await revisitMenu('新建菜单')
    expect(await readMarker()).toBe('')
  })
  await expect(mainMenu).toHaveAttribute('data-mark', 'first')
  expect(connections).toBe(1)
})

test('swaps a remote only when its screen is left and no form is half filled, and while another screen loads', async ({
  page,
}) => {
  const { needs } = await readReleaseRecord(await getBuild('system'))
  const enterpriseBuild = await getBuild('enterprise')
  await openPage(page, '/enterprise/user')
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()

  await test.step('another path swaps the code of a list, but filters, tabs and pages do not', async () => {
    const newBuildResponse = page.waitForResponse((answer) =>
      /remotes\/enterprise\/000000000001\/.*\.js$/.test(answer.url()),
    )
    await testConsole.site.publish(await createNextBuild(enterpriseBuild, 1, '新建用户'))
    await newBuildResponse
    await waitForPolls(page)
    const rows = page.waitForResponse(/\/v1\/user\/page/)
    await navigateTo(page, '/enterprise/user?username=admin')
    await rows
    await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
    await navigateTo(page, '/system/menu')
    await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
    await navigateTo(page, '/enterprise/user')
    await expect(page.getByText('新建用户·1', { exact: true })).toBeVisible()
  })

  await test.step('a screen that still loads is shown after another remote was swapped', async () => {
    await navigateTo(page, '/system/menu')
    await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
    const slowFile = needs['/system/log/actionLog']!.files[0]!
    const releaseFile = testConsole.fault((path) => path.endsWith(`/${slowFile}`), 'hang')
    const fileRequest = page.waitForRequest((request) => request.url().endsWith(`/${slowFile}`))
    // The notice of the swap before would be taken for the next one.
    await expect(page.getByText('“企业管理”已更新')).toBeHidden()
    await navigateTo(page, '/system/log/actionLog')
    await fileRequest
    await testConsole.site.publish(await createNextBuild(enterpriseBuild, 2, '新建用户'))
    await expect(page.getByText('“企业管理”已更新')).toBeVisible()
    releaseFile()
    await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
  })

  await test.step('a half-filled form delays the swap, and comes back after a reload with the new build', async () => {
    await navigateTo(page, '/deviceAccess/config/manufacturer')
    await page.getByRole('button', { name: '新建厂商' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('厂商名称').fill('明光照明')
    await dialog.getByLabel('联系人').fill('张工')
    await testConsole.site.publish(
      await createNextBuild(await getBuild('deviceAccess'), 1, '新建厂商'),
    )
    await waitForPolls(page)
    await expect(page.getByText('“设备接入”已更新')).toBeHidden()
    await page.reload()
    await expect(page).toHaveURL(/\/deviceAccess\/config\/manufacturer/)
    await page.getByRole('button', { name: '继续' }).click()
    await expect(dialog.getByLabel('厂商名称')).toHaveValue('明光照明')
    await expect(dialog.getByLabel('联系人')).toHaveValue('张工')
  })
})

test('uses the former build where the newest fails to load, with a notice until a rollback or the next build', async ({
  page,
}) => {
  for (const name of ['system', 'enterprise']) {
    const dist = await getBuild(name)
    const { entry } = await readReleaseRecord(dist)
    await testConsole.site.publish(
      await createVariant(dist, {
        build: '00000000fail',
        file: (file, text) => (file === entry ? 'throw new Error("boom")' : text),
      }),
    )
  }
  const noticeText = '的新版本没有加载成功，正在使用上一版本'
  await openPage(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  await expect(page.getByText(`“系统管理”${noticeText}`)).toBeVisible()
  await navigateTo(page, '/enterprise/user')
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
  await expect(page.getByText(`“系统管理”、“企业管理”${noticeText}`)).toBeVisible()

  await testConsole.site.rollback('enterprise')
  await pollReleases(page)
  await expect(page.getByText(`“系统管理”${noticeText}`)).toBeVisible()

  await testConsole.site.publish(await createNextBuild(await getBuild('system'), 2, '新建菜单'))
  await expectUpdateTo(page, '/system/menu', '新建菜单·2')
  await expect(page.getByText(noticeText)).toBeHidden()
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

test('preloads the code of a hovered link, except in data-saving mode', async ({ page }) => {
  const setDataSaving = (saveData: boolean) =>
    page.evaluate(
      (value) =>
        Object.defineProperty(navigator, 'connection', {
          value: { saveData: value },
          configurable: true,
        }),
      saveData,
    )
  await openPage(page, '/home')
  await page.getByRole('menuitem', { name: '企业管理' }).click()
  const link = page.getByRole('menuitem', { name: '用户管理' })

  await setDataSaving(true)
  await link.hover()
  await waitForPolls(page)
  expect(await hasLoadedCode(page, 'enterprise')).toBe(false)

  await setDataSaving(false)
  await page.getByRole('menuitem', { name: '首页' }).hover()
  await link.hover()
  await expect.poll(() => hasLoadedCode(page, 'enterprise')).toBe(true)
})

test('runs or refuses, with a reason, hosts and remotes of different versions', async ({
  page,
}) => {
  const [host, system] = [await getBuild('host'), await getBuild('system')]
  const [enterprise, deviceAccess] = [await getBuild('enterprise'), await getBuild('deviceAccess')]
  const { shellApi, offers } = await readReleaseRecord(host)
  const currentApi = shellApi.replace('^', '')
  const laterApi = currentApi.replace(/\.(\d+)\.\d+$/, (_, minor) => `.${Number(minor) + 1}.0`)
  const needsLaterApi = { shellApi: `^${laterApi}` }
  const { uses } = await readReleaseRecord(enterprise)
  const [module, names] = Object.entries(uses).find(([key]) => key.startsWith('@iot/shared/ui/'))!
  // The later host has one more feature in its shell API and one more name in a module, and the latest remotes require
  // them.
  const laterHost = await createVariant(host, {
    build: '00000000host',
    record: { ...needsLaterApi, offers: { ...offers, [module]: [...offers[module]!, 'Later'] } },
    file: (_, text) => text.replaceAll(`"${currentApi}"`, `"${laterApi}"`),
  })
  const previousBuild = await createNextBuild(system, 1, '新建菜单')
  const newestBuild = await createNextBuild(system, 2, '新建菜单', needsLaterApi)
  const buildWithLaterName = await createNextBuild(enterprise, 1, '新建用户', {
    uses: { [module]: [...names, 'Later'] },
  })
  const incompatibility = `它需要控制台接口 ^${laterApi}，当前为 ${currentApi}`
  const rows: string[][] = []

  await test.step('the host runs the remote of its own version and the one before', async () => {
    await testConsole.site.publish(previousBuild)
    await openPage(page, '/system/menu')
    await expect(page.getByText('新建菜单·1')).toBeVisible()
    rows.push(['N-1', 'N-1', 'runs'])
    await testConsole.site.publish(system)
    await expectUpdateTo(page, '/system/menu', '新建菜单')
    rows.push(['N-1', 'N', 'runs'])
  })

  await test.step('a remote that needs a later host is not published', async () => {
    await expect(testConsole.site.publish(newestBuild)).rejects.toThrow(incompatibility)
    await expect(testConsole.site.publish(buildWithLaterName)).rejects.toThrow(
      `当前控制台的 ${module} 没有 Later`,
    )
    rows.push(['N-1', 'N+1', 'not published'])
  })

  await test.step('a page that runs the earlier host uses the previous build, or says why it runs none', async () => {
    await testConsole.site.publish([laterHost, newestBuild, buildWithLaterName])
    for (const buildNumber of [1, 2])
      await testConsole.site.publish(
        await createNextBuild(deviceAccess, buildNumber, undefined, needsLaterApi),
      )
    await waitForPolls(page)
    await navigateTo(page, screens.deviceAccess.path)
    const incompatibleAlert = page.getByRole('alert').filter({ hasText: '版本不兼容' })
    await expect(incompatibleAlert).toContainText(incompatibility)
    rows.push(['N-1, open', 'N+1', `refused: ${incompatibility}`])
    await navigateTo(page, screens.enterprise.path)
    await expect(page.getByText(screens.enterprise.text, { exact: true })).toBeVisible()
    await expect(page.getByText(/“企业管理”的新版本没有加载成功/)).toBeVisible()
    await navigateTo(page, '/system/menu')
    await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
    rows.push(['N-1, open', 'N', 'runs'])
  })

  await test.step('the later host runs both and its own, and is not rolled back below what they need', async () => {
    await expect(testConsole.site.rollback('host')).rejects.toThrow(incompatibility)
    await page.goto(`${testConsole.origin}/system/menu`)
    await expect(page.getByText('新建菜单·2')).toBeVisible()
    rows.push(['N', 'N+1', 'runs'])
    await testConsole.site.publish(system)
    await expectUpdateTo(page, '/system/menu', '新建菜单')
    rows.push(['N', 'N', 'runs'])
    await testConsole.site.publish(previousBuild)
    await expectUpdateTo(page, '/system/menu', '新建菜单·1')
    rows.push(['N', 'N-1', 'runs'])
  })
  console.table(rows.map(([host, remote, result]) => ({ host, remote, result })))
})
