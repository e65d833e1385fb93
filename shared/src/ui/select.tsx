import AntdSelect from 'antd/es/select'
import type { SelectProps } from 'antd'
import { includesText, useComposedFilter } from './composition'

type Option = NonNullable<SelectProps['options']>[number]

/** antd's own select filters its options by the letters of an unfinished composition; this one does not. */
function ComposedSelect({ showSearch, ...props }: SelectProps) {
  const searchConfig = typeof showSearch === 'object' ? showSearch : {}
  const { filterOption, optionFilterProp } = searchConfig
  const matches = useComposedFilter((text: string, option?: Option) => {
    if (typeof filterOption === 'function') return filterOption(text, option)
    const names = optionFilterProp ?? (option?.options ? 'label' : 'value')
    return [names].flat().some((name) => includesText(option?.[name], text))
  })
  const isSearchable = showSearch ?? props.mode !== undefined
  return (
    <AntdSelect
      {...props}
      showSearch={
        isSearchable && filterOption !== false
          ? { ...searchConfig, filterOption: matches }
          : showSearch
      }
    />
  )
}

export const Select = ComposedSelect as typeof AntdSelect
