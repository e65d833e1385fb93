import { CaretDownFilled } from '@ant-design/icons'
import { Button, Checkbox, ConfigProvider, Empty, Spin, Tree } from 'antd'
import type { BasicDataNode } from 'antd/es/tree'
import { useState, type CSSProperties, type ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call, ignoreHandled } from '../client/call'
import type { Endpoint } from '../contract/endpoint'
import {
  filterTree,
  createRowFilter,
  type TreePosition,
  type Tree as Rows,
  type TreeRow,
  createTree,
  walkPaths,
} from '../contract/tree'
import type { Batch } from './batch'
import { Filters, textFilter } from './filters'
import { RowActions, useRefusalReason } from './right'
import { buildTreeDragProps } from './treeDrag'
import { LoadErrorAlert } from './usePage'
import * as styles from './rowTree.module.css'

type Row = TreeRow & { name: string }
type RowActionList = NonNullable<Parameters<typeof RowActions>[0]['more']>
export type TreeColumn<T> = {
  /** Key of a column that can be hidden. */
  key?: string
  title: string
  width: string | number
  align?: 'right'
  render: (row: T) => ReactNode
}
type RowsRequest<T> = { data?: T[]; error?: Error; loading: boolean; refresh: () => void }

type RowTreeProps<T extends Row> = {
  /** Request for all rows, as returned by `useRequest`. */
  request: RowsRequest<T>
  /** The title belongs to the first column. */
  title: string
  name: (row: T) => ReactNode
  columns: TreeColumn<T>[]
  size?: 'small' | 'middle'
  /** Present if several rows can be selected. */
  batch?: Batch
  /** Renders the link of a row. */
  link: (row: T) => ReactNode
  /** Further actions of a row, placed before and after those that move it. */
  more: (row: T) => { first: RowActionList; last: RowActionList }
  move: Endpoint
  /** Returns why a row cannot have this parent. */
  refuses: (rows: Rows<T>, row: T, parentId: string | null) => string | undefined
  /** Search filter: matches are shown with ancestors and descendants, and rows cannot be moved meanwhile. */
  find?: ((row: T) => boolean) | false
  empty: string
  isClosedAtFirst?: (row: T) => boolean
}

/**
 * Tree of rows, one line each, with columns at the right edge; rows are moved by drag or by 上移 and 下移.
 * @example <RowTree request={request} title="名称" name={({ name }) => name} columns={[…]} move={viewApi.move}
 * refuses={…} … />
 */
export function RowTree<T extends Row>({
  request: { data: rows = [], error, loading, refresh },
  title,
  name,
  columns,
  size = 'middle',
  batch,
  link,
  more,
  move,
  refuses,
  find = false,
  empty,
  isClosedAtFirst = () => false,
}: RowTreeProps<T>) {
  const refusal = useRefusalReason()
  const tree = createTree(rows)
  const { moveRow, buildMoveActions } = buildRowMoves(tree, move, refuses, refresh)
  const selectedIds = new Set(batch?.selected)
  const setTicked = (ids: string[], isTicked: boolean) => {
    const others = [...selectedIds].filter((id) => !ids.includes(id))
    batch?.selection.onChange(isTicked ? [...others, ...ids] : others)
  }

  const renderLine = (row: T) => {
    const { first, last } = more(row)
    return (
      <TreeLine
        row={row}
        columns={columns}
        actions={
          <RowActions name={row.name} more={[...first, ...buildMoveActions(row), ...last]}>
            {link(row)}
          </RowActions>
        }
      >
        {batch && (
          <Checkbox
            {...batch.selection.getCheckboxProps(row)}
            checked={selectedIds.has(row.id)}
            onChange={({ target }) => setTicked([row.id], target.checked)}
          />
        )}
        {name(row)}
      </TreeLine>
    )
  }

  const { visibleIds, nodes } = buildVisibleNodes(rows, tree, find)
  const { openIds, isOpen, toggle, toggleAll, isAllOpen, hasParents, isVirtual } = useOpenRows({
    rows,
    tree,
    nodes,
    find,
    isClosedAtFirst,
  })
  const height = lineHeightsPx[size]
  return (
    <>
      {error && <LoadErrorAlert why={error.message} hasRows={rows.length > 0} onRetry={refresh} />}
      <Spin spinning={loading} delay={300}>
        <div
          className={styles.scroll}
          style={
            { '--columns': formatColumnsWidth(columns), '--line': `${height}px` } as CSSProperties
          }
        >
          <TreeHead columns={columns}>
            {batch && (
              <SelectAllBox
                visibleIds={visibleIds}
                selectedIds={selectedIds}
                onChange={(isTicked) => setTicked([...visibleIds], isTicked)}
              />
            )}
            {title}
            {nodes.length > 0 && hasParents && (
              <Button type="link" size="small" onClick={toggleAll}>
                {isAllOpen ? '全部收起' : '全部展开'}
              </Button>
            )}
          </TreeHead>
          {nodes.length > 0 && (
            <ConfigProvider theme={{ components: { Tree: { titleHeight: height } } }}>
              <Tree<RowNode<T>>
                blockNode
                selectable={false}
                fieldNames={{ key: 'id', title: 'name' }}
                treeData={nodes}
                expandedKeys={[...openIds]}
                // A height enables virtual scrolling, which renders visible rows alone.
                height={isVirtual ? window.innerHeight - surroundingHeightPx : undefined}
                onExpand={(_, { node, expanded }) => {
                  // antd also reports an expansion when a row is dragged over an open one.
                  if (isOpen(node) !== expanded) toggle(node.id)
                }}
                titleRender={renderLine}
                // The row itself carries its expanded state for screen readers.
                switcherIcon={<CaretDownFilled aria-hidden />}
                {...(!find &&
                  !refusal(move) &&
                  buildTreeDragProps(
                    tree,
                    (row, parentId) => refuses(tree, row, parentId),
                    moveRow,
                  ))}
              />
            </ConfigProvider>
          )}
          {rows.length === 0 && loading && <div className={styles.waiting} />}
          {nodes.length === 0 && !loading && !error && (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
          )}
        </div>
      </Spin>
    </>
  )
}

