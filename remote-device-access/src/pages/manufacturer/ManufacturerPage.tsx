import { Table, type TableColumnsType } from 'antd'
import { call } from '@iot/shared/client/call'
import { Manufacturer, manufacturerApi } from '@iot/shared/contract/manufacturer'
import { areaFilter } from '@iot/shared/ui/areaFilter'
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

const ManufacturerForm = lazyPart(() => import('./ManufacturerForm'))

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
  } = usePage(manufacturerApi.page, {
    empty: '还没有厂商，点“新建厂商”添加，或导入表格',
    create: manufacturerApi.create,
  })
  const batch = useBatch(refresh)
  const [editing, setEditing, unsavedNotice] = useEditing<Manufacturer | 'new'>(
    'manufacturer',
    '厂商',
  )

  const remove = ({ id, name }: Manufacturer) =>
    confirmRemove(name, (options) => call(manufacturerApi.remove, { id }, options).then(refresh))

  const {
    columns,
    size,
    scroll,
    chooser: columnChooser,
  } = useColumns<Manufacturer>(
    'manufacturer',
    [
      {
        ...column(Manufacturer, 'name'),
        ...sortable('name'),
        width: 204,
        ellipsis: true,
        render: createNameRenderer<Manufacturer>(manufacturerApi.update, setEditing),
      },
      { ...column(Manufacturer, 'shortName'), width: 110, ellipsis: true },
      { ...column(Manufacturer, 'code'), ...sortable('code'), width: 104, ellipsis: true },
      { ...column(Manufacturer, 'areaName'), width: 168, ellipsis: true },
      { ...column(Manufacturer, 'contact'), width: 80, ellipsis: true },
      { ...column(Manufacturer, 'phone'), width: 118 },
      statusColumn<Manufacturer>(),
      { ...column(Manufacturer, 'updateTime'), ...sortable('updateTime'), width: 150 },
      actionsColumn<Manufacturer>({ api: manufacturerApi, edit: setEditing, remove }),
    ],
    ['shortName'],
  )

  return (
    <Panel>
      {unsavedNotice}
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('name', '厂商名称'),
              textFilter('code', '厂商编码', 120),
              areaFilter,
              choiceFilter('status', '状态', statusOptions, 90),
            ]}
          />
        }
        batch={<StatusBatch batch={batch} api={manufacturerApi} />}
      >
        {columnChooser}
        <ImportButton
          name="厂商"
          to={manufacturerApi.importRows}
          update={manufacturerApi.update}
          note="标志请导入后在表单里上传"
          onImported={refresh}
        />
        <ExportButton from={manufacturerApi.exportRows} input={input} />
        <CreateButton to={manufacturerApi.create} onClick={() => setEditing('new')} />
      </Toolbar>
      <Table<Manufacturer>
        size={size}
        columns={columns as TableColumnsType<Manufacturer>}
        rowSelection={batch.selection}
        {...table}
        scroll={scroll}
      />
      {editing && (
        <ManufacturerForm
          manufacturer={editing === 'new' ? undefined : editing}
          onSaved={showSavedRow}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
