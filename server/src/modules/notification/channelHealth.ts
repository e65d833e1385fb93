import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import type { NotificationChannelRow } from './channelQueries'
import { enqueueNotifications, stopEscalation } from './enqueue'

export const channelSubjectPrefix = 'notificationChannel:'
const toChannelSubject = (id: string) => `${channelSubjectPrefix}${id}`

/** A changed or removed channel needs no further reminders of its failure. */
export const stopChannelReminders = (tx: Db, id: string, reason: string) =>
  stopEscalation(tx, toChannelSubject(id), reason)

/**
 * Tells through the other channels that one refuses its messages for good, and that it works again. It is told once,
 * when the state changes.
 */
export async function tellChannelHealth(
  tx: Db,
  { id, name, brokenReason, lastSuccessTime, lastFailureTime }: NotificationChannelRow,
  { isSuccess, isFinal, answer }: { isSuccess: boolean; isFinal: boolean; answer: string },
) {
  const hasBroken = isFinal && brokenReason === ''
  // A channel that was changed has no reason any more; only those whom its failure was told hear of the end.
  const hasRecovered =
    isSuccess &&
    lastFailureTime !== null &&
    (lastSuccessTime === null || Date.parse(lastSuccessTime) < Date.parse(lastFailureTime))
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
      subject: toChannelSubject(id),
    },
    { exceptChannelId: id },
  )
}
