import type { DeliveryOutcome } from '@iot/shared/contract/alarm/notificationChannel.schema'
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { cutText } from '../../core/cutText'
import type { Db } from '../../core/db/db'
import {
  notificationChannel as channelTable,
  notificationDelivery as delivery,
  notificationOutbox as outbox,
} from '../../tables/notification'
import type { NotificationChannelRow } from './channelQueries'
import { renderTitle, type Message } from './message'

export type OutboxRow = typeof outbox.$inferSelect
/** A claim outlives the longest attempt, so that a second process starts only after the first one has been killed. */
const claimSeconds = 60
const maxRowsPerMessage = 500
const maxTitleCharacters = 200

const claimEnd = sql`clock_timestamp() + make_interval(secs => ${claimSeconds})`
const severityRank = (severity: typeof outbox.severity) =>
  sql`array_position(array['critical','major','minor','info'], ${severity})`
const isPending = eq(outbox.status, 'pending')

/** A row waits for an earlier one of its subject, so that a recovery is never told before its problem. */
const hasEarlierRow = sql`exists (select 1 from notification_outbox earlier
  where earlier.channel_id = ${outbox.channelId} and earlier.subject = ${outbox.subject} and earlier.status = 'pending'
    and (earlier.create_time, earlier.id) < (${outbox.createTime}, ${outbox.id}))`

/** Claims and paces targets. */
const targetQueries = (db: Db) => ({
  /** Answers by one small statement, because most looks at the outbox find nothing. */
  async hasWork() {
    const { rows } = await db.execute<{ hasWork: boolean }>(sql`
      select exists (select 1 from notification_outbox where status = 'pending' and least(next_time, expire_time) <= now())
        or exists (select 1 from notification_escalation where due_time <= now()) as "hasWork"`)
    return rows[0]!.hasWork
  },
  /** Claims those targets that have something to send and that no other process works on. */
  async claimTargets(token: string) {
    const { rows } = await db.execute<{ key: string }>(sql`
      update notification_target set claim_token = ${token}, claim_until = ${claimEnd}
      where key in (
        select key from notification_target
        where (claim_until is null or claim_until < now()) and (pause_until is null or pause_until <= now())
          and key in (select c.target_key from notification_channel c where c.status = 'enabled' and exists (
            select 1 from notification_outbox o where o.channel_id = c.id and o.status = 'pending' and o.next_time <= now()))
        for update skip locked)
      returning key`)
    return rows.map(({ key }) => key)
  },
  /** Extends the claim and locks it until the transaction ends; false if another process has taken over. */
  async renewClaim(key: string, token: string) {
    const { rows } = await db.execute(sql`
      update notification_target set claim_until = ${claimEnd}
      where key = ${key} and claim_token = ${token} returning key`)
    return rows.length > 0
  },
  releaseClaim: (key: string, token: string) =>
    db.execute(sql`
      update notification_target set claim_until = null, claim_token = null
      where key = ${key} and claim_token = ${token}`),
  pauseTarget: (key: string, pauseMs: number) =>
    db.execute(sql`
      update notification_target
      set pause_until = greatest(pause_until, clock_timestamp() + make_interval(secs => ${pauseMs / 1000}::float8))
      where key = ${key}`),
  /** Counts the attempts of the last minute, because a vendor counts refused ones, too. */
  async readBudget(targetKey: string, perMinute: number) {
    const { rows } = await db.execute<{ count: number; freeMs: number | null }>(sql`
      select count(*)::int as count,
        (extract(epoch from min(time) + interval '60 seconds' - clock_timestamp()) * 1000)::float8 as "freeMs"
      from notification_delivery
      where target_key = ${targetKey} and kind in ('message', 'summary', 'test') and time > clock_timestamp() - interval '60 seconds'`)
    const { count, freeMs } = rows[0]!
    return { remainingCount: perMinute - count, freeInMs: Math.max(0, Math.ceil(freeMs ?? 0)) }
  },
})

