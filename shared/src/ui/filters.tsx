import useDebounceFn from 'ahooks/es/useDebounceFn'
import useEventListener from 'ahooks/es/useEventListener'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Popover from 'antd/es/popover'
import Tag from 'antd/es/tag'
import { useState, type ReactNode } from 'react'
import { getSelectedName } from '../contract/options'
import { isComposing } from './composition'
import { buildSelectProps } from './useListed'
import { useMediaQuery } from './useMedia'
import { Select } from './select'

type Values = Record<string, string | undefined>

/** A filter of a list. It may use several names of the address, such as both ends of a period. */
export type Filter = {
  names: string[]
  title: string
  /** Input element; missing for a filter that links alone can set. */
  control?: (values: Values, change: (changes: Values) => void) => ReactNode
  /** Returns the text of its chip. */
  shown: (values: Values) => ReactNode
}

/** Text filter, applied on Enter or after a pause of 400 ms. */
export const textFilter = (name: string, title: string, width = 150): Filter => ({
  names: [name],
  title,
  control: (values, change) => (
    <DebouncedTextFilter
      value={values[name] ?? ''}
      title={title}
      width={width}
      onSearch={(text) => change({ [name]: text })}
    />
  ),
  shown: (values) => values[name],
})

/** Select filter, applied at once; it shows a notice while its options are missing. */
export const choiceFilter = (
  name: string,
  title: string,
  options?: { value: string; label: string }[],
  width = 120,
): Filter => ({
  names: [name],
  title,
  control: (values, change) => (
    <Select
      allowClear
      showSearch={!!options && options.length > 8 && { optionFilterProp: 'label' }}
      placeholder={title}
      aria-label={title}
      {...buildSelectProps(options)}
      popupMatchSelectWidth={false}
      style={{ width }}
      value={values[name]}
      onChange={(value?: string) => change({ [name]: value })}
    />
  ),
  shown: (values) => getSelectedName(options, values[name]),
})

type DebouncedTextFilterProps = {
  value: string
  title: string
  width: number
  onSearch: (text: string) => void
}

function DebouncedTextFilter({ value, title, width, onSearch }: DebouncedTextFilterProps) {
  const [text, setText] = useState(value)
  const [lastSearch, setLastSearch] = useState(value)
  const [previousValue, setPreviousValue] = useState(value)
  // The input follows the address after Back or 清除, but keeps what was typed since the last search.
  if (value !== previousValue) {
    setPreviousValue(value)
    if (value !== lastSearch) {
      setText(value)
      setLastSearch(value)
    }
  }
  const search = (typedText: string) => {
    const trimmedText = typedText.trim()
    if (trimmedText === value) return
    setLastSearch(trimmedText)
    onSearch(trimmedText)
  }
  const { run, cancel, flush } = useDebounceFn(search, { wait: 400 })
  // A click on a link cancels the pending search, which would otherwise navigate back to the list.
  useEventListener('click', ({ target }) => (target as Element).closest('a[href]') && cancel(), {
    capture: true,
  })
  return (
    <Input
      allowClear
      placeholder={title}
      aria-label={title}
      style={{ width }}
      value={text}
      onChange={({ target, nativeEvent }) => {
        setText(target.value)
        if (!isComposing()) run(target.value)
        // The clear icon applies at once.
        if (nativeEvent.type === 'click') flush()
      }}
      onCompositionEnd={({ currentTarget }) => run(currentTarget.value)}
      onPressEnter={() => {
        cancel()
        search(text)
      }}
    />
  )
}

type FiltersProps = {
  filters: Record<string, string>
  search: (filters: Values) => void
  of: Filter[]
}

/**
 * Filters above a list: one line of at most four, fewer in a narrow window, the others behind 更多. Active filters appear
 * below as removable chips. All of them follow the address, also after Back.
 * @example <Filters filters={filters} search={search} of={[textFilter('name', '厂商名称'), choiceFilter('status', '状态',
 * statusOptions)]} />
 */
export function Filters({ filters, search, of: filterList }: FiltersProps) {
  const change = (changes: Values) => search({ ...filters, ...changes })
  const isActive = ({ names }: Filter) => names.some((name) => filters[name])
  const getClearedValues = ({ names }: Filter) =>
    Object.fromEntries(names.map((name) => [name, undefined]))
  const activeFilters = filterList.filter(isActive)
  const renderControl = (filter: Filter) => (
    <div key={filter.title} style={{ maxWidth: '100%' }}>
      {filter.control?.(filters, change)}
    </div>
  )
  const filtersWithControl = filterList.filter(({ control }) => control)
  // More filters would wrap next to the buttons of the list.
  const isWide = useMediaQuery('(min-width: 1200px)')
  const isNarrow = useMediaQuery('(max-width: 599px)')
  const visibleCount = isWide ? 4 : isNarrow ? 1 : 2
  const overflowFilters = filtersWithControl.slice(visibleCount)
  return (
    <Flex vertical gap={8} role="search">
      <Flex gap={8} wrap align="center">
        {filtersWithControl.slice(0, visibleCount).map(renderControl)}
        {overflowFilters.length > 0 && (
          <Popover
            trigger="click"
            placement="bottomLeft"
            content={
              <Flex vertical gap={8}>
                {overflowFilters.map(renderControl)}
              </Flex>
            }
          >
            <Button type="text">更多{overflowFilters.some(isActive) && '（已选）'}</Button>
          </Popover>
        )}
      </Flex>
      {activeFilters.length > 0 && (
        <Flex gap={4} wrap align="center">
          {activeFilters.map((filter) => (
            <Tag
              key={filter.title}
              closable={{ 'aria-label': `去掉条件：${filter.title}` }}
              onClose={(event) => {
                event.preventDefault()
                change(getClearedValues(filter))
              }}
            >
              {filter.title}：{filter.shown(filters)}
            </Tag>
          ))}
          <Button type="link" size="small" onClick={() => search({})}>
            清除筛选
          </Button>
        </Flex>
      )}
    </Flex>
  )
}
