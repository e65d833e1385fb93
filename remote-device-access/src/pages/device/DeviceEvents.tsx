import { useRequest } from 'ahooks'
import { Flex, Table, Tag } from 'antd'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi, type DeviceEvent } from '@iot/shared/contract/managedDevice'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import { eventText } from '@iot/shared/contract/thingText'
import { shown } from '@iot/shared/ui/field'
import { FailedLine, whenEmpty } from '@iot/shared/ui/usePage'
import { valuesText } from './valueText'

const every = 5000
const colours = { alert: 'warning', error: 'error' }

type DeviceEventsProps = { id: string; model?: ThingModel }

/** Lists the latest hundred events of a device. */
export default function DeviceEvents({ id, model }: DeviceEventsProps) {
  const { data, error, refresh } = useRequest(
    () => call(managedDeviceApi.events, { id }, { inline: true }),
    { refreshDeps: [id], pollingInterval: every, pollingErrorRetryCount: 3 },
  )
  const of = (identifier: string) => model?.events.find((event) => event.identifier === identifier)
  return (
    <Flex vertical gap={12}>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<DeviceEvent>
        rowKey="id"
        size="middle"
        loading={!data && !error}
        dataSource={data}
        pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        scroll={{ x: 'max-content' }}
        locale={whenEmpty(data, '设备还没有上报过事件')}
        columns={[
          { title: '时间', dataIndex: 'time', width: 180, render: shown },
          {
            title: '事件',
            dataIndex: 'identifier',
            width: 200,
            render: (identifier: string) => of(identifier)?.name ?? identifier,
          },
          {
            title: '类型',
            dataIndex: 'type',
            width: 90,
            render: (type: DeviceEvent['type']) =>
              type === 'info' ? (
                eventText[type]
              ) : (
                <Tag color={colours[type]}>{eventText[type]}</Tag>
              ),
          },
          {
            title: '内容',
            dataIndex: 'params',
            render: (params: DeviceEvent['params'], { identifier }) =>
              valuesText(of(identifier)?.outputData ?? [], params) || shown(undefined),
          },
        ]}
      />
    </Flex>
  )
}
