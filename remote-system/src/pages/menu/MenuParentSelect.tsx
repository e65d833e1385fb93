import type { TreeSelectProps } from 'antd'
import type { Menu } from '@iot/shared/contract/access/menu.schema'
import { validateMenuParent } from '@iot/shared/contract/access/menuTree'
import type { Tree } from '@iot/shared/contract/tree'
import { TreeSelect } from '@iot/shared/ui/treeSelect'
import { buildTreeSelectProps } from '@iot/shared/ui/useListed'

type ParentOption = { value: string; title: string; disabled: boolean; children: ParentOption[] }
type MenuParentSelectProps = TreeSelectProps<string> & {
  tree: Tree<Menu>
  type: Menu['type']
  /** The menu being moved, which cannot become its own descendant. */
  movedMenu: Menu | undefined
}

/** Selects the parent of a menu; positions that the rules forbid are disabled. */
export function MenuParentSelect({ tree, type, movedMenu, ...rest }: MenuParentSelectProps) {
  const parentOptions = tree.nested<ParentOption>((row, children) =>
    row.type === 'button' || row.id === movedMenu?.id
      ? undefined
      : {
          value: row.id,
          title: row.name,
          disabled: !!validateMenuParent(tree, { type, parentId: row.id }, movedMenu?.id),
          children,
        },
  )
  return (
    <TreeSelect
      {...rest}
      {...buildTreeSelectProps(parentOptions, rest.value)}
      treeDefaultExpandAll
      treeLine
      allowClear
      placeholder={type === 'button' ? '请选择所属菜单' : '顶级'}
    />
  )
}
