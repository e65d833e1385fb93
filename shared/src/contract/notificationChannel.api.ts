import { z } from 'zod'
import { endpoint } from './endpoint'
import { ById, SearchFilter, Status } from './fields'
import {
  ChannelKind,
  ChannelOption,
  ChannelTest,
  NotificationChannel,
  NotificationChannelChange,
  NotificationChannelDraft,
} from './notificationChannel.schema'
import { resource } from './resource'

const channels = resource('system', 'notificationChannel', '通知渠道', 'platform')

export const notificationChannelApi = {
  page: channels.page({
    input: {
      name: SearchFilter.optional(),
      kind: ChannelKind.optional(),
      status: Status.optional(),
    },
    output: NotificationChannel,
  }),
  /** Returns the channels for the form of a policy; its permission is that of the list, because they tell who is reachable. */
  list: endpoint({
    method: 'GET',
    path: '/v1/notification-channel/list',
    title: '通知渠道选项',
    permission: 'system:notificationChannel:list',
    input: z.object({}),
    output: z.array(ChannelOption),
  }),
  create: channels.create({ input: NotificationChannelDraft, output: NotificationChannel }),
  update: channels.update({ input: NotificationChannelChange, output: NotificationChannel }),
  remove: channels.remove(),
  setStatus: channels.setStatus(),
  /** Sends a sample message now, by the same path as a real one. */
  test: endpoint({
    method: 'POST',
    path: '/v1/notification-channel/{id}/test',
    title: '发送测试消息',
    permission: 'system:notificationChannel:edit',
    owner: 'platform',
    input: ById,
    output: ChannelTest,
  }),
}
