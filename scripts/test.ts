import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { findInstalledServices } from 'server/services/installedServices'
import { chromium } from './chromium'
import { root } from './root'
import {
  readJestFailures,
  readPlaywrightFailures,
  findFlakyPlaywrightTests,
  type Failure,
} from './test/failures'

type StepResult = {
  passed: number
  failures: Failure[]
  /** These tests passed only at the second attempt. */
  flaky?: Failure[]
}
type Step = {
  name: string
  /** This command runs the step alone. */
  rerunCommand: string
  command: string[]
  /** Reads the report of a test suite; other steps pass or fail as a whole. */
  count?: () => StepResult
}

/** Most objects of a test die young: in a larger space for new ones Jest needs a fifteenth less of the processor. */
const nodeOptions = `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`.trim()

const jestReport = '.cache/jest.json'
const servicesReport = '.cache/services.json'
const e2eReport = '.cache/e2e.json'
const readReport = (report: string) => JSON.parse(readFileSync(report, 'utf8'))

const types: Step = {
  name: '类型',
  rerunCommand: 'pnpm types',
  // Jest has the other processor, and a second checker would read most types once more.
  command: ['../typescript-7/bin/tsc', '-p', '.', '--checkers', '1'],
}
const lint: Step = {
  name: '规范',
  rerunCommand: 'pnpm lint',
  command: ['eslint', '.', '--max-warnings', '0'],
}
const typedLint: Step = {
  name: '规范（类型）',
  rerunCommand: 'pnpm lint',
  command: ['oxlint', '--type-aware'],
}
const format: Step = {
  name: '排版',
  rerunCommand: 'pnpm format',
  command: ['oxfmt', '--check'],
}
const build: Step = {
  name: '构建',
  rerunCommand: 'pnpm build',
  // The types of all packages are the next step.
  command: ['tsx', 'scripts/build.ts', '--without-types'],
}
const unit: Step = {
  name: '单元',
  rerunCommand: 'pnpm unit',
  command: ['jest', '--json', `--outputFile=${jestReport}`],
  count: () => countJestResults(jestReport),
}
const services: Step = {
  name: '多进程',
  rerunCommand: 'pnpm test:services',
  command: ['tsx', 'scripts/testServices.ts', '--json', `--outputFile=${servicesReport}`],
  count: () => countJestResults(servicesReport, 'pnpm test:services'),
}
function countJestResults(file: string, script?: string) {
  const report = readReport(file)
  return { passed: report.numPassedTests, failures: readJestFailures(report, root, script) }
}
const e2e: Step = {
  name: '浏览器',
  rerunCommand: 'pnpm e2e',
  command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts'],
  count() {
    const report = readReport(e2eReport)
    const flaky = findFlakyPlaywrightTests(report)
    const passedCount = report.stats.expected + report.stats.flaky
    return { passed: passedCount, failures: readPlaywrightFailures(report), flaky }
  },
}

/**
 * Runs type check, lint, formatting, Jest, build and browser tests. The last lines name each failure and each flaky
 * test with the command that runs it alone; the final line is the count. The exit status is 0 only if all passed.
 */
export default async function test() {
  const startTime = Date.now()
  mkdirSync('.cache', { recursive: true })
  for (const report of [jestReport, servicesReport, e2eReport]) rmSync(report, { force: true })
  try {
    process.env.CHROME_PATH = chromium()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }

  // Jest waits for events most of the time, so it runs in parallel with the steps that need the processor.
  const { missing } = findInstalledServices()
  const sequentialSteps = [
    build,
    types,
    lint,
    typedLint,
    format,
    ...(missing.length === 0 ? [services] : []),
  ]
  const [sequentialResults, unitResult] = await Promise.all([
    runSequentially(...sequentialSteps),
    run(unit),
  ])
  const results = [...sequentialResults, unitResult]
  if (sequentialResults[0]!.failures.length === 0) results.push(await run(e2e))

  const totalPassed = results.reduce((sum, result) => sum + result.passed, 0)
  const failures = results.flatMap((result) => result.failures)
  const minutes = ((Date.now() - startTime) / 60_000).toFixed(1)
  if (missing.length > 0)
    console.log(
      `\n没有运行 多进程：没有安装 ${missing.join('、')}（pnpm test:services 说明怎样安装）`,
    )
  console.log(`\n${failures.length ? '没有通过' : '全部通过'}（${minutes} 分钟）`)
  printFailures('✘ ', failures)
  printFailures(
    '⚠ 不稳定，第二次才通过：',
    results.flatMap((result) => result.flaky ?? []),
  )
  console.log(`${totalPassed} passed, ${failures.length} failed`)
  process.exit(failures.length ? 1 : 0)
}

function printFailures(mark: string, failures: Failure[]) {
  for (const { name, command, reason } of failures)
    console.log(`${mark}${name}\n  单独运行：${command}${reason ? `\n  原因：${reason}` : ''}`)
}

async function runSequentially(...steps: Step[]) {
  const results: StepResult[] = []
  for (const step of steps) results.push(await run(step))
  return results
}

async function run({ name, rerunCommand, command, count }: Step): Promise<StepResult> {
  const startTime = Date.now()
  console.log(`▶ ${name}`)
  const [program, ...args] = command
  const child = spawn(`node_modules/.bin/${program}`, args, {
    stdio: 'inherit',
    env: { ...process.env, FORCE_COLOR: '0', NODE_OPTIONS: nodeOptions },
  })
  const status = await new Promise<number | null>((resolve) =>
    child.on('close', resolve).on('error', () => resolve(null)),
  )
  const { passed: passedCount, failures, flaky } = readStepResult(status, count)
  // A suite that crashed or ran no test counts as failed.
  if (failures.length === 0 && (status !== 0 || passedCount === 0))
    failures.push({ name: count ? `${name}（原因见上）` : name, command: rerunCommand })
  const seconds = ((Date.now() - startTime) / 1000).toFixed(0)
  console.log(`${failures.length ? '✘' : '✔'} ${name}（${seconds} 秒）`)
  return { passed: passedCount, failures, flaky }
}

function readStepResult(status: number | null, count?: () => StepResult): StepResult {
  if (!count) return { passed: status === 0 ? 1 : 0, failures: [] }
  try {
    return count()
  } catch {
    return { passed: 0, failures: [] }
  }
}
