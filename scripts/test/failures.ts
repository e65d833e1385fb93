/** One test or step that did not pass, and the command that runs it alone. */
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
    /** `flaky`: passed at a second try. */
    tests?: { status: string }[]
  }[]
}
export type PlaywrightReport = { suites: PlaywrightSuite[]; errors: { message?: string }[] }

/** As Jest's `-t` takes it; a dot stands for whatever a shell or a pattern reads as its own. */
const pattern = (name: string) => name.replace(/[^\p{L}\p{N} _-]/gu, '.')

export const failuresOfJest = (
  { testResults }: JestReport,
  root: string,
  script = 'pnpm unit',
): Failure[] =>
  testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = name.replace(`${root}/`, '')
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      // A file that does not even load has no failed test.
      if (failed.length === 0) return { name: file, command: `${script} ${file}` }
      return failed.map(({ fullName }) => ({
        name: `${file} › ${fullName}`,
        command: `${script} ${file} -t '${pattern(fullName)}'`,
      }))
    })

const specsOf = (suite: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(specsOf),
]

const describeSpec = ({ title, file, line }: { title: string; file: string; line: number }) => ({
  name: `e2e/${file} › ${title}`,
  command: `pnpm e2e ${file}:${line}`,
})

/** Tests that passed only at the second try: load or order decides about them, so each has a fault to be found. */
export const findFlakyOfPlaywright = ({ suites }: PlaywrightReport): Failure[] =>
  suites
    .flatMap(specsOf)
    .filter(({ tests = [] }) => tests.some(({ status }) => status === 'flaky'))
    .map(describeSpec)

export const failuresOfPlaywright = ({ suites, errors }: PlaywrightReport): Failure[] => [
  ...suites
    .flatMap(specsOf)
    .filter(({ ok }) => !ok)
    .map(describeSpec),
  // Outside of any test: the platform did not start, a file does not load.
  ...errors.map(({ message = '' }) => ({ name: message.split('\n')[0]!, command: 'pnpm e2e' })),
]
