import { minuteMs } from '@iot/shared/contract/duration'
import { notificationChannelApi } from '@iot/shared/contract/alarm/notificationChannel.api'
import { notificationDeliveryApi } from '@iot/shared/contract/alarm/notificationDelivery.api'
import { notificationPolicyApi } from '@iot/shared/contract/alarm/notificationPolicy.api'
import { roleApi } from '@iot/shared/contract/access/role.api'
import type { NotificationPolicyDraft } from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { transaction } from '../../core/db/db'
import type { AddressedNotification } from '../../device-access/broker/processMessageKinds'
import type { TestApp } from '../../testing'
import { notificationOutbox } from '../../tables/notification'
import { removeOldLogs } from '../retention/retention'
import { noRecipientReason } from './email'
import { enqueueNotifications, stopEscalation } from './enqueue'
import type { NotificationOccasion } from './occasion'
import { outboxQueries } from './outboxQueries'
import { startMailServer } from './mailServer.fixture'
import { startReceiver, type Receiver } from './receiver.fixture'
import {
  buildOccasion,
  createChannel,
  createPolicy,
  startNotificationApp,
  startProcess,
} from './testing'

let app: TestApp
let dispatcher: ReturnType<typeof startProcess>
const receivers: Receiver[] = []
beforeAll(async () => {
  app = await startNotificationApp()
  dispatcher = startProcess(app)
})
afterAll(async () => {
  await dispatcher.close()
  await app.close()
})
beforeEach(async () => {
  for (const table of ['outbox', 'delivery', 'escalation', 'policy', 'channel', 'target'])
    await app.app.db.execute(sql.raw(`delete from notification_${table}`))
})
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())))

const admin = () => app.as('admin')
async function openReceiver(...answer: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...answer)
  receivers.push(receiver)
  return receiver
}
const enqueue = (occasion: NotificationOccasion) =>
  transaction(app.app.db, (tx) => enqueueNotifications(tx, occasion))
const readStatuses = async () =>
  (await app.app.db.select().from(notificationOutbox))
    .map(({ event, status, attempts }) => `${event} ${status} ${attempts}`)
    .sort()
/** Lets the pauses of targets and rows end. */
const endPauses = async () => {
  await app.app.db.execute(
    sql`update notification_target set pause_until = null, claim_until = null`,
  )
  await app.app.db.execute(
    sql`update notification_outbox set next_time = now() where status = 'pending'`,
  )
  await app.app.db.execute(
    sql`update notification_delivery set time = time - interval '61 seconds'`,
  )
}
const readEvents = ({ requests }: Receiver) =>
  requests.flatMap(({ body }) =>
    (JSON.parse(body) as { notifications: { event: string }[] }).notifications.map(
      ({ event }) => event,
    ),
  )

it('notifies once, even if the occasion is given twice, and tells the end to the same channel', async () => {
  const receiver = await openReceiver()
  const { id } = await createChannel(app, { url: receiver.url })
  await createPolicy(app, [id])
  const occasion = buildOccasion()
  expect(await enqueue(occasion)).toEqual({ queuedCount: 1, skipped: [] })
  expect(await enqueue(occasion)).toMatchObject({ queuedCount: 0 })
  await enqueue({ ...occasion, occasionId: uuidv7(), kind: 'resolved' })
  await dispatcher.flush()
  expect(readEvents(receiver)).toEqual(['opened', 'resolved'])
  const again = buildOccasion({ subject: occasion.subject, kind: 'reopened' })
  await enqueue(again)
  await dispatcher.flush()
  expect(readEvents(receiver)).toEqual(['opened', 'resolved', 'reopened'])
})

it('tells each problem without its end, if the policy does not want that', async () => {
  const receiver = await openReceiver()
  const { id } = await createChannel(app, { url: receiver.url })
  await createPolicy(app, [id], { notifiesResolved: false })
  for (let episode = 0; episode < 2; episode++) {
    const occasion = buildOccasion()
    await enqueue(occasion)
    await enqueue({ ...occasion, occasionId: uuidv7(), kind: 'resolved' })
    await dispatcher.flush()
  }
  expect(readEvents(receiver)).toEqual(['opened', 'opened'])
})

it('rolls back with the transaction of the occasion', async () => {
  const receiver = await openReceiver()
  const { id } = await createChannel(app, { url: receiver.url })
  await createPolicy(app, [id])
  const failing = transaction(app.app.db, async (tx) => {
    await enqueueNotifications(tx, buildOccasion())
    throw new Error('the incident was not stored')
  })
  await expect(failing).rejects.toThrow('the incident was not stored')
  await dispatcher.flush()
  expect(receiver.requests).toEqual([])
})

