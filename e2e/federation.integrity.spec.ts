import { basename } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { getBuild, readReleaseRecord } from './federation/builds'
import { openConsole, remotes, screens, type TestConsole } from './federation/console'
import { expect, navigateTo, storeToken, signInByApi, test } from './fixtures'

let testConsole: TestConsole
let token: string
test.beforeAll(async () => {
  ;({ token } = await signInByApi())
  testConsole = await openConsole()
})
test.afterAll(() => testConsole.close())

async function openPage(page: Page, path: string) {
  await storeToken(page, token)
  await page.goto(testConsole.origin + path)
}
const findStyleSheet = (files: string[]) => files.find((file) => file.endsWith('.css'))!
/** Returns the style sheet of the home page, read from a page that has opened it. */
async function readHomeStyleSheet(browser: Browser) {
  const page = await browser.newPage()
  await openPage(page, '/home')
  await expect(page.getByRole('group', { name: /平面图$/ })).toBeVisible()
  const sheet = await page
    .locator('link[rel="stylesheet"][href*="/host/"]')
    .last()
    .getAttribute('href')
  await page.close()
  return basename(sheet!)
}

test('refuses any file with one extra byte', async ({ browser }) => {
  const host = await readReleaseRecord(await getBuild('host'))
  const system = await readReleaseRecord(await getBuild('system'))
  const fileClasses: [string, string, string][] = [
    ['record', 'release.json', '/system/menu'],
    ['entry', system.entry, '/system/menu'],
    ['lazy chunk', system.needs['/system/log/actionLog']!.files.at(-1)!, '/system/log/actionLog'],
    [
      'style sheet of a remote',
      findStyleSheet(system.needs['/system/menu']!.files),
      '/system/menu',
    ],
    ['style sheet of the host', await readHomeStyleSheet(browser), '/home'],
    ['host entry', host.entry, '/home'],
  ]
  for (const [name, file, path] of fileClasses) {
    const repair = testConsole.fault(
      (requestPath) =>
        requestPath.endsWith(`/${file}`) &&
        (file !== 'release.json' || requestPath.includes('/system/')),
      'tampered',
    )
    const page = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
    await openPage(page, path)
    // The page stays at its static text if the host's entry is refused, because no other code runs to report the
    // reason.
    if (name === 'host entry') await expect(page.getByText('正在打开…')).toBeVisible()
    else await expect(page.getByText('文件内容与发布记录不符'), name).toBeVisible()
    repair()
    await page.context().close()
  }
})

test('does not apply a tampered style sheet', async ({ browser }) => {
  const host = await readReleaseRecord(await getBuild('host'))
  const sheet = Object.keys(host.files).find((file) => file.endsWith('.css'))!
  const repair = testConsole.fault((path) => path.endsWith('.css'), 'tampered')
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${testConsole.origin}/login`)
  await expect(page.getByText('文件内容与发布记录不符')).toBeVisible()
  expect(
    await page.evaluate(
      () => [...document.styleSheets].filter(({ href }) => href?.endsWith('.css')).length,
    ),
    sheet,
  ).toBe(0)
  repair()
  await page.context().close()
})

test('loads one copy of each shared package on every screen', async ({ page }) => {
  await openPage(page, '/home')
  for (const remote of remotes) {
    await navigateTo(page, screens[remote].path)
    await expect(page.getByText(screens[remote].text, { exact: true }).first()).toBeVisible()
  }
  // Each mark is a text that only the package itself contains, and is searched for in all scripts that this page has
  // loaded.
  const packageMarks = {
    react: '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=',
    'react-dom': '__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=',
    'react-router': '__reactRouterVersion',
    jotai: 'Detected multiple Jotai|JOTAI|Atom is readonly|no atom init|not writable atom',
    '@ant-design/cssinjs': 'data-css-hash',
    antd: 'ant-design-icons',
    'shared session': '"buttonSetting"',
    'shared client': '请求超时，请稍后再试',
  }
  const counts = await page.evaluate(async (marksByPackage) => {
    const urls = [
      ...new Set(
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.js')),
      ),
    ]
    const texts = await Promise.all(urls.map((url) => fetch(url).then((answer) => answer.text())))
    return Object.fromEntries(
      Object.entries(marksByPackage).map(([name, mark]) => [
        name,
        texts.filter((text) => new RegExp(mark.replace(/[()[\].]/g, '\\$&')).test(text)).length,
      ]),
    )
  }, packageMarks)
  expect(counts).toEqual(Object.fromEntries(Object.keys(packageMarks).map((name) => [name, 1])))
})
