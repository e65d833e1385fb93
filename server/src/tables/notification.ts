import type { AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import type { ChannelKind, SmtpSecurity } from '@iot/shared/contract/alarm/notificationChannel'
import type { DeliveryKind } from '@iot/shared/contract/alarm/notificationDelivery'
import type { DayMode } from '@iot/shared/contract/alarm/notificationPolicy'
import type { PolicyStep } from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, now, rowColumns, time } from './columns'

/** A way to reach people. Its secrets are encrypted with a key that is not in the database. */
export const notificationChannel = pgTable(
  'notification_channel',
  {
    ...rowColumns(),
    name: text().notNull().unique(),
    kind: text().$type<ChannelKind>().notNull(),
    status: text().$type<'enabled' | 'disabled'>().notNull(),
    perMinute: integer().notNull(),
    template: text().notNull(),
    smtpHost: text().notNull(),
    smtpPort: integer().notNull(),
    smtpSecurity: text().$type<SmtpSecurity>().notNull(),
    smtpUser: text().notNull(),
    smtpCa: text().notNull(),
    sender: text().notNull(),
    senderName: text().notNull(),
    recipients: text().array().notNull(),
    secrets: text().notNull(),
    urlHint: text().notNull(),
    hasSecret: boolean().notNull(),
    hasPassword: boolean().notNull(),
    /** Digest of the robot, address or mailbox; channels with the same target share its limit. */
    targetKey: text().notNull(),
    brokenReason: text().notNull().default(''),
    lastSuccessTime: time(),
    lastFailureTime: time(),
    lastError: text().notNull().default(''),
  },
  (table) => [index('notification_channel_target').on(table.targetKey)],
)

/**
 * Receivers of messages, such as a robot or a mail server. The process whose token stands in the row sends to it until
 * the claim ends, so that messages of one target are sent one after the other.
 */
export const notificationTarget = pgTable('notification_target', {
  key: text().primaryKey(),
  claimToken: uuid(),
  claimUntil: time(),
  /** Nothing is sent before this time, because the receiver is away, busy or has had its messages of this minute. */
  pauseUntil: time(),
})

export const notificationPolicy = pgTable('notification_policy', {
  ...rowColumns(),
  name: text().notNull().unique(),
  status: text().$type<'enabled' | 'disabled'>().notNull(),
  severities: text().array().$type<AlarmSeverity[]>().notNull(),
  projectIds: integer().array().notNull(),
  dayMode: text().$type<DayMode>().notNull(),
  calendarId: uuid(),
  fromClock: text().notNull(),
  toClock: text().notNull(),
  notifiesResolved: boolean().notNull(),
  isFallback: boolean().notNull(),
  steps: jsonb().$type<PolicyStep[]>().notNull(),
})

export type NotificationContent = {
  title: string
  lines: string[]
  path: string
  project: string
  timeZone: string
  time: string
}
export type NotificationEvent =
  | 'opened'
  | 'reopened'
  | 'raised'
  | 'escalated'
  | 'reminded'
  | 'resolved'

/** One row per notification and channel; it is written in the transaction of what it tells. */
export const notificationOutbox = pgTable(
  'notification_outbox',
  {
    id: id(),
    occasionId: text().notNull(),
    channelId: uuid().notNull(),
    policyId: uuid(),
    step: integer().notNull(),
    event: text().$type<NotificationEvent>().notNull(),
    /** Key of the subject; notifications with the same subject are sent in their order. */
    subject: text().notNull(),
    projectId: integer(),
    severity: text().$type<AlarmSeverity>().notNull(),
    content: jsonb().$type<NotificationContent>().notNull(),
    roleIds: uuid().array().notNull(),
    status: text()
      .$type<'pending' | 'sent' | 'failed' | 'expired' | 'cancelled'>()
      .notNull()
      .default('pending'),
    /** The id is set at the first attempt; rows that are sent as one summary share it. */
    messageId: uuid(),
    isShort: boolean().notNull().default(false),
    attempts: integer().notNull().default(0),
    /** Recipients who have not got a mail that its server has accepted for the others; null before. */
    remainingRecipients: text().array(),
    lastError: text().notNull().default(''),
    createTime: time()
      .notNull()
      .default(sql`clock_timestamp()`),
    nextTime: time()
      .notNull()
      .default(sql`now()`),
    expireTime: time()
      .notNull()
      .default(sql`now() + interval '24 hours'`),
    doneTime: time(),
  },
  (table) => [
    unique('notification_outbox_once').on(
      table.occasionId,
      table.channelId,
      table.step,
      table.policyId,
    ),
    index('notification_outbox_pending')
      .on(table.channelId, table.createTime)
      .where(sql`${table.status} = 'pending'`),
    index('notification_outbox_subject').on(table.subject),
    index('notification_outbox_time').on(table.createTime),
  ],
)

/** The log of attempts. */
export const notificationDelivery = pgTable(
  'notification_delivery',
  {
    id: id(),
    messageId: uuid().notNull(),
    channelId: uuid().notNull(),
    channelName: text().notNull(),
    targetKey: text().notNull(),
    kind: text().$type<DeliveryKind>().notNull(),
    time: time()
      .notNull()
      .default(sql`now()`),
    title: text().notNull(),
    count: integer().notNull(),
    attempt: integer().notNull(),
    isSuccess: boolean().notNull(),
    statusCode: integer(),
    code: text().notNull(),
    answer: text().notNull(),
    durationMs: integer().notNull(),
  },
  (table) => [
    index('notification_delivery_channel').on(table.channelId, table.time),
    index('notification_delivery_target').on(table.targetKey, table.time),
    index('notification_delivery_time').on(table.time),
  ],
)

/** Next step of a policy for a subject that is not acknowledged. */
export const notificationEscalation = pgTable(
  'notification_escalation',
  {
    subject: text().notNull(),
    policyId: uuid().notNull(),
    occasionId: text().notNull(),
    projectId: integer(),
    severity: text().$type<AlarmSeverity>().notNull(),
    content: jsonb().$type<NotificationContent>().notNull(),
    step: integer().notNull(),
    openedTime: time().notNull().$defaultFn(now),
    dueTime: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subject, table.policyId] }),
    index('notification_escalation_due').on(table.dueTime),
  ],
)
