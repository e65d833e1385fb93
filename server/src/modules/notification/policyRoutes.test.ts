import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { notificationChannelApi } from '@iot/shared/contract/alarm/notificationChannel.api'
import { notificationPolicyApi as api } from '@iot/shared/contract/alarm/notificationPolicy.api'
import { uuidv7 } from 'uuidv7'
import type { TestApp } from '../../testing'
import { startReceiver, type Receiver } from './receiver.fixture'
import { createChannel, createPolicy, startNotificationApp } from './testing'

let app: TestApp
let receiver: Receiver
let channelId: string
beforeAll(async () => {
  app = await startNotificationApp()
  receiver = await startReceiver()
  ;({ id: channelId } = await createChannel(app, { url: receiver.url }))
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})
const admin = () => app.as('admin')

describe('policies', () => {
  it('are refused to those without the permission or with some projects only', async () => {
    await expect(app.stranger.call(api.page, {})).rejects.toMatchObject({ code: 401 })
    const operator = await app.join('policy-operator', 'operator')
    await expect(operator.call(api.page, {})).rejects.toMatchObject({ status: 403 })
    const { id } = await createPolicy(app, [channelId])
    await expect(operator.call(api.remove, { id })).rejects.toMatchObject({ status: 403 })
  })

  it('refuse a change of an older version, and name what was changed in the log', async () => {
    const policy = await createPolicy(app, [channelId], { name: '夜班' })
    const changedPolicy = await admin().call(api.update, { ...policy, name: '夜班和周末' })
    expect(changedPolicy).toMatchObject({ id: policy.id, name: '夜班和周末' })
    await expect(admin().call(api.update, { ...policy, name: '白班' })).rejects.toMatchObject({
      code: 1002,
    })
    await expect(
      admin().call(api.update, { ...changedPolicy, projectIds: [99] }),
    ).rejects.toMatchObject({
      data: { fields: { projectIds: '所选项目不存在' } },
    })
    const { list } = await admin().call(api.page, { name: '夜班' })
    expect(list.map(({ name }) => name)).toEqual(['夜班和周末'])
    const { list: entries } = await admin().call(actionLogApi.page, { entity: '通知策略' })
    expect(entries.filter(({ ok }) => ok)[0]).toMatchObject({
      verb: '修改通知策略',
      entityName: '夜班和周末',
    })
  })

  it('are disabled and removed, alone and as many', async () => {
    const names = ['甲', '乙', '丙'].map((name) => `停用 ${name}`)
    const policies = await Promise.all(
      names.map((name) => createPolicy(app, [channelId], { name })),
    )
    const ids = policies.map(({ id }) => id)
    const isGone = { id: uuidv7() }
    await expect(admin().call(api.remove, isGone)).rejects.toMatchObject({ code: 404 })
    await admin().call(api.setStatus, { ids, status: 'disabled' })
    expect((await admin().call(api.page, { name: '停用', status: 'disabled' })).total).toBe(3)
    await admin().call(api.remove, { id: ids[0]! })
    await admin().call(api.removeMany, { ids: ids.slice(1) })
    expect((await admin().call(api.page, { name: '停用' })).total).toBe(0)
  })
})

describe('channels', () => {
  it('are disabled and removed once no policy uses them', async () => {
    const channels = await Promise.all(
      ['甲', '乙', '丙'].map((name) =>
        createChannel(app, { url: receiver.url, name: `渠道 ${name}` }),
      ),
    )
    const ids = channels.map(({ id }) => id)
    const policy = await createPolicy(app, [ids[0]!])
    await admin().call(notificationChannelApi.setStatus, { ids, status: 'disabled' })
    const { list } = await admin().call(notificationChannelApi.page, { status: 'disabled' })
    expect(list).toHaveLength(3)
    const results = await admin().call(notificationChannelApi.removeMany, { ids })
    expect(results.map(({ ok }) => ok)).toEqual([false, true, true])
    await admin().call(api.remove, { id: policy.id })
    await admin().call(notificationChannelApi.remove, { id: ids[0]! })
    const remaining = await admin().call(notificationChannelApi.list, {})
    expect(remaining.map(({ id }) => id)).toEqual([channelId])
  })
})
