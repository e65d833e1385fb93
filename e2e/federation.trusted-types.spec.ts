import { paths } from '@iot/shared/screens/paths'
import { expect, test } from './fixtures'
import { createUniqueName } from './listHelpers'

test('blocks injected markup, evaluated text and foreign scripts, and logs them as errors', async ({
  newcomer: page,
  api,
  policyViolations,
}) => {
  const response = await page.goto(paths.system.menu())
  expect(response!.headers()['content-security-policy']).not.toContain('unsafe')
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
  // The pages of all other tests fail if anything is refused, so this also shows that they would notice it.
  expect(policyViolations.splice(0)).toHaveLength(8)
})
