import { remotes, screens } from './federation/console'
import { expect, navigateTo, test } from './fixtures'

test('loads one copy of each shared package with all remotes open', async ({ newcomer: page }) => {
  await page.goto('/home')
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
