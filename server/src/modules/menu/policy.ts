import type { MenuDraft } from '@iot/shared/contract/menu'
import { refuseMenuPlace } from '@iot/shared/contract/menuPlace'
import { treeOf, type Tree } from '@iot/shared/contract/tree'
import type { z } from 'zod'
import type { Context } from '../../core/serve/context'
import { refused, wrongField } from '../../core/refusal'
import type { MenuRow } from './queries'

type Draft = z.output<typeof MenuDraft>

export function mustFit(tree: Tree<MenuRow>, draft: Pick<Draft, 'type' | 'parentId'>, id?: string) {
  const why = refuseMenuPlace(tree, draft, id)
  if (why) throw wrongField('parentId', why)
}

export function mustBeWhole({ type, path, routeName, permission }: Draft) {
  if (type === 'page' && !path) throw wrongField('path', '请输入路径')
  if (type === 'page' && !routeName) throw wrongField('routeName', '请输入路由名')
  if (type === 'button' && !permission) throw wrongField('permission', '请输入权限码')
  if (type === 'button' && (path || routeName)) throw wrongField('path', '按钮没有路径和路由名')
}

/** Paths are compared as the router does, which ignores case and repeated slashes. */
const addressOf = (path: string) =>
  path
    .toLowerCase()
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')

/** Asserts that no other menu uses the path, because both would be highlighted and open the same screen. */
export function mustBeOnlyPath(
  tree: Tree<MenuRow>,
  { path }: Pick<Draft, 'path'>,
  before?: MenuRow,
) {
  if (path === '' || path === before?.path) return
  if (/\/\/|.\/$/.test(path)) throw wrongField('path', '路径不能有连续的“/”，也不能以“/”结尾')
  const other = tree
    .ordered()
    .find((row) => row.id !== before?.id && row.path && addressOf(row.path) === addressOf(path))
  if (other) throw wrongField('path', `路径“${path}”已用于“${other.name}”`)
}

/** A menu grants its permission code to every role that holds it, so the user must hold the code to set it. */
export function mustHold(context: Context, permission: string, before = '') {
  if (permission && permission !== before && !context.can(permission))
    throw wrongField('permission', '不能使用自己没有的权限码')
}

const fixed = { type: '类型', path: '路径', routeName: '路由名', permission: '权限码' } as const

/** Asserts that fields on which the program relies are unchanged. */
export function mustKeep(before: MenuRow, draft: Draft) {
  if (draft.type !== before.type) throw wrongField('type', '类型不能修改')
  if (!before.builtin) return
  for (const [field, title] of Object.entries(fixed)) {
    if (draft[field as keyof typeof fixed] !== before[field as keyof typeof fixed])
      throw wrongField(field, `内置菜单的${title}不能修改`)
  }
}

/** Asserts that the menu screen stays visible, because it is the only place to show it again. */
export function mustShowMenus(rows: MenuRow[]) {
  const screen = rows.find(({ routeName }) => routeName === 'system.menu')
  const hidden = treeOf(rows)
    .path(screen?.id)
    .find(({ status, visible }) => status === 'disabled' || !visible)
  if (hidden)
    throw refused(`“${hidden.name}”停用或隐藏时，“${screen!.name}”就看不到了，无法再改回来`)
}
