import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getBuild } from './federation/builds'
import { expect, storeToken, signInByApi, signIn, test } from './fixtures'

test('signs in and stays signed in after a reload', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page).toHaveURL(/\/home/)
  await page.reload()
  await expect(page.getByRole('menuitem', { name: '首页' })).toBeVisible()
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('userInfo')!).username)).toBe(
    'admin',
  )
})

test('keeps what was typed before the login form was there, and shifts nothing while it loads', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shifts = { total: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.total += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  let releaseFiles = () => {}
  const isReleased = new Promise<void>((resolve) => (releaseFiles = resolve))
  await page.route(/\/host\/.*\.js$/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('#early')).toBeFocused()
  await page.keyboard.type('adm')
  releaseFiles()
  await expect(page.getByLabel('密码')).toBeVisible()
  await page.keyboard.type('in')
  await expect(page.getByLabel('账号')).toHaveValue('admin')
  const shifts = await page.evaluate(
    () => (window as unknown as { shifts: { total: number } }).shifts.total,
  )
  expect(shifts).toBeLessThan(0.02)
})

test('returns to the page that required the sign-in', async ({ page }) => {
  await page.goto('/system/menu')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page).toHaveURL(/\/system\/menu/)
  await expect(page.getByText('首页').first()).toBeVisible()
})

test('returns to login with the reason when the session was ended elsewhere', async ({ page }) => {
  const { token, api } = await signInByApi()
  await storeToken(page, token)
  await page.goto('/enterprise/user')
  await expect(page.getByRole('button', { name: '新建用户' })).toBeVisible()

  await api.post('/v1/auth/logout', { data: {} })
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText(/重新登录/)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('signs out in every tab', async ({ context }) => {
  const firstTab = await context.newPage()
  await firstTab.goto('/login')
  await signIn(firstTab)
  await expect(firstTab).toHaveURL(/\/home/)
  const secondTab = await context.newPage()
  await secondTab.goto('/home')
  await expect(secondTab.getByRole('menuitem', { name: '首页' })).toBeVisible()

  await firstTab.getByRole('button', { name: /^用户菜单/ }).click()
  await firstTab.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(firstTab).toHaveURL(/\/login/)
  await expect(secondTab).toHaveURL(/\/login/)
})

test('answers 404 for an unknown path, and leaves the unavailable screen when the service returns', async ({
  newcomer: operator,
}) => {
  await operator.goto('/system/nothing')
  await expect(operator.getByText('页面不存在')).toBeVisible()
  await operator.goto('/nowhere/at/all')
  await expect(operator.getByText('页面不存在')).toBeVisible()
  await operator.goto('/serviceUnavailable')
  await expect(operator).toHaveURL(/\/home/)
})

test('requests the user once, and rows before the code of their screen has loaded', async ({
  page,
}) => {
  const requestedPaths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' || pathname.startsWith('/v1/')) requestedPaths.push(pathname)
  })
  // Live events are dropped, because changes to users and projects by other tests make every page read its user again.
  await page.routeWebSocket(/\/v1\/live$/, () => {})
  const countRequests = (path: string) =>
    requestedPaths.filter((requestedPath) => requestedPath === path).length
  /**
   * Delays the code of the screens until their rows are requested, so a page that requests them only afterwards never
   * opens.
   */
  async function delayScreensUntil(path: string) {
    const rowsRequest = page.waitForRequest((request) => new URL(request.url()).pathname === path, {
      timeout: 0,
    })
    await page.route(/\/remotes\/(deviceAccess|system)\/.*\.js$/, async (route) => {
      await rowsRequest
      await route.continue()
    })
  }
  await page.goto('/deviceAccess/config/manufacturer')
  await delayScreensUntil('/v1/manufacturer/page')
  await signIn(page)
  await expect(page.getByRole('link', { name: '厂商管理' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '厂商名称' })).toBeVisible()
  expect(countRequests('/v1/auth/me')).toBe(1)
  expect(countRequests('/v1/manufacturer/page')).toBe(1)

  // The lists are one of the current project and one that is read as a whole tree.
  for (const [path, call] of [
    ['/deviceAccess/device', '/v1/device/page'],
    ['/system/menu', '/v1/menu/list'],
  ] as const) {
    await page.unrouteAll({ behavior: 'wait' })
    requestedPaths.length = 0
    await delayScreensUntil(call)
    await page.goto(path)
    await expect(
      page.getByRole('main').locator('.ant-table-row, .ant-tree-treenode'),
    ).not.toHaveCount(0)
    expect(countRequests(call)).toBe(1)
  }
})

/** Returns the entry and the files that the page preloads for login, with their compressed sizes. */
async function readLoginFiles() {
  const dist = await getBuild('host')
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const names = [
    'index.html',
    ...[...html.matchAll(/(?:src|href)="\/host\/[^/]+\/([^"]+\.(?:js|css))"/g)].map(
      ([, name]) => name!,
    ),
  ]
  return Promise.all(
    names.map(async (name) => ({
      name,
      text: await readFile(join(dist, name), 'utf8'),
      bytes: (await stat(join(dist, `${name}.br`))).size,
    })),
  )
}

test('loads the login page without code of the other pages', async ({ page }) => {
  const requestedFiles: string[] = []
  page.on('request', (request) => requestedFiles.push(request.url().split('/').at(-1)!))
  await page.goto('/login')
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
  const files = await readLoginFiles()
  for (const { name, text } of files.slice(1)) {
    expect(requestedFiles).toContain(name)
    // Each mark is a text that only the package itself contains.
    for (const mark of ['ant-design-icons', 'data-css-hash', '__reactRouterVersion'])
      expect(text).not.toContain(mark)
  }
})

test('keeps the login page below its size limit', async () => {
  const files = await readLoginFiles()
  expect(files.length).toBeGreaterThan(2)
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(200_000)
})
