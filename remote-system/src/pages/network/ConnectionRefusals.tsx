import { Link } from 'react-router-dom'
import { refusalReasonText } from '@iot/shared/contract/device/connectionRefusal'
import {
  ConnectionRefusal,
  type RefusalReason,
} from '@iot/shared/contract/device/connectionRefusal.schema'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { column, formatValue } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { useRefusalReason } from '@iot/shared/ui/right'
import { ListTable } from '@iot/shared/ui/listTable'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'

const reasonOptions = toTextOptions(refusalReasonText)

/** Lists refused connections, so that an installer can see why a device does not connect. */
export default function ConnectionRefusals() {
  const list = usePage(networkApi.refusals, {
    empty: '最近 30 天没有被拒绝的接入',
    unless: useRefusalReason()(networkApi.refusals),
  })
  const columns = useColumns<ConnectionRefusal>('connectionRefusal', [
    { ...column(ConnectionRefusal, 'lastTime'), ...list.sortable('lastTime'), width: 152 },
    {
      ...column(ConnectionRefusal, 'deviceName'),
      width: 150,
      ellipsis: true,
      render: (name: string, { deviceId }) =>
        deviceId ? (
          <Link to={`${paths.deviceAccess.device()}/${deviceId}`}>{name}</Link>
        ) : (
          formatValue(name)
        ),
    },
    { ...column(ConnectionRefusal, 'productKey'), width: 120, ellipsis: true },
    {
      ...column(ConnectionRefusal, 'reason'),
      width: 210,
      ellipsis: true,
      render: (reason: RefusalReason) => refusalReasonText[reason],
    },
    { ...column(ConnectionRefusal, 'address'), width: 124, ellipsis: true },
    { ...column(ConnectionRefusal, 'count'), ...list.sortable('count'), width: 80, align: 'right' },
    { ...column(ConnectionRefusal, 'clientId'), width: 150, ellipsis: true },
    { ...column(ConnectionRefusal, 'firstTime'), ...list.sortable('firstTime'), width: 152 },
  ])
  return (
    <ListTable<ConnectionRefusal>
      list={list}
      columns={columns}
      filters={[
        textFilter('name', 'DeviceName、ProductKey 或 clientId', 300),
        textFilter('address', '来源', 140),
        choiceFilter('reason', '原因', reasonOptions, 180),
      ]}
    />
  )
}
