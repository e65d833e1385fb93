import { TreeSelect, type TreeSelectProps } from 'antd'
import type { Menu } from '@iot/shared/contract/menu'
import { refuseMenuPlace } from '@iot/shared/contract/menuPlace'
import type { Tree } from '@iot/shared/contract/tree'
import { withChosen } from '@iot/shared/ui/useListed'

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type MenuParentProps = TreeSelectProps<string> & {
  tree: Tree<Menu>
  type: Menu['type']
  /** The menu being moved, which cannot become its own descendant. */
  of: Menu | undefined
}

/** Selects the parent of a menu; positions that the rules forbid are disabled. */
export function MenuParent({ tree, type, of, ...rest }: MenuParentProps) {
  const choices = tree.nested<Choice>((row, children) =>
    row.type === 'button' || row.id === of?.id
      ? undefined
      : {
          value: row.id,
          title: row.name,
          disabled: !!refuseMenuPlace(tree, { type, parentId: row.id }, of?.id),
          children,
        },
  )
  return (
    <TreeSelect
      {...rest}
      {...withChosen(choices, rest.value)}
      treeDefaultExpandAll
      treeLine
      allowClear
      placeholder={type === 'button' ? '请选择所属菜单' : '顶级'}
    />
  )
}
