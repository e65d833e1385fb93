import { deviceApi } from '@iot/shared/contract/device'
import { sharedApp } from '../../testing'

describe('GET /v1/device/action/mode', () => {
  it('refuses a stranger', async () => {
    const app = await sharedApp()
    await expect(app.stranger.call(deviceApi.actionModes, {})).rejects.toMatchObject({ code: 401 })
  })
  it('answers each action once, with what it sets', async () => {
    const app = await sharedApp()
    const actions = await app.as('admin').call(deviceApi.actionModes, {})
    const names = actions.map(({ productType, actionType }) => `${productType} ${actionType}`)
    expect(names).toEqual(expect.arrayContaining(['SAFEWAY_LIGHT all_on', 'SAFEWAY_LIGHT all_off']))
    expect(new Set(names).size).toBe(names.length)
  })
})
