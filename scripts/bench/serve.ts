import { buildApp } from '../../server/src/app'
import { faultProxy } from '../faults'

/** The whole product in memory, behind a proxy that can delay every answer. */
export async function serveConsole(folder: string) {
  const password = 'bench-2026'
  const app = await buildApp({ database: { kind: 'memory' }, adminPassword: password, site: { folder } })
  const proxy = await faultProxy(await app.listen({ port: 0, host: '127.0.0.1' }))
  return {
    origin: proxy.origin,
    delay: proxy.delay,
    async signIn() {
      const answer = await fetch(`${proxy.origin}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password }),
      })
      return ((await answer.json()) as { data: { token: string } }).data.token
    },
    async close() {
      await proxy.close()
      await app.close()
    },
  }
}
