import { Manufacturer } from '@iot/shared/contract/product/manufacturer.schema'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { areaFilter } from '@iot/shared/ui/areaFilter'
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

const ManufacturerForm = lazyDialog(() => import('./ManufacturerForm'))

export function Component() {
  const list = usePage(manufacturerApi.page, {
    empty: '还没有厂商，点“新建厂商”添加，或导入表格',
    create: manufacturerApi.create,
  })
  const batch = useBatch(list)
  const [editing, setEditing, unsavedNotice] = useEditing<Manufacturer | 'new'>(
    'manufacturer',
    '厂商',
  )

  const remove = useRemoveRow(manufacturerApi.remove, list.refresh)

  const columns = useColumns<Manufacturer>(
    'manufacturer',
    [
      {
        ...column(Manufacturer, 'name'),
        ...list.sortable('name'),
        width: 204,
        ellipsis: true,
        render: createNameRenderer<Manufacturer>(manufacturerApi.update, setEditing),
      },
      { ...column(Manufacturer, 'shortName'), width: 110, ellipsis: true },
      { ...column(Manufacturer, 'code'), ...list.sortable('code'), width: 104, ellipsis: true },
      { ...column(Manufacturer, 'areaName'), width: 168, ellipsis: true },
      { ...column(Manufacturer, 'contact'), width: 80, ellipsis: true },
      { ...column(Manufacturer, 'phone'), width: 118 },
      statusColumn<Manufacturer>(),
      { ...column(Manufacturer, 'updateTime'), ...list.sortable('updateTime'), width: 150 },
      actionsColumn<Manufacturer>({ api: manufacturerApi, edit: setEditing, remove }),
    ],
    ['shortName'],
  )

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<Manufacturer>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '厂商名称'),
          textFilter('code', '厂商编码', 120),
          areaFilter,
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        selection={batch.selection}
        batchActions={<StatusBatch batch={batch} api={manufacturerApi} />}
      >
        <ImportButton
          name="厂商"
          to={manufacturerApi.importRows}
          update={manufacturerApi.update}
          note="标志请导入后在表单里上传"
          onImported={list.refresh}
        />
        <ExportButton from={manufacturerApi.exportRows} input={list.input} />
        <CreateButton to={manufacturerApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <ManufacturerForm
          manufacturer={editing === 'new' ? undefined : editing}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
