import * as z from '../zod'
import { Id, periodFilter, SearchFilter, Time } from '../fields.schema'
import { DeliveryOutcome } from './notificationChannel.schema'
import { deliveryKindText, type DeliveryKind } from './notificationDelivery'
import { resourceSchemas } from '../resource.schema'

const Kind = z
  .enum(Object.keys(deliveryKindText) as [DeliveryKind, ...DeliveryKind[]])
  .meta({ title: '类型' })

/** One attempt to deliver a message. */
export const NotificationDelivery = DeliveryOutcome.extend({
  id: Id,
  /** The id that every attempt of a message carries, so that its receiver recognises a repetition. */
  messageId: Id.meta({ title: '消息编号' }),
  channelId: Id,
  channelName: z.string().meta({ title: '通知渠道' }),
  /** The log outlives its channel. */
  isChannelRemoved: z.boolean().meta({ title: '渠道已删除' }),
  kind: Kind,
  time: Time.meta({ title: '时间' }),
  title: z.string().meta({ title: '标题' }),
  /** Number of notifications that the message stands for. */
  count: z.number().int().meta({ title: '条数' }),
  attempt: z.number().int().meta({ title: '第几次' }),
})
export type NotificationDelivery = z.infer<typeof NotificationDelivery>

export const notificationDeliverySchemas = {
  page: resourceSchemas.page({
    input: {
      channelId: Id.optional(),
      channelName: SearchFilter.optional(),
      kind: Kind.optional(),
      result: z.enum(['success', 'failure']).optional(),
      ...periodFilter,
    },
    output: NotificationDelivery,
  }),
}
