import { aboutApi } from '@iot/shared/contract/platform/about.api'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productVersion, readBuildInfo } from '../../core/version'
import { ownApp, type TestApp } from '../../testing'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await ownApp()
  folder = mkdtempSync(join(tmpdir(), 'about-'))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

it('tells the version to a signed-in user', async () => {
  expect(await app.as('admin').call(aboutApi.read, {})).toMatchObject({ version: productVersion })
})

it('reports a missing build as null and refuses a broken file', () => {
  expect(readBuildInfo(join(folder, 'missing.json'))).toBeNull()
  writeFileSync(join(folder, 'broken.json'), '{"commit": 1}')
  expect(() => readBuildInfo(join(folder, 'broken.json'))).toThrow()
})
