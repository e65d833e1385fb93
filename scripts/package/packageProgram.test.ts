import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { uploadLimits } from '@iot/shared/contract/platform/upload'
import { productVersion } from 'server/src/core/version'
import { createPng } from 'server/src/modules/upload/testing.pictures'
import { computeHash } from 'server/src/site/siteFiles'
import { root } from '../root'
import { findLinksOut } from './productionModules'

let folder: string
let program: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'))
  const out = join(folder, 'made')
  const script = `import { packageProgram } from ${JSON.stringify(join(root, 'scripts/package/packageProgram.ts'))}
    await packageProgram(process.argv[1], [process.argv[2]])`
  const options = ['--import', 'tsx', '--input-type=module', '-e', script, '--', out, createBuild()]
  const { status, stderr } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  // The folder is used at another place, where links and absolute paths would break.
  program = join(folder, 'moved')
  renameSync(out, program)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a build of a remote, because a webpack build would take too long here. */
function createBuild() {
  const dist = join(folder, 'dist')
  mkdirSync(dist)
  writeFileSync(join(dist, 'entry.js'), 'entry')
  const record = {
    name: 'system',
    build: 's001',
    shellApi: '1',
    requires: {},
    shared: [],
    routes: [],
    needs: {},
    entry: 'entry.js',
    files: { 'entry.js': computeHash('entry') },
  }
  writeFileSync(join(dist, 'release.json'), JSON.stringify(record))
  return dist
}

function waitForUrl(child: ChildProcess) {
  let output = ''
  return new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString()
      const [, url] = /平台已启动：(\S+)/.exec(output) ?? []
      if (url) resolve(url)
    }
    child.stdout!.on('data', onData)
    child.stderr!.on('data', onData)
    child.once('exit', () => reject(new Error(output)))
  })
}

it('contains no link that leads out and no development dependency', async () => {
  expect(await findLinksOut(program)).toEqual([])
  const readModule = (name: string) =>
    readFileSync(join(program, 'node_modules', name, 'package.json'), 'utf8')
  expect(readModule('svg-captcha')).toContain('"svg-captcha"')
  for (const name of ['tsx', 'webpack', 'typescript', 'antd', 'react'])
    expect(() => readModule(name)).toThrow('ENOENT')
})

it('contains the licences of what is bundled', () => {
  const licences = readFileSync(join(program, 'THIRD_PARTY_LICENCES.txt'), 'utf8')
  expect(licences).toMatch(/^==== fastify@\S+ LICENSE\n\nMIT License/m)
  expect(licences).toMatch(/^==== react@/m)
})

it('bundles no library that needs its own folder', () => {
  const names = readdirSync(program).filter((name) => /\.m?js$/.test(name))
  const libraries = names.flatMap((name) =>
    readFileSync(join(program, name), 'utf8')
      // esbuild writes the path of each file above its code.
      .split(/^ *\/\/ (?=\S+\.[cm]?[jt]s$)/m)
      .filter((code) => /\b__(dirname|filename)\b/.test(code))
      .map((code) => /node_modules\/((@[^/]+\/)?[^/@.]+)(?!.*node_modules)/.exec(code)?.[1]),
  )
  // The transports of pino are not used, and @fastify/swagger does without the name and version it looks for.
  expect([...new Set(libraries)].sort()).toEqual(['@fastify/swagger', 'pino', 'thread-stream'])
})

it.each<[string, unknown]>([
  ['workbook', [['名称'], ['灯']]],
  ['picture', { bytes: createPng(8, 8), limits: uploadLimits }],
  ['pglite', {}],
])('runs its worker thread %s', async (name, workerData) => {
  const worker = new Worker(join(program, `${name}.worker.mjs`), { workerData })
  const [answer] = await once(worker, 'message')
  expect(answer).toEqual(name === 'pglite' ? 'ready' : expect.anything())
  expect(answer).not.toHaveProperty('refusal')
  await worker.terminate()
})

it('starts from another folder, publishes its builds, and ends at SIGTERM', async () => {
  const child = spawn(process.execPath, ['main.js', '--port', '0', '--mqtt-port', '0'], {
    cwd: program,
    env: { PATH: process.env.PATH, DATA: join(folder, 'data'), SCRYPT_LOG_N: '10' },
  })
  const url = await waitForUrl(child)
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok' })
  expect(await (await fetch(`${url}/pointer.json`)).json()).toMatchObject({
    remotes: { system: { build: 's001' } },
  })
  expect((await fetch(`${url}/remotes/system/s001/entry.js`)).status).toBe(200)
  expect(await (await fetch(url + authApi.captcha.path)).json()).toMatchObject({ code: 0 })
  expect(await (await fetch(`${url}/v1/docs/static/swagger-ui.css`)).text()).toContain('swagger')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('names its version and its settings', () => {
  const run = (flag: string) =>
    spawnSync(process.execPath, ['main.js', flag], { cwd: program, encoding: 'utf8' }).stdout
  expect(run('--version')).toContain(productVersion)
  expect(run('--help')).toContain('--mqtt-port')
})
