import { buildApp } from '../../../server/src/app'
import { startTestPostgres } from '../../../server/src/core/db/postgres/testing'
import { startFaultProxy } from '../../faults'
import { seedBuilding } from '../../simulate-building/seed'
import { password, signIn } from './signIn'

/** Serves the whole product on a temporary database with the example building, behind a proxy that can delay every answer. */
export async function serveConsole(folder: string) {
  const postgres = await startTestPostgres()
  const app = await buildApp({
    database: { kind: 'temporary', url: postgres.url },
    adminPassword: password,
    site: { folder },
  })
  await seedBuilding(app.db)
  const apiOrigin = await app.listen({ port: 0, host: '127.0.0.1' })
  const proxy = await startFaultProxy(apiOrigin)
  const send = async <T>(path: string, request: RequestInit, token: string) => {
    const headers = { ...request.headers, satoken: `Bearer ${token}` }
    const answer = (await (
      await fetch(proxy.origin + path, { method: 'POST', ...request, headers })
    ).json()) as { code: number; msg: string; data: T }
    if (answer.code !== 0) throw new Error(`${path}: ${answer.msg} ${JSON.stringify(answer.data)}`)
    return answer.data
  }
  const post = <T>(path: string, body: object, token: string) => {
    const headers = { 'content-type': 'application/json' }
    return send<T>(path, { headers, body: JSON.stringify(body) }, token)
  }
  const upload = async (token: string) => {
    const body = new FormData()
    const picture = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'
    body.append('file', new Blob([picture], { type: 'image/svg+xml' }), 'icon.svg')
    return (await send<{ url: string }>('/v1/upload/file', { body }, token)).url
  }
  return {
    origin: proxy.origin,
    apiOrigin,
    delay: proxy.delay,
    signIn: () => signIn(proxy.origin),
    async close() {
      await app.close()
      await postgres.close()
    },
    /** Creates a row for each list that is empty at first. */
    async fill(token: string) {
      const maker = await post<CreatedRow>('/v1/manufacturer', manufacturer, token)
      await post('/v1/brand', { ...brand, manufacturerId: maker.id }, token)
      await post('/v1/product-category/copy-standard', { parentId: null, codes: ['Light'] }, token)
      await post('/v1/icon', { ...icon, on: await upload(token) }, token)
      await post('/v1/view', view, token)
      const products = await post<{ list: (CreatedRow & { node: string })[] }>(
        '/v1/product/page',
        {},
        token,
      )
      const productId = products.list.find(({ node }) => node === 'sub')!.id
      await post('/v1/registration-rule', { ...rule, productId }, token)
      await post('/v1/log/error/report', errorReport, token)
    },
  }
}

type CreatedRow = { id: string }
const manufacturer = {
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
}
const brand = {
  name: '明光',
  englishName: '',
  categories: [],
  logo: '',
  servicePhone: '',
  website: '',
  sort: 1,
  status: 'enabled',
}
const icon = {
  name: '筒灯',
  code: 'downlight',
  group: '',
  off: '',
  offline: '',
  fault: '',
  tags: [],
  status: 'enabled',
}
/** The view is not visible on home, because home is measured in its initial state. */
const view = {
  parentId: null,
  name: '大堂',
  path: 'lobby',
  icon: '',
  roleIds: [],
  projectIds: [],
  visible: false,
  isDefault: false,
  sort: 1,
  status: 'enabled',
}
const rule = {
  mode: 'gateway',
  projectId: 1,
  nameTemplate: '{deviceName}',
  addresses: [],
  expireTime: null,
  quota: null,
  approval: false,
  status: 'enabled',
}
const errorReport = { message: 'x', stack: '', component: '', address: '', build: '' }
