import type { Page } from '@playwright/test'
import { built, next, recordOf, variant } from './federation/builds'
import { look, movesTo, openConsole, screens, type Console } from './federation/console'
import { expect, go, keepToken, retry, signedIn, test } from './fixtures'

let console_: Console
let token: string
test.beforeAll(async () => void ({ token } = await signedIn()))
test.beforeEach(async () => void (console_ = await openConsole()))
test.afterEach(() => console_.close())

async function open(page: Page, path: string) {
  await keepToken(page, token)
  await page.goto(console_.origin + path)
}
/** Waits for three polls of the pointer; when the third starts, the answer to the second has been handled. */
async function polls(page: Page) {
  for (let n = 0; n < 3; n++)
    await page.waitForResponse((answer) => answer.url().endsWith('/pointer.json'))
}

test('a tab open on a build keeps its lazy routes through six publishes, then moves to the newest', async ({
  page,
}) => {
  const real = await built('system')
  const first = await next(real, 1, '新建菜单')
  await console_.site.publish(first)
  await open(page, '/system/menu')
  await expect(page.getByText('新建菜单·1')).toBeVisible()
  const loads = await page.evaluate(() => performance.timeOrigin)
  // A hidden tab does not follow releases.
  await page.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
  )
  for (let n = 2; n <= 7; n++) await console_.site.publish(await next(real, n, '新建菜单'))

  await go(page, '/system/log/actionLog')
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
  const asked = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.includes('/remotes/system/')),
  )
  expect(asked.every((name) => name.includes('/000000000001/'))).toBe(true)

  const loaded = page.waitForResponse((answer) =>
    answer.url().includes('/remotes/system/000000000007/'),
  )
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await loaded
  await polls(page)
  // The notice disappears after eight seconds, within which a slow machine may not have rendered the screen, so both
  // are awaited in parallel.
  await Promise.all([
    expect(page.getByText('“系统管理”已更新')).toBeVisible(),
    go(page, '/system/menu'),
  ])
  await expect(page.getByText('新建菜单·7')).toBeVisible()
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loads)
})

test('the shell stays as it is while remotes come, are exchanged and go back', async ({ page }) => {
  let connections = 0
  page.on('websocket', () => connections++)
  const real = await built('system')
  await open(page, '/home')
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeVisible()
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await menu.evaluate((element) => (element.dataset.mark = 'first'))
  const visit = async (text: string) => {
    await go(page, '/enterprise/user')
    await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
    await movesTo(page, '/system/menu', text, '/enterprise/user')
  }
  await visit('新建菜单')
  await console_.site.publish(await next(real, 1, '新建菜单'))
  await visit('新建菜单·1')
  await console_.site.rollback('system')
  await visit('新建菜单')
  await expect(menu).toHaveAttribute('data-mark', 'first')
  expect(connections).toBe(1)
})

