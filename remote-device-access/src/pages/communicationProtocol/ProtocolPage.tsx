import type { TableColumnType } from 'antd'
import { nodeTypeText, transportText } from '@iot/shared/contract/product/communicationProtocol'
import {
  CommunicationProtocol,
  type NodeType,
  type Parameter,
  type Transport,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { useBatch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { StatusBatch, statusColumn, statusOptions } from '@iot/shared/ui/status'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'

const ProtocolForm = lazyDialog(() => import('./ProtocolForm'))

export function Component() {
  const list = usePage(communicationProtocolApi.page, {
    empty: '还没有通信协议，点“新建通信协议”添加',
    create: communicationProtocolApi.create,
  })
  const batch = useBatch(list)
  const [editing, setEditing, unsavedNotice] = useEditing<CommunicationProtocol | 'new'>(
    'communicationProtocol',
    '通信协议',
  )

  const remove = useRemoveRow(communicationProtocolApi.remove, list.refresh)

  const columns = useColumns<CommunicationProtocol>(
    'communicationProtocol',
    [
      ...createProtocolColumns(list.sortable, setEditing),
      actionsColumn<CommunicationProtocol>({
        api: communicationProtocolApi,
        edit: setEditing,
        remove,
        unless: ({ builtin }) => builtin && '内置通信协议不能删除',
      }),
    ],
    ['updateTime'],
  )

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<CommunicationProtocol>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '协议名称或编码'),
          choiceFilter('transport', '传输方式', toTextOptions(transportText)),
          choiceFilter('node', '适用节点', toTextOptions(nodeTypeText)),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        selection={batch.selection}
        batchActions={<StatusBatch batch={batch} api={communicationProtocolApi} />}
      >
        <ImportButton
          name="通信协议"
          to={communicationProtocolApi.importRows}
          update={communicationProtocolApi.update}
          note="参数模板一行一个：键|名称|类型|必填或选填|保密或公开|默认值"
          onImported={list.refresh}
        />
        <ExportButton from={communicationProtocolApi.exportRows} input={list.input} />
        <CreateButton to={communicationProtocolApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <ProtocolForm
          protocol={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}

type Sortable = ReturnType<typeof usePage<typeof communicationProtocolApi.page>>['sortable']

const createProtocolColumns = (
  sortable: Sortable,
  onOpen: (protocol: CommunicationProtocol) => void,
): TableColumnType<CommunicationProtocol>[] => [
  {
    ...column(CommunicationProtocol, 'name'),
    ...sortable('name'),
    width: 150,
    ellipsis: true,
    render: createNameRenderer<CommunicationProtocol>(communicationProtocolApi.update, onOpen),
  },
  { ...column(CommunicationProtocol, 'code'), ...sortable('code'), width: 120, ellipsis: true },
  {
    ...column(CommunicationProtocol, 'transport'),
    width: 110,
    render: (transport: Transport) => transportText[transport],
  },
  {
    ...column(CommunicationProtocol, 'nodes'),
    width: 150,
    ellipsis: true,
    render: (nodes: NodeType[]) => nodes.map((node) => nodeTypeText[node]).join('、'),
  },
  { ...column(CommunicationProtocol, 'protocolVersion'), width: 84 },
  {
    ...column(CommunicationProtocol, 'parameters'),
    width: 190,
    ellipsis: true,
    render: (list: Parameter[]) => list.map(({ label }) => label).join('、') || '—',
  },
  statusColumn<CommunicationProtocol>(),
  {
    ...column(CommunicationProtocol, 'updateTime'),
    ...sortable('updateTime'),
    width: 160,
  },
]
