import { z } from 'zod'
import { Id, Time } from './fields'
import { DeliveryOutcome } from './notificationChannel.schema'

export const deliveryKindText = {
  message: '消息',
  summary: '汇总',
  test: '测试',
  expired: '放弃',
} as const
export type DeliveryKind = keyof typeof deliveryKindText

/** One attempt to deliver a message. */
export const NotificationDelivery = DeliveryOutcome.extend({
  id: Id,
  /** The id that every attempt of a message carries, so that its receiver recognises a repetition. */
  messageId: Id.meta({ title: '消息编号' }),
  channelId: Id,
  channelName: z.string().meta({ title: '通知渠道' }),
  kind: z
    .enum(Object.keys(deliveryKindText) as [DeliveryKind, ...DeliveryKind[]])
    .meta({ title: '类型' }),
  time: Time.meta({ title: '时间' }),
  title: z.string().meta({ title: '标题' }),
  /** Number of notifications that the message stands for. */
  count: z.number().int().meta({ title: '条数' }),
  attempt: z.number().int().meta({ title: '第几次' }),
})
export type NotificationDelivery = z.infer<typeof NotificationDelivery>
