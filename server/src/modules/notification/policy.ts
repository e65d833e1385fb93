/** What other modules use of the notifications. */
export { enqueueNotifications, stopEscalation } from './enqueue'
export type { EnqueueResult, NotificationOccasion } from './occasion'
