import Space from 'antd/es/space'
import Tag from 'antd/es/tag'
import type { TableColumnType } from 'antd'
import { standardCategoryApi } from '@iot/shared/contract/product/category.api'
import { getSelectedName, type Option } from '@iot/shared/contract/options'
import type { ProductType, TypeAction } from '@iot/shared/contract/product/productType.schema'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { LazyIcon } from '@iot/shared/ui/laterIcon'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, RowName } from '@iot/shared/ui/right'
import { statusColumn, statusOptions } from '@iot/shared/ui/status'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { productTypeTitles } from '@iot/shared/contract/product/productType'

const ProductTypeForm = lazyDialog(() => import('./ProductTypeForm'))

export function Component() {
  const list = useRecordList(productTypeApi, {
    draft: 'productType',
    title: '产品类型',
    empty: '还没有产品类型，点“新建产品类型”添加',
  })
  const { data: categories } = usePickerOptions(standardCategoryApi.list)
  const categoryOptions = categories?.map(({ code, name }) => ({ value: code, label: name }))

  const columns = useColumns<ProductType>(
    'productType',
    createTypeColumns({
      sortable: list.sortable,
      categoryOptions,
      onEdit: list.edit,
      onRemove: list.remove,
    }),
    ['sort', 'updateTime'],
  )

  return (
    <Panel>
      <RecordList<ProductType>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '类型名称或编码'),
          choiceFilter('category', '品类', categoryOptions, 160),
          choiceFilter('status', '状态', statusOptions, 90),
        ]}
        importNote="图标写图标库里的编码；批量动作一行一个：按钮名称|动作编码|功能|值|确认方式"
        form={(type) => (
          <ProductTypeForm
            type={type}
            categories={categories}
            onSaved={list.saved}
            onClose={list.close}
          />
        )}
      />
    </Panel>
  )
}

type TypeColumnsOptions = {
  sortable: ReturnType<typeof usePage<typeof productTypeApi.page>>['sortable']
  categoryOptions: Option[] | undefined
  onEdit: (type: ProductType) => void
  onRemove: (type: ProductType) => void
}

const createTypeColumns = ({
  sortable,
  categoryOptions,
  onEdit,
  onRemove,
}: TypeColumnsOptions): TableColumnType<ProductType>[] => [
  {
    ...column(productTypeTitles, 'name'),
    ...sortable('name'),
    width: 150,
    render: (name: string, row) => (
      <Space>
        <span style={{ color: row.color || undefined }}>
          <LazyIcon name={row.icon} />
        </span>
        <RowName to={productTypeApi.update} name={name} onOpen={() => onEdit(row)} />
      </Space>
    ),
  },
  {
    ...column(productTypeTitles, 'code'),
    ...sortable('code'),
    width: 180,
    render: (code: string) => <code>{code}</code>,
  },
  {
    ...column(productTypeTitles, 'categories'),
    width: 200,
    ellipsis: true,
    render: (codes: string[]) => getSelectedName(categoryOptions, codes) || '—',
  },
  {
    ...column(productTypeTitles, 'actions'),
    width: 160,
    render: (actions: TypeAction[]) =>
      actions.length === 0 ? (
        '—'
      ) : (
        <Space size={4}>
          {actions.map(({ actionType, name }) => (
            <Tag key={actionType}>{name}</Tag>
          ))}
        </Space>
      ),
  },
  {
    ...column(productTypeTitles, 'showOnHome'),
    width: 100,
    render: (isShown: boolean) => (isShown ? '显示' : '—'),
  },
  { ...column(productTypeTitles, 'sort'), ...sortable('sort'), width: 70, align: 'right' },
  statusColumn<ProductType>(),
  { ...column(productTypeTitles, 'updateTime'), ...sortable('updateTime'), width: 160 },
  actionsColumn<ProductType>({
    api: productTypeApi,
    edit: onEdit,
    remove: onRemove,
    unless: ({ builtin }) => builtin && '内置产品类型不能删除',
  }),
]
