import type { MenuDraft } from '@iot/shared/contract/access/menu.schema'
import { validateMenuParent } from '@iot/shared/contract/access/menuTree'
import { createTree, type Tree } from '@iot/shared/contract/tree'
import type { z } from 'zod'
import type { Context } from '../../core/http/context'
import { createRefusal, createFieldRefusal } from '../../core/refusal'
import type { MenuRow } from './queries'

type Draft = z.output<typeof MenuDraft>

export function assertPlacementAllowed(
  tree: Tree<MenuRow>,
  draft: Pick<Draft, 'type' | 'parentId'>,
  id?: string,
) {
  const refusal = validateMenuParent(tree, draft, id)
  if (refusal) throw createFieldRefusal('parentId', refusal)
}

export function assertRequiredFields({ type, path, routeName, permission }: Draft) {
  if (type === 'page' && !path) throw createFieldRefusal('path', '请输入路径')
  if (type === 'page' && !routeName) throw createFieldRefusal('routeName', '请输入路由名')
  if (type === 'button' && !permission) throw createFieldRefusal('permission', '请输入权限码')
  if (type === 'button' && (path || routeName))
    throw createFieldRefusal('path', '按钮没有路径和路由名')
}

/** Paths are compared as the router does, which ignores case and repeated slashes. */
const normalizePath = (path: string) =>
  path
    .toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')

/** Asserts that no other menu uses the path, because both would be highlighted and open the same screen. */
export function assertPathIsFree(
  tree: Tree<MenuRow>,
  { path }: Pick<Draft, 'path'>,
  previousMenu?: MenuRow,
) {
  if (path === '' || path === previousMenu?.path) return
  if (/\/\/|.\/$/.test(path))
    throw createFieldRefusal('path', '路径不能有连续的“/”，也不能以“/”结尾')
  const menuWithSamePath = tree
    .ordered()
    .find(
      (row) =>
        row.id !== previousMenu?.id && row.path && normalizePath(row.path) === normalizePath(path),
    )
  if (menuWithSamePath)
    throw createFieldRefusal('path', `路径“${path}”已用于“${menuWithSamePath.name}”`)
}

/** A menu grants its permission code to every role that holds it, so the user must hold the code to set it. */
export function assertHoldsPermission(
  context: Context,
  permission: string,
  previousPermission = '',
) {
  if (permission && permission !== previousPermission && !context.can(permission))
    throw createFieldRefusal('permission', '不能使用自己没有的权限码')
}

const builtinFieldTitles = {
  type: '类型',
  path: '路径',
  routeName: '路由名',
  permission: '权限码',
} as const

/** Asserts that fields on which the program relies are unchanged. */
export function assertFixedFieldsUnchanged(previousMenu: MenuRow, draft: Draft) {
  if (draft.type !== previousMenu.type) throw createFieldRefusal('type', '类型不能修改')
  if (!previousMenu.builtin) return
  for (const [field, title] of Object.entries(builtinFieldTitles)) {
    if (
      draft[field as keyof typeof builtinFieldTitles] !==
      previousMenu[field as keyof typeof builtinFieldTitles]
    )
      throw createFieldRefusal(field, `内置菜单的${title}不能修改`)
  }
}

/** Asserts that the menu screen stays visible, because it is the only place to show it again. */
export function assertMenuScreenVisible(rows: MenuRow[]) {
  const menuScreen = rows.find(({ routeName }) => routeName === 'system.menu')
  const hiddenAncestor = createTree(rows)
    .path(menuScreen?.id)
    .find(({ status, visible }) => status === 'disabled' || !visible)
  if (hiddenAncestor)
    throw createRefusal(
      `“${hiddenAncestor.name}”停用或隐藏时，“${menuScreen!.name}”就看不到了，无法再改回来`,
    )
}
