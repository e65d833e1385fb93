import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Pointer } from '@iot/shared/contract/release'
import { Site } from '../server/src/site/releases'
import { built, next } from './federation/builds'
import { movesTo, openConsole, type Console } from './federation/console'
import { expect, keepToken, signedIn, test } from './fixtures'

let console_: Console
let token: string
test.beforeAll(async () => {
  ;({ token } = await signedIn())
  console_ = await openConsole({ keys: generateKeyPairSync('ed25519') })
})
test.afterAll(() => console_.close())

async function open(page: Page, path = '/system/menu') {
  await keepToken(page, token)
  await page.goto(console_.origin + path)
}
const shows = (page: Page, text: string) => movesTo(page, '/system/menu', text)
/** Serves an edited pointer, as an attacker between server and browser could. */
async function tamper(page: Page, edit: (pointer: Pointer) => void = () => {}) {
  const pointer = JSON.parse(
    await readFile(join(console_.folder, 'pointer.json'), 'utf8'),
  ) as Pointer
  edit(pointer)
  await page.route('**/pointer.json', (route) => route.fulfill({ json: pointer }))
}

test('a signed build comes into the running page; one that nobody signed does not, and goes to the error log', async ({
  page,
  browser,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const real = await built('system')
  await open(page)
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  await console_.site.publish(await next(real, 1, '新建菜单'))
  await shows(page, '新建菜单·1')

  // This publishes without the key, as an attacker with write access to the folder could.
  await new Site(console_.folder).publish(await next(real, 2, '新建菜单'))
  const served = (await (await fetch(`${console_.origin}/pointer.json`)).json()) as Pointer
  expect(served.remotes.system).toMatchObject({ build: '000000000001' })

  const reported = page.waitForRequest(
    (request) => !!request.postData()?.includes('没有与站点公钥相符的签名'),
  )
  await tamper(page)
  expect((await reported).url()).toMatch(/\/v1\/log\/error\/report$/)
  await shows(page, '新建菜单·1')
  expect(asked.filter((url) => /system\/000000000002\/.*\.js$/.test(url))).toEqual([])

  // A page opened now falls back to the previous build, because the current one is refused.
  const later = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
  await tamper(later)
  await open(later)
  await expect(later.getByText('新建菜单·1', { exact: true })).toBeVisible()
  await later.context().close()

  await page.unroute('**/pointer.json')
  await console_.site.publish(await next(real, 3, '新建菜单'))
  await shows(page, '新建菜单·3')
})

test('what a pointer says of calls is not done, only what a signed record says', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await tamper(page, ({ remotes }) => {
    remotes.system!.needs['/system/log/actionLog']!.asks = {
      method: 'POST',
      path: '/v1/auth/logout',
    }
  })
  await open(page, '/system/log/actionLog')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(calls.filter((path) => path === '/v1/action-log/page')).toHaveLength(1)
  expect(calls).not.toContain('/v1/auth/logout')
})
