import type { ChannelKind } from '@iot/shared/contract/notificationChannel'
import type { PolicyStep } from '@iot/shared/contract/notificationPolicy.schema'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { notificationChannel } from '../../tables/notification'
import { listRoleAddresses } from './recipients'

export type StepTarget = {
  channelId: string
  policyId: string | null
  kind: ChannelKind
  roleIds: string[]
}

const hasRoles = (kind: ChannelKind) => kind === 'email' || kind === 'browser'

/** Returns the channels of a step that reach somebody: enabled ones, and mail only with a recipient. */
export async function findReachableChannels(
  db: Db,
  policyId: string,
  { channelIds, roleIds }: PolicyStep,
  projectId: number | null,
): Promise<StepTarget[]> {
  const channels = await db
    .select({
      id: notificationChannel.id,
      kind: notificationChannel.kind,
      recipients: notificationChannel.recipients,
    })
    .from(notificationChannel)
    .where(
      and(inArray(notificationChannel.id, channelIds), eq(notificationChannel.status, 'enabled')),
    )
  const hasRoleAddress =
    roleIds.length > 0 && (await listRoleAddresses(db, roleIds, projectId)).length > 0
  return channels
    .filter(({ kind, recipients }) => kind !== 'email' || recipients.length > 0 || hasRoleAddress)
    .map(({ id, kind }) => ({
      channelId: id,
      policyId,
      kind,
      roleIds: hasRoles(kind) ? roleIds : [],
    }))
}
