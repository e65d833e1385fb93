import { actionLogApi } from '@iot/shared/contract/actionLog'
import { controlApi, type ControlRequest } from '@iot/shared/contract/control'
import { holdApi } from '@iot/shared/contract/hold'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { connectEdge, type EdgeClient } from '../../device-access/edgeClient'
import { deviceRow, insertDevices, productRow, until } from '../../device-access/testing'
import { controlHold } from '../../tables/control'
import { testApp, type TestApp } from '../../testing'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamps = ['a', 'b', 'c'].map((name) => deviceRow(lampProduct, name, { gatewayId: edge.id }))
const [a] = lamps as [typeof edge]

let app: TestApp
let gateway: EdgeClient
let refusing = false

beforeAll(async () => {
  app = await testApp({ mqttPort: 0 })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, ...lamps])
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet: (_, values, { reply, post }) => (refusing ? reply(500) : (reply(200), post(values))),
  })
  for (const one of lamps) gateway.post(one, { PowerSwitch: 1 })
  await until(
    () => app.as('admin').call(controlApi.preflight, set(0)),
    ({ affected }) => affected === 3,
  )
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  refusing = false
  await app.app.db.delete(controlHold)
})

const early = () => app.join('early', 'operator', [1])
const late = () => app.join('late', 'operator', [1])
const elsewhere = () => app.join('elsewhere', 'operator', [2])
const onlooker = () => app.join('onlooker', 'visitor', [1])
const set = (PowerSwitch: number, deviceIds = lamps.map(({ id }) => id)): ControlRequest => ({
  kind: 'set',
  projectId: 1,
  scope: { kind: 'devices', deviceIds },
  values: { PowerSwitch },
})
const ended = async (id: string) =>
  until(
    async () => (await early()).call(controlApi.get, { id }),
    ({ doneTime }) => doneTime !== null,
  )
const run = async (who: typeof early, request: ControlRequest) =>
  ended((await (await who()).call(controlApi.start, request)).id)
const keep = async (taskId: string, change: { until?: string | null } = {}, who = early) =>
  (await who()).call(holdApi.create, { taskId, reason: '三层施工', until: null, ...change })
const list = async (who = late) => (await who()).call(holdApi.list, { projectId: 1 })

describe('keeping what a task did', () => {
  it('refuses who may not control, another project, and what is no task', async () => {
    const { id } = await run(early, set(0))
    await expect(keep(id, {}, onlooker)).rejects.toMatchObject({ status: 403 })
    const gone = { code: 404, msg: '控制任务不存在或已被删除' }
    await expect(keep(id, {}, elsewhere)).rejects.toMatchObject(gone)
    await expect(keep(uuidv7())).rejects.toMatchObject(gone)
    await expect(list(elsewhere)).rejects.toMatchObject({ code: 404 })
  })
  it('refuses an end in the past, no reason, and a second note of one task', async () => {
    const { id } = await run(early, set(0))
    await expect(keep(id, { until: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      data: { fields: { until: '结束时间须晚于现在' } },
    })
    const blank = { taskId: id, reason: ' ', until: null }
    await expect((await early()).call(holdApi.create, blank)).rejects.toMatchObject({
      data: { fields: { reason: '请输入原因' } },
    })
    await keep(id)
    await expect(keep(id, {}, late)).rejects.toMatchObject({
      msg: '这个任务已在保留，请先结束原来的',
    })
  })
  it('refuses what no device did, and what was put back', async () => {
    refusing = true
    const failed = await run(early, set(0))
    await expect(keep(failed.id)).rejects.toMatchObject({ msg: '没有设备执行了这个任务' })
    refusing = false
    const { id } = await run(early, set(0))
    const undo = await (await early()).call(controlApi.undo, { id })
    await ended(undo.id)
    for (const one of [id, undo.id])
      await expect(keep(one)).rejects.toMatchObject({ msg: '已恢复原状，没有可以保留的' })
  })
  it('shows the next shift what is kept, by whom and why, and who changed it since', async () => {
    const task = await run(early, set(0))
    await keep(task.id, { until: '2999-01-01T00:00:00.000Z' })
    const kept = {
      taskId: task.id,
      title: task.title,
      since: task.createTime,
      devices: 3,
      reason: '三层施工',
      until: '2999-01-01T00:00:00.000Z',
      createBy: 'early',
    }
    expect(await list()).toMatchObject([{ ...kept, overriddenBy: [] }])
    // A later task that asks for the same values does not override the first.
    await run(late, set(0))
    expect(await list()).toMatchObject([{ overriddenBy: [] }])
    const other = await run(late, set(1, [a.id]))
    expect(await list()).toMatchObject([
      {
        ...kept,
        overriddenBy: [{ taskId: other.id, title: other.title, createBy: 'late', devices: 1 }],
      },
    ])
  })
})

describe('ending it', () => {
  it('refuses who may not control, another project, and what is over', async () => {
    await keep((await run(early, set(0))).id)
    const { id } = (await list())[0]!
    await expect((await onlooker()).call(holdApi.end, { id })).rejects.toMatchObject({
      status: 403,
    })
    await expect((await elsewhere()).call(holdApi.end, { id })).rejects.toMatchObject({
      code: 404,
    })
    await (await late()).call(holdApi.end, { id })
    await expect((await early()).call(holdApi.end, { id })).rejects.toMatchObject({
      msg: '这个保留已经结束',
    })
  })
  it('is over by hand of whoever is on shift, which the action log says', async () => {
    const task = await run(early, set(0))
    await keep(task.id)
    const { id } = (await list())[0]!
    await (await late()).call(holdApi.end, { id })
    expect(await list()).toEqual([])
    const log = await app.as('admin').call(actionLogApi.page, { entity: '人工保留', pageSize: 2 })
    expect(log.list).toMatchObject([
      { username: 'late', verb: '结束保留', entityName: task.title },
      { username: 'early', verb: '保留控制结果', entityName: task.title },
    ])
  })
  it('is over by its end, by the row alone, and may be kept again', async () => {
    const task = await run(early, set(0))
    await keep(task.id, { until: '2999-01-01T00:00:00.000Z' })
    await app.app.db
      .update(controlHold)
      .set({ until: sql`now() - interval '1 second'` })
      .where(eq(controlHold.taskId, task.id))
    expect(await list()).toEqual([])
    await keep(task.id)
    expect(await list()).toMatchObject([{ until: null }])
  })
})
