import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Pointer } from '@iot/shared/contract/release/release.schema'
import { Site } from '../server/src/site/releases'
import { getBuild, createNextBuild } from './federation/builds'
import { expectUpdateTo, openConsole, type TestConsole } from './federation/console'
import { expect, storeToken, signInByApi, test } from './fixtures'

let testConsole: TestConsole
let token: string
test.beforeAll(async () => {
  ;({ token } = await signInByApi())
  testConsole = await openConsole({ keys: generateKeyPairSync('ed25519') })
})
test.afterAll(() => testConsole.close())

async function openPage(page: Page, path = '/system/menu') {
  await storeToken(page, token)
  await page.goto(testConsole.origin + path)
}
const expectText = (page: Page, text: string) => expectUpdateTo(page, '/system/menu', text)
/** Serves an edited pointer, as an attacker between server and browser could. */
async function tamper(page: Page, edit: (pointer: Pointer) => void = () => {}) {
  const pointer = JSON.parse(
    await readFile(join(testConsole.folder, 'pointer.json'), 'utf8'),
  ) as Pointer
  edit(pointer)
  await page.route('**/pointer.json', (route) => route.fulfill({ json: pointer }))
}

test('loads a signed build into a running page, and logs an unsigned one as an error instead', async ({
  page,
  browser,
}) => {
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  const systemBuild = await getBuild('system')
  await openPage(page)
  await expect(page.getByText('新建菜单', { exact: true })).toBeVisible()
  await testConsole.site.publish(await createNextBuild(systemBuild, 1, '新建菜单'))
  await expectText(page, '新建菜单·1')

  // This publishes without the key, as an attacker with write access to the folder could.
  await new Site(testConsole.folder).publish(await createNextBuild(systemBuild, 2, '新建菜单'))
  const servedPointer = (await (
    await fetch(`${testConsole.origin}/pointer.json`)
  ).json()) as Pointer
  expect(servedPointer.remotes.system).toMatchObject({ build: '000000000001' })

  const errorReport = page.waitForRequest(
    (request) => !!request.postData()?.includes('没有与站点公钥相符的签名'),
  )
  await tamper(page)
  expect((await errorReport).url()).toMatch(/\/v1\/log\/error\/report$/)
  await expectText(page, '新建菜单·1')
  expect(requestedUrls.filter((url) => /system\/000000000002\/.*\.js$/.test(url))).toEqual([])

  // A page opened now falls back to the previous build, because the current one is refused.
  const freshPage = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
  await tamper(freshPage)
  await openPage(freshPage)
  await expect(freshPage.getByText('新建菜单·1', { exact: true })).toBeVisible()
  await freshPage.context().close()

  await page.unroute('**/pointer.json')
  await testConsole.site.publish(await createNextBuild(systemBuild, 3, '新建菜单'))
  await expectText(page, '新建菜单·3')
})

test('prefetches only the calls named in a signed record, not those of a pointer', async ({
  page,
}) => {
  const calledPaths: string[] = []
  page.on('request', (request) => calledPaths.push(new URL(request.url()).pathname))
  await tamper(page, ({ remotes }) => {
    remotes.system!.needs['/system/log/actionLog']!.asks = {
      method: 'POST',
      path: '/v1/auth/logout',
    }
  })
  await openPage(page, '/system/log/actionLog')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(calledPaths.filter((path) => path === '/v1/action-log/page')).toHaveLength(1)
  expect(calledPaths).not.toContain('/v1/auth/logout')
})
