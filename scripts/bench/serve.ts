import { buildApp } from '../../server/src/app'
import { faultProxy } from '../faults'
import { seedBuilding } from '../simulate-building/seed'
import { password, signIn } from './signIn'

/** The whole product in memory with the example building, behind a proxy that can delay every answer. */
export async function serveConsole(folder: string) {
  const app = await buildApp({
    database: { kind: 'memory' },
    adminPassword: password,
    site: { folder },
  })
  await seedBuilding(app.db)
  const proxy = await faultProxy(await app.listen({ port: 0, host: '127.0.0.1' }))
  const post = async (path: string, body: object, token: string) => {
    const headers = { 'content-type': 'application/json', satoken: `Bearer ${token}` }
    const answer = (await (
      await fetch(proxy.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()) as { code: number; msg: string; data: unknown }
    if (answer.code !== 0) throw new Error(`${path}: ${answer.msg} ${JSON.stringify(answer.data)}`)
    return answer.data
  }
  return {
    origin: proxy.origin,
    delay: proxy.delay,
    signIn: () => signIn(proxy.origin),
    /** A row for each list that starts empty. */
    fill: (token: string) =>
      post(
        '/v1/manufacturer',
        {
          name: '明光照明',
          shortName: '',
          code: 'mg',
          creditCode: '',
          contact: '',
          phone: '',
          email: '',
          areaCode: '110101',
          address: '',
          website: '',
          logo: '',
          remark: '',
          status: 'enabled',
        },
        token,
      ),
  }
}
