import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import type { Approval } from '@iot/shared/contract/control/approval.schema'
import { approvalApi } from '@iot/shared/contract/control/approval.api'
import type { BulkRequest } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { livePath } from '@iot/shared/contract/live'
import type { ServerMessage } from '@iot/shared/contract/live.schema'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { WebSocket } from 'ws'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { controlApproval } from '../../tables/control'
import { user } from '../../tables/user'
import { ownApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const buildLamp = (name: string, more = {}) =>
  deviceRow(lampProduct, name, { gatewayId: edge.id, ...more })
const plainLamp = buildLamp('plain')
const exitLamp = buildLamp('exit', { protected: true })
const stairsLamp = buildLamp('stairs', { protected: true })
const lamps = [plainLamp, exitLamp, stairsLamp]

let app: TestApp
let gateway: EdgeClient
const received: string[] = []

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0 })
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
  await waitUntil(
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
const joinAsker = () => app.join('asker', 'operator', [1])
const joinSecond = () => app.join('second', 'operator', [1])
const joinThird = () => app.join('third', 'operator', [1])
const joinElsewhere = () => app.join('elsewhere', 'operator', [2])
const joinVisitor = () => app.join('onlooker', 'visitor', [1])
const submitRequest = async (change: Partial<typeof allOff> = {}) =>
  (await joinAsker()).call(approvalApi.ask, {
    request: { ...allOff, ...change } as BulkRequest,
    reason: '消防测试',
  })
const answerRequest = async (joinUser: typeof joinSecond, { id }: Approval, agree = true) =>
  (await joinUser()).call(approvalApi.answer, { id, agree })
const expireRequest = ({ id }: Approval) =>
  app.app.db
    .update(controlApproval)
    .set({ expireTime: sql`now() - interval '1 second'` })
    .where(eq(controlApproval.id, id))

describe('requesting an approval', () => {
  it('is required for a bulk task with protected circuits', async () => {
    const task = (await joinAsker()).call(controlApi.start, { ...allOff, includeProtected: true })
    await expect(task).rejects.toMatchObject({
      msg: '控制受保护的设备需要另一位同事同意，请先申请',
    })
    expect(received).toEqual([])
  })
  it('is refused without bulk control permission and without access to the project', async () => {
    const request = { request: allOff, reason: '' }
    await expect((await joinVisitor()).call(approvalApi.ask, request)).rejects.toMatchObject({
      status: 403,
    })
    await expect((await joinElsewhere()).call(approvalApi.ask, request)).rejects.toMatchObject({
      code: 404,
      msg: '项目不存在或已被删除',
    })
  })
  it('is refused for a single device and for a scope without protected circuits', async () => {
    const single = { kind: 'set' as const, projectId: 1, values: { PowerSwitch: 0 } }
    const one = { ...single, scope: { kind: 'devices' as const, deviceIds: [exitLamp.id] } }
    const call = async (request: BulkRequest) =>
      (await joinAsker()).call(approvalApi.ask, { request, reason: '' })
    await expect(call(one)).rejects.toMatchObject({
      msg: '单台受保护的设备可以直接控制，不需要同意',
    })
    const plainOnly = { kind: 'devices' as const, deviceIds: [plainLamp.id, edge.id] }
    await expect(call({ ...allOff, scope: plainOnly } as BulkRequest)).rejects.toMatchObject({
      msg: '范围内没有可以控制的受保护设备，请直接执行',
    })
  })
  it('is refused while another request is pending', async () => {
    await submitRequest()
    await expect(submitRequest()).rejects.toMatchObject({
      msg: '您在这个项目里已有一个申请在等待同意',
    })
  })
  it('is possible after the former request has expired', async () => {
    await expireRequest(await submitRequest())
    expect(await submitRequest()).toMatchObject({ status: 'waiting', affected: 3, protected: 2 })
  })
})

describe('answering an approval', () => {
  it('is refused for the requester, without the permission, and without access to the project', async () => {
    const approval = await submitRequest()
    await expect(answerRequest(joinAsker, approval)).rejects.toMatchObject({
      msg: '自己的申请要由另一位同事答复',
    })
    await expect(answerRequest(joinVisitor, approval)).rejects.toMatchObject({ status: 403 })
    await expect(answerRequest(joinElsewhere, approval)).rejects.toMatchObject({
      code: 404,
      msg: '申请不存在或已被删除',
    })
    await expect(answerRequest(joinSecond, { ...approval, id: uuidv7() })).rejects.toMatchObject({
      code: 404,
    })
    expect(received).toEqual([])
  })
  it('is refused after the expiry time of the row', async () => {
    const approval = await submitRequest()
    await expireRequest(approval)
    await expect(answerRequest(joinSecond, approval)).rejects.toMatchObject({
      msg: '申请已过期，请申请人重新申请',
    })
    expect(await (await joinSecond()).call(approvalApi.recent, {})).toEqual([])
    expect(await (await joinAsker()).call(approvalApi.recent, {})).toMatchObject([
      { id: approval.id, status: 'expired', secondsLeft: 0 },
    ])
    expect(received).toEqual([])
  })
  it('is refused after an answer and after a withdrawal', async () => {
    const approval = await submitRequest()
    await answerRequest(joinSecond, approval, false)
    await expect(answerRequest(joinThird, approval)).rejects.toMatchObject({ msg: 'second 已拒绝' })
    const again = await submitRequest()
    await (await joinAsker()).call(approvalApi.withdraw, { id: again.id })
    await expect(answerRequest(joinSecond, again)).rejects.toMatchObject({ msg: '申请人已撤回' })
    expect(received).toEqual([])
  })
  it('is refused as a withdrawal by a user other than the requester', async () => {
    const { id } = await submitRequest()
    await expect((await joinSecond()).call(approvalApi.withdraw, { id })).rejects.toMatchObject({
      msg: '只有申请人可以撤回',
    })
  })
  it('is refused when more protected circuits would be switched than were shown', async () => {
    const approval = await submitRequest()
    await app.app.db
      .update(controlApproval)
      .set({ protected: 1 })
      .where(eq(controlApproval.id, approval.id))
    await expect(answerRequest(joinSecond, approval)).rejects.toMatchObject({
      msg: '范围内受保护的设备变多了，请申请人重新申请',
    })
    expect(received).toEqual([])
  })
  it('is refused and voids the request when the requester has lost the permission', async () => {
    for (const takeAway of [
      { set: { projectIds: [2] }, back: { projectIds: [1] } },
      { set: { disabled: true }, back: { disabled: false } },
    ]) {
      const approval = await submitRequest()
      const isAsker = eq(user.username, 'asker')
      await app.app.db.update(user).set(takeAway.set).where(isAsker)
      const why = 'asker 已没有批量控制的权限，申请作废，没有执行'
      await expect(answerRequest(joinSecond, approval)).rejects.toMatchObject({ msg: why })
      await expect(answerRequest(joinThird, approval)).rejects.toMatchObject({ msg: why })
      await app.app.db.update(user).set(takeAway.back).where(isAsker)
    }
    expect(received).toEqual([])
  })
  it('starts the task once when two users approve at the same moment', async () => {
    const approval = await submitRequest()
    const both = await Promise.allSettled([
      answerRequest(joinSecond, approval),
      answerRequest(joinThird, approval),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const approvedRequest = both.find((one) => one.status === 'fulfilled')!.value
    await waitUntil(
      async () => (await joinAsker()).call(controlApi.get, { id: approvedRequest.taskId! }),
      ({ doneTime }) => doneTime !== null,
    )
    expect(received.sort()).toEqual(['exit', 'plain', 'stairs'])
  })
  it('starts the task in the name of the requester, records the approver, and allows undo without a new request', async () => {
    const approval = await submitRequest()
    expect(approval).toMatchObject({
      title: '灯光全关 · 整个项目',
      affected: 3,
      protected: 2,
      status: 'waiting',
      createBy: 'asker',
      reason: '消防测试',
      answerBy: '',
    })
    expect(approval.secondsLeft).toBeGreaterThan(0)
    expect(approval.secondsLeft).toBeLessThanOrEqual(120)
    const { taskId, status } = await answerRequest(joinSecond, approval)
    expect(status).toBe('approved')
    const waitForEnd = async (id: string) =>
      waitUntil(
        async () => (await joinAsker()).call(controlApi.get, { id }),
        ({ doneTime }) => doneTime !== null,
      )
    expect(await waitForEnd(taskId!)).toMatchObject({
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
    const undo = await (await joinAsker()).call(controlApi.undo, { id: taskId! })
    expect(await waitForEnd(undo.id)).toMatchObject({ counts: { success: 3, skipped: 0 } })
  })
})

test('only users who may answer an approval are notified, on any page', async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as AddressInfo
  const openListeningPage = async (joinUser: typeof joinSecond) => {
    const { headers } = await joinUser()
    const socket = new WebSocket(`ws://127.0.0.1:${port}${livePath}`)
    const receivedMessages: ServerMessage[] = []
    socket.on('message', (raw) => receivedMessages.push(JSON.parse(String(raw)) as ServerMessage))
    await once(socket, 'open')
    const { satoken } = await headers()
    socket.send(JSON.stringify({ type: 'auth', token: satoken.replace('Bearer ', '') }))
    await waitUntil(
      () => receivedMessages.length,
      (count) => count > 0,
    )
    return { heard: receivedMessages, socket }
  }
  const [approverPage, foreignPage, visitorPage, askerPage] = await Promise.all(
    [joinSecond, joinElsewhere, joinVisitor, joinAsker].map(openListeningPage),
  )
  const pendingApproval = await submitRequest()
  const readApprovals = () =>
    approverPage!.heard.flatMap((one) => (one.type === 'approval' ? one.approval : []))
  await waitUntil(readApprovals, ({ length }) => length === 1)
  expect(readApprovals()[0]).toMatchObject({
    id: pendingApproval.id,
    status: 'waiting',
    createBy: 'asker',
  })
  await answerRequest(joinThird, pendingApproval, false)
  await waitUntil(readApprovals, ({ length }) => length === 2)
  expect(readApprovals()[1]).toMatchObject({
    id: pendingApproval.id,
    status: 'refused',
    answerBy: 'third',
  })
  const otherMessages = [...foreignPage!.heard, ...visitorPage!.heard].map(({ type }) => type)
  expect(otherMessages.filter((type) => type !== 'beat')).toEqual(['ready', 'ready'])
  // The requester sees the outcome even after losing the permission.
  const secondApproval = await submitRequest()
  await app.app.db
    .update(user)
    .set({ projectIds: [2] })
    .where(eq(user.username, 'asker'))
  app.app.sessions.forget()
  await expect(answerRequest(joinSecond, secondApproval)).rejects.toMatchObject({
    msg: 'asker 已没有批量控制的权限，申请作废，没有执行',
  })
  await waitUntil(
    () => askerPage!.heard,
    (messages) => messages.some((one) => one.type === 'approval' && one.approval.status === 'void'),
  )
  for (const { socket } of [approverPage!, foreignPage!, visitorPage!, askerPage!])
    socket.terminate()
})
