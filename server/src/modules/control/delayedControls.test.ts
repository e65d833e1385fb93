import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { controlApi } from '@iot/shared/contract/control/control.api'
import type { BulkRequest } from '@iot/shared/contract/control/control.schema'
import { delayedControlApi } from '@iot/shared/contract/control/delayedControl.api'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { delayedControl } from '../../tables/control'
import { device } from '../../tables/device'
import { user } from '../../tables/user'
import { testApp, type TestApp } from '../../testing'
import { openDelayedControls } from './delayedControls'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge-1')
const lamps = ['lamp-1', 'lamp-2'].map((name) =>
  deviceRow(lampProduct, name, { gatewayId: edge.id }),
)

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
  await waitUntil(
    () => app.as('admin').call(controlApi.preflight, allOff),
    ({ affected }) => affected === 2,
  )
})
afterAll(async () => {
  await gateway.close()
  await app.close()
})
beforeEach(async () => {
  received.length = 0
  await app.app.db.delete(delayedControl)
})

const allOff: BulkRequest = {
  kind: 'action',
  productType: 'SAFEWAY_LIGHT',
  actionType: 'all_off',
  projectId: 1,
  scope: { kind: 'project' },
}
const joinOperator = () => app.join('delayer', 'operator', [1])
const create = async (request: BulkRequest = allOff, delayMinutes = 10) =>
  (await joinOperator()).call(delayedControlApi.create, { request, delayMinutes })
const list = async () => (await joinOperator()).call(delayedControlApi.list, { projectId: 1 })
/** Moves the time of a command into the past, as if that many seconds had gone by. */
const passTime = (id: string, seconds: number) =>
  app.app.db
    .update(delayedControl)
    .set({ dueTime: sql`now() - make_interval(secs => ${seconds})` })
    .where(eq(delayedControl.id, id))
const runDue = () => app.app.delayedControls.runDue()

describe('a delayed command is refused', () => {
  it('without a session, without the permission, and in a project out of sight', async () => {
    const input = { request: allOff, delayMinutes: 10 }
    const { create: createApi, cancel, list: listApi } = delayedControlApi
    await expect(app.stranger.call(createApi, input)).rejects.toMatchObject({ code: 401 })
    const visitor = await app.join('delaywatch', 'visitor', [1])
    await expect(visitor.call(createApi, input)).rejects.toMatchObject({ status: 403 })
    const elsewhere = await app.join('delayaway', 'operator', [2])
    await expect(elsewhere.call(createApi, input)).rejects.toMatchObject({ code: 404 })
    await expect(elsewhere.call(listApi, { projectId: 1 })).rejects.toMatchObject({ code: 404 })
    const { id } = await create()
    await expect(elsewhere.call(cancel, { id })).rejects.toMatchObject({ code: 404 })
    await expect(visitor.call(cancel, { id })).rejects.toMatchObject({ status: 403 })
    expect(await list()).toMatchObject([{ id, status: 'waiting' }])
  })
  it.each([0, 1.5, 1441, -10])('with a delay of %s minutes', async (delayMinutes) =>
    expect(create(allOff, delayMinutes)).rejects.toMatchObject({
      code: 422,
      data: { fields: { delayMinutes: expect.stringContaining('延时') as string } },
    }),
  )
  it('if it includes protected circuits, answers an override, or reaches nothing', async () => {
    await expect(create({ ...allOff, includeProtected: true })).rejects.toMatchObject({
      msg: expect.stringContaining('不能延时') as string,
    })
    const switchOff = { kind: 'set', projectId: 1, values: { PowerSwitch: 0 } } as const
    const scope = { kind: 'devices' as const, deviceIds: [lamps[0]!.id] }
    await expect(create({ ...switchOff, scope, onOverride: 'bypass' })).rejects.toMatchObject({
      msg: expect.stringContaining('不能延时') as string,
    })
    await expect(
      create({ ...switchOff, scope: { kind: 'devices', deviceIds: [uuidv7()] } }),
    ).rejects.toMatchObject({ code: 404 })
    expect(await list()).toEqual([])
  })
})

