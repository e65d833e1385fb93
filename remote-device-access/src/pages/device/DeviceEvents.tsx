import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import { call } from '@iot/shared/client/call'
import type { DeviceEvent } from '@iot/shared/contract/device/deviceLive.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { eventText } from '@iot/shared/contract/thingModel/thingText'
import { formatValue } from '@iot/shared/ui/field'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'
import { formatDeviceValues } from './formatDeviceValue'

const pollIntervalMs = 5000
const eventColours = { alert: 'warning', error: 'error' }

type DeviceEventsProps = { id: string; model?: ThingModel }

/** Lists the latest hundred events of a device. */
export default function DeviceEvents({ id, model }: DeviceEventsProps) {
  const { data, error, refresh } = useRequest(
    () => call(managedDeviceApi.events, { id }, { inline: true }),
    { refreshDeps: [id], pollingInterval: pollIntervalMs, pollingErrorRetryCount: 3 },
  )
  const findEvent = (identifier: string) =>
    model?.events.find((event) => event.identifier === identifier)
  return (
    <Flex vertical gap={12}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<DeviceEvent>
        rowKey="id"
        size="middle"
        loading={!data && !error}
        dataSource={data}
        pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        scroll={{ x: 'max-content' }}
        locale={buildEmptyLocale(data, '设备还没有上报过事件')}
        columns={[
          { title: '时间', dataIndex: 'time', width: 180, render: formatValue },
          {
            title: '事件',
            dataIndex: 'identifier',
            width: 200,
            render: (identifier: string) => findEvent(identifier)?.name ?? identifier,
          },
          {
            title: '类型',
            dataIndex: 'type',
            width: 90,
            render: (type: DeviceEvent['type']) =>
              type === 'info' ? (
                eventText[type]
              ) : (
                <Tag color={eventColours[type]}>{eventText[type]}</Tag>
              ),
          },
          {
            title: '内容',
            dataIndex: 'params',
            render: (params: DeviceEvent['params'], { identifier }) =>
              formatDeviceValues(findEvent(identifier)?.outputData ?? [], params) ||
              formatValue(undefined),
          },
        ]}
      />
    </Flex>
  )
}
