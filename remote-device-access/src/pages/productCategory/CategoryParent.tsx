import { TreeSelect, type TreeSelectProps } from 'antd'
import type { ProductCategory } from '@iot/shared/contract/category'
import { refuseCategoryPlace } from '@iot/shared/contract/categoryPlace'
import type { Tree } from '@iot/shared/contract/tree'

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type CategoryParentProps = TreeSelectProps<string> & {
  tree: Tree<ProductCategory>
  /** The category that is moved; it cannot go below itself. */
  of?: string
  /** Every category can be chosen: what stands there is no category itself. */
  free?: boolean
}

/** Below which category one stands; places too deep, or below itself, cannot be chosen. */
export function CategoryParent({ tree, of, free, ...rest }: CategoryParentProps) {
  const choices = tree.nested<Choice>((row, children) => ({
    value: row.id,
    title: row.name,
    disabled: !free && !!refuseCategoryPlace(tree, row.id, of),
    children,
  }))
  return (
    <TreeSelect
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeData={choices}
      treeDefaultExpandAll
      treeLine
      allowClear
      placeholder="顶级"
      {...rest}
    />
  )
}
