import { useDebounceFn, useEventListener } from 'ahooks'
import { Button, Flex, Input, Popover, Select, Tag } from 'antd'
import { useState, type ReactNode } from 'react'
import { chosenName } from '../contract/options'
import { isComposing } from './composition'
import { listedOnly } from './useListed'
import { useMedia } from './useMedia'

type Values = Record<string, string | undefined>

/** One filter of a list. It may stand for several names of the address, such as the two ends of a time. */
export type Filter = {
  names: string[]
  title: string
  /** None for what only a link brings along. */
  control?: (values: Values, change: (changes: Values) => void) => ReactNode
  /** What its chip says. */
  shown: (values: Values) => ReactNode
}

/** A text that is searched for on Enter or after a pause of 400 ms. */
export const textFilter = (name: string, title: string, width = 150): Filter => ({
  names: [name],
  title,
  control: (values, change) => (
    <Text
      value={values[name] ?? ''}
      title={title}
      width={width}
      onSearch={(text) => change({ [name]: text })}
    />
  ),
  shown: (values) => values[name],
})

/** A choice that acts at once; of options that are not there yet it says so. */
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
      {...listedOnly(options)}
      popupMatchSelectWidth={false}
      style={{ width }}
      value={values[name]}
      onChange={(value?: string) => change({ [name]: value })}
    />
  ),
  shown: (values) => chosenName(options, values[name]),
})

type TextProps = { value: string; title: string; width: number; onSearch: (text: string) => void }

function Text({ value, title, width, onSearch }: TextProps) {
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [before, setBefore] = useState(value)
  // Takes over what the address says after Back or 清除, never what was typed since the last search.
  if (value !== before) {
    setBefore(value)
    if (value !== sent) setText(value)
  }
  const search = (typed: string) => {
    const wanted = typed.trim()
    if (wanted === value) return
    setSent(wanted)
    onSearch(wanted)
  }
  const { run, cancel, flush } = useDebounceFn(search, { wait: 400 })
  // Who follows a link before that is not called back by the list they leave.
  useEventListener('click', ({ target }) => (target as Element).closest('a[href]') && cancel(), {
    capture: true,
  })
  return (
    <Input
      allowClear
      maxLength={64}
      placeholder={title}
      aria-label={title}
      style={{ width }}
      value={text}
      onChange={({ target, nativeEvent }) => {
        setText(target.value)
        if (!isComposing()) run(target.value)
        // The cross empties it at once.
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
 * The filters above a list: one line of at most four, fewer in a narrow window, the rest behind 更多; what is active stands below as chips that can be taken away.
 * They show what the address says, also after Back.
 * @example <Filters filters={filters} search={search} of={[textFilter('name', '厂商名称'), choiceFilter('status', '状态', statusOptions)]} />
 */
export function Filters({ filters, search, of }: FiltersProps) {
  const change = (changes: Values) => search({ ...filters, ...changes })
  const isActive = ({ names }: Filter) => names.some((name) => filters[name])
  const without = ({ names }: Filter) => Object.fromEntries(names.map((name) => [name, undefined]))
  const active = of.filter(isActive)
  const control = (filter: Filter) => (
    <div key={filter.title} style={{ maxWidth: '100%' }}>
      {filter.control?.(filters, change)}
    </div>
  )
  const drawn = of.filter(({ control }) => control)
  // Beside the buttons of a list more would make a second line.
  const isWide = useMedia('(min-width: 1200px)')
  const isSlim = useMedia('(max-width: 599px)')
  const fitting = isWide ? 4 : isSlim ? 1 : 2
  const more = drawn.slice(fitting)
  return (
    <Flex vertical gap={8} role="search">
      <Flex gap={8} wrap align="center">
        {drawn.slice(0, fitting).map(control)}
        {more.length > 0 && (
          <Popover
            trigger="click"
            placement="bottomLeft"
            content={
              <Flex vertical gap={8}>
                {more.map(control)}
              </Flex>
            }
          >
            <Button type="text">更多{more.some(isActive) && '（已选）'}</Button>
          </Popover>
        )}
      </Flex>
      {active.length > 0 && (
        <Flex gap={4} wrap align="center">
          {active.map((filter) => (
            <Tag
              key={filter.title}
              closable={{ 'aria-label': `去掉条件：${filter.title}` }}
              onClose={(event) => {
                event.preventDefault()
                change(without(filter))
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
