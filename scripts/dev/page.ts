import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'
import { make } from '../build/make.ts'
import { packageNamed } from '../build/packages.ts'
import type { Pointer, ReleaseRecord } from '../../shared/src/contract/release.ts'
import { refreshableHost } from './refresh.ts'
import { developed } from './serve.ts'

type Page = {
  port: number
  /** The console at this address answers API calls and serves the other remotes. */
  console: string
}

/**
 * Serves the console with a host build that supports React Fast Refresh; all other requests are proxied to a running
 * console.
 */
export async function openPage({ port, console: address }: Page) {
  const host = packageNamed('host')!
  const dist = await make(host, developed, refreshableHost({ ...host, build: developed }))
  const { entry } = JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')) as ReleaseRecord
  const html = (await readFile(join(dist, 'index.html'), 'utf8'))
    .replace('__DEV__', '1')
    .replaceAll(/__[A-Z_]+__/g, '')

  const app = fastify()
  const types: Record<string, string> = {
    js: 'text/javascript',
    css: 'text/css',
    json: 'application/json',
  }
  app.get<{ Params: { '*': string } }>(`/host/${developed}/*`, async (request, reply) => {
    const file = request.params['*']
    return reply
      .type(types[file.split('.').at(-1)!] ?? 'application/octet-stream')
      .header('cache-control', 'no-store')
      .send(await readFile(join(dist, file)))
  })
  app.get('/pointer.json', async () => {
    const pointer = (await (await fetch(`${address}/pointer.json`)).json()) as Pointer
    return { ...pointer, host: { ...pointer.host, build: developed, entry } }
  })
  await app.register(proxy, {
    upstream: address,
    websocket: true,
    async preHandler(request, reply) {
      if (request.headers['sec-fetch-mode'] === 'navigate')
        return reply.type('text/html; charset=utf-8').send(html)
    },
  })
  await app.listen({ port, host: '127.0.0.1' })
}
