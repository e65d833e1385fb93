import { getBackoffMs } from '@iot/shared/contract/backoff'
import { hourMs, minuteMs } from '@iot/shared/contract/duration'
import { inArray } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { transaction, type Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { log } from '../../core/logging/log'
import { SecretUnreadableError } from '../../core/secretBox'
import { notificationChannel } from '../../tables/notification'
import { openSecrets, type NotificationChannelRow } from './channelQueries'
import { tellChannelHealth } from './channelHealth'
import { advanceEscalations, runDueEscalations } from './escalations'
import type { Message } from './message'
import type { Outcome } from './outcome'
import { outboxQueries, type OutboxRow } from './outboxQueries'
import { listRoleAddresses } from './recipients'
import { sendToPages, type PageAddress } from './sendToPages'
import { sendMessage, type TimedOutcome } from './sendMessage'
import type { NotificationService } from './service'

/** Pause between two looks at the outbox. */
const pollIntervalMs = 1_000
const retryBackoff = { firstMs: 10_000, maxMs: hourMs, jitter: [0.8, 1.2] as const }
/** A target that does not answer is left alone for a while, also by other messages. */
const maxTargetPauseMs = minuteMs

export type DispatcherOptions = NotificationService & {
  publicUrl: string | undefined
  pollMs?: number
  /** Time for one exchange over HTTP. */
  timeoutMs?: number
}

type Attempt = { channel: NotificationChannelRow; rows: OutboxRow[]; message: Message }

const toMessage = (id: string, rows: OutboxRow[]): Message => ({
  id,
  isShort: rows.some(({ isShort }) => isShort),
  items: rows.map(({ content, event, severity, subject }) => ({
    ...content,
    event,
    severity,
    subject,
  })),
})

/** Channels and policies that tell the same in one step show it once. */
const toPageAddress = ({ occasionId, step, projectId, roleIds }: OutboxRow): PageAddress => ({
  key: `${occasionId} ${step}`,
  projectId,
  roleIds,
})

/**
 * Chooses the next message of a target: an unfinished one, a single notification, or, if more are due than may still be
 * sent in this minute, a summary of all that wait for the channel.
 */
async function prepareAttempt(tx: Db, targetKey: string): Promise<Attempt | undefined> {
  const queries = outboxQueries(tx)
  const channels = await queries.listChannels(targetKey)
  if (channels.length === 0) return undefined
  const channelIds = channels.map(({ id }) => id)
  const perMinute = Math.min(...channels.map((channel) => channel.perMinute))
  const { remainingCount, freeInMs } = await queries.readBudget(targetKey, perMinute)
  if (remainingCount <= 0) {
    await queries.pauseTarget(targetKey, freeInMs)
    return undefined
  }
  const firstRow = await queries.findNextRow(channelIds)
  if (!firstRow) return undefined
  const channel = channels.find(({ id }) => id === firstRow.channelId)!
  let rows = [firstRow]
  if (firstRow.messageId) rows = await queries.listMessageRows(firstRow.messageId)
  else if ((await queries.countDue(channelIds)) > remainingCount)
    rows = await queries.listSummaryRows(firstRow, channel)
  const messageId = firstRow.messageId ?? (rows.length > 1 ? uuidv7() : firstRow.id)
  await queries.beginAttempt(
    rows.map(({ id }) => id),
    messageId,
  )
  return { channel, rows, message: toMessage(messageId, rows) }
}

async function listRecipients(db: Db, channel: NotificationChannelRow, rows: OutboxRow[]) {
  if (channel.kind !== 'email') return []
  if (rows[0]!.remainingRecipients) return rows[0]!.remainingRecipients
  const addresses = new Set(channel.recipients)
  for (const { roleIds, projectId } of rows)
    for (const address of await listRoleAddresses(db, roleIds, projectId)) addresses.add(address)
  return [...addresses]
}

/** Records an attempt and decides what follows; nothing is recorded if another process has taken over the target. */
async function settleAttempt(
  tx: Db,
  { channel, rows, message }: Attempt,
  { verdict, durationMs, statusCode, code, answer, pauseMs, remainingRecipients }: TimedOutcome,
) {
  const queries = outboxQueries(tx)
  const attempt = Math.max(...rows.map(({ attempts }) => attempts)) + 1
  const isSuccess = verdict === 'sent'
  await queries.recordAttempt(channel, message, attempt, {
    isSuccess,
    statusCode,
    code,
    answer,
    durationMs,
  })
  // A message whose short form is refused too is given up.
  const isRefused = verdict === 'refused' || (verdict === 'shorten' && message.isShort)
  // The channel works if others have the mail that these recipients do not get.
  const isSentToOthers = rows[0]!.remainingRecipients !== null
  const isFinal =
    !isSentToOthers &&
    (verdict === 'final' || (isRefused && (await queries.hasRefusedBefore(channel, message.id))))
  await queries.recordHealth(channel.id, { isSuccess, answer, isFinal })
  await tellChannelHealth(tx, channel, { isSuccess, isFinal, answer })
  const isGivenUp = isRefused || verdict === 'final' || verdict === 'unreached'
  if (isSuccess || (isGivenUp && isSentToOthers))
    return void (await queries.finishMessage(message.id, 'sent', isSuccess ? '' : answer))
  if (isGivenUp) {
    await queries.finishMessage(message.id, 'failed', answer)
    return advanceEscalations(tx, rows)
  }
  const backoffMs = Math.max(getBackoffMs(attempt - 1, retryBackoff), pauseMs ?? 0)
  const isShort = verdict === 'shorten'
  await queries.postponeMessage(message.id, {
    delayMs: isShort ? 0 : backoffMs,
    lastError: answer,
    isShort,
    remainingRecipients,
  })
  // A server that has accepted the mail for the others is not away.
  if (!isShort && !remainingRecipients)
    await queries.pauseTarget(channel.targetKey, pauseMs ?? Math.min(backoffMs, maxTargetPauseMs))
}

async function expireOldRows(db: Db) {
  await transaction(db, async (tx) => {
    const expiredRows = await outboxQueries(tx).expireRows()
    if (expiredRows.length === 0) return
    const titlesByChannel = new Map<string, string[]>()
    for (const { channelId, title } of expiredRows)
      titlesByChannel.set(channelId, [...(titlesByChannel.get(channelId) ?? []), title])
    const channels = await tx
      .select()
      .from(notificationChannel)
      .where(inArray(notificationChannel.id, [...titlesByChannel.keys()]))
    for (const channel of channels)
      await outboxQueries(tx).recordExpiry(channel, titlesByChannel.get(channel.id)!)
    log.warn(
      { module: 'notification', count: expiredRows.length },
      `${expiredRows.length} 条通知 24 小时内没有送达，不再发送`,
    )
  })
}

/**
 * Sends what stands in the outbox. Each target is served by one process at a time and independently of the others, so
 * that a receiver that hangs delays only its own messages. No transaction is open while a message is sent.
 */
export function startDispatcher(db: Db, options: DispatcherOptions) {
  const { box, targets, pages, publicUrl, timeoutMs, pollMs = pollIntervalMs } = options
  const drainsByTarget = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let runningPoll: Promise<void> | undefined

  async function send({ channel, rows, message }: Attempt): Promise<TimedOutcome> {
    if (channel.kind === 'browser')
      return sendToPages(pages, message, rows.map(toPageAddress), rows[0]!.attempts)
    try {
      const secrets = openSecrets(box, channel)
      const recipients = await listRecipients(db, channel, rows)
      return await sendMessage(channel, secrets, message, {
        publicUrl,
        targets,
        recipients,
        timeoutMs,
      })
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error
      const outcome: Outcome = {
        verdict: 'final',
        statusCode: null,
        code: '',
        answer: error.message,
      }
      return { ...outcome, durationMs: 0 }
    }
  }

  async function drainTarget(targetKey: string, token: string) {
    const runClaimed = <T>(work: (tx: Db) => Promise<T>) =>
      transaction(db, async (tx) =>
        (await outboxQueries(tx).renewClaim(targetKey, token)) ? work(tx) : undefined,
      )
    try {
      while (!isClosed) {
        const attempt = await runClaimed((tx) => prepareAttempt(tx, targetKey))
        if (!attempt) break
        const outcome = await send(attempt)
        await runClaimed((tx) => settleAttempt(tx, attempt, outcome))
        if (outcome.verdict === 'retry') break
      }
    } finally {
      await outboxQueries(db).releaseClaim(targetKey, token)
    }
  }

  async function poll() {
    if (!(await outboxQueries(db).hasWork())) return
    await expireOldRows(db)
    await runDueEscalations(db)
    const token = uuidv7()
    for (const key of await outboxQueries(db).claimTargets(token)) {
      const drain = drainTarget(key, token)
        .catch((error: unknown) => logError('通知暂未发送', error))
        .finally(() => drainsByTarget.delete(`${key} ${token}`))
      drainsByTarget.set(`${key} ${token}`, drain)
    }
  }
  function pollOnce() {
    runningPoll ??= poll()
      .catch((error: unknown) => logError('通知暂未处理', error))
      .finally(() => (runningPoll = undefined))
    return runningPoll
  }
  function schedule() {
    if (isClosed) return
    timer = setTimeout(() => void pollOnce().then(schedule), pollMs).unref()
  }
  schedule()

  return {
    /** Looks at the outbox now and resolves when what was due has been tried. */
    async flush() {
      await pollOnce()
      await Promise.all(drainsByTarget.values())
    },
    /** Stops after the running attempts; what is left is sent by the next process. */
    async close() {
      isClosed = true
      clearTimeout(timer)
      await runningPoll
      await Promise.all(drainsByTarget.values())
    },
  }
}
export type Dispatcher = ReturnType<typeof startDispatcher>
