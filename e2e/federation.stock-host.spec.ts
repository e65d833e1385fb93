import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import type { Pointer } from '@iot/shared/contract/release/release.schema'
import { startFaultProxy } from '../scripts/faults'
import { root } from '../scripts/root'
import { getBuild } from './federation/builds'
import { address, expect, signInByApi, storeToken, test } from './fixtures'

const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }

const webpackCli = createRequire(join(root, 'scripts/package.json')).resolve(
  'webpack-cli/bin/cli.js',
)
const runWebpack = (folder: string, ...options: string[]) =>
  promisify(execFile)(process.execPath, [webpackCli, ...options], { cwd: folder })

/** Builds the stock host and serves it beside a remote; API calls go to the platform under test. */
async function openStockHost(remote: string) {
  const folder = await mkdtemp(join(tmpdir(), 'stock-host-'))
  const hostFolder = join(root, 'scripts/stockHost')
  // A smaller host would prove nothing more, and the minifier is most of the build.
  await runWebpack(hostFolder, '--output-path', folder, '--no-optimization-minimize')
  const remoteFolder = await getBuild(remote)
  const app = Fastify()
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = request.params['*']
    const prefix = `remotes/${remote}/`
    const file = path.startsWith(prefix)
      ? join(remoteFolder, path.slice(prefix.length))
      : join(folder, path)
    const content = await readFile(file).catch(() => undefined)
    return content
      ? reply.type(types[extname(file)] ?? 'application/json').send(content)
      : reply
          .type('text/html')
          .send('<!doctype html><div id="root"></div><script src="/main.js"></script>')
  })
  const proxy = await startFaultProxy(await app.listen({ port: 0, host: '127.0.0.1' }), address)
  return {
    origin: proxy.origin,
    async close() {
      await proxy.close()
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('shows the users in a host that was built with the stock plugin', async ({ page }) => {
  const host = await openStockHost('enterprise')
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await storeToken(page, (await signInByApi()).token)
  await page.goto(`${host.origin}/enterprise/user`)
  await expect(page.getByRole('cell', { name: 'admin', exact: true })).toBeVisible()
  expect(errors).toEqual([])
  await host.close()
})

/** Builds a host whose plugin fetches the types of a remote from the platform under test into its folder. */
async function fetchTypes(remote: string) {
  // Below `scripts`, TypeScript finds the packages that remote and host share.
  const cacheFolder = join(root, 'scripts/.cache')
  await mkdir(cacheFolder, { recursive: true })
  const folder = await mkdtemp(join(cacheFolder, 'typed-host-'))
  const pointer = (await (await fetch(`${address}/pointer.json`)).json()) as Pointer
  const { build } = pointer.remotes[remote]!
  await writeFile(join(folder, 'index.js'), '')
  const options = {
    name: 'typedHost',
    remotes: { [remote]: `${remote}@${address}/remotes/${remote}/${build}/mf-manifest.json` },
    dts: { generateTypes: false, consumeTypes: { typesOnBuild: true } },
    dev: false,
  }
  await writeFile(
    join(folder, 'webpack.config.mjs'),
    `import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
export default {
  mode: 'none',
  entry: './index.js',
  plugins: [new ModuleFederationPlugin(${JSON.stringify(options)})],
}
`,
  )
  await runWebpack(folder)
  return folder
}

/** Returns the type errors of a source file in a folder that uses the types in `@mf-types`. */
async function findTypeErrors(folder: string, source: string) {
  await writeFile(join(folder, 'host.ts'), source)
  const tsconfig = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { types: [], paths: { 'enterprise/*': ['./@mf-types/enterprise/*'] } },
    files: ['host.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc')
  return promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

test('gives the stock plugin of another host its types', async () => {
  const folder = await fetchTypes('enterprise')
  // The plugin does not wait for what it fetches.
  const declaration = join(folder, '@mf-types/enterprise/compiled-types/src/routes.d.ts')
  await expect.poll(() => existsSync(declaration)).toBe(true)
  const source = `import { createBrowserRouter } from 'react-router-dom'
import { routes } from 'enterprise/routes'

export const router = createBrowserRouter([{ path: '/enterprise', children: routes }])
`
  const output = await findTypeErrors(folder, `${source}routes[0]!.toFixed()\n`)
  // Only the wrong call in the last line is an error; indented lines explain it.
  expect(output.split('\n').filter((line) => /^\S/.test(line))).toEqual([
    expect.stringMatching(/^host\.ts\(5,.*'toFixed' does not exist on type 'RouteObject'/),
  ])
  await rm(folder, { recursive: true })
})
