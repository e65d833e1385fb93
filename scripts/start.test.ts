import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { findFreePort } from './freePort'

type StartCase = { environment?: Record<string, string>; args: string[] }
type StartAnswer = { status: number | null; stderrText: string }

/** Runs a program that may call `start` and returns how it ended and what it printed. */
const runProgram = (program: string, argument: string) =>
  new Promise<StartAnswer & { stdoutText: string }>((resolve) => {
    const script = `const { default: start } = await import('./scripts/start.ts')
      const argument = JSON.parse(process.argv[1])
      ${program}`
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script, '--', argument],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let [stdoutText, stderrText] = ['', '']
    child.stdout.on('data', (text) => (stdoutText += text))
    child.stderr.on('data', (text) => (stderrText += text))
    child.on('close', (status) => resolve({ status, stderrText: stderrText.trim(), stdoutText }))
  })

/**
 * Runs `npm start` under wrong conditions, which it must detect before building. The installation before it is not
 * tested here.
 */
const runStart = (...args: string[]) => runProgram('await start(argument)', JSON.stringify(args))

/** Calls `start` for one case after another in a process that goes on, because loading its modules takes a second. */
async function runStartCases(cases: StartCase[]) {
  const program = `const answers = []
    console.error = (text) => (answers.at(-1).stderrText += text)
    const { exit } = process
    process.exit = (status) => (answers.at(-1).status = status)
    const { env } = process
    for (const { environment, args } of argument) {
      process.env = { ...env, ...environment }
      answers.push({ status: null, stderrText: '' })
      await start(args)
    }
    process.stdout.write(JSON.stringify(answers), () => exit(0))`
  const { stdoutText } = await runProgram(program, JSON.stringify(cases))
  return JSON.parse(stdoutText) as StartAnswer[]
}

it('prints what is wrong in one line and exits with 1', async () => {
  const portHolder = createServer()
  await new Promise<void>((resolve) => portHolder.listen(0, resolve))
  const port = String((portHolder.address() as AddressInfo).port)
  // Each run checks its ports by binding them briefly, so every run gets its own.
  const createFreePorts = async () => [
    ...['--port', String(await findFreePort())],
    ...['--mqtt-port', String(await findFreePort())],
  ]
  const answers: StartAnswer[] = [
    await runStart(...(await createFreePorts()), '--port', port),
    ...(await runStartCases([
      { args: ['--port', '70000'] },
      { args: ['--data', '/dev/null/data', ...(await createFreePorts())] },
      { environment: { ADMIN_PASSWORD: 'short' }, args: await createFreePorts() },
      { args: ['--prot', '80'] },
      { args: [...(await createFreePorts()), '--host', '192.0.2.1'] },
      { environment: { HOST: 'not a host' }, args: await createFreePorts() },
    ])),
  ]
  await new Promise((resolve) => portHolder.close(resolve))
  expect(answers.map(({ status }) => status)).toEqual([1, 1, 1, 1, 1, 1, 1])
  const lines = answers.map(({ stderrText }) => stderrText.split('\n')[0])
  expect(lines[0]).toMatch(/^端口 \d+ 已被占用/)
  expect(lines[1]).toBe('PORT 须为端口号')
  expect(lines[2]).toMatch(/^数据目录不可写：\/dev\/null\/data/)
  expect(lines[3]).toBe('ADMIN_PASSWORD：密码至少 8 位')
  expect(lines[4]).toBe('看不懂参数：--prot 80')
  expect(lines[5]).toBe('本机没有这个地址：192.0.2.1（用 --host 换一个）')
  expect(lines[6]).toBe('HOST 须是本机的一个地址')
  expect(answers.slice(0, 4).every(({ stderrText }) => !stderrText.includes('\n'))).toBe(true)
})
