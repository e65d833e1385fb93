import Space from 'antd/es/space'
import type { Brand } from '@iot/shared/contract/product/brand.schema'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { toRowOptions } from '@iot/shared/contract/options'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, RowName } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { brandTitles } from '@iot/shared/contract/product/brand'

const BrandForm = lazyDialog(() => import('./BrandForm'))

export function Component() {
  const list = useRecordList(brandApi, {
    draft: 'brand',
    title: '品牌',
    empty: '还没有品牌，点“新建品牌”添加，或导入表格',
  })
  const { data: manufacturers } = usePickerOptions(manufacturerApi.list)

  const columns = useColumns<Brand>('brand', [
    {
      ...column(brandTitles, 'name'),
      ...list.sortable('name'),
      width: 200,
      render: (name: string, brand) => (
        <Space>
          {brand.logo && <img src={toFileUrl(brand.logo)} alt="" height={20} />}
          <RowName to={brandApi.update} name={name} onOpen={() => list.edit(brand)} />
        </Space>
      ),
    },
    {
      ...column(brandTitles, 'englishName'),
      ...list.sortable('englishName'),
      width: 140,
      ellipsis: true,
    },
    { ...column(brandTitles, 'manufacturerName'), width: 200, ellipsis: true },
    { ...column(brandTitles, 'servicePhone'), width: 130 },
    statusColumn<Brand>(),
    { ...column(brandTitles, 'updateTime'), ...list.sortable('updateTime'), width: 160 },
    actionsColumn<Brand>(list),
  ])

  return (
    <Panel>
      <RecordList<Brand>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '品牌名称'),
          choiceFilter('manufacturerId', '厂商', toRowOptions(manufacturers), 180),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        importNote="品类之间用“、”隔开；标志请导入后在表单里上传"
        form={(brand) => (
          <BrandForm
            brand={brand}
            manufacturers={manufacturers}
            onSaved={list.saved}
            onClose={list.close}
          />
        )}
      />
    </Panel>
  )
}
