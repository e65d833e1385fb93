/** A failure names a test or step and the command that runs it alone. */
export type Failure = { name: string; command: string }

type JestReport = {
  testResults: {
    name: string
    status: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}
type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs?: {
    title: string
    ok: boolean
    file: string
    line: number
    /** `flaky` means that the test passed at the second attempt. */
    tests?: { status: string }[]
  }[]
}
export type PlaywrightReport = { suites: PlaywrightSuite[]; errors: { message?: string }[] }

/** Builds a pattern for Jest's `-t`; a dot replaces characters that are special to the shell or in patterns. */
const toTestPattern = (name: string) => name.replace(/[^\p{L}\p{N} _-]/gu, '.')

export const readJestFailures = (
  { testResults }: JestReport,
  root: string,
  script = 'pnpm unit',
): Failure[] =>
  testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = name.replace(`${root}/`, '')
      const failedTests = assertionResults.filter(({ status }) => status === 'failed')
      // A file that cannot be loaded has no failed test of its own.
      if (failedTests.length === 0) return { name: file, command: `${script} ${file}` }
      return failedTests.map(({ fullName }) => ({
        name: `${file} › ${fullName}`,
        command: `${script} ${file} -t '${toTestPattern(fullName)}'`,
      }))
    })

const listSpecs = (suite: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(listSpecs),
]

const describeSpec = ({ title, file, line }: { title: string; file: string; line: number }) => ({
  name: `e2e/${file} › ${title}`,
  command: `pnpm e2e ${file}:${line}`,
})

/** Returns tests that passed only at the second attempt. They depend on load or order, so each has a fault to find. */
export const findFlakyPlaywrightTests = ({ suites }: PlaywrightReport): Failure[] =>
  suites
    .flatMap(listSpecs)
    .filter(({ tests = [] }) => tests.some(({ status }) => status === 'flaky'))
    .map(describeSpec)

export const readPlaywrightFailures = ({ suites, errors }: PlaywrightReport): Failure[] => [
  ...suites
    .flatMap(listSpecs)
    .filter(({ ok }) => !ok)
    .map(describeSpec),
  // Errors outside of tests mean that the platform did not start or a file did not load.
  ...errors.map(({ message = '' }) => ({ name: message.split('\n')[0]!, command: 'pnpm e2e' })),
]
