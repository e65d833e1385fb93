/** Functions of the notifications that other modules use. */
export { bundleNotifications } from './bundle'
export { channelSubjectPrefix } from './channelHealth'
export { enqueueNotifications, stopEscalation } from './enqueue'
export type { EnqueueResult, NotificationOccasion } from './occasion'
