import type { ChannelKind } from '@iot/shared/contract/alarm/notificationChannel'
import type { PolicyStep } from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { notificationChannel } from '../../tables/notification'
import { noRecipientReason } from './email'
import { insertUnsent } from './outboxQueries'
import { listRoleAddresses } from './recipients'

export type StepTarget = {
  channelId: string
  policyId: string | null
  kind: ChannelKind
  roleIds: string[]
}

const hasRoles = (kind: ChannelKind) => kind === 'email' || kind === 'browser'

/**
 * Returns the channels of a step that reach somebody: enabled ones, and mail only with a recipient. The delivery log of a
 * channel says what it could not send.
 * @param title what would be sent
 */
export async function findReachableChannels(
  db: Db,
  policyId: string,
  { channelIds, roleIds }: PolicyStep,
  { projectId, title }: { projectId: number | null; title: string },
): Promise<StepTarget[]> {
  const channels = await db
    .select({
      id: notificationChannel.id,
      name: notificationChannel.name,
      targetKey: notificationChannel.targetKey,
      kind: notificationChannel.kind,
      recipients: notificationChannel.recipients,
    })
    .from(notificationChannel)
    .where(
      and(inArray(notificationChannel.id, channelIds), eq(notificationChannel.status, 'enabled')),
    )
  const hasRoleAddress =
    roleIds.length > 0 && (await listRoleAddresses(db, roleIds, projectId)).length > 0
  const isReachable = ({ kind, recipients }: (typeof channels)[number]) =>
    kind !== 'email' || recipients.length > 0 || hasRoleAddress
  for (const channel of channels.filter((candidate) => !isReachable(candidate)))
    await insertUnsent(db, channel, { kind: 'skipped', titles: [title], reason: noRecipientReason })
  return channels.filter(isReachable).map(({ id, kind }) => ({
    channelId: id,
    policyId,
    kind,
    roleIds: hasRoles(kind) ? roleIds : [],
  }))
}
