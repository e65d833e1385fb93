import type { TableColumnType } from 'antd'
import {
  nodeTypeText,
  transportText,
  communicationProtocolTitles,
} from '@iot/shared/contract/product/communicationProtocol'
import type {
  CommunicationProtocol,
  NodeType,
  Parameter,
  Transport,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'

const ProtocolForm = lazyDialog(() => import('./ProtocolForm'))

export function Component() {
  const list = useRecordList(communicationProtocolApi, {
    draft: 'communicationProtocol',
    title: '通信协议',
    empty: '还没有通信协议，点“新建通信协议”添加',
  })

  const columns = useColumns<CommunicationProtocol>(
    'communicationProtocol',
    [
      ...createProtocolColumns(list.sortable, list.edit),
      actionsColumn<CommunicationProtocol>({
        ...list,
        unless: ({ builtin }) => builtin && '内置通信协议不能删除',
      }),
    ],
    ['updateTime'],
  )

  return (
    <Panel>
      <RecordList<CommunicationProtocol>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '协议名称或编码'),
          choiceFilter('transport', '传输方式', toTextOptions(transportText)),
          choiceFilter('node', '适用节点', toTextOptions(nodeTypeText)),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        importNote="参数模板一行一个：键|名称|类型|必填或选填|保密或公开|默认值"
        form={(protocol) => (
          <ProtocolForm protocol={protocol} onSaved={list.saved} onClose={list.close} />
        )}
      />
    </Panel>
  )
}

type Sortable = ReturnType<typeof usePage<typeof communicationProtocolApi.page>>['sortable']

const createProtocolColumns = (
  sortable: Sortable,
  onOpen: (protocol: CommunicationProtocol) => void,
): TableColumnType<CommunicationProtocol>[] => [
  {
    ...column(communicationProtocolTitles, 'name'),
    ...sortable('name'),
    width: 150,
    ellipsis: true,
    render: createNameRenderer<CommunicationProtocol>(communicationProtocolApi.update, onOpen),
  },
  {
    ...column(communicationProtocolTitles, 'code'),
    ...sortable('code'),
    width: 120,
    ellipsis: true,
  },
  {
    ...column(communicationProtocolTitles, 'transport'),
    width: 110,
    render: (transport: Transport) => transportText[transport],
  },
  {
    ...column(communicationProtocolTitles, 'nodes'),
    width: 150,
    ellipsis: true,
    render: (nodes: NodeType[]) => nodes.map((node) => nodeTypeText[node]).join('、'),
  },
  { ...column(communicationProtocolTitles, 'protocolVersion'), width: 84 },
  {
    ...column(communicationProtocolTitles, 'parameters'),
    width: 190,
    ellipsis: true,
    render: (list: Parameter[]) => list.map(({ label }) => label).join('、') || '—',
  },
  statusColumn<CommunicationProtocol>(),
  {
    ...column(communicationProtocolTitles, 'updateTime'),
    ...sortable('updateTime'),
    width: 160,
  },
]
