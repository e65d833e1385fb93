import { TreeSelect, type TreeSelectProps } from 'antd'
import type { ReactNode } from 'react'
import type { ProductCategory } from '@iot/shared/contract/category'
import { refuseCategoryPlace } from '@iot/shared/contract/categoryPlace'
import type { Known } from '@iot/shared/contract/options'
import type { Tree } from '@iot/shared/contract/tree'
import { withChosen } from '@iot/shared/ui/useListed'

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type CategoryParentProps = TreeSelectProps<string> & {
  /** The tree is `undefined` until it is read. */
  tree: Tree<ProductCategory> | undefined
  /** The selected category has its name from here until the tree is read. */
  known?: Known
  /** The category with this id is being moved and cannot become its own descendant. */
  of?: string
  /** Allows every category, because the field belongs to another entity than a category. */
  free?: boolean
  /** This content is shown if there are no options. */
  none?: ReactNode
}

/** Selects the parent category; positions that are too deep or below the category itself are disabled. */
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
