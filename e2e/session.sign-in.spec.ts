import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { built } from './federation/builds'
import { expect, keepToken, signedIn, signIn, test } from './fixtures'

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

test('returns to the page that asked for a sign-in', async ({ page }) => {
  await page.goto('/system/menu')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page).toHaveURL(/\/system\/menu/)
  await expect(page.getByText('首页').first()).toBeVisible()
})

test('ends at login with the reason when the session was ended elsewhere', async ({ page }) => {
  const { token, api } = await signedIn()
  await keepToken(page, token)
  await page.goto('/enterprise/user')
  await expect(page.getByRole('button', { name: '新建用户' })).toBeVisible()

  await api.post('/v1/auth/logout', { data: {} })
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText(/重新登录/)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('another tab follows when one signs out', async ({ context }) => {
  const first = await context.newPage()
  await first.goto('/login')
  await signIn(first)
  await expect(first).toHaveURL(/\/home/)
  const second = await context.newPage()
  await second.goto('/home')
  await expect(second.getByRole('menuitem', { name: '首页' })).toBeVisible()

  await first.getByRole('button', { name: /用户菜单|管理员/ }).click()
  await first.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(first).toHaveURL(/\/login/)
  await expect(second).toHaveURL(/\/login/)
})

test('an address nobody knows answers 404, and the unavailable screen returns by itself', async ({
  newcomer: operator,
}) => {
  await operator.goto('/system/nothing')
  await expect(operator.getByText('页面不存在')).toBeVisible()
  await operator.goto('/nowhere/at/all')
  await expect(operator.getByText('页面不存在')).toBeVisible()
  await operator.goto('/serviceUnavailable')
  await expect(operator).toHaveURL(/\/home/)
})

test('asks once who is there, and for the rows before their screen has come', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' || pathname.startsWith('/v1/')) asked.push(pathname)
  })
  // Live events are dropped, because changes to users and projects by other tests make every page read its user again.
  await page.routeWebSocket(/\/v1\/live$/, () => {})
  const times = (path: string) => asked.filter((one) => one === path).length
  /**
   * Delays the code of the screens until their rows are requested, so a page that requests them only afterwards never
   * opens.
   */
  async function holdScreensUntil(path: string) {
    const isAsked = page.waitForRequest((request) => new URL(request.url()).pathname === path, {
      timeout: 0,
    })
    await page.route(/\/remotes\/(deviceAccess|system)\/.*\.js$/, async (route) => {
      await isAsked
      await route.continue()
    })
  }
  await page.goto('/deviceAccess/config/manufacturer')
  await holdScreensUntil('/v1/manufacturer/page')
  await signIn(page)
  await expect(page.getByRole('link', { name: '厂商管理' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '厂商名称' })).toBeVisible()
  expect(times('/v1/auth/me')).toBe(1)
  expect(times('/v1/manufacturer/page')).toBe(1)

  // The lists are one of the current project and one that is read as a whole tree.
  for (const [path, call] of [
    ['/deviceAccess/device', '/v1/device/page'],
    ['/system/menu', '/v1/menu/list'],
  ] as const) {
    await page.unrouteAll({ behavior: 'wait' })
    asked.length = 0
    await holdScreensUntil(call)
    await page.goto(path)
    await expect(
      page.getByRole('main').locator('.ant-table-row, .ant-tree-treenode'),
    ).not.toHaveCount(0)
    expect(times(call)).toBe(1)
  }
})

test('the login page waits for nothing of what is behind it', async ({ page, request }) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
  const entry = (await page.locator('script[src]').first().getAttribute('src'))!
  // Each mark is a text that only the package itself contains.
  for (const mark of ['ant-design-icons', 'data-css-hash', '__reactRouterVersion'])
    expect(await (await request.get(entry)).text()).not.toContain(mark)
  const packed = await request.head(entry, { headers: { 'accept-encoding': 'br' } })
  expect(Number(packed.headers()['content-length'])).toBeLessThan(105_000)
})

test('what login asks for before anybody types weighs no more than a form of a few fields', async () => {
  const dist = await built('host')
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const [, atOnce] = /id="files">(.+?)<\/script>/.exec(html)!
  // The shell and the hashes of later files are fetched while the user types.
  const files = Object.keys(JSON.parse(atOnce!) as object).filter((file) =>
    /^main\.|\.css$/.test(file),
  )
  const sizes = await Promise.all(
    ['index.html', ...files].map(async (file) => (await stat(join(dist, `${file}.br`))).size),
  )
  expect(files.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(115_000)
})
