import { Space, Table, Tag } from 'antd'
import { call } from '@iot/shared/client/call'
import {
  capabilityText,
  ControlType,
  controlTypeApi,
  widgetText,
  type Capability,
  type Widget,
} from '@iot/shared/contract/controlType'
import { toTextOptions } from '@iot/shared/contract/options'
import { useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { StatusBatch, statusColumn, statusOptions } from '@iot/shared/ui/status'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'

const ControlTypeForm = lazyPart(() => import('./ControlTypeForm'))

const capabilityOptions = toTextOptions(capabilityText)

export function Component() {
  const confirmRemove = useConfirmRemove()
  const {
    table,
    filters,
    input,
    search,
    refresh,
    saved: showSavedRow,
    sortable,
  } = usePage(controlTypeApi.page, {
    empty: '还没有控制类型，点“新建控制类型”添加，或导入表格',
    create: controlTypeApi.create,
  })
  const batch = useBatch(refresh)
  const [editing, setEditing, unsavedNotice] = useEditing<ControlType | 'new'>(
    'controlType',
    '控制类型',
  )

  const remove = ({ id, name }: ControlType) =>
    confirmRemove(name, (options) => call(controlTypeApi.remove, { id }, options).then(refresh))

  const {
    columns,
    size,
    scroll,
    chooser: columnChooser,
  } = useColumns<ControlType>('controlType', [
    {
      ...column(ControlType, 'name'),
      ...sortable('name'),
      width: 150,
      ellipsis: true,
      render: createNameRenderer<ControlType>(controlTypeApi.update, setEditing),
    },
    { ...column(ControlType, 'code'), ...sortable('code'), width: 120, ellipsis: true },
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
    { ...column(ControlType, 'updateTime'), ...sortable('updateTime'), width: 160 },
    actionsColumn<ControlType>({ api: controlTypeApi, edit: setEditing, remove }),
  ])

  return (
    <Panel>
      {unsavedNotice}
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('name', '名称或编码'),
              choiceFilter('capability', '能力', capabilityOptions, 140),
              choiceFilter('status', '状态', statusOptions, 90),
            ]}
          />
        }
        batch={<StatusBatch batch={batch} api={controlTypeApi} />}
      >
        {columnChooser}
        <ImportButton
          name="控制类型"
          to={controlTypeApi.importRows}
          update={controlTypeApi.update}
          onImported={refresh}
        />
        <ExportButton from={controlTypeApi.exportRows} input={input} />
        <CreateButton to={controlTypeApi.create} onClick={() => setEditing('new')} />
      </Toolbar>
      <Table<ControlType>
        size={size}
        columns={columns}
        rowSelection={batch.selection}
        {...table}
        scroll={scroll}
      />
      {editing && (
        <ControlTypeForm
          type={editing === 'new' ? undefined : editing}
          onSaved={showSavedRow}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
