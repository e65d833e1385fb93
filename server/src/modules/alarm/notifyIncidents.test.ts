import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { transaction, type Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import { alarmIncident } from '../../tables/alarm'
import { notificationEscalation, notificationOutbox } from '../../tables/notification'
import type { TestApp } from '../../testing'
import { createChannel, createPolicy, startNotificationApp } from '../notification/testing'
import { removeOldLogs } from '../retention/retention'
import { addIncidentEvents, openIncident, resolveIncidents } from './incidentWriter'
import { writeStateChanges } from './stateQueries'

let app: TestApp
const db = () => app.app.db
const admin = () => app.as('admin')
beforeAll(async () => {
  app = await startNotificationApp({ alarm: { isTimed: false } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await db().delete(alarmIncident)
  for (const table of ['outbox', 'escalation', 'policy', 'channel'])
    await db().execute(sql.raw(`delete from notification_${table}`))
})

/** Nothing listens here; the dispatcher stands still. */
const url = 'http://127.0.0.1:9/alarm'
async function openLampIncident(tx: Db) {
  const deviceId = uuidv7()
  const ruleId = uuidv7()
  const subjectKey = `device:${deviceId}`
  const condition = { projectId: 1, ruleId, subjectKey, deviceId, detail: '亮度 90%' }
  await writeStateChanges(tx, [{ ...condition, signal: 'met' }])
  const incidentId = await openIncident(
    tx,
    {
      projectId: 1,
      ruleId,
      ruleVersion: 1,
      ruleName: '太亮',
      subjectKey,
      deviceId,
      subjectName: '灯 1',
      title: '灯 1 亮度 90%（> 80%）',
      spaceId: null,
      severity: 'major',
      firstTime: now(),
    },
    [{ ruleId, subjectKey, deviceId, name: '灯 1', detail: '亮度 90%', since: now() }],
  )
  return incidentId!
}
const openInTransaction = () => transaction(db(), openLampIncident)
async function openWithEscalation() {
  const { id } = await createChannel(app, { url })
  const steps = [0, 5].map((afterMinutes) => ({ afterMinutes, channelIds: [id], roleIds: [] }))
  await createPolicy(app, [id], { steps })
  return openInTransaction()
}
const listOutbox = () =>
  db().select().from(notificationOutbox).orderBy(notificationOutbox.createTime)
const listOutboxEvents = async () => (await listOutbox()).map(({ event }) => event)
const countEscalations = () => db().$count(notificationEscalation)
const getIncident = (id: string) => admin().call(incidentApi.get, { id })

it('queues the opening of an incident with its page, and its recovery for the same channel', async () => {
  const channel = await createChannel(app, { url })
  await createPolicy(app, [channel.id])
  const id = await openInTransaction()
  const { events } = await getIncident(id)
  expect(events.map(({ kind }) => kind)).toEqual(['opened'])
  expect(await listOutbox()).toMatchObject([
    {
      event: 'opened',
      occasionId: events[0]!.id,
      subject: id,
      projectId: 1,
      severity: 'major',
      content: {
        title: '灯 1 亮度 90%（> 80%）',
        lines: ['规则：太亮'],
        path: `/system/alarm/incident/${id}`,
      },
    },
  ])
  await admin().call(incidentApi.resolve, { ids: [id], reason: '已换灯' })
  expect(await listOutboxEvents()).toEqual(['opened', 'resolved'])
  expect((await listOutbox())[1]!.content.lines).toEqual([
    '已换灯',
    '规则：太亮',
    '恢复人：平台管理员',
  ])
})

it('queues nothing if the transaction of the incident fails', async () => {
  const channel = await createChannel(app, { url })
  await createPolicy(app, [channel.id])
  const failing = transaction(db(), async (tx) => {
    await openLampIncident(tx)
    throw new Error('the condition was not stored')
  })
  await expect(failing).rejects.toThrow('the condition was not stored')
  expect(await listOutbox()).toEqual([])
})

it('ends the escalation when the incident is acknowledged, and only reminds afterwards', async () => {
  const id = await openWithEscalation()
  expect(await countEscalations()).toBe(1)
  await admin().call(incidentApi.acknowledge, { ids: [id] })
  expect(await countEscalations()).toBe(0)
  await transaction(db(), (tx) =>
    addIncidentEvents(tx, [
      {
        projectId: 1,
        incidentId: id,
        kind: 'raised',
        detail: { cause: 'severity', from: 'minor', to: 'major' },
      },
    ]),
  )
  expect(await listOutboxEvents()).toEqual(['opened', 'reminded'])
  expect(await countEscalations()).toBe(0)
})

it('ends the escalation when the incident is snoozed, and begins anew when a person ends the snooze', async () => {
  const id = await openWithEscalation()
  const { version } = await getIncident(id)
  const snoozedIncident = await admin().call(incidentApi.snooze, { id, version, minutes: 60 })
  expect(await countEscalations()).toBe(0)
  await admin().call(incidentApi.snooze, { id, version: snoozedIncident.version, minutes: 0 })
  expect(await listOutboxEvents()).toEqual(['opened', 'reopened'])
  expect(await countEscalations()).toBe(1)
})

it('tells the end of an incident that was open for longer than notifications are kept', async () => {
  const channel = await createChannel(app, { url })
  await createPolicy(app, [channel.id])
  const id = await openInTransaction()
  const passDays = async () => {
    await db().execute(
      sql`update notification_outbox set status = 'sent', create_time = create_time - interval '100 days'`,
    )
    await removeOldLogs(db())
  }
  await passDays()
  await admin().call(incidentApi.resolve, { ids: [id], reason: '已换灯' })
  expect(await listOutbox()).toMatchObject([
    { event: 'opened', channelId: channel.id },
    { event: 'resolved', channelId: channel.id },
  ])
  await passDays()
  expect(await listOutbox()).toEqual([])
})

it('ends the escalation when the incident resolves because its rule is removed', async () => {
  const id = await openWithEscalation()
  await transaction(db(), (tx) =>
    resolveIncidents(tx, [{ id, projectId: 1 }], { reason: '规则已删除' }),
  )
  expect(await countEscalations()).toBe(0)
  expect(await listOutboxEvents()).toEqual(['opened', 'resolved'])
})

it('says in the timeline which policies did not notify', async () => {
  const channel = await createChannel(app, { url, status: 'disabled' })
  const policy = await createPolicy(app, [channel.id])
  const { events } = await getIncident(await openInTransaction())
  expect(events).toMatchObject([
    {
      kind: 'noted',
      text: `没有通知任何人：${policy.name}（各步都没有可用的渠道或收件人）`,
    },
    { kind: 'opened' },
  ])
})
