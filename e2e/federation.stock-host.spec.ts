import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { startFaultProxy } from '../scripts/faults'
import { root } from '../scripts/root'
import { getBuild } from './federation/builds'
import { address, expect, signInByApi, storeToken, test } from './fixtures'

const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Builds the stock host and serves it beside a remote; API calls go to the platform under test. */
async function openStockHost(remote: string) {
  const folder = await mkdtemp(join(tmpdir(), 'stock-host-'))
  const hostFolder = join(root, 'scripts/stockHost')
  const cli = createRequire(join(root, 'scripts/package.json')).resolve('webpack-cli/bin/cli.js')
  await promisify(execFile)(process.execPath, [cli, '--output-path', folder], { cwd: hostFolder })
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
