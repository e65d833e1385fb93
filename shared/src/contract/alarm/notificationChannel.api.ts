import { defineApi } from '../endpoint'
import type { notificationChannelSchemas } from './notificationChannel.schema'
import { resource } from '../resource'

const channels = resource('system', 'notificationChannel', '通知渠道', 'platform')

export const notificationChannelApi = defineApi<typeof notificationChannelSchemas>({
  page: channels.page(),
  /** Returns the channels for the form of a policy; its permission is that of the list, because they tell who is reachable. */
  list: { ...channels.options(), permission: 'system:notificationChannel:list' },
  create: channels.create(),
  update: channels.update(),
  remove: channels.remove(),
  removeMany: channels.removeMany(),
  setStatus: channels.setStatus(),
  /** Sends a sample message now, by the same path as a real one. */
  test: {
    method: 'POST',
    path: '/v1/notification-channel/{id}/test',
    title: '发送测试消息',
    permission: 'system:notificationChannel:edit',
    owner: 'platform',
  },
})