/** Chooses what is sent to a target next. */
const sendingQueries = (db: Db) => ({
  listChannels: (targetKey: string): Promise<NotificationChannelRow[]> =>
    db
      .select()
      .from(channelTable)
      .where(and(eq(channelTable.targetKey, targetKey), eq(channelTable.status, 'enabled'))),
  /** Finds the first row to send: one whose message was begun before, otherwise the most severe. */
  async findNextRow(channelIds: string[]) {
    const [row] = await db
      .select()
      .from(outbox)
      .where(
        and(
          inArray(outbox.channelId, channelIds),
          isPending,
          lte(outbox.nextTime, sql`now()`),
          sql`(${outbox.messageId} is not null or not ${hasEarlierRow})`,
        ),
      )
      .orderBy(
        sql`${outbox.messageId} is null`,
        severityRank(outbox.severity),
        asc(outbox.createTime),
        asc(outbox.id),
      )
      .limit(1)
    return row
  },
  listMessageRows: (messageId: string) =>
    db
      .select()
      .from(outbox)
      .where(and(eq(outbox.messageId, messageId), isPending))
      .orderBy(asc(outbox.createTime), asc(outbox.id)),
  /**
   * Lists what is due for a channel and in no message yet, unless an earlier row of its subject must be tried first. A
   * mail to roles is for those who see the project, so a summary of it contains one project and one choice of roles.
   */
  listSummaryRows: (
    { channelId, projectId, roleIds }: OutboxRow,
    { kind }: Pick<NotificationChannelRow, 'kind'>,
  ) =>
    db
      .select()
      .from(outbox)
      .where(
        and(
          eq(outbox.channelId, channelId),
          isPending,
          sql`${outbox.messageId} is null`,
          lte(outbox.nextTime, sql`now()`),
          kind === 'email'
            ? and(
                eq(outbox.roleIds, roleIds),
                roleIds.length > 0
                  ? sql`${outbox.projectId} is not distinct from ${projectId}::integer`
                  : undefined,
              )
            : undefined,
          sql`not exists (select 1 from notification_outbox earlier
            where earlier.channel_id = ${outbox.channelId} and earlier.subject = ${outbox.subject}
              and earlier.status = 'pending' and (earlier.message_id is not null or earlier.next_time > now()))`,
        ),
      )
      .orderBy(asc(outbox.createTime), asc(outbox.id))
      .limit(maxRowsPerMessage),
  countDue: (channelIds: string[]) =>
    db.$count(
      outbox,
      and(
        inArray(outbox.channelId, channelIds),
        isPending,
        sql`${outbox.messageId} is null`,
        lte(outbox.nextTime, sql`now()`),
      ),
    ),
  /** Marks rows as one message before it is sent, so that a repetition after a kill has the same id and content. */
  beginAttempt: (ids: string[], messageId: string) =>
    db
      .update(outbox)
      .set({ messageId, attempts: sql`${outbox.attempts} + 1` })
      .where(inArray(outbox.id, ids)),
})

