import { z } from 'zod'
import { Id, periodFilter } from './fields'
import { NotificationDelivery } from './notificationDelivery.schema'
import { resource } from './resource'

const deliveries = resource('system', 'notificationDelivery', '通知发送记录')

export const notificationDeliveryApi = {
  page: deliveries.page({
    input: {
      channelId: Id.optional(),
      result: z.enum(['success', 'failure']).optional(),
      ...periodFilter,
    },
    output: NotificationDelivery,
  }),
}