it('sends 100 notifications of two processes exactly once', async () => {
  const receiver = await openReceiver()
  const { id } = await createChannel(app, { url: receiver.url, perMinute: 60 })
  await createPolicy(app, [id])
  for (let n = 0; n < 100; n++) await enqueue(buildOccasion({ title: `灯 ${n}` }))
  const other = startProcess(app)
  await Promise.all([dispatcher.flush(), other.flush()])
  await other.close()
  const titles = receiver.requests.flatMap(({ body }) =>
    (JSON.parse(body) as { notifications: { title: string }[] }).notifications.map(
      ({ title }) => title,
    ),
  )
  expect(new Set(titles).size).toBe(100)
  expect(titles).toHaveLength(100)
  expect(new Set(await readStatuses())).toEqual(new Set(['opened sent 1']))
})

it('makes a storm into one summary of a minute and loses nothing', async () => {
  const receiver = await openReceiver()
  const { id } = await createChannel(app, { url: receiver.url, perMinute: 3 })
  await createPolicy(app, [id])
  for (let n = 0; n < 2; n++) await enqueue(buildOccasion())
  await dispatcher.flush()
  expect(receiver.requests).toHaveLength(2)
  for (let n = 0; n < 50; n++)
    await enqueue(buildOccasion({ severity: n === 40 ? 'critical' : 'minor' }))
  await dispatcher.flush()
  for (let n = 0; n < 20; n++) await enqueue(buildOccasion())
  await dispatcher.flush()
  expect(receiver.requests).toHaveLength(3)
  expect(JSON.parse(receiver.requests[2]!.body)).toMatchObject({
    type: 'summary',
    count: 50,
    omitted: 0,
    title: '【汇总】50 条通知：紧急 1，一般 49',
  })
  await endPauses()
  await dispatcher.flush()
  expect(receiver.requests).toHaveLength(4)
  expect(readEvents(receiver)).toHaveLength(72)
})

it('sends again with the same id after the process was killed before it noted the answer', async () => {
  const receiver = await openReceiver()
  const { id, ...channel } = await createChannel(app, { url: receiver.url, perMinute: 3 })
  await createPolicy(app, [id])
  for (let n = 0; n < 5; n++) await enqueue(buildOccasion())
  // A process that ends between sending and settling leaves a claim and a message whose attempt has begun.
  const { db } = app.app
  const [targetKey] = await outboxQueries(db).claimTargets(uuidv7())
  const firstRow = (await outboxQueries(db).findNextRow([id]))!
  const rows = await outboxQueries(db).listSummaryRows(firstRow, { kind: 'webhook' })
  const messageId = uuidv7()
  await outboxQueries(db).beginAttempt(
    rows.map((row) => row.id),
    messageId,
  )
  expect(channel.perMinute).toBe(3)
  await dispatcher.flush()
  expect(receiver.requests).toEqual([])
  await db.execute(
    sql`update notification_target set claim_until = now() - interval '1 second' where key = ${targetKey}`,
  )
  await enqueue(buildOccasion({ title: 'later' }))
  await dispatcher.flush()
  expect(receiver.requests[0]!.headers['webhook-id']).toBe(messageId)
  expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({ count: 5 })
  expect(receiver.requests).toHaveLength(2)
})

it('a process whose claim was taken over settles nothing', async () => {
  const receiver = await openReceiver()
  const { id } = await createChannel(app, { url: receiver.url })
  await createPolicy(app, [id])
  await enqueue(buildOccasion())
  receiver.state.answer = async () => {
    await app.app.db.execute(sql`update notification_target set claim_token = ${uuidv7()}`)
    return {}
  }
  await dispatcher.flush()
  receiver.state.answer = () => ({})
  expect(await readStatuses()).toEqual(['opened pending 1'])
  await endPauses()
  await dispatcher.flush()
  expect(await readStatuses()).toEqual(['opened sent 2'])
  const [first, second] = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(second).toBe(first)
})

it('retries with one id and a new signature, and never tells an end before its problem', async () => {
  const receiver = await openReceiver(() => ({ status: 500 }))
  const { id } = await createChannel(app, { url: receiver.url })
  await createPolicy(app, [id])
  const occasion = buildOccasion()
  await enqueue(occasion)
  await dispatcher.flush()
  await enqueue({ ...occasion, occasionId: uuidv7(), kind: 'resolved' })
  await dispatcher.flush()
  expect(receiver.requests).toHaveLength(1)
  receiver.state.answer = () => ({})
  await endPauses()
  await dispatcher.flush()
  expect(readEvents(receiver)).toEqual(['opened', 'opened', 'resolved'])
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
  const { list } = await admin().call(notificationChannelApi.page, {})
  expect(list).toMatchObject([{ pendingCount: 0, brokenReason: '' }])
  expect(list[0]!.lastSuccessTime! >= list[0]!.lastFailureTime!).toBe(true)
})

