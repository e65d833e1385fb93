import type { Manufacturer } from '@iot/shared/contract/product/manufacturer.schema'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { areaFilter } from '@iot/shared/ui/areaFilter'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, createNameRenderer } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { manufacturerTitles } from '@iot/shared/contract/product/manufacturer'

const ManufacturerForm = lazyDialog(() => import('./ManufacturerForm'))

export function Component() {
  const list = useRecordList(manufacturerApi, {
    draft: 'manufacturer',
    title: '厂商',
    empty: '还没有厂商，点“新建厂商”添加，或导入表格',
  })

  const columns = useColumns<Manufacturer>(
    'manufacturer',
    [
      {
        ...column(manufacturerTitles, 'name'),
        ...list.sortable('name'),
        width: 204,
        ellipsis: true,
        render: createNameRenderer<Manufacturer>(manufacturerApi.update, list.edit),
      },
      { ...column(manufacturerTitles, 'shortName'), width: 110, ellipsis: true },
      {
        ...column(manufacturerTitles, 'code'),
        ...list.sortable('code'),
        width: 104,
        ellipsis: true,
      },
      { ...column(manufacturerTitles, 'areaName'), width: 168, ellipsis: true },
      { ...column(manufacturerTitles, 'contact'), width: 80, ellipsis: true },
      { ...column(manufacturerTitles, 'phone'), width: 118 },
      statusColumn<Manufacturer>(),
      { ...column(manufacturerTitles, 'updateTime'), ...list.sortable('updateTime'), width: 150 },
      actionsColumn<Manufacturer>(list),
    ],
    ['shortName'],
  )

  return (
    <Panel>
      <RecordList<Manufacturer>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '厂商名称'),
          textFilter('code', '厂商编码', 120),
          areaFilter,
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        importNote="标志请导入后在表单里上传"
        form={(manufacturer) => (
          <ManufacturerForm manufacturer={manufacturer} onSaved={list.saved} onClose={list.close} />
        )}
      />
    </Panel>
  )
}
