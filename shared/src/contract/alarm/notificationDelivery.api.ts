import { defineApi } from '../endpoint'
import type { notificationDeliverySchemas } from './notificationDelivery.schema'
import { resource } from '../resource'

export const notificationDeliveryApi = defineApi<typeof notificationDeliverySchemas>({
  page: resource('system', 'notificationDelivery', '通知发送记录').page(),
})