it('delivers to one receiver while another hangs', async () => {
  const [hanging, working] = [await openReceiver(() => 'hang'), await openReceiver()]
  const first = await createChannel(app, { url: hanging.url })
  const second = await createChannel(app, { url: working.url })
  await createPolicy(app, [first.id, second.id])
  await enqueue(buildOccasion())
  const patient = startProcess(app, 500)
  await patient.flush()
  await patient.close()
  expect(working.requests).toHaveLength(1)
  expect(await readStatuses()).toEqual(['opened pending 1', 'opened sent 1'])
  const { rows } = await app.app.db.execute(
    sql`select answer from notification_delivery where not is_success`,
  )
  expect(rows).toEqual([{ answer: '对方没有及时应答' }])
})

it('gives up after a day and says so', async () => {
  const receiver = await openReceiver()
  const { id } = await createChannel(app, { url: receiver.url })
  await createPolicy(app, [id])
  await enqueue(buildOccasion())
  await app.app.db.execute(
    sql`update notification_outbox set expire_time = now() - interval '6 days'`,
  )
  await dispatcher.flush()
  expect(receiver.requests).toEqual([])
  expect(await readStatuses()).toEqual(['opened expired 0'])
  const { rows } = await app.app.db.execute(
    sql`select kind, count, answer from notification_delivery`,
  )
  expect(rows).toEqual([{ kind: 'expired', count: 1, answer: '24 小时内没有送达，不再发送' }])
  expect((await admin().call(notificationChannelApi.page, {})).list[0]!.expiredCount).toBe(1)
})

it('tells through another channel that one refuses its messages, and that it works again', async () => {
  const [refusing, working] = [await openReceiver(() => ({ status: 404 })), await openReceiver()]
  const brokenChannel = await createChannel(app, { url: refusing.url })
  const other = await createChannel(app, { url: working.url })
  await createPolicy(app, [brokenChannel.id], { severities: ['critical'] })
  await createPolicy(app, [brokenChannel.id, other.id], { severities: ['major'] })
  await enqueue(buildOccasion({ severity: 'critical' }))
  await dispatcher.flush()
  await dispatcher.flush()
  await enqueue(buildOccasion({ severity: 'critical' }))
  await dispatcher.flush()
  expect(working.requests.map(({ body }) => (JSON.parse(body) as { title: string }).title)).toEqual(
    [`【重要】告警：通知渠道“${brokenChannel.name}”不可用`],
  )
  const { list } = await admin().call(notificationChannelApi.page, { name: brokenChannel.name })
  expect(list[0]!.brokenReason).not.toBe('')
  refusing.state.answer = () => ({})
  await enqueue(buildOccasion({ severity: 'critical' }))
  await dispatcher.flush()
  await dispatcher.flush()
  expect(readEvents(working)).toEqual(['opened', 'resolved'])
})

it('tells that a channel works again that was broken for longer than notifications are kept', async () => {
  const [refusing, working] = [await openReceiver(() => ({ status: 404 })), await openReceiver()]
  const refusingChannel = await createChannel(app, { url: refusing.url })
  const other = await createChannel(app, { url: working.url })
  await createPolicy(app, [refusingChannel.id], { severities: ['critical'] })
  await createPolicy(app, [other.id], { severities: ['major'] })
  const sendCritical = async () => {
    await enqueue(buildOccasion({ severity: 'critical' }))
    await dispatcher.flush()
    await dispatcher.flush()
  }
  await sendCritical()
  await app.app.db.execute(
    sql`update notification_outbox set create_time = create_time - interval '100 days'`,
  )
  await removeOldLogs(app.app.db)
  refusing.state.answer = () => ({})
  await sendCritical()
  expect(readEvents(working)).toEqual(['opened', 'resolved'])
})

it('tells that a channel works again after it was changed, and ends its escalation', async () => {
  const [refusing, working] = [await openReceiver(() => ({ status: 404 })), await openReceiver()]
  const { createBy, createTime, updateBy, updateTime, ...brokenChannel } = await createChannel(
    app,
    { url: refusing.url },
  )
  const other = await createChannel(app, { url: working.url })
  await createPolicy(app, [brokenChannel.id], { severities: ['critical'] })
  const step = { channelIds: [other.id], roleIds: [] }
  await createPolicy(app, [other.id], {
    severities: ['major'],
    steps: [
      { ...step, afterMinutes: 0 },
      { ...step, afterMinutes: 10 },
    ],
  })
  await enqueue(buildOccasion({ severity: 'critical' }))
  await dispatcher.flush()
  await dispatcher.flush()
  const { urlHint, hasSecret, hasPassword, brokenReason, lastSuccessTime, ...row } = brokenChannel
  const { lastFailureTime, lastError, pendingCount, nextTime, expiredCount, ...fields } = row
  await admin().call(notificationChannelApi.update, {
    ...fields,
    version: fields.version,
    url: '',
    secret: '',
    smtpPassword: '',
  })
  await app.app.db.execute(sql`update notification_escalation set due_time = now()`)
  await dispatcher.flush()
  expect(readEvents(working)).toEqual(['opened'])
  refusing.state.answer = () => ({})
  await enqueue(buildOccasion({ severity: 'critical' }))
  await dispatcher.flush()
  await dispatcher.flush()
  expect(readEvents(working)).toEqual(['opened', 'resolved'])
})

