/** What other modules use of the notifications. */
export { bundleNotifications } from './bundle'
export { enqueueNotifications, stopEscalation } from './enqueue'
export type { EnqueueResult, NotificationOccasion } from './occasion'
