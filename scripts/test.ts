import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { installed } from 'server/services/installed'
import { chromium } from './chromium'
import { root } from './root'
import {
  failuresOfJest,
  failuresOfPlaywright,
  findFlakyOfPlaywright,
  type Failure,
} from './test/failures'

type Counted = {
  passed: number
  failures: Failure[]
  /** These tests passed only at the second attempt. */
  flaky?: Failure[]
}
type Step = {
  name: string
  /** This command runs the step alone. */
  alone: string
  command: string[]
  /** Reads the report of a test suite; other steps pass or fail as a whole. */
  count?: () => Counted
}

const jestReport = '.cache/jest.json'
const servicesReport = '.cache/services.json'
const e2eReport = '.cache/e2e.json'
const read = (report: string) => JSON.parse(readFileSync(report, 'utf8'))

const types: Step = { name: '类型', alone: 'pnpm types', command: ['tsc', '-p', '.'] }
const lint: Step = {
  name: '规范',
  alone: 'pnpm lint',
  command: ['eslint', '.', '--max-warnings', '0'],
}
const format: Step = { name: '排版', alone: 'pnpm format', command: ['prettier', '--check', '.'] }
const build: Step = { name: '构建', alone: 'pnpm build', command: ['tsx', 'scripts/build.ts'] }
const unit: Step = {
  name: '单元',
  alone: 'pnpm unit',
  command: ['jest', '--json', `--outputFile=${jestReport}`],
  count: () => countedByJest(jestReport),
}
const services: Step = {
  name: '多进程',
  alone: 'pnpm test:services',
  command: ['tsx', 'scripts/testServices.ts', '--json', `--outputFile=${servicesReport}`],
  count: () => countedByJest(servicesReport, 'pnpm test:services'),
}
function countedByJest(file: string, script?: string) {
  const report = read(file)
  return { passed: report.numPassedTests, failures: failuresOfJest(report, root, script) }
}
const e2e: Step = {
  name: '浏览器',
  alone: 'pnpm e2e',
  command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts'],
  count() {
    const report = read(e2eReport)
    const flaky = findFlakyOfPlaywright(report)
    const passed = report.stats.expected + report.stats.flaky
    return { passed, failures: failuresOfPlaywright(report), flaky }
  },
}

/**
 * Runs type check, lint, formatting, Jest, build and browser tests. The last lines name each failure and each flaky
 * test with the command that runs it alone; the final line is the count. The exit status is 0 only if all passed.
 */
export default async function test() {
  const started = Date.now()
  mkdirSync('.cache', { recursive: true })
  for (const report of [jestReport, servicesReport, e2eReport]) rmSync(report, { force: true })
  try {
    process.env.CHROME_PATH = chromium()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }

  // Jest waits for events most of the time, so it runs in parallel with the steps that need the processor.
  const { missing } = installed()
  const beside = [build, types, lint, format, ...(missing.length === 0 ? [services] : [])]
  const [checked, tested] = await Promise.all([inTurn(...beside), run(unit)])
  const results = [...checked, tested]
  if (checked[0]!.failures.length === 0) results.push(await run(e2e))

  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failures = results.flatMap((result) => result.failures)
  const minutes = ((Date.now() - started) / 60_000).toFixed(1)
  if (missing.length > 0)
    console.log(
      `\n没有运行 多进程：没有安装 ${missing.join('、')}（pnpm test:services 说明怎样安装）`,
    )
  console.log(`\n${failures.length ? '没有通过' : '全部通过'}（${minutes} 分钟）`)
  for (const { name, command } of failures) console.log(`✘ ${name}\n  单独运行：${command}`)
  for (const { name, command } of results.flatMap((result) => result.flaky ?? []))
    console.log(`⚠ 不稳定，第二次才通过：${name}\n  单独运行：${command}`)
  console.log(`${passed} passed, ${failures.length} failed`)
  process.exit(failures.length ? 1 : 0)
}

async function inTurn(...steps: Step[]) {
  const results: Counted[] = []
  for (const step of steps) results.push(await run(step))
  return results
}

async function run({ name, alone, command, count }: Step): Promise<Counted> {
  const started = Date.now()
  console.log(`▶ ${name}`)
  const [program, ...args] = command
  const child = spawn(`node_modules/.bin/${program}`, args, {
    stdio: 'inherit',
    env: { ...process.env, FORCE_COLOR: '0' },
  })
  const status = await new Promise<number | null>((done) =>
    child.on('close', done).on('error', () => done(null)),
  )
  const { passed, failures, flaky } = counted(status, count)
  // A suite that crashed or ran no test counts as failed.
  if (failures.length === 0 && (status !== 0 || passed === 0))
    failures.push({ name: count ? `${name}（原因见上）` : name, command: alone })
  const seconds = ((Date.now() - started) / 1000).toFixed(0)
  console.log(`${failures.length ? '✘' : '✔'} ${name}（${seconds} 秒）`)
  return { passed, failures, flaky }
}

function counted(status: number | null, count?: () => Counted): Counted {
  if (!count) return { passed: status === 0 ? 1 : 0, failures: [] }
  try {
    return count()
  } catch {
    return { passed: 0, failures: [] }
  }
}
