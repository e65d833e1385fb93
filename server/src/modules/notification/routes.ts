import type { FastifyInstance } from 'fastify'
import { createSecretBox } from '../../core/secretBox'
import { notificationChannelRoutes } from './channelRoutes'
import { notificationDeliveryRoutes } from './deliveryRoutes'
import { startDispatcher } from './dispatcher'
import { notificationPolicyRoutes } from './policyRoutes'
import { createTargetCheck } from './targetAddress'

export type NotificationOptions = {
  /** Private networks to which messages may be sent. */
  privateNetworks?: string
  pollMs?: number
  timeoutMs?: number
}

/** Serves channels, policies and the delivery log, and sends what stands in the outbox. */
export function notificationRoutes(app: FastifyInstance) {
  const { notification = {}, publicUrl } = app.settings
  const service = {
    box: createSecretBox(app.settings, 'notificationChannel'),
    targets: createTargetCheck(notification.privateNetworks),
    pages: app.pageNotifications,
  }
  notificationChannelRoutes(app, service)
  notificationPolicyRoutes(app)
  notificationDeliveryRoutes(app)
  const dispatcher = startDispatcher(app.db, { ...service, ...notification, publicUrl })
  app.addHook('onClose', () => dispatcher.close())
}
