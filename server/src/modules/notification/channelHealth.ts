import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import type { NotificationChannelRow } from './channelQueries'
import { enqueueNotifications } from './enqueue'

/**
 * Tells through the other channels that one refuses its messages for good, and that it works again. It is told once,
 * when the state changes.
 */
export async function tellChannelHealth(
  tx: Db,
  { id, name, brokenReason }: NotificationChannelRow,
  { isSuccess, isFinal, answer }: { isSuccess: boolean; isFinal: boolean; answer: string },
) {
  const hasBroken = isFinal && brokenReason === ''
  const hasRecovered = isSuccess && brokenReason !== ''
  if (!hasBroken && !hasRecovered) return
  await enqueueNotifications(
    tx,
    {
      occasionId: uuidv7(),
      projectId: null,
      kind: hasBroken ? 'opened' : 'resolved',
      severity: 'major',
      title: hasBroken ? `通知渠道“${name}”不可用` : `通知渠道“${name}”可以使用了`,
      lines: hasBroken && answer ? [answer] : [],
      path: '/system/alarm/channel',
      time: now(),
      subject: `notificationChannel:${id}`,
    },
    { exceptChannelId: id },
  )
}
