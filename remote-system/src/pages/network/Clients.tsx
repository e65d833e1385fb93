import { Button, Tag } from 'antd'
import { call } from '@iot/shared/client/call'
import { clientStateText } from '@iot/shared/contract/network'
import { NetworkClient, type ClientState } from '@iot/shared/contract/network.schema'
import { networkApi } from '@iot/shared/contract/network.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { Can, useRefusalReason } from '@iot/shared/ui/right'
import { ListTable } from '@iot/shared/ui/listTable'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'

const stateOptions = toTextOptions(clientStateText)
const explainNotConnected = ({ state }: NetworkClient) =>
  state === 'banned'
    ? '设备已禁用，没有连接；在设备管理里启用后才能接入'
    : state !== 'online' && '这个设备现在没有连接'

/** Lists devices with a connection of their own, throttled devices that connected too often, and disabled devices. */
export function Clients() {
  const { modal, message } = useFeedback()
  const list = usePage(networkApi.clients, {
    empty: '现在没有设备直接连接',
    unless: useRefusalReason()(networkApi.clients),
  })
  const kick = ({ id, name }: NetworkClient) =>
    modal.confirm({
      title: `断开“${name}”的连接？`,
      content: '设备一般会自动重新连接；要长期拒绝，请禁用设备。',
      okText: '断开',
      okButtonProps: { danger: true },
      onOk: () =>
        call(networkApi.kick, { id })
          .then(() => (message.success(`已断开“${name}”`), list.refresh()))
          .catch(ignoreHandled),
    })

  const columns = useColumns<NetworkClient>('networkClient', [
    { ...column(NetworkClient, 'name'), ...list.sortable('name'), width: 150, ellipsis: true },
    { ...column(NetworkClient, 'deviceName'), width: 120, ellipsis: true },
    { ...column(NetworkClient, 'projectName'), width: 100, ellipsis: true },
    { ...column(NetworkClient, 'address'), width: 124, ellipsis: true },
    {
      ...column(NetworkClient, 'state'),
      width: 96,
      render: (state: ClientState | null) =>
        state === null || state === 'online' ? (
          (state && clientStateText[state]) || '离线'
        ) : (
          <Tag color={state === 'slowed' ? 'error' : 'default'}>{clientStateText[state]}</Tag>
        ),
    },
    { ...column(NetworkClient, 'onlineTime'), ...list.sortable('onlineTime'), width: 152 },
    { ...column(NetworkClient, 'slowedUntil'), width: 152 },
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
