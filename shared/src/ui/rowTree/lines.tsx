import Checkbox from 'antd/es/checkbox'
import type { ReactNode } from 'react'
import type { Row } from './rowNodes'
import * as styles from './rowTree.module.css'

export type TreeColumn<T> = {
  /** Key of a column that can be hidden. */
  key?: string
  title: string
  width: string | number
  align?: 'right'
  render: (row: T) => ReactNode
}

type TreeLineProps<T> = {
  row: T
  columns: TreeColumn<T>[]
  actions: ReactNode
  children: ReactNode
}
export const TreeLine = <T extends Row>({ row, columns, actions, children }: TreeLineProps<T>) => (
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
export const TreeHead = <T,>({ columns, children }: TreeHeadProps<T>) => (
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
export function SelectAllBox({ visibleIds, selectedIds, onChange }: SelectAllBoxProps) {
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

/** Returns the CSS width of all columns with the gaps before them. */
export const formatColumnsWidth = <T,>(columns: TreeColumn<T>[]) =>
  `calc(${columns.map(({ width }) => `${typeof width === 'number' ? `${width}px` : width} + 12px`).join(' + ')})`

const getCellStyle = <T,>({ width, align }: TreeColumn<T>) => ({
  width,
  flex: 'none',
  textAlign: align,
  fontVariantNumeric: align && 'tabular-nums',
})
