import { authApi } from '@iot/shared/contract/auth'
import { testApp, type TestApp } from '../../testing'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

test('me', async () => {
  await expect(app.stranger.call(authApi.me, {})).rejects.toMatchObject({ code: 401 })
  expect(await app.as('admin').call(authApi.me, {})).toMatchObject({ user: { username: 'admin' } })
})
