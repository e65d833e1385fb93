import { Space, Tag } from 'antd'
import { capabilityText, widgetText } from '@iot/shared/contract/product/controlType'
import {
  ControlType,
  type Capability,
  type Widget,
} from '@iot/shared/contract/product/controlType.schema'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
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

const ControlTypeForm = lazyDialog(() => import('./ControlTypeForm'))

const capabilityOptions = toTextOptions(capabilityText)

export function Component() {
  const list = usePage(controlTypeApi.page, {
    empty: '还没有控制类型，点“新建控制类型”添加，或导入表格',
    create: controlTypeApi.create,
  })
  const batch = useBatch(list)
  const [editing, setEditing, unsavedNotice] = useEditing<ControlType | 'new'>(
    'controlType',
    '控制类型',
  )

  const remove = useRemoveRow(controlTypeApi.remove, list.refresh)

  const columns = useColumns<ControlType>('controlType', [
    {
      ...column(ControlType, 'name'),
      ...list.sortable('name'),
      width: 150,
      ellipsis: true,
      render: createNameRenderer<ControlType>(controlTypeApi.update, setEditing),
    },
    { ...column(ControlType, 'code'), ...list.sortable('code'), width: 120, ellipsis: true },
    {
      ...column(ControlType, 'capability'),
      width: 96,
      render: (capability: Capability) => capabilityText[capability],
    },
    {
      ...column(ControlType, 'functions'),
      width: 220,
      render: (identifiers: string[]) =>
        identifiers.length === 0 ? (
          '—'
        ) : (
          <Space size={4} wrap>
            {identifiers.map((identifier) => (
              <Tag key={identifier}>{identifier}</Tag>
            ))}
          </Space>
        ),
    },
    {
      ...column(ControlType, 'widget'),
      width: 80,
      render: (widget: Widget) => widgetText[widget],
    },
    statusColumn<ControlType>(),
    { ...column(ControlType, 'updateTime'), ...list.sortable('updateTime'), width: 160 },
    actionsColumn<ControlType>({ api: controlTypeApi, edit: setEditing, remove }),
  ])

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<ControlType>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '名称或编码'),
          choiceFilter('capability', '能力', capabilityOptions, 140),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        selection={batch.selection}
        batchActions={<StatusBatch batch={batch} api={controlTypeApi} />}
      >
        <ImportButton
          name="控制类型"
          to={controlTypeApi.importRows}
          update={controlTypeApi.update}
          onImported={list.refresh}
        />
        <ExportButton from={controlTypeApi.exportRows} input={list.input} />
        <CreateButton to={controlTypeApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <ControlTypeForm
          type={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
