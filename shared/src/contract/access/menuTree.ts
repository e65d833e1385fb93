import type { Menu } from './menu.schema'
import { refuseParent, type Tree } from '../tree'

type Node = Pick<Menu, 'id' | 'parentId' | 'type'>

/** The menu tree may have this depth at most, buttons included. */
const maxMenuLevels = 8

/** The menu search covers these fields. */
export const menuSearchFields = ['name', 'path', 'permission'] as const

/**
 * Returns in Chinese why a menu cannot have this parent: folders and pages belong in folders or at the top, buttons on
 * pages.
 */
export function validateMenuParent<T extends Node>(
  tree: Tree<T>,
  { type, parentId }: Pick<Node, 'type' | 'parentId'>,
  id?: string,
): string | undefined {
  const parent = tree.get(parentId)
  if (type === 'button' && parent?.type !== 'page') return '按钮的上级须为菜单'
  if (type !== 'button' && parent && parent.type !== 'folder') return '上级须为目录'
  return refuseParent(tree, parentId, id, maxMenuLevels)
}
