import Tag from 'antd/es/tag'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { communicationProtocolApi } from '@iot/shared/contract/product/communicationProtocol.api'
import { controlTypeApi } from '@iot/shared/contract/product/controlType.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import {
  getSelectedName,
  toRowOptions,
  toTextOptions,
  type Option,
} from '@iot/shared/contract/options'
import { nodeText, productStatusText, productTitles } from '@iot/shared/contract/product/product'
import type { Product, ProductStatus } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import { paths } from '@iot/shared/screens/paths'
import { BatchActions, type useBatch } from '@iot/shared/ui/batch'
import { renderCode, column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { RecordList, useRecordList } from '@iot/shared/ui/recordList'
import { actionsColumn, RowLink } from '@iot/shared/ui/right'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { GuideLink } from '../guide/GuideLink'
import { useConfirmStatus, statusVerbs, type NextStatus } from './useConfirmStatus'

const ProductForm = lazyDialog(() => import('./ProductForm'))
const CopyForm = lazyDialog(() => import('./CopyForm'))
const { setStatusOfMany } = productApi

export function Component() {
  const list = useRecordList(productApi, {
    draft: 'product',
    title: '产品',
    empty: '还没有产品，点“新建产品”添加',
    emptyAction: <GuideLink />,
  })
  const [productToCopy, setProductToCopy] = useState<Product>()
  const { data: manufacturers } = usePickerOptions(manufacturerApi.list)
  const { data: categories } = usePickerOptions(productCategoryApi.list)
  const protocolOptions = useCodeOptions(communicationProtocolApi.list)
  const controlTypeOptions = useCodeOptions(controlTypeApi.list)

  const columns = useColumns<Product>(
    'product',
    createProductColumns({
      sortable: list.sortable,
      protocolOptions,
      controlTypeOptions,
      onEdit: list.edit,
      onRemove: list.remove,
      onCopy: setProductToCopy,
    }),
    ['protocol', 'controlTypes', 'updateTime'],
  )

  return (
    <Panel>
      <RecordList<Product>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '名称、型号或 ProductKey', 200),
          choiceFilter('categoryId', '品类', toRowOptions(categories), 140),
          choiceFilter('manufacturerId', '厂商', toRowOptions(manufacturers), 140),
          choiceFilter('status', '状态', toTextOptions(productStatusText), 100),
          choiceFilter('node', '节点类型', toTextOptions(nodeText), 120),
          choiceFilter('protocol', '通信协议', protocolOptions, 140),
          choiceFilter('controlType', '控制类型', controlTypeOptions, 140),
        ]}
        batchActions={<ProductBatch batch={list.batch} />}
        importNote="功能来自品类；图标和图片请导入后在表单里选择"
        form={(product) => (
          <ProductForm product={product} onSaved={list.saved} onClose={list.close} />
        )}
      />
      {productToCopy && (
        <CopyForm
          product={productToCopy}
          onSaved={list.saved}
          onClose={() => setProductToCopy(undefined)}
        />
      )}
    </Panel>
  )
}

/** Returns options for rows that products reference by code. */
const useCodeOptions = (
  listEndpoint: typeof communicationProtocolApi.list | typeof controlTypeApi.list,
): Option[] | undefined => {
  const { data } = usePickerOptions(listEndpoint)
  return data?.map(({ code, name }) => ({ value: code, label: name }))
}

function ProductBatch({ batch }: { batch: ReturnType<typeof useBatch> }) {
  const confirmStatus = useConfirmStatus()
  const setStatus = (status: NextStatus) =>
    confirmStatus(status, batch.describeSelected('个', '产品'), () =>
      batch.run(statusVerbs[status], (ids) => call(setStatusOfMany, { ids, status })),
    )
  return (
    <BatchActions
      batch={batch}
      exporting={{ from: productApi.exportRows }}
      of={[
        { label: '发布', to: setStatusOfMany, onClick: () => setStatus('published') },
        { label: '停用', to: setStatusOfMany, onClick: () => setStatus('disabled') },
        {
          label: '删除',
          to: productApi.removeMany,
          danger: true,
          onClick: () => batch.confirmRun('删除', (ids) => call(productApi.removeMany, { ids })),
        },
      ]}
    />
  )
}

type ProductColumnsOptions = {
  sortable: ReturnType<typeof usePage<typeof productApi.page>>['sortable']
  protocolOptions: Option[] | undefined
  controlTypeOptions: Option[] | undefined
  onEdit: (product: Product) => void
  onRemove: (product: Product) => void
  onCopy: (product: Product) => void
}

const createProductColumns = ({
  sortable,
  protocolOptions,
  controlTypeOptions,
  onEdit,
  onRemove,
  onCopy,
}: ProductColumnsOptions): TableColumnType<Product>[] => [
  {
    ...column(productTitles, 'name'),
    ...sortable('name'),
    width: 160,
    render: (name: string, { id }) => (
      <RowLink
        to={productApi.get}
        at={`${paths.deviceAccess.config.product()}/${id}`}
        name={name}
      />
    ),
  },
  { ...column(productTitles, 'modelNo'), ...sortable('modelNo'), width: 100, ellipsis: true },
  { ...column(productTitles, 'categoryName'), width: 110, ellipsis: true },
  { ...column(productTitles, 'manufacturerName'), width: 120, ellipsis: true },
  {
    ...column(productTitles, 'node'),
    width: 100,
    render: (node: Product['node']) => nodeText[node],
  },
  {
    ...column(productTitles, 'protocol'),
    width: 100,
    ellipsis: true,
    render: (code: string) => getSelectedName(protocolOptions, code) || '—',
  },
  {
    ...column(productTitles, 'controlTypes'),
    width: 140,
    ellipsis: true,
    render: (codes: string[]) => getSelectedName(controlTypeOptions, codes) || '—',
  },
  {
    ...column(productTitles, 'productKey'),
    width: 116,
    render: renderCode,
  },
  { ...column(productTitles, 'deviceCount'), width: 76, align: 'right' },
  {
    ...column(productTitles, 'status'),
    width: 76,
    render: (status: ProductStatus) =>
      status === 'published' ? productStatusText[status] : <Tag>{productStatusText[status]}</Tag>,
  },
  { ...column(productTitles, 'updateTime'), ...sortable('updateTime'), width: 160 },
  actionsColumn<Product>({
    api: productApi,
    edit: onEdit,
    remove: onRemove,
    more: (row) => [{ label: '复制', to: productApi.copy, onClick: () => onCopy(row) }],
  }),
]
