import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useMemo, useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { ProductCategory } from '@iot/shared/contract/product/category.schema'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import {
  maxCategoryLevels,
  categorySearchFields,
  validateCategoryParent,
} from '@iot/shared/contract/product/categoryTree'
import { createTree } from '@iot/shared/contract/tree'
import { paths } from '@iot/shared/screens/paths'
import { BatchActions, useBatch, type Batch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Panel } from '@iot/shared/ui/panel'
import { Can, RowLink, useRefusalReason, type RowAction } from '@iot/shared/ui/right'
import { RowTree, useTreeSearch, type TreeColumn } from '@iot/shared/ui/rowTree'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { useEditing } from '@iot/shared/ui/useDraft'
import * as styles from './category.module.css'
import type { NewCategory } from './CategoryForm'

const CategoryForm = lazyDialog(() => import('./CategoryForm'))
const StandardLibrary = lazyDialog(() => import('./CopyStandardDialog'))

const categoryColumns: TreeColumn<ProductCategory>[] = [
  {
    key: 'code',
    title: '品类编码',
    width: 'max(200px, 16vw)',
    render: ({ code }) => <code title={code}>{code}</code>,
  },
  {
    key: 'functionCount',
    title: '功能数',
    width: 60,
    align: 'right',
    render: (row) => row.functionCount,
  },
  {
    key: 'productCount',
    title: '产品数',
    width: 60,
    align: 'right',
    render: (row) => row.productCount,
  },
  {
    key: 'modelVersion',
    title: '已发布版本',
    width: 90,
    render: ({ modelVersion }) => (modelVersion > 0 ? `版本 ${modelVersion}` : '—'),
  },
]

export function Component() {
  const refusal = useRefusalReason()
  const search = useTreeSearch<ProductCategory>(categorySearchFields, '品类名称或编码')
  const { asked: searchText } = search
  const request = useRequest(() => call(productCategoryApi.list, {}, { inline: true }))
  const { data: rows = [], refresh } = request
  const batch = useBatch(refresh)
  const tree = useMemo(() => createTree(rows), [rows])
  const [editing, setEditing, unsavedNotice] = useEditing<ProductCategory | NewCategory | 'new'>(
    'productCategory',
    '品类',
  )
  const [copyTargetId, setCopyTargetId] = useState<string | null>()

  const remove = useRemoveRow(productCategoryApi.remove, refresh)

  const {
    columns,
    size,
    chooser: columnChooser,
  } = useColumns<ProductCategory, TreeColumn<ProductCategory>>('productCategory', categoryColumns)

  return (
    <Panel>
      {unsavedNotice}
      <Toolbar filters={search.filters} batch={<CategoryBatch batch={batch} />}>
        {columnChooser}
        <ImportButton
          name="品类"
          to={productCategoryApi.importRows}
          update={productCategoryApi.update}
          note="上级写从顶级起的名称，如“照明 / 灯”，空着就是顶级；功能在品类里另外导入"
          onImported={refresh}
        />
        <ExportButton from={productCategoryApi.exportRows} input={search.input} />
        <Can to={productCategoryApi.copyStandard}>
          <Button onClick={() => setCopyTargetId(null)}>从标准品类库复制</Button>
        </Can>
        <CreateButton to={productCategoryApi.create} onClick={() => setEditing('new')} />
      </Toolbar>
      <RowTree<ProductCategory>
        request={request}
        title="品类名称"
        name={({ id, icon, name }) => (
          <>
            {icon && <MenuIcon name={icon} />}
            <RowLink
              to={productCategoryApi.get}
              at={`${paths.deviceAccess.productCategory()}/${id}`}
              name={name}
            />
          </>
        )}
        columns={columns}
        size={size}
        batch={batch}
        link={(row) => (
          <Can to={productCategoryApi.update}>
            <Button type="link" size="small" onClick={() => setEditing(row)}>
              编辑
            </Button>
          </Can>
        )}
        more={(row) => ({
          first: listCategoryActions(tree.path(row.id).length, {
            onAdd: () => setEditing({ parentId: row.id }),
            onCopy: () => setCopyTargetId(row.id),
          }),
          last: [
            {
              label: '删除',
              to: productCategoryApi.remove,
              danger: true,
              onClick: () => remove(row),
            },
          ],
        })}
        move={productCategoryApi.move}
        refuses={(rows, { id }, parentId) => validateCategoryParent(rows, parentId, id)}
        find={search.find}
        empty={
          searchText
            ? '没有符合条件的品类'
            : refusal(productCategoryApi.create)
              ? '还没有品类，请联系管理员添加'
              : '还没有品类，点“从标准品类库复制”带着标准功能开始'
        }
      />
      {rows.length > 1 && !searchText && !refusal(productCategoryApi.move) && (
        <Flex className={styles.hint}>拖动可调整顺序和上级，最多 {maxCategoryLevels} 级。</Flex>
      )}
      {editing && (
        <CategoryForm
          tree={tree}
          category={editing}
          onSaved={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
      {copyTargetId !== undefined && (
        <StandardLibrary
          tree={tree}
          parentId={copyTargetId}
          onCopied={refresh}
          onClose={() => setCopyTargetId(undefined)}
        />
      )}
    </Panel>
  )
}

const CategoryBatch = ({ batch }: { batch: Batch }) => (
  <BatchActions
    batch={batch}
    exporting={{ from: productCategoryApi.exportRows }}
    of={[
      {
        label: '删除',
        to: productCategoryApi.removeMany,
        danger: true,
        onClick: () =>
          batch.confirmRun('删除', (ids) => call(productCategoryApi.removeMany, { ids })),
      },
    ]}
  />
)

type CategoryHandlers = { onAdd: () => void; onCopy: () => void }

/** Lists the actions that add a category below this one, which the deepest level forbids. */
function listCategoryActions(level: number, { onAdd, onCopy }: CategoryHandlers): RowAction[] {
  const levelRefusal = level >= maxCategoryLevels && '已是最深一级'
  return [
    {
      label: '新建下级',
      to: productCategoryApi.create,
      unless: levelRefusal,
      onClick: onAdd,
    },
    {
      label: '复制标准品类到此',
      to: productCategoryApi.copyStandard,
      unless: levelRefusal,
      onClick: onCopy,
    },
  ]
}
