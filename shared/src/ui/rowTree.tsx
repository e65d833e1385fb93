import CaretDownFilled from '@ant-design/icons/CaretDownFilled'
import Button from 'antd/es/button'
import Checkbox from 'antd/es/checkbox'
import ConfigProvider from 'antd/es/config-provider'
import Empty from 'antd/es/empty'
import Spin from 'antd/es/spin'
import Tree from 'antd/es/tree'
import type { CSSProperties, ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Endpoint } from '../contract/endpoint'
import { createRowFilter, createTree } from '../contract/tree'
import type { Batch } from './batch'
import { Filters, textFilter } from './filters'
import { RowActions, useRefusalReason } from './right'
import {
  formatColumnsWidth,
  SelectAllBox,
  TreeHead,
  TreeLine,
  type TreeColumn,
} from './rowTree/lines'
import { buildRowMoves, type RefuseParent, type RowActionList } from './rowTree/rowMoves'
import { buildVisibleNodes, type Row, type RowFilter, type RowNode } from './rowTree/rowNodes'
import { useOpenRows } from './rowTree/useOpenRows'
import { buildTreeDragProps } from './treeDrag'
import { LoadErrorAlert } from './usePage'
import * as styles from './rowTree/rowTree.module.css'

export type { TreeColumn }

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
  refuses: RefuseParent<T>
  /** Search filter: matches are shown with ancestors and descendants, and rows cannot be moved meanwhile. */
  find?: RowFilter<T>
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
                // An open row must not open its closed parent.
                defaultExpandParent={false}
                // A height enables virtual scrolling, which renders visible rows alone.
                height={isVirtual ? window.innerHeight - surroundingHeightPx : undefined}
                onExpand={(_, { node, expanded }) => {
                  // antd also reports an expansion when a row is dragged over an open one.
                  if (isOpen(node) !== expanded) toggle(node)
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

/** Everything above and below the rows takes this height in px. */
const surroundingHeightPx = 240
/** Heights of a line in px; with the gap below, a row is as high as one of a table. */
const lineHeightsPx = { small: 36, middle: 44 }

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
