import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { startTestPostgres } from '../src/core/db/postgres/testing'
import { transaction } from '../src/core/db/db'
import { waitUntil } from '../src/core/until'
import { enqueueNotifications } from '../src/modules/notification/enqueue'
import { startReceiver, type Receiver } from '../src/modules/notification/receiver.fixture'
import {
  buildOccasion,
  createChannel,
  createPolicy,
  startNotificationApp,
  startProcess,
} from '../src/modules/notification/testing'
import { notificationOutbox } from '../src/tables/notification'
import type { TestApp } from '../src/testing'

const occasionCount = 40
const receiverCount = 3
const outageMs = 8000
/** A receiver answers after this time, so that messages are on their way when the database stops. */
const answerMs = 100

let postgres: Awaited<ReturnType<typeof startTestPostgres>>
let app: TestApp
const receivers: Receiver[] = []
beforeAll(async () => {
  postgres = await startTestPostgres()
  app = await startNotificationApp({ database: { kind: 'server', url: postgres.url } })
  for (let n = 0; n < receiverCount; n++)
    receivers.push(await startReceiver(() => wait(answerMs, {})))
})
afterAll(async () => {
  await app?.close()
  for (const receiver of receivers) await receiver.close()
  await postgres?.close()
})

const readMessages = ({ requests }: Receiver) =>
  requests.map(({ body, headers }) => {
    const { id, notifications } = JSON.parse(body) as {
      id: string
      notifications: { subject: string }[]
    }
    expect(headers['webhook-id']).toBe(id)
    return { id, subjects: notifications.map(({ subject }) => subject) }
  })

it('loses no notification while the database is away, and repeats only with the same id', async () => {
  const channels = await Promise.all(receivers.map(({ url }) => createChannel(app, { url })))
  await createPolicy(
    app,
    channels.map(({ id }) => id),
  )
  const subjects: string[] = []
  for (let n = 0; n < occasionCount; n++) {
    const occasion = buildOccasion({ title: `灯 ${n}` })
    subjects.push(occasion.subject)
    await transaction(app.app.db, (tx) => enqueueNotifications(tx, occasion))
  }
  const processes = [startProcess(app), startProcess(app)]
  const timer = setInterval(() => processes.forEach((process) => void process.flush()), 500)
  const countRequests = () => receivers.reduce((sum, { requests }) => sum + requests.length, 0)
  await waitUntil(countRequests, (count) => count >= receiverCount * 5)

  const resume = await postgres.stopAll()
  await wait(2000)
  const sentBefore = countRequests()
  await wait(outageMs)
  // A message that cannot be claimed in the database is not sent.
  expect(countRequests()).toBe(sentBefore)
  expect(sentBefore).toBeLessThan(receiverCount * occasionCount)
  resume()

  const countPending = async () =>
    app.app.db.$count(notificationOutbox, sql`${notificationOutbox.status} = 'pending'`)
  // The pool refuses callers for a moment after the database is back.
  await waitUntil(
    () => countPending().catch(() => occasionCount),
    (count) => count === 0,
    120_000,
  )
  clearInterval(timer)
  for (const process of processes) await process.close()

  const rows = await app.app.db.select().from(notificationOutbox)
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']))
  expect(rows).toHaveLength(receiverCount * occasionCount)
  for (const receiver of receivers) {
    const idsBySubject = new Map<string, Set<string>>()
    for (const message of readMessages(receiver))
      for (const subject of message.subjects)
        idsBySubject.set(subject, (idsBySubject.get(subject) ?? new Set()).add(message.id))
    expect([...idsBySubject.keys()].sort()).toEqual([...subjects].sort())
    for (const ids of idsBySubject.values()) expect(ids.size).toBe(1)
  }
}, 180_000)
