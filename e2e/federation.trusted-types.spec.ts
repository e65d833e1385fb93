import type { Page } from '@playwright/test'
import { menuRecords } from '@iot/shared/screens/all'
import { paths } from '@iot/shared/screens/paths'
import { remotes, screens } from './federation/console'
import { expect, navigateTo, signIn, test } from './fixtures'
import { createUniqueName } from './listHelpers'

/** Collects all violations of the page's policy from its first byte on, with their source position. */
async function collectViolations(page: Page) {
  const violations: string[] = []
  await page.exposeFunction('violated', (text: string) => violations.push(text))
  await page.addInitScript(() =>
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sample, sourceFile, columnNumber }) =>
        (window as unknown as { violated(text: string): void }).violated(
          `${location.pathname}: ${violatedDirective} ${blockedURI} ${sample} ${sourceFile}:${columnNumber}`,
        ),
    ),
  )
  return violations
}

test('reports no policy violation on login, every screen, plan, chart, forms, import and upload', async ({
  page,
}) => {
  const violations = await collectViolations(page)
  const answer = await page.goto('/login')
  expect(answer!.headers()['content-security-policy']).not.toContain('unsafe')
  await signIn(page)
  await expect(page.getByRole('group', { name: /平面图$/ })).toBeVisible()
  await page.getByRole('button', { name: '能耗' }).click()
  await expect(page.getByRole('img', { name: /每天的用电/ })).toBeVisible()

  for (const { path, name } of menuRecords.filter(({ type }) => type === 'page')) {
    await navigateTo(page, path)
    await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
  }

  for (const remote of remotes) {
    await navigateTo(page, screens[remote].path)
    await page.getByText(screens[remote].text, { exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await navigateTo(page, screens.deviceAccess.path)
  await expect(page.getByText(screens.deviceAccess.text, { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: /^导\s?入$/ }).click()
  await page
    .getByRole('dialog', { name: '导入厂商' })
    .locator('input[type=file]')
    .setInputFiles({ name: '厂商.csv', mimeType: 'text/csv', buffer: Buffer.from('厂商,备注\n') })
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()

  await navigateTo(page, paths.deviceAccess.config.iconLibrary())
  await page.getByRole('button', { name: '新建图标' }).click()
  const picture = `<svg xmlns="http://www.w3.org/2000/svg"><title>${createUniqueName('灯')}</title><path d="M0 0h8v8z"/></svg>`
  await page
    .getByLabel('正常图标', { exact: true })
    .setInputFiles({ name: '灯.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(picture) })
  await expect(page.getByText('更换图片')).toBeVisible()
  expect(violations).toEqual([])
})

test('blocks injected markup, evaluated text and foreign scripts, and logs them as errors', async ({
  newcomer: page,
  api,
}) => {
  await page.goto(paths.system.menu())
  await expect(page.getByRole('heading', { name: '菜单管理', level: 1 })).toBeVisible()
  const uniqueText = createUniqueName('x')
  const attemptResults = await page.evaluate(async (text) => {
    // Code run by the debugger may evaluate text, so the attempts run in a later task, where they may not.
    await new Promise((resolve) => setTimeout(resolve))
    const attempts: [string, () => unknown][] = [
      ['markup', () => (document.body.innerHTML = `<p>${text}`)],
      ['parsed', () => new DOMParser().parseFromString(`<p>${text}`, 'text/html')],
      ['handler', () => document.body.setAttribute('onclick', text)],
      ['eval', () => (0, eval)(`"${text}"`)],
      ['function', () => Reflect.construct(Function, [`"${text}"`])],
      [
        'script',
        () => Object.assign(document.createElement('script'), { src: `https://${text}.invalid/` }),
      ],
      [
        'own script',
        () => Object.assign(document.createElement('script'), { src: `/v1/file/${text}` }),
      ],
      ['worker', () => new Worker(`/v1/file/${text}`)],
    ]
    return attempts.map(([name, attempt]) => {
      try {
        attempt()
        return `${name} passed`
      } catch (error) {
        return `${name}: ${(error as Error).name}`
      }
    })
  }, uniqueText)
  expect(attemptResults).toEqual([
    'markup: TypeError',
    'parsed: TypeError',
    'handler: TypeError',
    'eval: EvalError',
    'function: EvalError',
    'script: TypeError',
    'own script: TypeError',
    'worker: TypeError',
  ])
  await expect(page.getByRole('heading', { name: '菜单管理', level: 1 })).toBeVisible()

  const readLoggedViolations = async () => {
    const filters = { message: uniqueText, pageNo: 1, pageSize: 20 }
    const { data } = await (await api.post('/v1/error-log/page', { data: filters })).json()
    return (data.list as { message: string }[])
      .map(({ message }) => /禁止了 ([^|]+)\|/.exec(message)?.[1])
      .sort()
  }
  await expect
    .poll(readLoggedViolations)
    .toEqual([
      'DOMParser parseFromString',
      'Element innerHTML',
      'Element onclick',
      'Function',
      'HTMLScriptElement src',
      'HTMLScriptElement src',
      'Worker constructor',
      'eval',
    ])
})