test('a rollback brings the former build back into a running page', async ({ page }) => {
  const real = await built('system')
  await open(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  await console_.site.publish(await next(real, 1, '新建菜单'))
  await movesTo(page, '/system/menu', '新建菜单·1')
  await console_.site.rollback('system')
  await movesTo(page, '/system/menu', '新建菜单')
})

test('after a rollback nothing of the newer build is drawn with', async ({ page }) => {
  const real = await built('system')
  const mark = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--newer'))
  await console_.site.publish(
    await variant(real, {
      build: '000000000001',
      file: (name, text) =>
        name.endsWith('.css')
          ? `${text}html{--newer:yes}`
          : text.replaceAll('"新建菜单"', '"新建菜单·1"'),
    }),
  )
  await open(page, '/system/menu')
  await expect(page.getByText('新建菜单·1')).toBeVisible()
  expect(await mark()).toBe('yes')
  await console_.site.rollback('system')
  await movesTo(page, '/system/menu', '新建菜单')
  expect(await mark()).toBe('')
})

test('filters, tabs and pages of a list do not exchange its code; another path does', async ({
  page,
}) => {
  await open(page, '/enterprise/user')
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
  const loaded = page.waitForResponse((answer) =>
    /remotes\/enterprise\/000000000001\/.*\.js$/.test(answer.url()),
  )
  await console_.site.publish(await next(await built('enterprise'), 1, '新建用户'))
  await loaded
  await polls(page)
  const rows = page.waitForResponse(/\/v1\/user\/page/)
  await go(page, '/enterprise/user?username=admin')
  await rows
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
  await go(page, '/home')
  await go(page, '/enterprise/user')
  await expect(page.getByText('新建用户·1', { exact: true })).toBeVisible()
})

test('a build that did not come for a passing reason is asked for again', async ({ page }) => {
  await open(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const heal = console_.fault((path) => path.includes('/remotes/system/000000000001/'), '404')
  const failed = page.waitForResponse((answer) =>
    answer.url().includes('/remotes/system/000000000001/'),
  )
  await console_.site.publish(await next(await built('system'), 1, '新建菜单'))
  expect((await failed).status()).toBe(404)
  await polls(page)
  heal()
  await page.waitForResponse((answer) =>
    /remotes\/system\/000000000001\/.*\.js$/.test(answer.url()),
  )
  await movesTo(page, '/system/menu', '新建菜单·1')
})

/**
 * Opens a page whose newest build fails to load.
 * @returns the text of the banner
 */
async function opensFormer(page: Page) {
  const real = await built('system')
  const { entry } = await recordOf(real)
  await console_.site.publish(
    await variant(real, {
      build: '00000000fail',
      file: (name, text) => (name === entry ? 'throw new Error("boom")' : text),
    }),
  )
  await open(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const said = page.getByText(/“系统管理”的新版本没有加载成功，正在使用上一版本/)
  await expect(said).toBeVisible()
  return said
}

test('a new page uses the build before where the newest does not load, says so, and moves on with the next', async ({
  page,
}) => {
  const said = await opensFormer(page)
  await console_.site.publish(await next(await built('system'), 2, '新建菜单'))
  await movesTo(page, '/system/menu', '新建菜单·2')
  await expect(said).toBeHidden()
})

test('says no longer that it uses the build before when the newest was taken back', async ({
  page,
}) => {
  const said = await opensFormer(page)
  await console_.site.rollback('system')
  await look(page)
  await expect(said).toBeHidden()
})

test('a build that was overtaken while it waited leaves nothing behind', async ({ page }) => {
  const real = await built('system')
  await open(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const left = (build: string) =>
    page.evaluate(
      (id) =>
        Object.entries(window).filter(([key, value]) => key.includes(id) && value !== undefined)
          .length,
      build,
    )
  await console_.site.publish(await next(real, 1, '新建菜单'))
  await expect.poll(() => left('000000000001')).toBeGreaterThan(0)
  await polls(page)
  await console_.site.publish(await next(real, 2, '新建菜单'))
  await expect.poll(() => left('000000000002')).toBeGreaterThan(0)
  await expect.poll(() => left('000000000001')).toBe(0)
  await go(page, '/home')
  await go(page, '/system/menu')
  await expect(page.getByText('新建菜单·2', { exact: true })).toBeVisible()
})

test('a screen that is on its way while another area is exchanged is drawn when it comes', async ({
  page,
}) => {
  const patient = await openConsole({ loadDeadline: 120_000 })
  const { needs } = await recordOf(await built('system'))
  const slow = needs['/system/log/actionLog']!.files[0]!
  await keepToken(page, token)
  await page.goto(`${patient.origin}/enterprise/user`)
  await expect(page.getByText('新建用户', { exact: true })).toBeVisible()
  await go(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  const come = patient.fault((path) => path.endsWith(`/${slow}`), 'hang')
  const asked = page.waitForRequest((request) => request.url().endsWith(`/${slow}`))
  await go(page, '/system/log/actionLog')
  await asked
  await patient.site.publish(await next(await built('enterprise'), 1, '新建用户'))
  await expect(page.getByText('“企业管理”已更新')).toBeVisible()
  come()
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
  await patient.close()
})

test('the line that offers a new console goes when the console is rolled back', async ({
  page,
}) => {
  await open(page, '/home')
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await console_.site.publish(await variant(await built('host'), { build: '00000000host' }))
  const offer = page.getByText('控制台有新版本')
  await expect(offer).toBeVisible()
  await console_.site.rollback('host')
  await expect(offer).toBeHidden()
})

test('a half-filled form holds the exchange back, and comes back after the chunk is gone and the page reloaded', async ({
  page,
}) => {
  await open(page, '/deviceAccess/config/manufacturer')
  await page.getByRole('button', { name: '新建厂商' }).click()
  await page.getByRole('dialog').getByLabel('厂商名称').fill('明光照明')
  await page.getByRole('dialog').getByLabel('联系人').fill('张工')
  await console_.site.publish(await next(await built('deviceAccess'), 1, '新建厂商'))
  await polls(page)
  await expect(page.getByText('“设备接入”已更新')).toBeHidden()

  await page.reload()
  await expect(page).toHaveURL(/\/deviceAccess\/config\/manufacturer/)
  await page.getByRole('button', { name: '继续' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('厂商名称')).toHaveValue('明光照明')
  await expect(dialog.getByLabel('联系人')).toHaveValue('张工')
})

test('a chunk that is gone asks for a reload; where that did not help, it says what to report', async ({
  page,
}) => {
  const { needs } = await recordOf(await built('system'))
  const gone = needs['/system/log/actionLog']!.files[0]!
  await open(page, '/system/menu')
  await expect(page.getByText('新建菜单')).toBeVisible()
  const heal = console_.fault((path) => path.endsWith(`/${gone}`), '404')
  const told = page.waitForRequest(
    (request) =>
      request.url().endsWith('/heartbeat') && !!request.postData()?.includes('"kind":"updated"'),
  )
  await go(page, '/system/log/actionLog')
  await expect(page.getByText('系统已更新，请重新加载')).toBeVisible()
  await go(page, '/home')
  await told
  await go(page, '/system/log/actionLog')
  await page.getByRole('button', { name: '重新加载' }).click()
  await expect(page.getByText(/已重新加载过一次/)).toBeVisible()
  heal()
  await retry(page)
  await expect(page.getByRole('columnheader', { name: '修改内容' })).toBeVisible()
})

test('the menu shows what the deployed build has', async ({ page }) => {
  const real = await built('system')
  const { menu, needs } = await recordOf(real)
  const others = Object.fromEntries(
    Object.entries(needs).filter(([path]) => path !== '/system/network'),
  )
  await open(page, '/home')
  const link = page.getByRole('menuitem', { name: '网络组件' })
  await page.getByRole('menuitem', { name: '系统管理' }).click()
  await expect(link).toBeVisible()
  await console_.site.publish(
    await next(real, 1, undefined, {
      menu: menu.filter(({ path }) => path !== '/system/network'),
      needs: others,
    }),
  )
  await expect(link).toBeHidden()
  await expect(page.getByRole('menuitem', { name: '菜单管理' })).toBeVisible()
  await console_.site.rollback('system')
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

test('a link that is pointed at has its code asked for, unless one saves data', async ({
  page,
  browser,
}) => {
  const asked = (of: Page) =>
    of.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => /remotes\/enterprise\/.*\.js$/.test(name)),
    )
  const point = async (at: Page) => {
    await at.goto(`${console_.origin}/home`)
    await at.getByRole('menuitem', { name: '企业管理' }).click()
    await at.getByRole('menuitem', { name: '用户管理' }).hover()
  }
  await keepToken(page, token)
  await point(page)
  await expect.poll(() => asked(page)).toBe(true)

  const saving = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
  await keepToken(saving, token)
  await saving.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  await point(saving)
  await polls(saving)
  expect(await asked(saving)).toBe(false)
  await saving.context().close()
})

test('a host and remotes of different ages: what runs, what is refused and why', async ({
  page,
}) => {
  const [host, system] = [await built('host'), await built('system')]
  // The later host has one more feature in its shell API, and the latest remote requires it.
  const later = await variant(host, {
    build: '00000000host',
    record: { shellApi: '^2.1.0' },
    file: (_, text) => text.replaceAll('"2.0.0"', '"2.1.0"'),
  })
  const rows: string[][] = []
  const [former, latest] = [
    await next(system, 1),
    await next(system, 2, undefined, { shellApi: '^2.1.0' }),
  ]
  await keepToken(page, token)
  const opens = () => expect(page.getByText('新建菜单')).toBeVisible()
  for (const [hostName, hostDist, remotes] of [
    ['N-1', host, { 'N-1': former, N: system }],
    ['N', later, { 'N-1': former, N: system, 'N+1': latest }],
  ] as const)
    for (const [remoteName, remoteDist] of Object.entries(remotes)) {
      await console_.site.publish([hostDist, remoteDist])
      await page.goto(`${console_.origin}/system/menu`)
      await opens()
      rows.push([hostName, remoteName, 'runs'])
    }

  // An incompatible build cannot be deployed, neither by publishing nor by a rollback.
  const why = '它需要控制台接口 ^2.1.0，当前为 2.0.0'
  await expect(console_.site.rollback('host')).rejects.toThrow(why)
  await console_.site.publish([host, system])
  await expect(console_.site.publish(latest)).rejects.toThrow(why)
  rows.push(['N-1', 'N+1', 'not published'])

  // A page opened earlier runs the older host: it uses the previous build, and shows the reason if that is incompatible
  // as well.
  await page.goto(`${console_.origin}/home`)
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  await console_.site.publish([later, latest])
  await console_.site.publish(await next(system, 3, undefined, { shellApi: '^2.1.0' }))
  await polls(page)
  await go(page, '/system/menu')
  const said = page.getByRole('alert').filter({ hasText: '版本不兼容' })
  await expect(said).toContainText(why)
  rows.push(['N-1, open', 'N+1', `refused: ${why}`])
  await go(page, screens.enterprise.path)
  await expect(page.getByText(screens.enterprise.text)).toBeVisible()
  console.table(rows.map(([host, remote, result]) => ({ host, remote, result })))
})

test('a remote that uses a name its host does not have is not published, and not run by an older page', async ({
  page,
}) => {
  const [host, system] = [await built('host'), await built('system')]
  const [{ offers }, { uses }] = [await recordOf(host), await recordOf(system)]
  const [module, names] = Object.entries(uses).find(([key]) => key.startsWith('@iot/shared/ui/'))!
  const wants = await next(system, 1, '新建菜单', { uses: { [module]: [...names, 'Later'] } })
  await expect(console_.site.publish(wants)).rejects.toThrow(`当前控制台的 ${module} 没有 Later`)

  await open(page, '/home')
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  const later = await variant(host, {
    build: '00000000host',
    record: { offers: { ...offers, [module]: [...offers[module]!, 'Later'] } },
  })
  await console_.site.publish([later, wants])
  await polls(page)
  await go(page, '/system/menu')
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  await expect(page.getByText(/“系统管理”的新版本没有加载成功/)).toBeVisible()
})
