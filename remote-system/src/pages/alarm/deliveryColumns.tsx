import Tag from 'antd/es/tag'
import {
  deliveryKindText,
  type DeliveryKind,
} from '@iot/shared/contract/alarm/notificationDelivery'
import { NotificationDelivery } from '@iot/shared/contract/alarm/notificationDelivery.schema'
import { column } from '@iot/shared/ui/field'

/** The columns of an attempt, besides its time, in the log of one channel and in that of all channels. */
export const deliveryColumns = [
  {
    ...column(NotificationDelivery, 'isSuccess'),
    width: 70,
    render: (isSuccess: boolean) => (isSuccess ? '成功' : <Tag color="error">失败</Tag>),
  },
  {
    ...column(NotificationDelivery, 'kind'),
    width: 72,
    render: (kind: DeliveryKind) => deliveryKindText[kind],
  },
  { ...column(NotificationDelivery, 'title'), width: 300 },
  { ...column(NotificationDelivery, 'answer'), width: 240 },
  { ...column(NotificationDelivery, 'count'), width: 60, align: 'right' as const },
  { ...column(NotificationDelivery, 'attempt'), width: 74, align: 'right' as const },
  { ...column(NotificationDelivery, 'statusCode'), width: 100, align: 'right' as const },
  { ...column(NotificationDelivery, 'code'), width: 80 },
]
