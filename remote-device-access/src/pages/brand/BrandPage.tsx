import { Space } from 'antd'
import { Brand } from '@iot/shared/contract/product/brand.schema'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { toRowOptions } from '@iot/shared/contract/options'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { useBatch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, RowName } from '@iot/shared/ui/right'
import { StatusBatch, statusColumn, statusOptions } from '@iot/shared/ui/status'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { usePickerOptions } from '@iot/shared/ui/useListed'

const BrandForm = lazyDialog(() => import('./BrandForm'))

export function Component() {
  const list = usePage(brandApi.page, {
    empty: '还没有品牌，点“新建品牌”添加，或导入表格',
    create: brandApi.create,
  })
  const batch = useBatch(list)
  const [editing, setEditing, unsavedNotice] = useEditing<Brand | 'new'>('brand', '品牌')
  const { data: manufacturers } = usePickerOptions(manufacturerApi.list)

  const remove = useRemoveRow(brandApi.remove, list.refresh)

  const columns = useColumns<Brand>('brand', [
    {
      ...column(Brand, 'name'),
      ...list.sortable('name'),
      width: 200,
      render: (name: string, brand) => (
        <Space>
          {brand.logo && <img src={toFileUrl(brand.logo)} alt="" height={20} />}
          <RowName to={brandApi.update} name={name} onOpen={() => setEditing(brand)} />
        </Space>
      ),
    },
    {
      ...column(Brand, 'englishName'),
      ...list.sortable('englishName'),
      width: 140,
      ellipsis: true,
    },
    { ...column(Brand, 'manufacturerName'), width: 200, ellipsis: true },
    { ...column(Brand, 'servicePhone'), width: 130 },
    statusColumn<Brand>(),
    { ...column(Brand, 'updateTime'), ...list.sortable('updateTime'), width: 160 },
    actionsColumn<Brand>({ api: brandApi, edit: setEditing, remove }),
  ])

  return (
    <Panel>
      {unsavedNotice}
      <ListTable<Brand>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '品牌名称'),
          choiceFilter('manufacturerId', '厂商', toRowOptions(manufacturers), 180),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        selection={batch.selection}
        batchActions={<StatusBatch batch={batch} api={brandApi} />}
      >
        <ImportButton
          name="品牌"
          to={brandApi.importRows}
          update={brandApi.update}
          note="品类之间用“、”隔开；标志请导入后在表单里上传"
          onImported={list.refresh}
        />
        <ExportButton from={brandApi.exportRows} input={list.input} />
        <CreateButton to={brandApi.create} onClick={() => setEditing('new')} />
      </ListTable>
      {editing && (
        <BrandForm
          brand={editing === 'new' ? undefined : editing}
          manufacturers={manufacturers}
          onSaved={list.saved}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
