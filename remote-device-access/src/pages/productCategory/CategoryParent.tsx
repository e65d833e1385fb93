import { TreeSelect, type TreeSelectProps } from 'antd'
import type { ReactNode } from 'react'
import type { ProductCategory } from '@iot/shared/contract/category'
import { refuseCategoryPlace } from '@iot/shared/contract/categoryPlace'
import type { Known } from '@iot/shared/contract/options'
import type { Tree } from '@iot/shared/contract/tree'
import { withChosen } from '@iot/shared/ui/useListed'

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type CategoryParentProps = TreeSelectProps<string> & {
  /** None yet while not read. */
  tree: Tree<ProductCategory> | undefined
  /** What is chosen already, by its name, until the tree is there. */
  known?: Known
  /** The category that is moved; it cannot go below itself. */
  of?: string
  /** Every category can be chosen: what stands there is no category itself. */
  free?: boolean
  /** Said where there is nothing to choose from. */
  none?: ReactNode
}

/** Below which category one stands; places too deep, or below itself, cannot be chosen. */
export function CategoryParent({ tree, known, of, free, none, ...rest }: CategoryParentProps) {
  const choices = tree?.nested<Choice>((row, children) => ({
    value: row.id,
    title: row.name,
    disabled: !free && !!refuseCategoryPlace(tree, row.id, of),
    children,
  }))
  return (
    <TreeSelect
      showSearch={{ treeNodeFilterProp: 'title' }}
      {...withChosen(choices, rest.value, known)}
      {...(none && choices?.length === 0 && { notFoundContent: none })}
      treeDefaultExpandAll
      treeLine
      allowClear
      placeholder="顶级"
      {...rest}
    />
  )
}
