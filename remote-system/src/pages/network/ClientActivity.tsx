import { Link } from 'react-router-dom'
import { ledgerStateText } from '@iot/shared/contract/control/control'
import { AlarmIncident, type IncidentStatus } from '@iot/shared/contract/alarm/incident.schema'
import { incidentStatusText } from '@iot/shared/contract/alarm/incident'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import type { DeviceCommand, DeviceMessage } from '@iot/shared/contract/device/deviceLive.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { paths } from '@iot/shared/screens/paths'
import { column, formatValue, renderCode } from '@iot/shared/ui/field'
import { ActivityTable, useActivity } from '../Activity'

const shownRows = 8
const directionText = { up: '上行', down: '下行' }

const toDevicePath = (id: string, tab: string) => `${paths.deviceAccess.device()}/${id}?tab=${tab}`

/** Leaves out `/sys/{productKey}/{deviceName}/`, which all topics of a device have in common. */
const shortenTopic = (topic: string) => topic.split('/').slice(4).join('/') || topic

export function ClientMessages({ id }: { id: string }) {
  const activity = useActivity(managedDeviceApi.messages, { id })
  return (
    <ActivityTable<DeviceMessage>
      title="最近报文"
      more={{ to: toDevicePath(id, 'messages'), label: '全部报文' }}
      activity={activity}
      rowKey="id"
      dataSource={activity.request.data?.slice(0, shownRows)}
      scroll={{ x: 560 }}
      emptyText="一天内没有报文"
      columns={[
        { title: '时间', dataIndex: 'time', width: 160, render: formatValue },
        {
          title: '方向',
          dataIndex: 'direction',
          width: 64,
          render: (direction: DeviceMessage['direction']) => directionText[direction],
        },
        {
          title: 'Topic',
          dataIndex: 'topic',
          ellipsis: true,
          render: (topic: string) => <span title={topic}>{renderCode(shortenTopic(topic))}</span>,
        },
      ]}
    />
  )
}

export function ClientCommands({ id }: { id: string }) {
  const activity = useActivity(managedDeviceApi.commands, { id })
  return (
    <ActivityTable<DeviceCommand>
      title="最近命令"
      more={{ to: toDevicePath(id, 'commands'), label: '全部命令' }}
      activity={activity}
      rowKey="taskId"
      dataSource={activity.request.data?.slice(0, shownRows)}
      scroll={{ x: 560 }}
      emptyText="还没有给这台设备下发过命令"
      columns={[
        { title: '时间', dataIndex: 'time', width: 160, render: formatValue },
        { title: '操作', dataIndex: 'title', ellipsis: true },
        {
          title: '下达人',
          dataIndex: 'hops',
          width: 100,
          render: (hops: DeviceCommand['hops']) => hops[0]?.name,
        },
        {
          title: '结果',
          dataIndex: 'state',
          width: 120,
          render: (state: DeviceCommand['state']) => ledgerStateText[state],
        },
      ]}
    />
  )
}

/** Lists incidents of the device, those that are not resolved first: they tell when it was offline. */
export function ClientIncidents({ id }: { id: string }) {
  const activity = useActivity(incidentApi.page, {
    deviceId: id,
    status: 'all',
    pageNo: 1,
    pageSize: shownRows,
  })
  return (
    <ActivityTable<AlarmIncident>
      title="离线和其他告警"
      more={{ to: paths.system.alarm.incident({ deviceId: id, status: 'all' }), label: '全部告警' }}
      activity={activity}
      rowKey="id"
      dataSource={activity.request.data?.list}
      scroll={{ x: 380 }}
      emptyText="没有告警"
      columns={[
        {
          ...column(AlarmIncident, 'title'),
          ellipsis: true,
          render: (title: string, row) => (
            <Link to={`${paths.system.alarm.incident()}/${row.id}`}>{title}</Link>
          ),
        },
        { ...column(AlarmIncident, 'openedTime'), width: 152 },
        {
          ...column(AlarmIncident, 'status'),
          width: 76,
          render: (status: IncidentStatus) => incidentStatusText[status],
        },
      ]}
    />
  )
}
