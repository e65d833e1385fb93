import { baseConfigApi } from '@iot/shared/contract/platform/baseConfig.api'
import { sharedApp } from '../../testing'

test('GET /v1/base-config answers the login screen without a session', async () => {
  const app = await sharedApp()
  expect(await app.stranger.call(baseConfigApi.get, {})).toMatchObject({
    name: '物联云平台',
    passwordPolicy: expect.stringContaining('8 位'),
  })
})
