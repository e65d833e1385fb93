import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { chromium } from './chromium'

type Step = { name: string; command: string[]; counts?: () => { passed: number; failed: number } }

const jestReport = '.cache/jest.json'
const e2eReport = '.cache/e2e.json'

const types: Step = { name: '类型', command: ['tsc', '-p', '.'] }
const lint: Step = { name: '规范', command: ['eslint', '.', '--max-warnings', '0'] }
const format: Step = { name: '排版', command: ['prettier', '--check', '.'] }
const unit: Step = {
  name: '单元',
  command: ['jest', '--json', `--outputFile=${jestReport}`],
  counts() {
    const {
      numPassedTests: passed,
      numFailedTests,
      numFailedTestSuites,
    } = JSON.parse(readFileSync(jestReport, 'utf8'))
    // A file that does not even load counts as one failure.
    return { passed, failed: Math.max(numFailedTests, numFailedTestSuites) }
  },
}
const build: Step = { name: '构建', command: ['tsx', 'scripts/build.ts'] }
const e2e: Step = {
  name: '浏览器',
  command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts'],
  counts() {
    const { expected, flaky, unexpected } = JSON.parse(readFileSync(e2eReport, 'utf8')).stats
    return { passed: expected + flaky, failed: unexpected }
  },
}

/** Types, lint, Jest, build and the end-to-end tests; ends with one summary line and a status that says whether all is well. */
export default async function test() {
  const started = Date.now()
  mkdirSync('.cache', { recursive: true })
  for (const report of [jestReport, e2eReport]) rmSync(report, { force: true })
  try {
    process.env.CHROME_PATH = chromium()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }

  const results = [
    ...(await Promise.all([run(types), run(lint), run(format)])),
    await run(unit),
    await run(build),
  ]
  if (results.at(-1)!.ok) results.push(await run(e2e))

  const broken = results.filter(({ ok }) => !ok)
  const total = results.reduce(
    (sum, { counts }) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
    }),
    { passed: 0, failed: 0 },
  )
  const minutes = ((Date.now() - started) / 60_000).toFixed(1)
  console.log(
    broken.length
      ? `\n没有通过：${broken.map(({ name }) => name).join('、')}（${minutes} 分钟）`
      : `\n全部通过（${minutes} 分钟）`,
  )
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exit(broken.length ? 1 : 0)
}

async function run({ name, command, counts }: Step) {
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
  let counted = { passed: 0, failed: 0 }
  try {
    if (counts) counted = counts()
  } catch {
    counted = { passed: 0, failed: 1 }
  }
  // A suite in which nothing ran has shown nothing.
  const ok = status === 0 && (!counts || counted.passed > 0)
  if (!counts) counted = { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
  console.log(`${ok ? '✔' : '✘'} ${name}（${((Date.now() - started) / 1000).toFixed(0)} 秒）`)
  return { name, ok, counts: counted }
}
