import { readJestFailures, readPlaywrightFailures, findFlakyPlaywrightTests } from './failures'

const specialName = `says "x" of 'y' (and $HOME) in 中文`

it('names each failed Jest test and a command that runs only it', () => {
  const [failure, ...rest] = readJestFailures(
    {
      testResults: [
        { name: '/repo/a.test.ts', status: 'passed', assertionResults: [] },
        {
          name: '/repo/server/b.test.ts',
          status: 'failed',
          assertionResults: [
            { fullName: 'is right', status: 'passed' },
            {
              fullName: specialName,
              status: 'failed',
              failureMessages: ['Error: lamp 3\n\n  is on'],
            },
          ],
        },
      ],
    },
    '/repo',
  )
  expect(rest).toEqual([])
  expect(failure!.name).toBe(`server/b.test.ts › ${specialName}`)
  const [, command, filter] = /^(.*) -t '([^']*)'$/.exec(failure!.command)!
  expect(command).toBe('pnpm unit server/b.test.ts')
  expect(specialName).toMatch(new RegExp(filter!))
  expect('is right').not.toMatch(new RegExp(filter!))
  expect(failure!.reason).toBe('Error: lamp 3 · is on')
})

it('names a file that failed to load', () =>
  expect(
    readJestFailures(
      { testResults: [{ name: '/repo/a.test.ts', status: 'failed', assertionResults: [] }] },
      '/repo',
    ),
  ).toEqual([{ name: 'a.test.ts', command: 'pnpm unit a.test.ts' }]))

it('names failed browser tests and errors outside of tests', () =>
  expect(
    readPlaywrightFailures({
      suites: [
        {
          specs: [{ title: 'opens', ok: true, file: 'a.spec.ts', line: 3 }],
          suites: [
            {
              specs: [
                {
                  title: 'closes',
                  ok: false,
                  file: 'a.spec.ts',
                  line: 9,
                  tests: [
                    {
                      status: 'unexpected',
                      results: [{ error: { message: '\u001b[31mError: no door\u001b[39m' } }],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
      errors: [{ message: 'Error: the platform did not start\nand more' }],
    }),
  ).toEqual([
    {
      name: 'e2e/a.spec.ts › closes',
      command: 'pnpm e2e a.spec.ts:9',
      reason: 'Error: no door',
    },
    { name: 'Error: the platform did not start', command: 'pnpm e2e' },
  ]))

it('names flaky browser tests, which are no failures', () => {
  const spec = (title: string, status: string) => ({
    title,
    ok: status !== 'unexpected',
    file: 'a.spec.ts',
    line: 3,
    tests: [{ status }],
  })
  const report = {
    suites: [
      { suites: [{ specs: [spec('waits', 'flaky'), spec('opens', 'expected')] }] },
      { specs: [spec('closes', 'unexpected')] },
    ],
    errors: [],
  }
  expect(findFlakyPlaywrightTests(report)).toEqual([
    { name: 'e2e/a.spec.ts › waits', command: 'pnpm e2e a.spec.ts:3' },
  ])
  expect(readPlaywrightFailures(report).map(({ name }) => name)).toEqual(['e2e/a.spec.ts › closes'])
})
