import Table from 'antd/es/table'
import type { TableProps } from 'antd'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Filters, type Filter } from './filters'
import { Toolbar } from './toolbar'
import type { useColumns } from './useColumns'

type FiltersProps = ComponentProps<typeof Filters>

type ListTableProps<T> = Pick<TableProps<T>, 'expandable'> & {
  /** Rows and filters, as returned by `usePage`. */
  list: Pick<FiltersProps, 'filters' | 'search'> & { table: TableProps<T> }
  /** Columns, as returned by `useColumns`. */
  columns: ReturnType<typeof useColumns<T>>
  filters: Filter[]
  /** Draws the filters; a list of one project names the project before them. */
  filterBar?: ComponentType<FiltersProps>
  /** Selection and actions of `useBatch`. */
  selection?: TableProps<T>['rowSelection']
  batchActions?: ReactNode
  /** Buttons on the right, after the one that chooses the columns. */
  children?: ReactNode
}

/**
 * The filters, buttons and rows of a list.
 * @example <ListTable list={list} columns={columns} filters={[textFilter('name', '品牌名称')]}
 * selection={batch.selection} batchActions={<StatusBatch batch={batch} api={brandApi} />}><CreateButton … /></ListTable>
 */
export const ListTable = <T extends object>({
  list,
  columns,
  filters,
  filterBar: FilterBar = Filters,
  selection,
  batchActions,
  expandable,
  children,
}: ListTableProps<T>) => (
  <>
    <Toolbar
      filters={<FilterBar filters={list.filters} search={list.search} of={filters} />}
      batch={batchActions}
    >
      {columns.chooser}
      {children}
    </Toolbar>
    <Table<T>
      size={columns.size}
      columns={columns.columns}
      rowSelection={selection}
      {...list.table}
      expandable={expandable}
      scroll={columns.scroll}
    />
  </>
)
