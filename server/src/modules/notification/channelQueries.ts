import type {
  notificationChannelSchemas,
  NotificationChannel,
  NotificationChannelChange,
  NotificationChannelDraft,
} from '@iot/shared/contract/alarm/notificationChannel.schema'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { SecretUnreadableError, type SecretBox } from '../../core/secretBox'
import { requireRow } from '../../core/refusal'
import { now } from '../../tables/columns'
import {
  notificationChannel as table,
  notificationOutbox as outbox,
  notificationTarget,
} from '../../tables/notification'
import { stopChannelReminders } from './channelHealth'
import { insertUnsent } from './outboxQueries'
import { buildTargetKey, maskUrl, secretOverlapMs, type ChannelSecrets } from './channelSecrets'

export type NotificationChannelRow = typeof table.$inferSelect
type PageInput = z.output<typeof notificationChannelSchemas.page.input>
type SecretInput = Pick<NotificationChannelDraft, 'url' | 'secret' | 'smtpPassword'>

export const openSecrets = (box: SecretBox, { secrets }: Pick<NotificationChannelRow, 'secrets'>) =>
  JSON.parse(box.open(secrets)) as ChannelSecrets

/** Secrets that another key encrypted count as missing, so that the form can replace them. */
function openSecretsIfReadable(box: SecretBox, row: NotificationChannelRow): ChannelSecrets {
  try {
    return openSecrets(box, row)
  } catch (error) {
    if (error instanceof SecretUnreadableError) return {}
    throw error
  }
}

/** An empty value keeps what is stored, null removes it. */
const mergeSecret = (value: string | null, storedValue: string | undefined) =>
  value === null ? undefined : value || storedValue

/** Returns the secrets after a form was saved. */
export function mergeSecrets(
  { url, secret, smtpPassword }: SecretInput,
  storedSecrets: ChannelSecrets = {},
): ChannelSecrets {
  const isSecretReplaced = !!secret && !!storedSecrets.secret && secret !== storedSecrets.secret
  return {
    url: url || storedSecrets.url,
    secret: mergeSecret(secret, storedSecrets.secret),
    password: mergeSecret(smtpPassword, storedSecrets.password),
    ...(isSecretReplaced
      ? {
          previousSecret: storedSecrets.secret,
          previousUntil: new Date(Date.now() + secretOverlapMs).toISOString(),
        }
      : secret === null
        ? {}
        : {
            previousSecret: storedSecrets.previousSecret,
            previousUntil: storedSecrets.previousUntil,
          }),
  }
}

function toTableFields(
  box: SecretBox,
  fields: Parameters<typeof buildTargetKey>[0],
  secrets: ChannelSecrets,
) {
  return {
    secrets: box.seal(JSON.stringify(secrets)),
    urlHint: maskUrl(secrets.url ?? ''),
    hasSecret: secrets.secret !== undefined,
    hasPassword: secrets.password !== undefined,
    targetKey: buildTargetKey(fields, secrets),
  }
}

const addTarget = (db: Db, key: string) =>
  db.insert(notificationTarget).values({ key }).onConflictDoNothing()

export const notificationChannelQueries = (db: Db, box: SecretBox) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    readSecrets: (row: NotificationChannelRow) => openSecretsIfReadable(box, row),
    async insert(draft: NotificationChannelDraft, actor: string) {
      const { url: _, secret: _secret, smtpPassword: _password, ...fields } = draft
      const row = await rows.insert(
        { ...fields, ...toTableFields(box, draft, mergeSecrets(draft)) },
        actor,
      )
      await addTarget(db, row.targetKey)
      return row
    },
    /** A saved channel counts as mended until its next message. */
    async update(change: NotificationChannelChange, actor: string) {
      const { url: _, secret: _secret, smtpPassword: _password, ...fields } = change
      const storedRow = requireRow(await rows.get(change.id), '通知渠道')
      const secrets = mergeSecrets(change, openSecretsIfReadable(box, storedRow))
      const kindFields = { ...fields, kind: storedRow.kind }
      const row = await rows.update(
        { ...fields, ...toTableFields(box, kindFields, secrets), brokenReason: '' },
        actor,
      )
      if (!row) return undefined
      await addTarget(db, row.targetKey)
      await stopChannelReminders(db, row.id, '通知渠道已修改')
      return row
    },
    page: ({ name, kind, status, ...page }: PageInput) =>
      rows.list(
        and(
          contains(table.name, name),
          whereEquals(table.kind, kind),
          whereEquals(table.status, status),
        ),
        page,
      ),
    listOptions: () =>
      db
        .select({ id: table.id, name: table.name, kind: table.kind, status: table.status })
        .from(table)
        .orderBy(asc(table.name)),
    /** Adds what waits for each channel. */
    async addQueues(channels: NotificationChannelRow[]): Promise<NotificationChannel[]> {
      const counts = await readQueues(
        db,
        channels.map(({ id }) => id),
      )
      return channels.map(
        ({ secrets: _secrets, targetKey: _key, ...row }) =>
          ({
            ...row,
            pendingCount: counts.get(row.id)?.pendingCount ?? 0,
            nextTime: counts.get(row.id)?.nextTime ?? null,
            expiredCount: counts.get(row.id)?.expiredCount ?? 0,
          }) satisfies NotificationChannel,
      )
    },
    /** Messages of a removed channel cannot be sent any more. */
    async remove(ids: string[]) {
      const reason = '通知渠道已删除'
      const cancelledRows = await db
        .update(outbox)
        .set({ status: 'cancelled', lastError: reason, doneTime: now() })
        .where(and(inArray(outbox.channelId, ids), eq(outbox.status, 'pending')))
        .returning({ channelId: outbox.channelId, content: outbox.content })
      for (const channel of await rows.many(ids)) {
        const titles = cancelledRows
          .filter(({ channelId }) => channelId === channel.id)
          .map(({ content }) => content.title)
        if (titles.length > 0)
          await insertUnsent(db, channel, { kind: 'cancelled', titles, reason })
      }
      for (const id of ids) await stopChannelReminders(db, id, reason)
      return rows.remove(ids)
    },
  }
}

async function readQueues(db: Db, channelIds: string[]) {
  if (channelIds.length === 0) return new Map<string, never>()
  const counts = await db
    .select({
      channelId: outbox.channelId,
      pendingCount: sql<number>`count(*) filter (where ${outbox.status} = 'pending')::int`,
      // A target that is limited or away is paused as a whole.
      nextTime: sql<
        string | null
      >`case when count(*) filter (where ${outbox.status} = 'pending') > 0 then
        greatest(min(${outbox.nextTime}) filter (where ${outbox.status} = 'pending'), max(${notificationTarget.pauseUntil})) end`.mapWith(
        outbox.nextTime,
      ),
      expiredCount: sql<number>`count(*) filter (where ${outbox.status} = 'expired' and ${outbox.createTime} > now() - interval '7 days')::int`,
    })
    .from(outbox)
    .innerJoin(table, eq(table.id, outbox.channelId))
    .leftJoin(notificationTarget, eq(notificationTarget.key, table.targetKey))
    .where(
      and(inArray(outbox.channelId, channelIds), inArray(outbox.status, ['pending', 'expired'])),
    )
    .groupBy(outbox.channelId)
  return new Map(counts.map((count) => [count.channelId, count]))
}
