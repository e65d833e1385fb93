import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedApp, type TestApp } from '../../testing'

const file = join(__dirname, '../../../openapi.json')
let app: TestApp
beforeAll(async () => {
  app = await sharedApp()
})

// Run `WRITE_OPENAPI=1 npx jest server/src/core/serve/openapi` after a change of the contract.
test('openapi.json is what the server serves', async () => {
  const served = (await app.app.inject('/v1/openapi.json')).json()
  if (process.env.WRITE_OPENAPI) writeFileSync(file, `${JSON.stringify(served, null, 1)}\n`)
  expect(existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))).toEqual(served)
})

test('the document can be browsed without anything from outside', async () => {
  const page = await app.app.inject('/v1/docs/')
  expect(page.statusCode).toBe(200)
  expect(page.body).not.toMatch(/(src|href)="https?:/)
  expect((await app.app.inject('/v1/docs/static/swagger-ui-bundle.js')).statusCode).toBe(200)
  expect((await app.app.inject('/v1/docs/json')).json()).toEqual(
    JSON.parse(readFileSync(file, 'utf8')),
  )
})
