import AntdTreeSelect from 'antd/es/tree-select'
import type { TreeSelectProps } from 'antd'
import { includesText, useComposedFilter } from './composition'

type Node = NonNullable<TreeSelectProps['treeData']>[number]

/** antd's own tree select filters its nodes by the letters of an unfinished composition; this one does not. */
function ComposedTreeSelect({ showSearch, ...props }: TreeSelectProps) {
  const searchConfig = typeof showSearch === 'object' ? showSearch : {}
  const { filterTreeNode, treeNodeFilterProp = 'value' } = searchConfig
  const matches = useComposedFilter((text: string, node: Node) =>
    typeof filterTreeNode === 'function'
      ? filterTreeNode(text, node)
      : includesText(node[treeNodeFilterProp], text),
  )
  return (
    <AntdTreeSelect
      {...props}
      showSearch={
        showSearch && filterTreeNode !== false
          ? { ...searchConfig, filterTreeNode: matches }
          : showSearch
      }
    />
  )
}

export const TreeSelect = ComposedTreeSelect as typeof AntdTreeSelect
