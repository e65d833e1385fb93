import type { ControlRequest } from '@iot/shared/contract/control/control.schema'
import { controlApi } from '@iot/shared/contract/control/control.api'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { connectEdge, type EdgeClient } from '../../device-access/protocol/edgeClient'
import { deviceRow, insertDevices, productRow } from '../../device-access/testing'
import { waitUntil } from '../../core/until'
import { controlLedger } from '../../tables/control'
import { device } from '../../tables/device'
import { task as taskTable } from '../../tables/task'
import { testApp, type TestApp } from '../../testing'
import { createControlEngine, type ControlEngine } from './engine'
import { createZeroCounts } from './ledgerQueries'

const lampProduct = productRow('pkLamp', 'sub')
const edgeProduct = productRow('pkEdge', 'gateway')
const edge = deviceRow(edgeProduct, 'edge')
const lamps = ['sent', 'reported', 'queued'].map((name) =>
  deviceRow(lampProduct, name, { gatewayId: edge.id }),
)
const [sentLamp, reportedLamp, queuedLamp] = lamps.map(({ id }) => id) as [string, string, string]

let app: TestApp
let gateway: EdgeClient
let engine: ControlEngine
const received: string[] = []
beforeAll(async () => {
  app = await testApp({ mqttPort: 0, commandTimeouts: { controlReplyMs: 500 } })
  await insertDevices(app.app.db, [lampProduct, edgeProduct], [edge, ...lamps])
  gateway = await connectEdge({
    url: `mqtt://127.0.0.1:${app.app.devices.mqttPort}`,
    gateway: edge,
    children: lamps,
    onSet(key, values, { reply, post }) {
      received.push(key)
      reply(200)
      post(values)
    },
  })
  for (const lamp of lamps) gateway.post(lamp, { Brightness: 1 })
  await waitUntil(
    () => app.as('admin').call(controlApi.preflight, buildRequest()),
    ({ affected }) => affected === 3,
  )
  const { db, tasks, devices } = app.app
  // The process beside others goes on with tasks; the only process closes those of an earlier start.
  const partitions = { ...devices.partitions, isOnlyProcess: false }
  engine = createControlEngine(db, tasks, { ...devices, partitions }, { controlReplyMs: 500 })
})
afterAll(async () => {
  await engine.close()
  await gateway.close()
  await app.close()
})
beforeEach(() => void (received.length = 0))

const buildRequest = (): ControlRequest => ({
  kind: 'set',
  projectId: 1,
  scope: { kind: 'devices', deviceIds: lamps.map(({ id }) => id) },
  values: { Brightness: 60 },
})

/** Stores a task as a process leaves it that was killed: one entry is not sent, two are. */
async function leaveTask(change: Partial<typeof taskTable.$inferInsert> = {}) {
  const id = uuidv7()
  const sentTime = new Date().toISOString()
  await app.app.db.insert(controlLedger).values(
    lamps.map(({ id: deviceId }) => ({
      projectId: 1,
      taskId: id,
      deviceId,
      state: deviceId === queuedLamp ? ('queued' as const) : ('sent' as const),
      reason: '',
      before: {},
      target: { Brightness: 60 },
      sentTime: deviceId === queuedLamp ? null : sentTime,
    })),
  )
  // The report of this device arrived after the process had ended.
  await app.app.db
    .update(device)
    .set({
      reported: { Brightness: 60 },
      reportedAt: { Brightness: Date.parse(sentTime) + 10 },
    })
    .where(eq(device.id, reportedLamp))
  const draft = { kind: 'control' as const, title: '调光', projectId: 1, ownerId: null }
  const detail = { origin: 'set', sourceId: null, permission: 'home:device:bulkControl' }
  const row = await app.app.tasks.insert({
    id,
    ...draft,
    createBy: 'test',
    total: 3,
    counts: createZeroCounts(),
    detail,
  })
  if (Object.keys(change).length > 0)
    await app.app.db.update(taskTable).set(change).where(eq(taskTable.id, row.id))
  return row.id
}
async function readOutcome(id: string) {
  await waitUntil(
    async () => (await app.app.db.select().from(taskTable).where(eq(taskTable.id, id)))[0]!,
    ({ doneTime }) => doneTime !== null,
  )
  const rows = await app.app.db.select().from(controlLedger).where(eq(controlLedger.taskId, id))
  return Object.fromEntries(rows.map(({ deviceId, state }) => [deviceId, state]))
}

it('sends what was queued, once, and settles what had been sent by reports or as unknown', async () => {
  const id = await leaveTask()
  await engine.resume(id)
  expect(await readOutcome(id)).toEqual({
    [queuedLamp]: 'success',
    [reportedLamp]: 'success',
    [sentLamp]: 'unknown',
  })
  expect(received).toEqual(['pkLamp&queued'])
})

it('does not send the rest of a task that was cancelled in between', async () => {
  const id = await leaveTask({ status: 'cancelled' })
  await engine.resume(id)
  expect(await readOutcome(id)).toMatchObject({ [queuedLamp]: 'cancelled', [sentLamp]: 'unknown' })
  expect(received).toEqual([])
})

it('does not send commands that nobody worked on for half a minute', async () => {
  const id = await leaveTask({ updateTime: sql`now() - interval '1 minute'` as never })
  await engine.open()
  expect(await readOutcome(id)).toMatchObject({ [queuedLamp]: 'failed', [sentLamp]: 'unknown' })
  expect(received).toEqual([])
})
