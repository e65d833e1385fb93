import { useRequest } from 'ahooks'
import { Button, Flex } from 'antd'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { type ProductCategory, productCategoryApi } from '@iot/shared/contract/category'
import { categoryLevels, refuseCategoryPlace } from '@iot/shared/contract/categoryPlace'
import { treeOf } from '@iot/shared/contract/tree'
import { paths } from '@iot/shared/screens/paths'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { Filters, textFilter } from '@iot/shared/ui/filters'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Panel } from '@iot/shared/ui/panel'
import { Right, RowLink, useRefusal } from '@iot/shared/ui/right'
import { RowTree } from '@iot/shared/ui/rowTree'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { useEditing } from '@iot/shared/ui/useDraft'
import * as styles from './category.module.css'
import type { NewCategory } from './CategoryForm'

const CategoryForm = lazyPart(() => import('./CategoryForm'))
const StandardLibrary = lazyPart(() => import('./StandardLibrary'))

export function Component() {
  const confirmRemove = useConfirmRemove()
  const refusal = useRefusal()
  const [params, setParams] = useSearchParams()
  const asked = params.get('name') ?? ''
  const request = useRequest(() => call(productCategoryApi.list, {}, { inline: true }))
  const { data: rows = [], refresh } = request
  const tree = useMemo(() => treeOf(rows), [rows])
  const [editing, setEditing, unsaved] = useEditing<ProductCategory | NewCategory | 'new'>(
    'productCategory',
    '品类',
  )
  const [copyInto, setCopyInto] = useState<string | null>()

  const remove = ({ id, name }: ProductCategory) =>
    confirmRemove(name, (options) => call(productCategoryApi.remove, { id }, options).then(refresh))
  const isFound = ({ name, code }: ProductCategory) =>
    `${name} ${code}`.toLowerCase().includes(asked.toLowerCase())
  const isFull = ({ id }: ProductCategory) =>
    tree.path(id).length >= categoryLevels && '已是最深一级'

  return (
    <Panel>
      {unsaved}
      <Toolbar
        filters={
          <Filters
            filters={asked ? { name: asked } : {}}
            search={({ name }) => setParams(name ? { name } : {})}
            of={[textFilter('name', '品类名称或编码', 180)]}
          />
        }
      >
        <Right to={productCategoryApi.copyStandard}>
          <Button onClick={() => setCopyInto(null)}>从标准品类库复制</Button>
        </Right>
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
        columns={[
          {
            title: '品类编码',
            width: 'max(200px, 16vw)',
            render: ({ code }) => <code title={code}>{code}</code>,
          },
          { title: '功能数', width: 60, align: 'right', render: (row) => row.functionCount },
          { title: '产品数', width: 60, align: 'right', render: (row) => row.productCount },
          {
            title: '已发布版本',
            width: 90,
            render: ({ modelVersion }) => (modelVersion > 0 ? `版本 ${modelVersion}` : '—'),
          },
        ]}
        link={(row) => (
          <Right to={productCategoryApi.update}>
            <Button type="link" size="small" onClick={() => setEditing(row)}>
              编辑
            </Button>
          </Right>
        )}
        more={(row) => ({
          first: [
            {
              label: '新建下级',
              to: productCategoryApi.create,
              unless: isFull(row),
              onClick: () => setEditing({ parentId: row.id }),
            },
            {
              label: '复制标准品类到此',
              to: productCategoryApi.copyStandard,
              unless: isFull(row),
              onClick: () => setCopyInto(row.id),
            },
          ],
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
        refuses={(rows, { id }, parentId) => refuseCategoryPlace(rows, parentId, id)}
        find={asked !== '' && isFound}
        empty={
          asked
            ? '没有符合条件的品类'
            : refusal(productCategoryApi.create)
              ? '还没有品类，请联系管理员添加'
              : '还没有品类，点“从标准品类库复制”带着标准功能开始'
        }
      />
      {rows.length > 1 && !asked && !refusal(productCategoryApi.move) && (
        <Flex className={styles.hint}>拖动可调整顺序和上级，最多 {categoryLevels} 级。</Flex>
      )}
      {editing && (
        <CategoryForm
          tree={tree}
          category={editing}
          onSaved={refresh}
          onClose={() => setEditing(undefined)}
        />
      )}
      {copyInto !== undefined && (
        <StandardLibrary
          tree={tree}
          parentId={copyInto}
          onCopied={refresh}
          onClose={() => setCopyInto(undefined)}
        />
      )}
    </Panel>
  )
}