it('waits, is carried out once when its time comes, and is told by its task afterwards', async () => {
  const { id, title } = await create()
  await runDue()
  expect(received).toEqual([])
  expect(await list()).toMatchObject([{ id, status: 'waiting', createByName: 'delayer' }])

  await passTime(id, 1)
  const otherProcess = openDelayedControls(app.app, () => true)
  await Promise.all([runDue(), otherProcess.runDue()])
  await otherProcess.close()
  await waitUntil(
    () => Promise.resolve(received.length),
    (count) => count === 2,
  )
  const tasks = await (await joinOperator()).call(controlApi.recent, { projectId: 1 })
  expect(tasks.filter((one) => one.title === title)).toMatchObject([
    { createBy: 'delayer', createByName: 'delayer', total: 2 },
  ])
  expect(await list()).toEqual([])
  await expect((await joinOperator()).call(delayedControlApi.cancel, { id })).rejects.toMatchObject(
    { msg: '延时控制已经执行或取消' },
  )
  const { list: log } = await app.as('admin').call(actionLogApi.page, { entity: '延时控制' })
  expect(log[0]).toMatchObject({ username: 'delayer', entityName: title })
})

describe('a delayed command for a single lamp', () => {
  const setLamp = (isProtected: boolean) =>
    app.app.db.update(device).set({ protected: isProtected }).where(eq(device.id, lamps[0]!.id))
  const switchOff: BulkRequest = {
    kind: 'set',
    projectId: 1,
    values: { PowerSwitch: 0 },
    scope: { kind: 'devices', deviceIds: [lamps[0]!.id] },
  }
  afterEach(() => setLamp(false))

  it('needs no permission for bulk control, and reaches that lamp alone', async () => {
    const { id } = await create(switchOff)
    await create()
    expect(await list()).toMatchObject([
      { id, isSingle: true },
      { title: expect.stringContaining('全关') as string, isSingle: false },
    ])
    await passTime(id, 1)
    await runDue()
    await waitUntil(
      () => Promise.resolve(received),
      (names) => names.length === 1,
    )
    expect(received).toEqual(['lamp-1'])
    expect(await list()).toMatchObject([{ isSingle: false }])
  })
  it('is refused for a protected lamp, which is switched on the spot', async () => {
    await setLamp(true)
    await expect(create(switchOff)).rejects.toMatchObject({ msg: '没有可以控制的设备：受保护 1' })
  })
  it('is not carried out if the lamp has become protected meanwhile', async () => {
    const { id } = await create(switchOff)
    await setLamp(true)
    await passTime(id, 1)
    await runDue()
    expect(received).toEqual([])
    expect(await list()).toMatchObject([
      { id, status: 'failed', reason: '没有可以控制的设备：受保护 1' },
    ])
  })
})

it('is not carried out after it was cancelled', async () => {
  const { id } = await create()
  expect(await (await joinOperator()).call(delayedControlApi.cancel, { id })).toMatchObject({
    status: 'cancelled',
  })
  await passTime(id, 1)
  await runDue()
  expect(received).toEqual([])
  expect(await list()).toEqual([])
})

it('is not carried out if its author has lost the permission, and says so', async () => {
  const { id } = await create()
  const setDisabled = (disabled: boolean) =>
    app.app.db.update(user).set({ disabled }).where(eq(user.username, 'delayer'))
  await setDisabled(true)
  await passTime(id, 1)
  await runDue()
  await setDisabled(false)
  expect(received).toEqual([])
  expect(await list()).toMatchObject([
    { id, status: 'failed', reason: '发起人已没有控制的权限，没有执行', taskId: null },
  ])
})

it('is not made up for if the platform was down when its time came', async () => {
  const { id } = await create()
  await passTime(id, 6 * 60)
  await runDue()
  expect(received).toEqual([])
  expect(await list()).toMatchObject([{ id, status: 'missed' }])
})

it('is not told as carried out if the process ended before its ledger was written', async () => {
  const { id } = await create()
  await app.app.db
    .update(delayedControl)
    .set({ status: 'started', taskId: uuidv7(), endTime: sql`now() - interval '1 minute'` })
    .where(eq(delayedControl.id, id))
  expect(await list()).toMatchObject([
    { id, status: 'failed', reason: '平台在下发前停止，没有执行' },
  ])
})