it('sends a mail again to those recipients only whom the server refuses for a while', async () => {
  const busyAddresses = new Set(['late@site.example'])
  const server = await startMailServer({
    disabledCommands: ['STARTTLS'],
    getRefusal: (address) => (busyAddresses.has(address) ? '451 try again later' : undefined),
  })
  const { id } = await createChannel(app, {
    kind: 'email',
    url: '',
    secret: '',
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    sender: 'platform@site.example',
    recipients: ['duty@site.example', 'late@site.example'],
  })
  await createPolicy(app, [id])
  await enqueue(buildOccasion())
  await dispatcher.flush()
  busyAddresses.clear()
  await endPauses()
  await dispatcher.flush()
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([
    ['duty@site.example'],
    ['late@site.example'],
  ])
  expect(await readStatuses()).toEqual(['opened sent 2'])
  await server.close()
})

const createMailChannel = (smtpPort: number) =>
  createChannel(app, {
    kind: 'email',
    url: '',
    secret: '',
    smtpHost: '127.0.0.1',
    smtpPort,
    smtpSecurity: 'none',
    sender: 'platform@site.example',
    recipients: ['duty@site.example'],
  })
it('sends a mail whose names contain line breaks without further headers and recipients', async () => {
  const server = await startMailServer({ disabledCommands: ['STARTTLS'] })
  const { id } = await createMailChannel(server.port)
  await createPolicy(app, [id])
  const name = 'A\r\nBcc: x@y.example\u2028\r\n\r\nRCPT TO:<z@y.example>'
  await enqueue(buildOccasion({ title: name, lines: [name] }))
  await dispatcher.flush()
  const [mail] = server.mails
  const header = mail!.source.slice(0, mail!.source.indexOf('\r\n\r\n'))
  expect(mail!.recipients).toEqual(['duty@site.example'])
  expect(header.match(/^(Subject|Bcc|RCPT)\b/gim)).toEqual(['Subject'])
  for (const line of header.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
  await server.close()
})
type MailRefusals = Parameters<typeof startMailServer>[0]
async function sendRefusedMail(refusals: MailRefusals, titles = ['灯 1']) {
  const server = await startMailServer({ disabledCommands: ['STARTTLS'], ...refusals })
  const { id } = await createMailChannel(server.port)
  await createPolicy(app, [id])
  for (const title of titles) {
    await enqueue(buildOccasion({ title }))
    await dispatcher.flush()
  }
  await server.close()
  const { list } = await admin().call(notificationChannelApi.page, {})
  return { server, channel: list[0]! }
}
it.each<[string, MailRefusals]>([
  ['a text', { getTextRefusal: () => '554 5.7.1 message looks like spam' }],
  ['a mail as too large', { getTextRefusal: () => '552 5.3.4 message too big' }],
  ['all recipients', { getRefusal: () => '550 5.1.1 no such user' }],
  ['the recipient of a failed transaction', { getRefusal: () => '554 5.7.1 refused' }],
])('gives up a message and no channel when a mail server refuses %s', async (_, refusals) => {
  const { channel } = await sendRefusedMail(refusals)
  expect(await readStatuses()).toEqual(['opened failed 1'])
  expect(channel).toMatchObject({ brokenReason: '', lastFailureTime: expect.any(String) })
  expect(channel.lastError).toMatch(/5\.\d\.\d/)
})
it.each<[string, MailRefusals]>([
  ['the sender', { getSenderRefusal: () => '550 5.7.1 sender not allowed' }],
  ['without a login', { getRefusal: () => '530 5.7.0 authentication required' }],
  ['without a login at the sender', { getSenderRefusal: () => '530 5.7.0 log in first' }],
])('marks the channel when a mail server refuses %s', async (_, refusals) => {
  const { channel } = await sendRefusedMail(refusals)
  expect(await readStatuses()).toEqual(['opened failed 1'])
  expect(channel.brokenReason).toMatch(/5\.7\.\d/)
})
it('marks the channel when two messages in a row are refused', async () => {
  const { channel } = await sendRefusedMail({ getTextRefusal: () => '554 5.7.1 blocked' }, [
    '灯 1',
    '灯 2',
  ])
  expect(channel.brokenReason).toMatch(/blocked/)
})
it('does not mark the channel when a message between two refused ones is sent', async () => {
  let mailCount = 0
  const { server, channel } = await sendRefusedMail(
    { getTextRefusal: () => (++mailCount === 2 ? undefined : '554 5.7.1 blocked') },
    ['灯 1', '灯 2', '灯 3'],
  )
  expect(server.mails).toHaveLength(1)
  expect(channel.brokenReason).toBe('')
})

it('makes no summary of a mail for people who do not see the same projects', async () => {
  const server = await startMailServer({ disabledCommands: ['STARTTLS'] })
  const roles = await admin().call(roleApi.list, {})
  const roleId = roles.find(({ code }) => code === 'project-admin')!.id
  for (const projectId of [1, 2]) {
    await app.join(`mail-${projectId}`, 'project-admin', [projectId])
    await app.app.db.execute(
      sql`update user_account set email = ${`p${projectId}@site.example`} where username_key = ${`mail-${projectId}`}`,
    )
  }
  const { id } = await createChannel(app, {
    kind: 'email',
    url: '',
    secret: '',
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    sender: 'platform@site.example',
    perMinute: 2,
  })
  await createPolicy(app, [], { steps: [{ afterMinutes: 0, channelIds: [id], roleIds: [roleId] }] })
  for (const projectId of [1, 2, 1, 2]) await enqueue(buildOccasion({ projectId }))
  await dispatcher.flush()
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([
    ['p1@site.example'],
    ['p2@site.example'],
  ])
  expect(new Set(await readStatuses())).toEqual(new Set(['opened sent 1']))
  await app.app.db.execute(sql`update user_account set email = '' where email <> ''`)
  await server.close()
})

it('repeats a message that is too long in its short form, once', async () => {
  const receiver = await openReceiver(() => ({ body: '{"errcode":40058}' }))
  const { id } = await createChannel(app, { kind: 'wecom', url: receiver.url, perMinute: 18 })
  await createPolicy(app, [id])
  await enqueue(buildOccasion({ lines: ['x'.repeat(3000)] }))
  await dispatcher.flush()
  expect(receiver.requests).toHaveLength(2)
  expect(Buffer.byteLength(receiver.requests[1]!.body)).toBeLessThan(600)
  expect(await readStatuses()).toEqual(['opened failed 2'])
  const { list } = await admin().call(notificationChannelApi.page, {})
  expect(list).toMatchObject([{ brokenReason: '' }])
})

it('shows until when a limited robot is left alone', async () => {
  const receiver = await openReceiver(() => ({ body: '{"errcode":130101}' }))
  const { id } = await createChannel(app, { kind: 'dingtalk', url: receiver.url, perMinute: 18 })
  await createPolicy(app, [id])
  await enqueue(buildOccasion())
  await dispatcher.flush()
  await enqueue(buildOccasion())
  const { list } = await admin().call(notificationChannelApi.page, {})
  expect(Date.parse(list[0]!.nextTime!)).toBeGreaterThan(Date.now() + 9 * minuteMs)
})

describe('escalation', () => {
  const dueNow = () => app.app.db.execute(sql`update notification_escalation set due_time = now()`)
  async function prepare() {
    const receiver = await openReceiver()
    const { id } = await createChannel(app, { url: receiver.url })
    const disabled = await createChannel(app, { url: `${receiver.url}/2`, status: 'disabled' })
    const step = { channelIds: [id], roleIds: [] }
    await createPolicy(app, [id], {
      steps: [
        { ...step, afterMinutes: 0 },
        { ...step, afterMinutes: 10, channelIds: [disabled.id] },
        { ...step, afterMinutes: 30 },
      ],
    })
    return receiver
  }

  it('notifies by the next step that reaches somebody', async () => {
    const receiver = await prepare()
    await enqueue(buildOccasion())
    await dispatcher.flush()
    expect(readEvents(receiver)).toEqual(['opened'])
    await dueNow()
    await dispatcher.flush()
    expect(readEvents(receiver)).toEqual(['opened', 'escalated'])
    await dueNow()
    await dispatcher.flush()
    expect(receiver.requests).toHaveLength(2)
  })

  it.each(['acknowledged', 'resolved'] as const)('ends when it is %s', async (kind) => {
    const receiver = await prepare()
    const occasion = buildOccasion()
    await enqueue(occasion)
    await enqueue({ ...occasion, occasionId: uuidv7(), kind })
    await dueNow()
    await dispatcher.flush()
    expect(readEvents(receiver)).toEqual(kind === 'resolved' ? ['opened', 'resolved'] : ['opened'])
  })

  it('of two policies sends each in its time, and once where they fall together', async () => {
    const receiver = await openReceiver()
    const { id } = await createChannel(app, { url: receiver.url })
    const step = { channelIds: [id], roleIds: [] }
    const createSteps = (...minutes: number[]) =>
      createPolicy(app, [id], {
        steps: minutes.map((afterMinutes) => ({ ...step, afterMinutes })),
      })
    await createSteps(0, 10)
    await createSteps(0, 60)
    await createSteps(0, 60)
    await enqueue(buildOccasion())
    for (let round = 0; round < 2; round++) {
      await app.app.db.execute(
        sql`update notification_escalation set due_time = due_time - interval '40 minutes', opened_time = opened_time - interval '40 minutes'`,
      )
      await dispatcher.flush()
    }
    expect(readEvents(receiver)).toEqual(['opened', 'escalated', 'escalated'])
  })

  it('goes on when the calendar of its policy changes, because the hours apply to the opening alone', async () => {
    const receiver = await prepare()
    const occasion = buildOccasion()
    await enqueue(occasion)
    const today = occasion.time.slice(0, 10)
    await app.app.db.execute(
      sql`update notification_policy set day_mode = 'workday', from_clock = '00:00', to_clock = '00:01'`,
    )
    await app.app.db.execute(sql`delete from calendar_day where date = ${today}`)
    await dispatcher.flush()
    await dueNow()
    await dispatcher.flush()
    expect(readEvents(receiver)).toEqual(['opened', 'escalated'])
  })

  it('from a database of last week sends nothing', async () => {
    const receiver = await prepare()
    await enqueue(buildOccasion())
    await app.app.db.execute(
      sql`update notification_outbox set expire_time = now() - interval '6 days'`,
    )
    await app.app.db.execute(
      sql`update notification_escalation set due_time = now() - interval '6 days'`,
    )
    await dispatcher.flush()
    expect(receiver.requests).toEqual([])
    const { rows } = await app.app.db.execute(sql`select * from notification_escalation`)
    expect(rows).toEqual([])
  })

  it('is cancelled together with its step that has not been sent', async () => {
    await prepare()
    const occasion = buildOccasion()
    await enqueue(occasion)
    await enqueue({ ...occasion, occasionId: uuidv7(), kind: 'reminded' })
    await transaction(app.app.db, (tx) => stopEscalation(tx, occasion.subject, '规则已停用'))
    expect(await readStatuses()).toEqual(['opened pending 0', 'reminded cancelled 0'])
  })
})

describe('a browser channel', () => {
  const createBrowserChannel = (change = {}) =>
    createChannel(app, { kind: 'browser', secret: '', ...change })
  /** Plays the pages of the console, of which this many are open. */
  function openPages(pageCount: number) {
    const notify = jest.fn(() => Promise.resolve(pageCount))
    app.app.pageNotifications.serve(notify)
    return () =>
      notify.mock.calls.flatMap((args) => (args as unknown as [AddressedNotification[]])[0])
  }
  const readAnswers = async () => {
    const { rows } = await app.app.db.execute<{ answer: string }>(
      sql`select answer from notification_delivery order by time`,
    )
    return rows.map(({ answer }) => answer)
  }

  it('gives up soon if nobody is online, needs no repair, and lets the next step follow at once', async () => {
    const readPages = openPages(0)
    const receiver = await openReceiver()
    const browser = await createBrowserChannel()
    const webhook = await createChannel(app, { url: receiver.url })
    await createPolicy(app, [browser.id], {
      steps: [
        { afterMinutes: 0, channelIds: [browser.id], roleIds: [] },
        { afterMinutes: 30, channelIds: [webhook.id], roleIds: [] },
      ],
    })
    await enqueue(buildOccasion())
    for (let n = 0; n < 3; n++) {
      await dispatcher.flush()
      expect(receiver.requests).toEqual([])
      await endPauses()
    }
    await dispatcher.flush()
    expect(readPages()).toHaveLength(3)
    expect(await readStatuses()).toEqual(['escalated sent 1', 'opened failed 3'])
    expect(receiver.requests[0]!.body).toContain('前一步没有通知到人')
    expect((await readAnswers()).slice(0, 3)).toEqual(Array(3).fill('没有人在线'))
    const { list } = await admin().call(notificationChannelApi.page, { kind: 'browser' })
    expect(list).toMatchObject([{ brokenReason: '', lastError: '没有人在线' }])
  })

  it('is for the chosen roles of the project, with the page of the incident', async () => {
    const readPages = openPages(2)
    const { id } = await createBrowserChannel()
    const roleId = (await admin().call(roleApi.list, {}))[0]!.id
    await createPolicy(app, [id], {
      steps: [{ afterMinutes: 0, channelIds: [id], roleIds: [roleId] }],
    })
    const occasion = buildOccasion({ projectId: 1, path: '/system/alarm/incident/1' })
    await enqueue(occasion)
    await dispatcher.flush()
    expect(readPages()).toMatchObject([
      {
        projectId: 1,
        roleIds: [roleId],
        notification: {
          key: `${occasion.occasionId} 0`,
          subject: occasion.subject,
          isOver: false,
          title: '【重要】告警：会议室温度过高',
          path: '/system/alarm/incident/1',
        },
      },
    ])
    expect(await readAnswers()).toEqual(['已发到 2 个打开的页面'])
  })

  it('of two policies is for everybody if one of them names no roles', async () => {
    const readPages = openPages(1)
    const { id } = await createBrowserChannel()
    const roleId = (await admin().call(roleApi.list, {}))[0]!.id
    for (const roleIds of [[roleId], [], [roleId]])
      await createPolicy(app, [id], { steps: [{ afterMinutes: 0, channelIds: [id], roleIds }] })
    await enqueue(buildOccasion())
    await dispatcher.flush()
    expect(readPages()).toMatchObject([{ roleIds: [] }])
  })

  it('shows a test to the one who pressed it only', async () => {
    const readPages = openPages(1)
    const { id } = await createBrowserChannel()
    expect(await admin().call(notificationChannelApi.test, { id })).toMatchObject({
      isSuccess: true,
      answer: '已发到 1 个打开的页面',
      hint: '',
    })
    expect(readPages()).toMatchObject([{ userId: expect.any(String) as unknown }])
  })
})

it('lets the next step follow at once if every channel of a step refuses for good', async () => {
  const [refusing, working] = [await openReceiver(() => ({ status: 404 })), await openReceiver()]
  const first = await createChannel(app, { url: refusing.url })
  const second = await createChannel(app, { url: working.url })
  const step = { roleIds: [] }
  await createPolicy(app, [first.id], {
    severities: ['critical'],
    steps: [
      { ...step, afterMinutes: 0, channelIds: [first.id] },
      { ...step, afterMinutes: 30, channelIds: [second.id] },
    ],
  })
  await enqueue(buildOccasion({ severity: 'critical' }))
  await dispatcher.flush()
  await dispatcher.flush()
  expect(readEvents(working)).toEqual(['escalated'])
})

const listDeliveries = async (channelId: string) =>
  (await admin().call(notificationDeliveryApi.page, { channelId })).list

it('refuses for good a receiver that redirects, and a name that leads to a private address', async () => {
  const receiver = await openReceiver(() => ({ status: 302, headers: { location: '/elsewhere' } }))
  const redirecting = await createChannel(app, { url: receiver.url })
  const localhostChannel = await createChannel(app, {
    url: receiver.url.replace('127.0.0.1', 'localhost'),
  })
  await createPolicy(app, [redirecting.id])
  await enqueue(buildOccasion())
  await dispatcher.flush()
  expect(receiver.requests).toHaveLength(1)
  expect(await listDeliveries(redirecting.id)).toMatchObject([
    { isSuccess: false, statusCode: 302, answer: expect.stringContaining('不跟随跳转') },
  ])
  await app.app.db.execute(sql`delete from notification_policy`)
  await createPolicy(app, [localhostChannel.id])
  await enqueue(buildOccasion())
  const strictProcess = startProcess(app, undefined, '')
  await strictProcess.flush()
  await strictProcess.close()
  expect(receiver.requests).toHaveLength(1)
  expect((await listDeliveries(localhostChannel.id))[0]).toMatchObject({
    isSuccess: false,
    answer: expect.stringMatching(/^localhost（.*）不是公网地址/),
  })
})

it('cancels what waits for a channel that is deleted, and says so in its log', async () => {
  const receiver = await openReceiver()
  const channel = await createChannel(app, { url: receiver.url })
  const policy = await createPolicy(app, [channel.id])
  await enqueue(buildOccasion())
  await admin().call(notificationPolicyApi.remove, { id: policy.id })
  await admin().call(notificationChannelApi.remove, { id: channel.id })
  await endPauses()
  await dispatcher.flush()
  expect(receiver.requests).toEqual([])
  expect(await readStatuses()).toEqual(['opened cancelled 0'])
  expect(await listDeliveries(channel.id)).toMatchObject([
    { kind: 'cancelled', title: '会议室温度过高', count: 1, answer: '通知渠道已删除' },
  ])
})

describe('the end', () => {
  it.each([
    ['of two policies is told if one of them wants it', [false, true], []],
    ['is told after the policy was removed', [true], [0]],
  ])('%s', async (_, wishes, removedPositions) => {
    const receiver = await openReceiver()
    const { id } = await createChannel(app, { url: receiver.url })
    const policies: { id: string }[] = []
    for (const notifiesResolved of wishes)
      policies.push(await createPolicy(app, [id], { notifiesResolved }))
    const occasion = buildOccasion()
    await enqueue(occasion)
    await dispatcher.flush()
    for (const position of removedPositions)
      await admin().call(notificationPolicyApi.remove, { id: policies[position]!.id })
    await enqueue({ ...occasion, occasionId: uuidv7(), kind: 'resolved' })
    await dispatcher.flush()
    expect(readEvents(receiver)).toEqual(['opened', 'resolved'])
  })
})

describe('policies', () => {
  it('name why they did not notify, and the fallback takes over', async () => {
    const [usual, fallback] = [await openReceiver(), await openReceiver()]
    const channel = await createChannel(app, { url: usual.url })
    const lastChannel = await createChannel(app, { url: fallback.url })
    const night = { fromClock: '22:00', toClock: '06:00' }
    const policy = await createPolicy(app, [channel.id], night)
    await createPolicy(app, [lastChannel.id], { isFallback: true })
    const noon = '2026-11-26T04:00:00.000Z'
    expect(await enqueue(buildOccasion({ time: noon }))).toEqual({
      queuedCount: 1,
      skipped: [
        {
          policyId: policy.id,
          policyName: policy.name,
          reason: '不在生效时间（每天 22:00–次日 06:00）',
        },
      ],
    })
    await enqueue(buildOccasion({ time: '2026-11-26T18:00:00.000Z' }))
    await dispatcher.flush()
    expect([usual.requests.length, fallback.requests.length]).toEqual([1, 1])
  })

  it('of a project or a severity leave others alone', async () => {
    const receiver = await openReceiver()
    const { id } = await createChannel(app, { url: receiver.url })
    await createPolicy(app, [id], { projectIds: [1], severities: ['critical'] })
    for (const change of [{ projectId: 2 }, { projectId: null }, { severity: 'info' as const }])
      expect(
        await enqueue(buildOccasion({ projectId: 1, severity: 'critical', ...change })),
      ).toEqual({ queuedCount: 0, skipped: [] })
    expect(await enqueue(buildOccasion({ projectId: 1, severity: 'critical' }))).toMatchObject({
      queuedCount: 1,
    })
  })

  it('say which steps tell nobody, in the list and in the log of their channel', async () => {
    const roles = await admin().call(roleApi.list, {})
    const role = roles.find(({ code }) => code === 'project-admin')!
    const mail = await createChannel(app, {
      kind: 'email',
      url: '',
      secret: '',
      smtpHost: 'smtp.example.com',
      smtpPort: 465,
      sender: 'alarm@example.com',
    })
    const disabled = await createChannel(app, { url: 'http://127.0.0.1:9/', status: 'disabled' })
    const policy = await createPolicy(app, [], {
      steps: [
        { afterMinutes: 0, channelIds: [mail.id], roleIds: [role.id] },
        { afterMinutes: 5, channelIds: [disabled.id], roleIds: [] },
      ],
    })
    expect(policy.warnings).toEqual([
      `第 1 步：“${mail.name}”没有收件人：没有填写收件邮箱，所选角色也没有能登录、有邮箱的用户`,
      `第 2 步：“${disabled.name}”已禁用`,
    ])
    await enqueue(buildOccasion())
    expect(await listDeliveries(mail.id)).toMatchObject([
      { kind: 'skipped', title: '会议室温度过高', isSuccess: false, answer: noRecipientReason },
    ])
    await app.join('policy-colleague', 'project-admin')
    const setUser = (change: ReturnType<typeof sql>) =>
      app.app.db.execute(
        sql`update user_account set ${change} where username_key = 'policy-colleague'`,
      )
    const countWarnings = async () =>
      (await admin().call(notificationPolicyApi.page, {})).list[0]!.warnings.length
    await setUser(sql`email = 'colleague@example.com'`)
    expect(await countWarnings()).toBe(1)
    await setUser(sql`expire_time = now() - interval '1 day'`)
    expect(await countWarnings()).toBe(2)
  })

  it('follow the holidays of the calendar', async () => {
    const receiver = await openReceiver()
    const { id } = await createChannel(app, { url: receiver.url })
    await createPolicy(app, [id], { dayMode: 'workday' })
    // 2026-10-01 is a holiday on a Thursday.
    expect(await enqueue(buildOccasion({ time: '2026-10-01T04:00:00.000Z' }))).toMatchObject({
      queuedCount: 0,
      skipped: [{ reason: '2026-10-01 不是工作日' }],
    })
    expect(await enqueue(buildOccasion({ time: '2026-11-26T04:00:00.000Z' }))).toMatchObject({
      queuedCount: 1,
    })
  })

  it('refuse steps and hours that cannot apply, and keep a channel that they use', async () => {
    const receiver = await openReceiver()
    const { id } = await createChannel(app, { url: receiver.url })
    const step = { channelIds: [id], roleIds: [] }
    const getFields = (change: Partial<NotificationPolicyDraft>) =>
      createPolicy(app, [id], change).catch(({ data }: { data: { fields: object } }) => data.fields)
    expect(await getFields({ steps: [{ ...step, afterMinutes: 5 }] })).toEqual({
      steps: '第一步须为 0 分钟（立即通知）',
    })
    expect(await getFields({ fromClock: '08:00', toClock: '08:00' })).toEqual({
      toClock: '结束时间不能等于开始时间',
    })
    expect(
      await getFields({ steps: [{ ...step, afterMinutes: 0, channelIds: [uuidv7()] }] }),
    ).toEqual({
      steps: '所选的通知渠道已被删除，请重新选择',
    })
    await createPolicy(app, [id])
    await expect(admin().call(notificationChannelApi.remove, { id })).rejects.toMatchObject({
      code: 1003,
    })
  })
})
