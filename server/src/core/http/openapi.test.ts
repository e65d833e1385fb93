import { mkdirSync, writeFileSync } from 'node:fs'
import { sharedApp, ownApp, type TestApp } from '../../testing'
import { listContractEndpoints } from './contractEndpoints'
import { buildOpenApi } from './openapi'

type Document = { paths: Record<string, Record<string, { 'x-permission': string }>> }

let app: TestApp
let servedDocument: Document
beforeAll(async () => {
  app = await sharedApp()
  const headers = await app.as('admin').headers()
  servedDocument = (await app.app.inject({ url: '/v1/openapi.json', headers })).json()
  // The reporter in scripts/jest compares these calls with those that any test has answered.
  mkdirSync('.cache', { recursive: true })
  const calls = Object.entries(servedDocument.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  writeFileSync('.cache/endpoints', calls.join('\n'))
})

test('the served document describes exactly the endpoints of the contract', async () => {
  expect(servedDocument).toEqual(
    JSON.parse(JSON.stringify(buildOpenApi(await listContractEndpoints()))),
  )
})

test('every reference in the document resolves to a component', () => {
  const references = JSON.stringify(servedDocument).matchAll(/"\$ref":"#\/([^"]+)"/g)
  const missing = [...references]
    .map(([, path]) => path!)
    .filter(
      (path) =>
        !path
          .split('/')
          .reduce<unknown>(
            (node, key) => (node as Record<string, unknown> | undefined)?.[key],
            servedDocument,
          ),
    )
  expect(missing).toEqual([])
})

test('the documentation page needs no external resource', async () => {
  const page = await app.app.inject('/v1/docs/')
  expect(page.statusCode).toBe(200)
  expect(page.body).not.toMatch(/(src|href)="https?:/)
  // A platform without TLS has no file at `https:`.
  expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  expect((await app.app.inject('/v1/docs/static/swagger-ui-bundle.js')).statusCode).toBe(200)
  const headers = await app.as('admin').headers()
  expect((await app.app.inject({ url: '/v1/docs/json', headers })).json()).toEqual(servedDocument)
  expect((await app.app.inject('/v1/docs/static/theme/sendToken.js')).body).toContain('satoken')
})

test.each(['/v1/openapi.json', '/v1/docs/json', '/v1/docs/%6Ason', '/v1/docs/yaml'])(
  'refuses a stranger %s unless a setting makes it public',
  async (url) => {
    expect((await app.app.inject(url)).json()).toMatchObject({ code: 401 })
  },
)

test('anyone reads the document if the setting says so', async () => {
  const publicApp = await ownApp({ isApiDocumentPublic: true })
  expect((await publicApp.app.inject('/v1/openapi.json')).json()).toMatchObject({
    openapi: '3.1.0',
  })
  await publicApp.close()
})

test('page and document name the path below which the platform is reached', async () => {
  const { app: below, close } = await ownApp({
    publicUrl: 'https://iot.example/iot/',
    isApiDocumentPublic: true,
  })
  const page = await below.inject('/iot/v1/docs')
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => address!,
  )
  expect(addresses).toContain('/iot/v1/docs/static/swagger-ui.css')
  for (const address of addresses) expect((await below.inject(address)).statusCode).toBe(200)
  expect(addresses.filter((address) => !address.startsWith('/iot/'))).toEqual([])
  expect((await below.inject('/iot/v1/docs/static/index.html')).headers.location).toBe(
    '/iot/v1/docs/',
  )
  expect((await below.inject('/iot/v1/openapi.json')).json()).toMatchObject({
    servers: [{ url: '/iot' }],
  })
  await close()
})
