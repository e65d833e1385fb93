import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { site } from '../../server/src/site/site.ts'

/** The built console with a stand-in for the platform's calls. */
export async function serveConsole(folder: string) {
  let delay = 0
  const app = Fastify()
  app.addHook('onRequest', async () => {
    if (delay) await sleep(delay)
  })
  const user = { id: '1', username: 'admin', name: '管理员', roles: [], permissions: ['*'], mustChangePassword: false }
  app.get('/v1/auth/me', async () => ({ code: 0, msg: '', data: { user, menu: [{ id: '1', type: 'page', name: '菜单管理', path: '/system/menu', routeName: 'menu', icon: '', children: [] }] } }))
  app.all('/v1/*', async () => ({ code: 0, msg: '', data: [{ id: '1', device: 'x' }] }))
  await app.register(async (scope) => site(scope, { folder }))
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin,
    list: '/system/menu',
    delay: (ms: number) => void (delay = ms),
    signIn: async () => 'token',
    close: () => app.close(),
  }
}
