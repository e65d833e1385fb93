import { stripVTControlCharacters } from 'node:util'

/** A failure names a test or step, the command that runs it alone, and the beginning of its message. */
export type Failure = { name: string; command: string; reason?: string }

type JestReport = {
  testResults: {
    name: string
    status: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
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
    tests?: { status: string; results?: { error?: { message?: string } }[] }[]
  }[]
}
export type PlaywrightReport = { suites: PlaywrightSuite[]; errors: { message?: string }[] }

/** Returns the first lines of a message as one line of at most 300 characters; a log often shows only this part. */
function summarize(message: string | undefined): { reason?: string } {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.length === 0 ? {} : { reason: lines.slice(0, 5).join(' · ').slice(0, 300) }
}

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
      return failedTests.map(({ fullName, failureMessages }) => ({
        name: `${file} › ${fullName}`,
        command: `${script} ${file} -t '${toTestPattern(fullName)}'`,
        ...summarize(failureMessages?.[0]),
      }))
    })

type PlaywrightSpec = NonNullable<PlaywrightSuite['specs']>[number]
const listSpecs = (suite: PlaywrightSuite): PlaywrightSpec[] => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(listSpecs),
]

const describeSpec = ({ title, file, line, tests = [] }: PlaywrightSpec) => ({
  name: `e2e/${file} › ${title}`,
  command: `pnpm e2e ${file}:${line}`,
  ...summarize(
    tests.flatMap(({ results = [] }) => results).find(({ error }) => error)?.error?.message,
  ),
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
