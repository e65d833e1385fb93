import { failuresOfJest, failuresOfPlaywright } from './failures'

const quoted = `says "x" of 'y' (and $HOME) in 中文`

it('names the failed tests of Jest, and a command whose pattern finds just that one', () => {
  const [failure, ...rest] = failuresOfJest(
    {
      testResults: [
        { name: '/repo/a.test.ts', status: 'passed', assertionResults: [] },
        {
          name: '/repo/server/b.test.ts',
          status: 'failed',
          assertionResults: [
            { fullName: 'is right', status: 'passed' },
            { fullName: quoted, status: 'failed' },
          ],
        },
      ],
    },
    '/repo',
  )
  expect(rest).toEqual([])
  expect(failure!.name).toBe(`server/b.test.ts › ${quoted}`)
  const [, command, filter] = /^(.*) -t '([^']*)'$/.exec(failure!.command)!
  expect(command).toBe('pnpm unit server/b.test.ts')
  expect(quoted).toMatch(new RegExp(filter!))
  expect('is right').not.toMatch(new RegExp(filter!))
})

it('names a file that does not load', () =>
  expect(
    failuresOfJest(
      { testResults: [{ name: '/repo/a.test.ts', status: 'failed', assertionResults: [] }] },
      '/repo',
    ),
  ).toEqual([{ name: 'a.test.ts', command: 'pnpm unit a.test.ts' }]))

it('names the failed tests of the browser, and what fell outside of a test', () =>
  expect(
    failuresOfPlaywright({
      suites: [
        {
          specs: [{ title: 'opens', ok: true, file: 'a.spec.ts', line: 3 }],
          suites: [{ specs: [{ title: 'closes', ok: false, file: 'a.spec.ts', line: 9 }] }],
        },
      ],
      errors: [{ message: 'Error: the platform did not start\nand more' }],
    }),
  ).toEqual([
    { name: 'e2e/a.spec.ts › closes', command: 'pnpm e2e a.spec.ts:9' },
    { name: 'Error: the platform did not start', command: 'pnpm e2e' },
  ]))
