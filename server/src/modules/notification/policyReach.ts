import type { PolicyStep } from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { notificationChannel } from '../../tables/notification'
import { countRoleUsers } from './recipients'

type Policy = { steps: PolicyStep[]; projectIds: number[] }
type Channel = Pick<
  typeof notificationChannel.$inferSelect,
  'id' | 'name' | 'kind' | 'status' | 'recipients'
>

/** Explains why a channel reaches no receiver in a step; undefined if it does, or if its receivers are unknown here. */
async function explainChannel(
  db: Db,
  { name, kind, status, recipients }: Channel,
  { roleIds }: PolicyStep,
  projectIds: number[],
) {
  if (status === 'disabled') return `“${name}”已禁用`
  const dependsOnRoles = kind === 'email' ? recipients.length === 0 : kind === 'browser'
  if (!dependsOnRoles || (kind === 'browser' && roleIds.length === 0)) return undefined
  const needsMail = kind === 'email'
  if ((await countRoleUsers(db, roleIds, projectIds, needsMail)) > 0) return undefined
  return needsMail
    ? `“${name}”没有收件人：没有填写收件邮箱，所选角色也没有能登录、有邮箱的用户`
    : `“${name}”没有可以通知的人：所选角色没有能登录的用户`
}

/** Returns the steps of a policy that reach no receiver with the present channels, roles and users. */
export async function explainReach(db: Db, { steps, projectIds }: Policy): Promise<string[]> {
  const channels: Channel[] = await db
    .select({
      id: notificationChannel.id,
      name: notificationChannel.name,
      kind: notificationChannel.kind,
      status: notificationChannel.status,
      recipients: notificationChannel.recipients,
    })
    .from(notificationChannel)
    .where(
      inArray(
        notificationChannel.id,
        steps.flatMap(({ channelIds }) => channelIds),
      ),
    )
  const warnings: string[] = []
  for (const [index, step] of steps.entries()) {
    const stepChannels = channels.filter(({ id }) => step.channelIds.includes(id))
    for (const channel of stepChannels) {
      const reason = await explainChannel(db, channel, step, projectIds)
      if (reason) warnings.push(`第 ${index + 1} 步：${reason}`)
    }
  }
  return warnings
}
