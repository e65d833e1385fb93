import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { freePort } from './freePort'

/**
 * Runs `npm start` under wrong conditions, which it must detect before building. The installation before it is not
 * tested here.
 */
const start = (...args: string[]) => startIn({}, ...args)
const startIn = (environment: Record<string, string>, ...args: string[]) =>
  new Promise<{ status: number | null; said: string }>((done) => {
    const run =
      "const { default: start } = await import('./scripts/start.ts'); await start(process.argv.slice(1))"
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', run, '--', ...args],
      { env: { ...process.env, ...environment } },
    )
    let said = ''
    child.stderr.on('data', (text) => (said += text))
    child.on('close', (status) => done({ status, said: said.trim() }))
  })

it('says in one line what is wrong and ends with 1', async () => {
  const taken = createServer()
  await new Promise<void>((listening) => taken.listen(0, listening))
  const port = String((taken.address() as AddressInfo).port)
  // Each run checks its ports by binding them briefly, so every run gets its own.
  const free = async () => [
    ...['--port', String(await freePort())],
    ...['--mqtt-port', String(await freePort())],
  ]
  const answers = await Promise.all([
    start(...(await free()), '--port', port),
    start('--port', '70000'),
    start('--data', '/dev/null/data', ...(await free())),
    startIn({ ADMIN_PASSWORD: 'short' }, ...(await free())),
    start('--prot', '80'),
    start(...(await free()), '--host', '192.0.2.1'),
    startIn({ HOST: 'not a host' }, ...(await free())),
  ])
  await new Promise((closed) => taken.close(closed))
  expect(answers.map(({ status }) => status)).toEqual([1, 1, 1, 1, 1, 1, 1])
  const lines = answers.map(({ said }) => said.split('\n')[0])
  expect(lines[0]).toMatch(/^端口 \d+ 已被占用/)
  expect(lines[1]).toBe('--port 须是 1 到 65535 的整数，收到的是 70000')
  expect(lines[2]).toMatch(/^数据目录不可写：\/dev\/null\/data/)
  expect(lines[3]).toBe('ADMIN_PASSWORD：密码至少 8 位')
  expect(lines[4]).toBe('看不懂参数：--prot 80')
  expect(lines[5]).toBe('本机没有这个地址：192.0.2.1（用 --host 换一个）')
  expect(lines[6]).toBe('--host 须是本机的一个地址，收到的是 not a host')
  expect(answers.slice(0, 4).every(({ said }) => !said.includes('\n'))).toBe(true)
})