type RowNode<T> = T & BasicDataNode & { children?: RowNode<T>[] }

function buildVisibleNodes<T extends Row>(rows: T[], tree: Rows<T>, find: RowTreeProps<T>['find']) {
  const visibleIds = new Set((find ? filterTree(tree, find) : rows).map(({ id }) => id))
  const nodes = tree.nested<RowNode<T>>((row, children) =>
    visibleIds.has(row.id) ? { ...row, children } : undefined,
  )
  return { visibleIds, nodes }
}

/** Moves rows, and builds the actions 上移 and 下移 of a row. */
function buildRowMoves<T extends Row>(
  tree: Rows<T>,
  move: Endpoint,
  refuses: RowTreeProps<T>['refuses'],
  refresh: () => void,
) {
  const moveRow = (id: string, to: TreePosition) =>
    void call(move, { id, ...to })
      .catch(ignoreHandled)
      .then(refresh)
      .catch(ignoreHandled)
  const moveRowBy = (row: T, offset: 1 | -1) => {
    const index = tree.children(row.parentId).findIndex(({ id }) => id === row.id) + offset
    moveRow(row.id, { parentId: row.parentId, index })
  }
  const buildMoveActions = (row: T): RowActionList => {
    const siblings = tree.children(row.parentId)
    const isFirst = siblings[0]?.id === row.id && '已经是第一个'
    const isLast = siblings.at(-1)?.id === row.id && '已经是最后一个'
    const moveRefusal = refuses(tree, row, row.parentId)
    return [
      {
        label: '上移',
        to: move,
        unless: moveRefusal ?? isFirst,
        onClick: () => moveRowBy(row, -1),
      },
      { label: '下移', to: move, unless: moveRefusal ?? isLast, onClick: () => moveRowBy(row, 1) },
    ]
  }
  return { moveRow, buildMoveActions }
}

type OpenRowsOptions<T extends Row> = Pick<RowTreeProps<T>, 'find'> & {
  rows: T[]
  tree: Rows<T>
  nodes: RowNode<T>[]
  isClosedAtFirst: (row: T) => boolean
}

