import { mkdirSync, writeFileSync } from 'node:fs'
import { sharedApp, type TestApp } from '../../testing'
import { listContractEndpoints } from './contractEndpoints'
import { buildOpenApi } from './openapi'

type Document = { paths: Record<string, Record<string, { 'x-permission': string }>> }

let app: TestApp
let servedDocument: Document
beforeAll(async () => {
  app = await sharedApp()
  servedDocument = (await app.app.inject('/v1/openapi.json')).json()
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
  expect((await app.app.inject('/v1/docs/static/swagger-ui-bundle.js')).statusCode).toBe(200)
  expect((await app.app.inject('/v1/docs/json')).json()).toEqual(servedDocument)
})
