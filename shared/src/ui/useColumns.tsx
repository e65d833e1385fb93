import TableOutlined from '@ant-design/icons/TableOutlined'
import useLocalStorageState from 'ahooks/es/useLocalStorageState'
import Button from 'antd/es/button'
import Popover from 'antd/es/popover'
import Spin from 'antd/es/spin'
import type { TableColumnType } from 'antd'
import { useAtomValue } from 'jotai'
import { userInfoAtom } from '../session/user'
import type { ColumnSettings } from './columnChoices'
import { lazyPart } from './lazyPart'
import { useMediaQuery } from './useMedia'

// The chooser is loaded separately, because a list is useful without it.
const ColumnChoices = lazyPart(
  () => import('./columnChoices'),
  () => <Spin />,
)

type Column = Pick<TableColumnType, 'key' | 'width'> & { title?: unknown }

const isChoice = (value: unknown): value is ColumnSettings =>
  typeof value === 'object' &&
  value !== null &&
  'hidden' in value &&
  Array.isArray(value.hidden) &&
  'size' in value &&
  (value.size === 'small' || value.size === 'middle')

/** A phone shows the first two columns without scrolling, so the state of a row stands beside its name there. */
function moveStateForward<C extends Column>(columns: C[]) {
  const isState = ({ title }: C) => title === '状态'
  const [first, ...rest] = columns.filter((one) => !isState(one))
  const state = columns.find(isState)
  return first && state ? [first, state, ...rest] : columns
}

/**
 * Stores the visible columns and the density of a list per user. Columns without a text title are always visible; those
 * of `defaultHiddenKeys` are hidden by default.
 * @example const { columns, size, scroll, chooser } = useColumns('brand', [{ ...column(Brand, 'name'), width: 160 },
 * …]); <Table size={size} columns={columns} scroll={scroll} />
 */
export function useColumns<T, C extends Column = TableColumnType<T>>(
  listName: string,
  allColumns: C[],
  defaultHiddenKeys: (keyof T & string)[] = [],
) {
  const user = useAtomValue(userInfoAtom)
  const [storedChoice, setStoredChoice] = useLocalStorageState<ColumnSettings>(
    `columns.${listName}.${user?.id ?? ''}`,
  )
  const { hidden: hiddenKeys, size } = isChoice(storedChoice)
    ? storedChoice
    : { hidden: defaultHiddenKeys as string[], size: 'middle' as const }
  const options = allColumns.flatMap(({ key, title }) =>
    typeof title === 'string' && key ? [{ value: String(key), label: title }] : [],
  )

  const chooser = (
    <Popover
      trigger="click"
      placement="bottomRight"
      content={
        <ColumnChoices
          hidden={hiddenKeys}
          size={size}
          options={options}
          onChoose={setStoredChoice}
        />
      }
    >
      <Button icon={<TableOutlined />} aria-label="列设置" title="列设置" />
    </Popover>
  )
  const isNarrow = useMediaQuery('(max-width: 600px)')
  const visibleColumns = allColumns.filter(({ key }) => !hiddenKeys.includes(String(key)))
  const columns = isNarrow ? moveStateForward(visibleColumns) : visibleColumns
  // The width is the sum of the columns plus room for a checkbox or an expand icon; `max-content` would never truncate
  // long texts.
  const scroll = {
    x: columns.reduce((sum, { width }) => sum + (typeof width === 'number' ? width : 160), 32),
  }
  return { columns, size, scroll, chooser }
}