/** Records what became of messages. */
const outcomeQueries = (db: Db) => ({
  finishMessage: (messageId: string, status: 'sent' | 'failed', lastError: string) =>
    db
      .update(outbox)
      .set({ status, lastError, doneTime: sql`clock_timestamp()` })
      .where(and(eq(outbox.messageId, messageId), isPending)),
  postponeMessage: (
    messageId: string,
    {
      delayMs,
      lastError,
      isShort,
      remainingRecipients,
    }: {
      delayMs: number
      lastError: string
      isShort: boolean
      remainingRecipients: string[] | undefined
    },
  ) =>
    db
      .update(outbox)
      .set({
        nextTime: sql`clock_timestamp() + make_interval(secs => ${delayMs / 1000}::float8)`,
        lastError,
        ...(isShort && { isShort: true }),
        ...(remainingRecipients && { remainingRecipients }),
      })
      .where(and(eq(outbox.messageId, messageId), isPending)),
  /** Gives up what has waited for a day. */
  async expireRows() {
    const { rows } = await db.execute<{ channelId: string; title: string }>(sql`
      update notification_outbox set status = 'expired', done_time = now()
      where status = 'pending' and expire_time <= now()
      returning channel_id as "channelId", content->>'title' as title`)
    return rows
  },
  recordExpiry: (channel: NotificationChannelRow, titles: string[]) =>
    insertUnsent(db, channel, {
      kind: 'expired',
      titles,
      reason: '24 小时内没有送达，不再发送',
    }),
  recordAttempt: (
    channel: NotificationChannelRow,
    message: Message,
    attempt: number,
    outcome: DeliveryOutcome,
  ) => insertDelivery(db, channel, message, attempt, outcome),
  recordTest: (channel: NotificationChannelRow, message: Message, outcome: DeliveryOutcome) =>
    insertDelivery(db, channel, message, 1, outcome),
  /**
   * Returns true if another message has failed by itself since the last success: what every message meets concerns the
   * channel, such as a blocked address of the sender.
   */
  async hasRefusedBefore(
    { id, lastSuccessTime }: Pick<NotificationChannelRow, 'id' | 'lastSuccessTime'>,
    messageId: string,
  ) {
    const { rows } = await db.execute<{ hasRefused: boolean }>(sql`
      select exists (select 1 from notification_outbox o
        where o.channel_id = ${id} and o.status = 'failed' and o.message_id <> ${messageId}::uuid
          and o.done_time > coalesce(${lastSuccessTime}::timestamptz, '-infinity')) as "hasRefused"`)
    return rows[0]!.hasRefused
  },
  recordHealth: (
    channelId: string,
    outcome: { isSuccess: boolean; answer: string; isFinal: boolean },
  ) =>
    db
      .update(channelTable)
      .set(
        outcome.isSuccess
          ? { lastSuccessTime: sql`clock_timestamp()`, brokenReason: '' }
          : {
              lastFailureTime: sql`clock_timestamp()`,
              lastError: outcome.answer,
              ...(outcome.isFinal && { brokenReason: outcome.answer || '对方拒绝了消息' }),
            },
      )
      .where(eq(channelTable.id, channelId)),
})

export const outboxQueries = (db: Db) => ({
  ...targetQueries(db),
  ...sendingQueries(db),
  ...outcomeQueries(db),
})

function insertDelivery(
  db: Db,
  channel: NotificationChannelRow,
  message: Message,
  attempt: number,
  { isSuccess, statusCode, code, answer, durationMs }: DeliveryOutcome,
) {
  return db.insert(delivery).values({
    id: uuidv7(),
    messageId: message.id,
    channelId: channel.id,
    channelName: channel.name,
    targetKey: channel.targetKey,
    kind: message.isTest ? 'test' : message.items.length > 1 ? 'summary' : 'message',
    time: sql`clock_timestamp()`,
    title: cutText(renderTitle(message), maxTitleCharacters),
    count: message.items.length,
    attempt,
    isSuccess,
    statusCode,
    code,
    answer,
    durationMs,
  })
}

/** Says in the delivery log of a channel what was not sent, and why. */
export const insertUnsent = (
  db: Db,
  { id: channelId, name, targetKey }: Pick<NotificationChannelRow, 'id' | 'name' | 'targetKey'>,
  {
    kind,
    titles,
    reason,
  }: { kind: 'expired' | 'cancelled' | 'skipped'; titles: string[]; reason: string },
) =>
  db.insert(delivery).values({
    id: uuidv7(),
    messageId: uuidv7(),
    channelId,
    channelName: name,
    targetKey,
    kind,
    title: cutText(titles.join('、'), maxTitleCharacters),
    count: titles.length,
    attempt: 0,
    isSuccess: false,
    statusCode: null,
    code: '',
    answer: reason,
    durationMs: 0,
  })
