import { uuidv7 } from 'uuidv7'
import { runInBackground } from '../../core/db/outage'
import type { AddressedNotification } from '../../device-access/broker/processMessageKinds'
import type { ProcessMessages } from '../../device-access/broker/processMessages'

/** Time in which the other processes say how many of their pages they have notified. */
const replyTimeoutMs = 1000

type NotifyPages = (notifications: AddressedNotification[]) => Promise<number>

/**
 * Sends notifications to the pages of all processes.
 * @param hasOtherProcesses without others nothing is waited for
 */
export function createPageNotifications(
  processMessages: ProcessMessages,
  hasOtherProcesses: boolean,
) {
  let notifyOwnPages: NotifyPages = () => Promise.resolve(0)
  const countsById = new Map<string, number>()
  processMessages.events
    .on('pageNotifications', ({ id, notifications }) =>
      runInBackground(
        notifyOwnPages(notifications).then(
          (pageCount) =>
            pageCount > 0 && processMessages.broadcast('pagesNotified', { id, pageCount }),
        ),
        '通知未发到页面',
      ),
    )
    .on('pagesNotified', ({ id, pageCount }) => {
      const count = countsById.get(id)
      if (count !== undefined) countsById.set(id, count + pageCount)
    })

  return {
    /** Sets what sends to the pages of this process and counts them. */
    serve(notify: NotifyPages) {
      notifyOwnPages = notify
    },
    /** Returns to how many pages the notifications were sent. */
    async deliver(notifications: AddressedNotification[]) {
      if (!hasOtherProcesses) return notifyOwnPages(notifications)
      const id = uuidv7()
      countsById.set(id, 0)
      processMessages.broadcast('pageNotifications', { id, notifications })
      const [ownCount] = await Promise.all([
        notifyOwnPages(notifications),
        new Promise((resolve) => setTimeout(resolve, replyTimeoutMs)),
      ])
      const otherCount = countsById.get(id)!
      countsById.delete(id)
      return ownCount + otherCount
    },
  }
}
export type PageNotifications = ReturnType<typeof createPageNotifications>
