import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import type { ControlRequest } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { holdApi } from '@iot/shared/contract/control/holdOffNote.api'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { controlHold } from '../../tables/control'
import { ownApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamps = ['a', 'b', 'c'].map((name) => deviceRow(lampProduct, name, { gatewayId: edge.id }))
const [lampA] = lamps as [typeof edge]

let app: TestApp
let gateway: EdgeClient
let isRefusing = false

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, ...lamps])
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet: (_, values, { reply, post }) => (isRefusing ? reply(500) : (reply(200), post(values))),
  })
  for (const one of lamps) gateway.post(one, { PowerSwitch: 1 })
  await waitUntil(
    () => app.as('admin').call(controlApi.preflight, buildRequest(0)),
    ({ affected }) => affected === 3,
  )
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  isRefusing = false
  await app.app.db.delete(controlHold)
})

const joinEarly = () => app.join('early', 'operator', [1])
const joinLate = () => app.join('late', 'operator', [1])
const joinElsewhere = () => app.join('elsewhere', 'operator', [2])
const joinVisitor = () => app.join('onlooker', 'visitor', [1])
const buildRequest = (
  PowerSwitch: number,
  deviceIds = lamps.map(({ id }) => id),
): ControlRequest => ({
  kind: 'set',
  projectId: 1,
  scope: { kind: 'devices', deviceIds },
  values: { PowerSwitch },
})
const waitForEnd = async (id: string) =>
  waitUntil(
    async () => (await joinEarly()).call(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
const runToEnd = async (joinUser: typeof joinEarly, request: ControlRequest) =>
  waitForEnd((await (await joinUser()).call(controlApi.start, request)).id)
const createHold = async (
  taskId: string,
  change: { until?: string | null } = {},
  joinUser = joinEarly,
) => (await joinUser()).call(holdApi.create, { taskId, reason: '三层施工', until: null, ...change })
const listHolds = async (joinUser = joinLate) =>
  (await joinUser()).call(holdApi.list, { projectId: 1 })

describe('adding a hold-off note', () => {
  it('is refused without control permission, in another project, and without a task', async () => {
    const { id } = await runToEnd(joinEarly, buildRequest(0))
    await expect(createHold(id, {}, joinVisitor)).rejects.toMatchObject({ status: 403 })
    const notFoundError = { code: 404, msg: '控制任务不存在或已被删除' }
    await expect(createHold(id, {}, joinElsewhere)).rejects.toMatchObject(notFoundError)
    await expect(createHold(uuidv7())).rejects.toMatchObject(notFoundError)
    await expect(listHolds(joinElsewhere)).rejects.toMatchObject({ code: 404 })
  })
  it('is refused with an end in the past, without a reason, and a second time for one task', async () => {
    const { id } = await runToEnd(joinEarly, buildRequest(0))
    await expect(createHold(id, { until: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      data: { fields: { until: '结束时间须晚于现在' } },
    })
    const blank = { taskId: id, reason: ' ', until: null }
    await expect((await joinEarly()).call(holdApi.create, blank)).rejects.toMatchObject({
      data: { fields: { reason: '请输入原因' } },
    })
    await createHold(id)
    await expect(createHold(id, {}, joinLate)).rejects.toMatchObject({
      msg: '这个任务已有值班备注，请先解除原来的',
    })
  })
  it('is refused for a task that changed no device or was undone', async () => {
    isRefusing = true
    const failedTask = await runToEnd(joinEarly, buildRequest(0))
    await expect(createHold(failedTask.id)).rejects.toMatchObject({ msg: '没有设备执行了这个任务' })
    isRefusing = false
    const { id } = await runToEnd(joinEarly, buildRequest(0))
    const undo = await (await joinEarly()).call(controlApi.undo, { id })
    await waitForEnd(undo.id)
    for (const one of [id, undo.id])
      await expect(createHold(one)).rejects.toMatchObject({ msg: '已恢复原状，不能再加值班备注' })
  })
  it('lists its devices, author, reason and later changes for the next shift', async () => {
    const task = await runToEnd(joinEarly, buildRequest(0))
    await createHold(task.id, { until: '2999-01-01T00:00:00.000Z' })
    const expectedHold = {
      taskId: task.id,
      title: task.title,
      since: task.createTime,
      devices: 3,
      unit: '盏',
      reason: '三层施工',
      until: '2999-01-01T00:00:00.000Z',
      createBy: 'early',
    }
    expect(await listHolds()).toMatchObject([{ ...expectedHold, overriddenBy: [] }])
    // A later task that asks for the same values does not override the first.
    await runToEnd(joinLate, buildRequest(0))
    expect(await listHolds()).toMatchObject([{ overriddenBy: [] }])
    const laterTask = await runToEnd(joinLate, buildRequest(1, [lampA.id]))
    expect(await listHolds()).toMatchObject([
      {
        ...expectedHold,
        overriddenBy: [
          { taskId: laterTask.id, title: laterTask.title, createBy: 'late', devices: 1 },
        ],
      },
    ])
  })
})

describe('ending a hold-off note', () => {
  it('is refused without control permission, in another project, and after its end', async () => {
    await createHold((await runToEnd(joinEarly, buildRequest(0))).id)
    const { id } = (await listHolds())[0]!
    await expect((await joinVisitor()).call(holdApi.end, { id })).rejects.toMatchObject({
      status: 403,
    })
    await expect((await joinElsewhere()).call(holdApi.end, { id })).rejects.toMatchObject({
      code: 404,
    })
    await (await joinLate()).call(holdApi.end, { id })
    await expect((await joinEarly()).call(holdApi.end, { id })).rejects.toMatchObject({
      msg: '这个值班备注已经解除',
    })
  })
  it('by any user on shift is recorded in the audit log', async () => {
    const task = await runToEnd(joinEarly, buildRequest(0))
    await createHold(task.id)
    const { id } = (await listHolds())[0]!
    await (await joinLate()).call(holdApi.end, { id })
    expect(await listHolds()).toEqual([])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '值班备注', pageSize: 2 })
    expect(log.list).toMatchObject([
      { username: 'late', verb: '解除值班备注', entityName: task.title },
      { username: 'early', verb: '添加值班备注', entityName: task.title },
    ])
  })
  it('happens at its end time by the row alone, and the task can be noted again', async () => {
    const task = await runToEnd(joinEarly, buildRequest(0))
    await createHold(task.id, { until: '2999-01-01T00:00:00.000Z' })
    await app.app.db
      .update(controlHold)
      .set({ until: sql`now() - interval '1 second'` })
      .where(eq(controlHold.taskId, task.id))
    expect(await listHolds()).toEqual([])
    await createHold(task.id)
    expect(await listHolds()).toMatchObject([{ until: null }])
  })
})