/** Determines the open rows; a search opens the ancestors of the matches. */
function useOpenRows<T extends Row>({
  rows,
  tree,
  nodes,
  find,
  isClosedAtFirst,
}: OpenRowsOptions<T>) {
  const [toggledIds, setToggledIds] = useState<ReadonlySet<string>>(new Set())
  const [isVirtual, setVirtual] = useState(false)
  const ancestorsOfMatches = new Set(
    find ? rows.filter(find).flatMap(({ id }) => tree.path(id).slice(0, -1)) : [],
  )
  const isClosed = (row: T) => isClosedAtFirst(row) && !ancestorsOfMatches.has(row)
  const isOpen = (row: T) => toggledIds.has(row.id) === isClosed(row)
  const openIds = new Set(rows.filter(isOpen).map(({ id }) => id))
  const visibleLineCount = [
    ...walkPaths(nodes, ({ id, children = [] }) => (openIds.has(id) ? children : [])),
  ].length
  // Switching back from virtual scrolling would cost as much as rendering all rows, so it stays on.
  if (visibleLineCount > virtualScrollThreshold && !isVirtual) setVirtual(true)
  const parents = rows.filter(({ id }) => tree.children(id).length > 0)
  const isAllOpen = parents.every(isOpen)
  return {
    openIds,
    isOpen,
    toggle: (id: string) =>
      setToggledIds((previousIds) => {
        const nextIds = new Set(previousIds)
        if (!nextIds.delete(id)) nextIds.add(id)
        return nextIds
      }),
    toggleAll: () =>
      setToggledIds(
        new Set(parents.filter((row) => isClosed(row) !== isAllOpen).map(({ id }) => id)),
      ),
    isAllOpen,
    hasParents: parents.length > 0,
    isVirtual,
  }
}

type TreeLineProps<T> = {
  row: T
  columns: TreeColumn<T>[]
  actions: ReactNode
  children: ReactNode
}
const TreeLine = <T extends Row>({ row, columns, actions, children }: TreeLineProps<T>) => (
  <div className={styles.line}>
    <span className={styles.name} title={row.name}>
      {children}
    </span>
    {columns.map((column) => (
      <span key={column.title} className={styles.cell} style={getCellStyle(column)}>
        {column.render(row)}
      </span>
    ))}
    <span className={styles.actions}>{actions}</span>
  </div>
)

type TreeHeadProps<T> = { columns: TreeColumn<T>[]; children: ReactNode }
const TreeHead = <T,>({ columns, children }: TreeHeadProps<T>) => (
  <div className={`${styles.line} ${styles.head}`}>
    <span className={styles.name}>{children}</span>
    {columns.map((column) => (
      <span key={column.title} style={getCellStyle(column)}>
        {column.title}
      </span>
    ))}
    <span className={styles.actions}>操作</span>
  </div>
)

type SelectAllBoxProps = {
  visibleIds: ReadonlySet<string>
  selectedIds: ReadonlySet<string>
  onChange: (isTicked: boolean) => void
}
function SelectAllBox({ visibleIds, selectedIds, onChange }: SelectAllBoxProps) {
  const tickedCount = [...visibleIds].filter((id) => selectedIds.has(id)).length
  return (
    <Checkbox
      aria-label="全选"
      disabled={visibleIds.size === 0}
      checked={tickedCount > 0 && tickedCount === visibleIds.size}
      indeterminate={tickedCount > 0 && tickedCount < visibleIds.size}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

/** Rows from which virtual scrolling is used; rendering more takes seconds, and again for each selection. */
const virtualScrollThreshold = 300
/** Everything above and below the rows takes this height in px. */
const surroundingHeightPx = 240
/** Heights of a line in px; with the gap below, a row is as high as one of a table. */
const lineHeightsPx = { small: 36, middle: 44 }

/** Returns the CSS width of all columns with the gaps before them. */
const formatColumnsWidth = <T,>(columns: TreeColumn<T>[]) =>
  `calc(${columns.map(({ width }) => `${typeof width === 'number' ? `${width}px` : width} + 12px`).join(' + ')})`

const getCellStyle = <T,>({ width, align }: TreeColumn<T>) => ({
  width,
  flex: 'none',
  textAlign: align,
  fontVariantNumeric: align && 'tabular-nums',
})

/**
 * Search in a tree of rows, stored in the address.
 * @example const { find, filters, input } = useTreeSearch<View>(viewSearched, '视图名称或路径'); <RowTree find={find} … />
 */
export function useTreeSearch<T>(fields: readonly (keyof T & string)[], placeholder: string) {
  const [params, setParams] = useSearchParams()
  const query = params.get('name') ?? ''
  const input: Record<string, string> = query ? { name: query } : {}
  const filters = (
    <Filters
      filters={input}
      search={({ name }) =>
        setParams((currentParams) => {
          const { name: _, ...others } = Object.fromEntries(currentParams)
          return name ? { ...others, name } : others
        })
      }
      of={[textFilter('name', placeholder, 180)]}
    />
  )
  return { asked: query, input, filters, find: query !== '' && createRowFilter<T>(fields, query) }
}
