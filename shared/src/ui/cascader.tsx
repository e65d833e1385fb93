import AntdCascader from 'antd/es/cascader'
import type { CascaderProps } from 'antd'
import { matchesPath } from '../contract/matchesWords'
import { useComposedFilter } from './composition'

type Option = NonNullable<CascaderProps['options']>[number]

/** antd's own cascader filters its paths by the letters of an unfinished composition; this one does not. */
function ComposedCascader({ showSearch, ...props }: CascaderProps<Option, string, false>) {
  const searchConfig = typeof showSearch === 'object' ? showSearch : {}
  const { filter } = searchConfig
  const matches = useComposedFilter(
    (text: string, path: Option[], names: Parameters<NonNullable<typeof filter>>[2]) =>
      filter
        ? filter(text, path, names)
        : matchesPath(path.map(({ label }) => String(label)).join(' / '), text),
  )
  return <AntdCascader {...props} showSearch={showSearch && { ...searchConfig, filter: matches }} />
}

export const Cascader = ComposedCascader as typeof AntdCascader
