import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { actionLogApi } from '@iot/shared/contract/actionLog'
import { approvalApi, type Approval } from '@iot/shared/contract/approval'
import { controlApi, type BulkRequest } from '@iot/shared/contract/control'
import { livePath, type ToPage } from '@iot/shared/contract/live'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { WebSocket } from 'ws'
import { connectEdge, type EdgeClient } from '../../device-access/edgeClient'
import { deviceRow, insertDevices, productRow, until } from '../../device-access/testing'
import { controlApproval } from '../../tables/control'
import { user } from '../../tables/user'
import { testApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamp = (name: string, more = {}) =>
  deviceRow(lampProduct, name, { gatewayId: edge.id, ...more })
const plain = lamp('plain')
const exit = lamp('exit', { protected: true })
const stairs = lamp('stairs', { protected: true })
const lamps = [plain, exit, stairs]

let app: TestApp
let gateway: EdgeClient
const received: string[] = []

beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, ...lamps])
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet(key, values, { reply, post }) {
      received.push(key.split('&').at(-1)!)
      reply(200)
      post(values)
    },
  })
  for (const one of lamps) gateway.post(one, { PowerSwitch: 1 })
  await until(
    () => app.as('admin').call(controlApi.preflight, { ...allOff, includeProtected: true }),
    ({ affected }) => affected === 3,
  )
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  received.length = 0
  await app.app.db.delete(controlApproval)
})

const allOff: BulkRequest = {
  kind: 'action',
  productType: 'SAFEWAY_LIGHT',
  actionType: 'all_off',
  projectId: 1,
  scope: { kind: 'project' },
}
const asker = () => app.join('asker', 'operator', [1])
const second = () => app.join('second', 'operator', [1])
const third = () => app.join('third', 'operator', [1])
const elsewhere = () => app.join('elsewhere', 'operator', [2])
const onlooker = () => app.join('onlooker', 'visitor', [1])
const ask = async (change: Partial<typeof allOff> = {}) =>
  (await asker()).call(approvalApi.ask, {
    request: { ...allOff, ...change } as BulkRequest,
    reason: '消防测试',
  })
const answer = async (who: typeof second, { id }: Approval, agree = true) =>
  (await who()).call(approvalApi.answer, { id, agree })
const runOut = ({ id }: Approval) =>
  app.app.db
    .update(controlApproval)
    .set({ expireTime: sql`now() - interval '1 second'` })
    .where(eq(controlApproval.id, id))

describe('asking for protected circuits among others', () => {
  it('refuses a task for many with protected ones that nobody agreed to', async () => {
    const task = (await asker()).call(controlApi.start, { ...allOff, includeProtected: true })
    await expect(task).rejects.toMatchObject({
      msg: '控制受保护的设备需要另一位同事同意，请先申请',
    })
    expect(received).toEqual([])
  })
  it('refuses who may not control many, and who may not see the project', async () => {
    const request = { request: allOff, reason: '' }
    await expect((await onlooker()).call(approvalApi.ask, request)).rejects.toMatchObject({
      status: 403,
    })
    await expect((await elsewhere()).call(approvalApi.ask, request)).rejects.toMatchObject({
      code: 404,
      msg: '项目不存在或已被删除',
    })
  })
  it('refuses one device, which is switched by hand, and a scope without protected ones', async () => {
    const single = { kind: 'set' as const, projectId: 1, values: { PowerSwitch: 0 } }
    const one = { ...single, scope: { kind: 'devices' as const, deviceIds: [exit.id] } }
    const call = async (request: BulkRequest) =>
      (await asker()).call(approvalApi.ask, { request, reason: '' })
    await expect(call(one)).rejects.toMatchObject({
      msg: '单台受保护的设备可以直接控制，不需要同意',
    })
    const plainOnly = { kind: 'devices' as const, deviceIds: [plain.id, edge.id] }
    await expect(call({ ...allOff, scope: plainOnly } as BulkRequest)).rejects.toMatchObject({
      msg: '范围内没有可以控制的受保护设备，请直接执行',
    })
  })
  it('refuses a second one while the first waits', async () => {
    await ask()
    await expect(ask()).rejects.toMatchObject({ msg: '您在这个项目里已有一个申请在等待同意' })
  })
  it('takes another one when the first has run out', async () => {
    await runOut(await ask())
    expect(await ask()).toMatchObject({ status: 'waiting', affected: 3, protected: 2 })
  })
})

