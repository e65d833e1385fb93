import type { TreeSelectProps } from 'antd'
import type { ReactNode } from 'react'
import type { ProductCategory } from '@iot/shared/contract/product/category.schema'
import { validateCategoryParent } from '@iot/shared/contract/product/categoryTree'
import type { NamesById } from '@iot/shared/contract/options'
import type { Tree } from '@iot/shared/contract/tree'
import { TreeSelect } from '@iot/shared/ui/treeSelect'
import { buildTreeSelectProps } from '@iot/shared/ui/useListed'

type CategoryOption = {
  value: string
  title: string
  disabled: boolean
  children: CategoryOption[]
}
type CategorySelectProps = TreeSelectProps<string> & {
  /** The tree is `undefined` until it is read. */
  tree: Tree<ProductCategory> | undefined
  /** The selected category has its name from here until the tree is read. */
  namesById?: NamesById
  /** The category with this id is being moved and cannot become its own descendant. */
  movedId?: string
  /** Allows every category, because the field belongs to another entity than a category. */
  allowsAny?: boolean
  /** This content is shown if there are no options. */
  emptyContent?: ReactNode
}

/** Selects the parent category; positions that are too deep or below the category itself are disabled. */
export function CategorySelect({
  tree,
  namesById,
  movedId,
  allowsAny,
  emptyContent,
  ...rest
}: CategorySelectProps) {
  const categoryOptions = tree?.nested<CategoryOption>((row, children) => ({
    value: row.id,
    title: row.name,
    disabled: !allowsAny && !!validateCategoryParent(tree, row.id, movedId),
    children,
  }))
  return (
    <TreeSelect
      showSearch={{ treeNodeFilterProp: 'title' }}
      {...buildTreeSelectProps(categoryOptions, rest.value, namesById)}
      {...(emptyContent && categoryOptions?.length === 0 && { notFoundContent: emptyContent })}
      treeDefaultExpandAll
      treeLine
      allowClear
      placeholder="顶级"
      {...rest}
    />
  )
}
