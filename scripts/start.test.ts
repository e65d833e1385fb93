import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { findFreePort } from './freePort'

/**
 * Runs `npm start` under wrong conditions, which it must detect before building. The installation before it is not
 * tested here.
 */
const runStart = (...args: string[]) => runStartWith({}, ...args)
const runStartWith = (environment: Record<string, string>, ...args: string[]) =>
  new Promise<{ status: number | null; stderrText: string }>((resolve) => {
    const script =
      "const { default: start } = await import('./scripts/start.ts'); await start(process.argv.slice(1))"
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script, '--', ...args],
      { env: { ...process.env, ...environment } },
    )
    let output = ''
    child.stderr.on('data', (text) => (output += text))
    child.on('close', (status) => resolve({ status, stderrText: output.trim() }))
  })

it('prints what is wrong in one line and exits with 1', async () => {
  const portHolder = createServer()
  await new Promise<void>((resolve) => portHolder.listen(0, resolve))
  const port = String((portHolder.address() as AddressInfo).port)
  // Each run checks its ports by binding them briefly, so every run gets its own.
  const createFreePorts = async () => [
    ...['--port', String(await findFreePort())],
    ...['--mqtt-port', String(await findFreePort())],
  ]
  const answers = await Promise.all([
    runStart(...(await createFreePorts()), '--port', port),
    runStart('--port', '70000'),
    runStart('--data', '/dev/null/data', ...(await createFreePorts())),
    runStartWith({ ADMIN_PASSWORD: 'short' }, ...(await createFreePorts())),
    runStart('--prot', '80'),
    runStart(...(await createFreePorts()), '--host', '192.0.2.1'),
    runStartWith({ HOST: 'not a host' }, ...(await createFreePorts())),
  ])
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