describe('answering', () => {
  it('refuses the asker, who has no right, and who may not see the project', async () => {
    const asked = await ask()
    await expect(answer(asker, asked)).rejects.toMatchObject({
      msg: '自己的申请要由另一位同事答复',
    })
    await expect(answer(onlooker, asked)).rejects.toMatchObject({ status: 403 })
    await expect(answer(elsewhere, asked)).rejects.toMatchObject({
      code: 404,
      msg: '申请不存在或已被删除',
    })
    await expect(answer(second, { ...asked, id: uuidv7() })).rejects.toMatchObject({ code: 404 })
    expect(received).toEqual([])
  })
  it('refuses what has run out, by the row alone', async () => {
    const asked = await ask()
    await runOut(asked)
    await expect(answer(second, asked)).rejects.toMatchObject({
      msg: '申请已过期，请申请人重新申请',
    })
    expect(await (await second()).call(approvalApi.recent, {})).toEqual([])
    expect(await (await asker()).call(approvalApi.recent, {})).toMatchObject([
      { id: asked.id, status: 'expired', secondsLeft: 0 },
    ])
    expect(received).toEqual([])
  })
  it('refuses what was answered, and what was withdrawn', async () => {
    const asked = await ask()
    await answer(second, asked, false)
    await expect(answer(third, asked)).rejects.toMatchObject({ msg: 'second 已拒绝' })
    const again = await ask()
    await (await asker()).call(approvalApi.withdraw, { id: again.id })
    await expect(answer(second, again)).rejects.toMatchObject({ msg: '申请人已撤回' })
    expect(received).toEqual([])
  })
  it('refuses to withdraw what somebody else asked for', async () => {
    const { id } = await ask()
    await expect((await second()).call(approvalApi.withdraw, { id })).rejects.toMatchObject({
      msg: '只有申请人可以撤回',
    })
  })
  it('refuses when more protected ones would be switched than were shown', async () => {
    const asked = await ask()
    await app.app.db
      .update(controlApproval)
      .set({ protected: 1 })
      .where(eq(controlApproval.id, asked.id))
    await expect(answer(second, asked)).rejects.toMatchObject({
      msg: '范围内受保护的设备变多了，请申请人重新申请',
    })
    expect(received).toEqual([])
  })
  it('refuses what its asker may no longer do, and it is over', async () => {
    for (const takeAway of [
      { set: { projectIds: [2] }, back: { projectIds: [1] } },
      { set: { disabled: true }, back: { disabled: false } },
    ]) {
      const asked = await ask()
      const isAsker = eq(user.username, 'asker')
      await app.app.db.update(user).set(takeAway.set).where(isAsker)
      const why = 'asker 已没有批量控制的权限，申请作废，没有执行'
      await expect(answer(second, asked)).rejects.toMatchObject({ msg: why })
      await expect(answer(third, asked)).rejects.toMatchObject({ msg: why })
      await app.app.db.update(user).set(takeAway.back).where(isAsker)
    }
    expect(received).toEqual([])
  })
  it('is done once when two agree in the same moment', async () => {
    const asked = await ask()
    const both = await Promise.allSettled([answer(second, asked), answer(third, asked)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const done = both.find((one) => one.status === 'fulfilled')!.value
    await until(
      async () => (await asker()).call(controlApi.get, { id: done.taskId! }),
      ({ doneTime }) => doneTime !== null,
    )
    expect(received.sort()).toEqual(['exit', 'plain', 'stairs'])
  })
  it('begins the task in the name of who asked, and says who agreed; it is put back without asking again', async () => {
    const asked = await ask()
    expect(asked).toMatchObject({
      title: '灯光全关 · 整个项目',
      affected: 3,
      protected: 2,
      status: 'waiting',
      createBy: 'asker',
      reason: '消防测试',
      answerBy: '',
    })
    expect(asked.secondsLeft).toBeGreaterThan(0)
    expect(asked.secondsLeft).toBeLessThanOrEqual(120)
    const { taskId, status } = await answer(second, asked)
    expect(status).toBe('approved')
    const ended = async (id: string) =>
      until(
        async () => (await asker()).call(controlApi.get, { id }),
        ({ doneTime }) => doneTime !== null,
      )
    expect(await ended(taskId!)).toMatchObject({
      createBy: 'asker',
      approvedBy: 'second',
      total: 3,
      counts: { success: 3, skipped: 0 },
    })
    const { list } = await app
      .as('admin')
      .call(actionLogApi.page, { entity: '控制申请', pageSize: 2 })
    expect(list).toMatchObject([
      { username: 'second', verb: '答复控制申请', entityName: '灯光全关 · 整个项目' },
      { username: 'asker', verb: '申请控制受保护设备' },
    ])
    expect(list[0]!.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ title: '申请人', after: 'asker' }),
        expect.objectContaining({ title: '答复', after: '同意' }),
        expect.objectContaining({ title: '控制任务', after: taskId }),
      ]),
    )
    const undo = await (await asker()).call(controlApi.undo, { id: taskId! })
    expect(await ended(undo.id)).toMatchObject({ counts: { success: 3, skipped: 0 } })
  })
})

test('who may answer hears of it on whatever page, nobody else does', async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as AddressInfo
  const listen = async (who: typeof second) => {
    const { headers } = await who()
    const socket = new WebSocket(`ws://127.0.0.1:${port}${livePath}`)
    const heard: ToPage[] = []
    socket.on('message', (raw) => heard.push(JSON.parse(String(raw)) as ToPage))
    await once(socket, 'open')
    const { satoken } = await headers()
    socket.send(JSON.stringify({ type: 'auth', token: satoken.replace('Bearer ', '') }))
    await until(
      () => heard.length,
      (count) => count === 1,
    )
    return { heard, socket }
  }
  const [able, other, unable, own] = await Promise.all(
    [second, elsewhere, onlooker, asker].map(listen),
  )
  const asked = await ask()
  const told = () => able!.heard.flatMap((one) => (one.type === 'approval' ? one.approval : []))
  await until(told, ({ length }) => length === 1)
  expect(told()[0]).toMatchObject({ id: asked.id, status: 'waiting', createBy: 'asker' })
  await answer(third, asked, false)
  await until(told, ({ length }) => length === 2)
  expect(told()[1]).toMatchObject({ id: asked.id, status: 'refused', answerBy: 'third' })
  const rest = [...other!.heard, ...unable!.heard].map(({ type }) => type)
  expect(rest.filter((type) => type !== 'beat')).toEqual(['ready', 'ready'])
  // The requester sees the outcome even after losing the permission.
  const again = await ask()
  await app.app.db
    .update(user)
    .set({ projectIds: [2] })
    .where(eq(user.username, 'asker'))
  app.app.sessions.forget()
  await expect(answer(second, again)).rejects.toMatchObject({
    msg: 'asker 已没有批量控制的权限，申请作废，没有执行',
  })
  await until(
    () => own!.heard,
    (heard) => heard.some((one) => one.type === 'approval' && one.approval.status === 'void'),
  )
  for (const { socket } of [able!, other!, unable!, own!]) socket.terminate()
})
