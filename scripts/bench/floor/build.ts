import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { startFaultProxy } from '../../faults.ts'
import { bundle } from '../tools/bundle.ts'

const html =
  '<!doctype html><meta charset="utf-8"><div id="root"></div><script src="/page.js"></script>'

/**
 * Builds and serves the page that the console is compared with: sign-in form and two tables in one bundle, without
 * router, federation or permissions. Calls go to the platform at `apiOrigin`. A server of its own is needed, because
 * the platform forbids scripts in the pages among its files.
 */
export async function serveBaselinePage(folder: string, apiOrigin: string) {
  await bundle({
    context: import.meta.dirname,
    entry: './page.tsx',
    output: { path: folder, filename: 'page.js' },
  })
  const script = brotliCompressSync(await readFile(join(folder, 'page.js')))
  const server = createServer(({ url }, response) => {
    if (url !== '/page.js')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    response.writeHead(200, {
      'content-type': 'text/javascript',
      'content-encoding': 'br',
      'cache-control': 'max-age=31536000, immutable',
    })
    response.end(script)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy = await startFaultProxy(`http://127.0.0.1:${port}`, apiOrigin)
  return {
    origin: proxy.origin,
    async close() {
      await proxy.close()
      server.close()
    },
  }
}
