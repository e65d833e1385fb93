import { Table } from 'antd'
import { Link } from 'react-router-dom'
import {
  ConnectionRefusal,
  refusalReasonText,
  type RefusalReason,
} from '@iot/shared/contract/connectionRefusal'
import { networkApi } from '@iot/shared/contract/network'
import { toTextOptions } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { column, formatValue } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { useRefusalReason } from '@iot/shared/ui/right'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'

const reasonOptions = toTextOptions(refusalReasonText)

/** Lists refused connections, so that an installer can see why a device does not connect. */
export default function ConnectionRefusals() {
  const { table, filters, search, sortable } = usePage(networkApi.refusals, {
    empty: '最近 30 天没有被拒绝的接入',
    unless: useRefusalReason()(networkApi.refusals),
  })
  const {
    columns,
    size,
    scroll,
    chooser: columnChooser,
  } = useColumns<ConnectionRefusal>('connectionRefusal', [
    { ...column(ConnectionRefusal, 'lastTime'), ...sortable('lastTime'), width: 152 },
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
    { ...column(ConnectionRefusal, 'count'), ...sortable('count'), width: 80, align: 'right' },
    { ...column(ConnectionRefusal, 'clientId'), width: 150, ellipsis: true },
    { ...column(ConnectionRefusal, 'firstTime'), ...sortable('firstTime'), width: 152 },
  ])
  return (
    <>
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('name', 'DeviceName、ProductKey 或 clientId', 300),
              textFilter('address', '来源', 140),
              choiceFilter('reason', '原因', reasonOptions, 180),
            ]}
          />
        }
      >
        {columnChooser}
      </Toolbar>
      <Table<ConnectionRefusal> size={size} columns={columns} {...table} scroll={scroll} />
    </>
  )
}
