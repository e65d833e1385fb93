import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'
import { addCompletion, runWebpack } from '../build/make.ts'
import { findPackage } from '../build/packages.ts'
import type { Pointer } from '../../shared/src/contract/release/release.schema.ts'
import { createHostDevConfig } from './refresh.ts'
import { devBuildId, getContentType } from './serve.ts'

type DevPageOptions = {
  port: number
  /** The console at this address answers API calls and serves the other remotes. */
  console: string
}

/**
 * Serves the console with a host build that supports React Fast Refresh; all other requests are proxied to a running
 * console.
 */
export async function startDevPage({ port, console: address }: DevPageOptions) {
  const host = findPackage('host')!
  const config = createHostDevConfig({ ...host, build: devBuildId })
  const dist = await runWebpack(addCompletion(config, host, devBuildId))
  const html = (await readFile(join(dist, 'index.html'), 'utf8'))
    .replace('__DEV__', '1')
    .replaceAll(/__[A-Z_]+__/g, '')

  const app = fastify()
  app.get<{ Params: { '*': string } }>(`/host/${devBuildId}/*`, async (request, reply) => {
    const file = request.params['*']
    return reply
      .type(getContentType(file))
      .header('cache-control', 'no-store')
      .send(await readFile(join(dist, file)))
  })
  app.get('/pointer.json', async () => {
    const answer = await fetch(`${address}/pointer.json`)
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`)
    const pointer = (await answer.json()) as Pointer
    return { ...pointer, host: { ...pointer.host, build: devBuildId } }
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
