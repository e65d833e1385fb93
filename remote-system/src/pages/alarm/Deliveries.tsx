import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import { deliveryKindText } from '@iot/shared/contract/alarm/notificationDelivery'
import { notificationDeliveryApi as api } from '@iot/shared/contract/alarm/notificationDelivery.api'
import { NotificationDelivery } from '@iot/shared/contract/alarm/notificationDelivery.schema'
import { toTextOptions } from '@iot/shared/contract/options'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ListTable } from '@iot/shared/ui/listTable'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { timeFilter } from '../log/timeFilter'
import { deliveryColumns } from './deliveryColumns'

const resultOptions = [
  { value: 'success', label: '成功' },
  { value: 'failure', label: '失败' },
]

/** Lists the attempts of all channels, also of removed ones, which no row of the channels leads to any more. */
export default function Deliveries() {
  const list = usePage(api.page, { empty: '还没有发送过通知' })
  const columns = useColumns<NotificationDelivery>('notificationDelivery', [
    { ...column(NotificationDelivery, 'time'), ...list.sortable('time'), width: 152 },
    {
      ...column(NotificationDelivery, 'channelName'),
      width: 180,
      render: (name: string, { isChannelRemoved }) => (
        <Flex gap={8} align="center">
          <Typography.Text ellipsis={{ tooltip: name }}>{name}</Typography.Text>
          {isChannelRemoved && <Tag style={{ flex: 'none', margin: 0 }}>已删除</Tag>}
        </Flex>
      ),
    },
    ...deliveryColumns.map((logColumn) => ({ ...logColumn, ellipsis: logColumn.width >= 200 })),
  ])
  return (
    <ListTable<NotificationDelivery>
      list={list}
      columns={columns}
      filters={[
        timeFilter,
        textFilter('channelName', '渠道名称', 130),
        choiceFilter('result', '结果', resultOptions, 90),
        choiceFilter('kind', '类型', toTextOptions(deliveryKindText), 100),
      ]}
    >
      <Button onClick={list.refresh}>刷新</Button>
    </ListTable>
  )
}
