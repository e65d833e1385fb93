import { performance } from 'node:perf_hooks'
import type { AddressedNotification } from '../../device-access/broker/processMessageKinds'
import { renderTitle, sortBySeverity, toOneLine, type Message } from './message'
import type { PageNotifications } from './pageNotifications'
import type { TimedOutcome } from './sendMessage'

/** A page that has lost its connection is back by the third attempt, so there is no further one. */
const maxAttempts = 3

/** Says who gets one item of a message. */
export type PageAddress = Omit<AddressedNotification, 'notification'> & { key: string }

const toNotifications = (message: Message, addresses: PageAddress[]): AddressedNotification[] =>
  sortBySeverity(message.items.map((item, index) => ({ ...item, address: addresses[index]! }))).map(
    ({ address: { key, ...address }, ...item }) => ({
      ...address,
      notification: {
        key,
        subject: item.subject,
        severity: item.severity,
        isOver: item.event === 'resolved',
        isFirst: item.event === 'opened',
        title: renderTitle({ ...message, items: [item] }),
        text: [...item.lines, item.project].map(toOneLine).filter(Boolean).join('\n'),
        path: item.path,
      },
    }),
  )

/**
 * Sends a message to the open pages of those whom it is for. It cannot know whether a browser may show notifications of
 * the operating system.
 * @param addresses one per item of the message
 * @param attemptsBefore number of attempts that reached no page
 */
export async function sendToPages(
  pages: PageNotifications,
  message: Message,
  addresses: PageAddress[],
  attemptsBefore = maxAttempts,
): Promise<TimedOutcome> {
  const startMs = performance.now()
  const pageCount = await pages.deliver(toNotifications(message, addresses))
  const outcome = {
    statusCode: null,
    code: '',
    durationMs: Math.round(performance.now() - startMs),
  }
  if (pageCount > 0)
    return { ...outcome, verdict: 'sent', answer: `已发到 ${pageCount} 个打开的页面` }
  const isLast = attemptsBefore + 1 >= maxAttempts
  return {
    ...outcome,
    verdict: isLast ? 'unreached' : 'retry',
    answer: '没有人在线',
    // Others may be online for the next message.
    pauseMs: 0,
  }
}
