import { useRequest } from 'ahooks'
import { Button, Empty, Flex, Spin, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { type ProductCategory, productCategoryApi } from '@iot/shared/contract/category'
import { categoryLevels, refuseCategoryPlace } from '@iot/shared/contract/categoryPlace'
import { type Place, treeOf } from '@iot/shared/contract/tree'
import { quietly } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { Filters, textFilter } from '@iot/shared/ui/filters'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Right, useRefusal } from '@iot/shared/ui/right'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { treeDrag } from '@iot/shared/ui/treeDrag'
import { useEditing } from '@iot/shared/ui/useDraft'
import { FailedLine } from '@iot/shared/ui/usePage'
import * as styles from './category.module.css'
import { CategoryLine, type NewCategory } from './CategoryLine'

type Node = ProductCategory & { children?: Node[] }

const CategoryForm = lazyPart(() => import('./CategoryForm'))
const StandardLibrary = lazyPart(() => import('./StandardLibrary'))

export function Component() {
  const confirmRemove = useConfirmRemove()
  const refusal = useRefusal()
  const [params, setParams] = useSearchParams()
  const asked = params.get('name') ?? ''
  const {
    data: rows = [],
    error,
    loading,
    refresh,
  } = useRequest(() => call(productCategoryApi.list, {}, { inline: true }))
  const tree = useMemo(() => treeOf(rows), [rows])
  const [editing, setEditing, unsaved] = useEditing<ProductCategory | NewCategory | 'new'>(
    'productCategory',
    '品类',
  )
  const [copyInto, setCopyInto] = useState<string | null>()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())

  const move = (id: string, to: Place) =>
    call(productCategoryApi.move, { id, ...to })
      .catch(quietly)
      .then(refresh)
  const step = (row: ProductCategory, by: 1 | -1) => {
    const index = tree.children(row.parentId).findIndex(({ id }) => id === row.id) + by
    return move(row.id, { parentId: row.parentId, index })
  }
  const remove = ({ id, name }: ProductCategory) =>
    confirmRemove(name, (options) => call(productCategoryApi.remove, { id }, options).then(refresh))
  const drag = treeDrag(tree, (row, parentId) => refuseCategoryPlace(tree, parentId, row.id), move)

  const isFound = ({ name, code }: ProductCategory) =>
    `${name} ${code}`.toLowerCase().includes(asked.toLowerCase())
  // A category stands with all below it where it is found itself, and above what is found below it.
  const nodes = tree.nested<Node>((row, children) =>
    !asked || children.length > 0 || tree.path(row.id).some(isFound)
      ? { ...row, children }
      : undefined,
  )
  const mayMove = !asked && !refusal(productCategoryApi.move)

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
      {error && <FailedLine why={error.message} hasRows={rows.length > 0} onRetry={refresh} />}
      <Spin spinning={loading} delay={300}>
        <div className={styles.scroll}>
          <div className={`${styles.line} ${styles.head}`}>
            <span className={styles.name}>品类名称</span>
            <span className={styles.code}>品类编码</span>
            <span className={styles.number}>功能数</span>
            <span className={styles.number}>产品数</span>
            <span className={styles.published}>已发布版本</span>
            <span className={styles.actions}>操作</span>
          </div>
          {nodes.length > 0 && (
            <Tree<Node>
              blockNode
              selectable={false}
              fieldNames={{ key: 'id', title: 'name' }}
              treeData={nodes}
              expandedKeys={rows.flatMap(({ id }) => (closed.has(id) ? [] : [id]))}
              onExpand={(_, { node, expanded }) =>
                setClosed((now) => {
                  const next = new Set(now)
                  if (expanded) next.delete(node.id)
                  else next.add(node.id)
                  return next
                })
              }
              titleRender={(row) => (
                <CategoryLine
                  category={row}
                  siblings={tree.children(row.parentId)}
                  isDeepest={tree.path(row.id).length >= categoryLevels}
                  onStep={(by) => step(row, by)}
                  onEdit={setEditing}
                  onCopy={() => setCopyInto(row.id)}
                  onRemove={() => remove(row)}
                />
              )}
              {...(mayMove && drag)}
            />
          )}
          {nodes.length === 0 && !loading && !error && (
            <Empty
              image={Empty.PRESENTED_IMAGE_SIMPLE}
              description={
                asked
                  ? '没有符合条件的品类'
                  : refusal(productCategoryApi.create)
                    ? '还没有品类，请联系管理员添加'
                    : '还没有品类，点“从标准品类库复制”带着标准功能开始'
              }
            />
          )}
          {rows.length === 0 && loading && <div className={styles.waiting} />}
        </div>
      </Spin>
      {rows.length > 1 && mayMove && (
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
