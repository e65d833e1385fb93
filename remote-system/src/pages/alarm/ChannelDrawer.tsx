import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Drawer from 'antd/es/drawer'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { notificationChannelApi } from '@iot/shared/contract/alarm/notificationChannel.api'
import type { NotificationChannel } from '@iot/shared/contract/alarm/notificationChannel.schema'
import { notificationDeliveryApi } from '@iot/shared/contract/alarm/notificationDelivery.api'
import { NotificationDelivery } from '@iot/shared/contract/alarm/notificationDelivery.schema'
import { column } from '@iot/shared/ui/field'
import { Can } from '@iot/shared/ui/right'
import { buildEmptyLocale, LoadErrorAlert } from '@iot/shared/ui/usePage'
import { deliveryColumns } from './deliveryColumns'

type ChannelDrawerProps = { channel: NotificationChannel; onClose: () => void }

/** Sends a test message and lists the attempts of a channel with the answers, the newest first. */
export default function ChannelDrawer({ channel: { id, name }, onClose }: ChannelDrawerProps) {
  const [pageNo, setPageNo] = useState(1)
  const log = useRequest(
    () => call(notificationDeliveryApi.page, { channelId: id, pageNo }, { inline: true }),
    { refreshDeps: [pageNo] },
  )
  const test = useRequest(() => call(notificationChannelApi.test, { id }, { inline: true }), {
    manual: true,
    onFinally: () => log.refresh(),
  })
  return (
    <Drawer open title={name} size={960} onClose={onClose}>
      <Flex vertical gap={12}>
        <Flex gap={12} align="center">
          <Can to={notificationChannelApi.test}>
            <Button type="primary" loading={test.loading} onClick={test.run}>
              发送测试
            </Button>
          </Can>
          <Button onClick={log.refresh}>刷新</Button>
        </Flex>
        {test.error && <Alert type="error" showIcon title={test.error.message} />}
        {test.data && (
          <Alert
            type={test.data.isSuccess ? 'success' : 'error'}
            showIcon
            title={`${test.data.isSuccess ? '已送达' : '没有送达'}，用时 ${test.data.durationMs} 毫秒`}
            description={[test.data.code, test.data.answer, test.data.hint]
              .filter(Boolean)
              .join('　')}
          />
        )}
        {log.error && (
          <LoadErrorAlert why={log.error.message} hasRows={!!log.data} onRetry={log.refresh} />
        )}
        <Table<NotificationDelivery>
          rowKey="id"
          size="small"
          loading={log.loading && !log.data}
          dataSource={log.data?.list}
          locale={buildEmptyLocale(log.data, '还没有发送过')}
          pagination={{
            current: pageNo,
            pageSize: 20,
            total: log.data?.total,
            showSizeChanger: false,
            onChange: setPageNo,
          }}
          scroll={{ x: 1150 }}
          columns={[{ ...column(NotificationDelivery, 'time'), width: 152 }, ...deliveryColumns]}
        />
      </Flex>
    </Drawer>
  )
}
