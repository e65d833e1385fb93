import { Table, Tag } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { productCategoryApi } from '@iot/shared/contract/category'
import { communicationProtocolApi } from '@iot/shared/contract/communicationProtocol'
import { controlTypeApi } from '@iot/shared/contract/controlType'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { chosenName, namedOptions, optionsOf, type Option } from '@iot/shared/contract/options'
import {
  nodeText,
  Product,
  productApi,
  type ProductStatus,
  productStatusText,
} from '@iot/shared/contract/product'
import { paths } from '@iot/shared/screens/paths'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { asCode, column } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { Export, Import } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { actionsColumn, RowLink } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import { usePage } from '@iot/shared/ui/usePage'
import { useListed } from '@iot/shared/ui/useListed'
import { useConfirmStatus, verbs, type NextStatus } from './useConfirmStatus'

const ProductForm = lazyPart(() => import('./ProductForm'))
const CopyForm = lazyPart(() => import('./CopyForm'))
const { setStatusOfMany } = productApi

export function Component() {
  const confirmRemove = useConfirmRemove()
  const { table, filters, input, search, refresh, saved, sortable } = usePage(productApi.page, {
    empty: '还没有产品，点“新建产品”添加',
    create: productApi.create,
  })
  const batch = useBatch(refresh)
  const confirmStatus = useConfirmStatus()
  const [editing, setEditing, unsaved] = useEditing<Product | 'new'>('product', '产品')
  const [copying, setCopying] = useState<Product>()
  const { data: manufacturers } = useListed(manufacturerApi.list)
  const { data: categories } = useListed(productCategoryApi.list)
  const protocols = useCoded(communicationProtocolApi.list)
  const controlTypes = useCoded(controlTypeApi.list)

  const remove = ({ id, name }: Product) =>
    confirmRemove(name, (options) => call(productApi.remove, { id }, options).then(refresh))

  const setStatus = (status: NextStatus) =>
    confirmStatus(status, `选中的 ${batch.selected.length} 个产品`, () =>
      batch.run(verbs[status], (ids) => call(setStatusOfMany, { ids, status })),
    )

  const { columns, size, scroll, chooser } = useColumns<Product>(
    'product',
    [
      {
        ...column(Product, 'name'),
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
      { ...column(Product, 'modelNo'), ...sortable('modelNo'), width: 100, ellipsis: true },
      { ...column(Product, 'categoryName'), width: 110, ellipsis: true },
      { ...column(Product, 'manufacturerName'), width: 120, ellipsis: true },
      {
        ...column(Product, 'node'),
        width: 100,
        render: (node: Product['node']) => nodeText[node],
      },
      {
        ...column(Product, 'protocol'),
        width: 100,
        ellipsis: true,
        render: (code: string) => chosenName(protocols, code) || '—',
      },
      {
        ...column(Product, 'controlTypes'),
        width: 140,
        ellipsis: true,
        render: (codes: string[]) => chosenName(controlTypes, codes) || '—',
      },
      {
        ...column(Product, 'productKey'),
        width: 116,
        render: asCode,
      },
      { ...column(Product, 'deviceCount'), width: 76, align: 'right' },
      {
        ...column(Product, 'status'),
        width: 76,
        render: (status: ProductStatus) =>
          status === 'published' ? (
            productStatusText[status]
          ) : (
            <Tag>{productStatusText[status]}</Tag>
          ),
      },
      { ...column(Product, 'updateTime'), ...sortable('updateTime'), width: 160 },
      actionsColumn<Product>({
        api: productApi,
        edit: setEditing,
        remove,
        more: (row) => [{ label: '复制', to: productApi.copy, onClick: () => setCopying(row) }],
      }),
    ],
    ['protocol', 'controlTypes', 'updateTime'],
  )

  return (
    <Panel>
      {unsaved}
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('name', '名称、型号或 ProductKey', 200),
              choiceFilter('categoryId', '品类', namedOptions(categories), 140),
              choiceFilter('manufacturerId', '厂商', namedOptions(manufacturers), 140),
              choiceFilter('status', '状态', optionsOf(productStatusText), 100),
              choiceFilter('node', '节点类型', optionsOf(nodeText), 120),
              choiceFilter('protocol', '通信协议', protocols, 140),
              choiceFilter('controlType', '控制类型', controlTypes, 140),
            ]}
          />
        }
        batch={
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
                onClick: () =>
                  batch.confirmRun('删除', (ids) => call(productApi.removeMany, { ids })),
              },
            ]}
          />
        }
      >
        {chooser}
        <Import
          name="产品"
          to={productApi.importRows}
          update={productApi.update}
          note="功能来自品类；图标和图片请导入后在表单里选择"
          onImported={refresh}
        />
        <Export from={productApi.exportRows} input={input} />
        <CreateButton to={productApi.create} onClick={() => setEditing('new')} />
      </Toolbar>
      <Table<Product>
        size={size}
        columns={columns}
        rowSelection={batch.selection}
        {...table}
        scroll={scroll}
      />
      {editing && (
        <ProductForm
          product={editing === 'new' ? undefined : editing}
          onSaved={saved}
          onClose={() => setEditing(undefined)}
        />
      )}
      {copying && (
        <CopyForm product={copying} onSaved={saved} onClose={() => setCopying(undefined)} />
      )}
    </Panel>
  )
}

/** Returns options for rows that products reference by code. */
const useCoded = (
  list: typeof communicationProtocolApi.list | typeof controlTypeApi.list,
): Option[] | undefined => {
  const { data } = useListed(list)
  return data?.map(({ code, name }) => ({ value: code, label: name }))
}
