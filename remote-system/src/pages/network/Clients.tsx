import Button from 'antd/es/button'
import { clientStateText, networkClientTitles } from '@iot/shared/contract/device/network'
import type { NetworkClient, ClientState } from '@iot/shared/contract/device/network.schema'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { Can, RowLink, useRefusalReason } from '@iot/shared/ui/right'
import { ListTable } from '@iot/shared/ui/listTable'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { ClientStateText } from './ClientStateText'
import { explainNotConnected, useKick } from './useKick'

const stateOptions = toTextOptions(clientStateText)

/** Lists devices with a connection of their own, throttled devices that connected too often, and disabled devices. */
export function Clients() {
  const list = usePage(networkApi.clients, {
    empty: '现在没有设备直接连接',
    unless: useRefusalReason()(networkApi.clients),
  })
  const kick = useKick(list.refresh)
  const columns = useColumns<NetworkClient>('networkClient', [
    {
      ...column(networkClientTitles, 'name'),
      ...list.sortable('name'),
      width: 150,
      ellipsis: true,
      render: (name: string, { id }) => (
        <RowLink to={networkApi.get} at={`${paths.system.network()}/${id}`} name={name} />
      ),
    },
    { ...column(networkClientTitles, 'deviceName'), width: 120, ellipsis: true },
    { ...column(networkClientTitles, 'projectName'), width: 100, ellipsis: true },
    { ...column(networkClientTitles, 'address'), width: 124, ellipsis: true },
    {
      ...column(networkClientTitles, 'state'),
      width: 96,
      render: (state: ClientState | null) => <ClientStateText state={state} />,
    },
    { ...column(networkClientTitles, 'onlineTime'), ...list.sortable('onlineTime'), width: 152 },
    { ...column(networkClientTitles, 'slowedUntil'), width: 152 },
    {
      title: <>操作</>,
      width: 60,
      fixed: 'right',
      render: (_, row) => (
        <Can to={networkApi.kick} unless={explainNotConnected(row)}>
          <Button
            type="link"
            size="small"
            style={{ marginInlineStart: -7 }}
            onClick={() => kick(row)}
          >
            断开
          </Button>
        </Can>
      ),
    },
  ])

  return (
    <ListTable<NetworkClient>
      list={list}
      columns={columns}
      filters={[
        textFilter('name', '设备', 150),
        textFilter('address', 'IP 地址', 140),
        choiceFilter('state', '状态', stateOptions, 110),
      ]}
    />
  )
}
