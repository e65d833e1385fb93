import { z } from 'zod'
import { endpoint } from './endpoint'
import { ById, Id, Name, SearchFilter, Sort, Status, revision, row, rowKeys } from './fields'
import { MenuNode } from './menuNode'
import { resource } from './resource'

export const MenuType = z.enum(['folder', 'page', 'button']).meta({ title: '类型' })
export const menuTypeText: Record<z.infer<typeof MenuType>, string> = {
  folder: '目录',
  page: '菜单',
  button: '按钮',
}

export const Menu = z.object({
  ...row,
  parentId: Id.nullable().meta({ title: '上级' }),
  type: MenuType,
  name: Name,
  /** Path of a folder or page; buttons have none. */
  path: z
    .string()
    .trim()
    .max(128, '路径最多 128 个字')
    .regex(/^(\/[\w\-/]*)?$/, '路径以 / 开头，只用字母、数字、下划线和短横线')
    .meta({ title: '路径' }),
  /** A given route name must be unique. */
  routeName: z
    .string()
    .trim()
    .max(64)
    .regex(/^[A-Za-z][\w.]*$|^$/, '路由名以字母开头')
    .meta({ title: '路由名' }),
  icon: z.string().max(64).meta({ title: '图标' }),
  permission: z
    .string()
    .trim()
    .max(128)
    .regex(/^([A-Za-z]+:[A-Za-z]+:[A-Za-z]+)?$/, '权限码形如 system:menu:list')
    .meta({ title: '权限码' }),
  visible: z.boolean().meta({ title: '在菜单中显示' }),
  sort: Sort,
  status: Status,
  builtin: z.boolean().meta({ title: '内置' }),
})
export type Menu = z.infer<typeof Menu>
export const MenuDraft = Menu.omit({ ...rowKeys, builtin: true })
export type MenuDraft = z.infer<typeof MenuDraft>

export const menuApi = {
  /** Returns the whole tree as flat rows, parents before children. */
  list: endpoint({
    method: 'GET',
    path: '/v1/menu/list',
    title: '菜单列表',
    permission: 'system:menu:list',
    input: z.object({}),
    output: z.array(Menu),
  }),
  /** Returns the side menu of a user who has this role alone. */
  preview: endpoint({
    method: 'GET',
    path: '/v1/menu/preview',
    title: '以角色预览菜单',
    permission: 'system:menu:list',
    input: z.object({ roleId: Id }),
    output: z.array(MenuNode),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/menu',
    title: '新建菜单',
    permission: 'system:menu:add',
    owner: 'platform',
    changesRights: true,
    input: MenuDraft,
    output: Menu,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/menu/{id}',
    title: '修改菜单',
    permission: 'system:menu:edit',
    owner: 'platform',
    changesRights: true,
    input: MenuDraft.extend(revision),
    output: Menu,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v1/menu/{id}',
    title: '删除菜单',
    permission: 'system:menu:remove',
    owner: 'platform',
    changesRights: true,
    input: ById,
    output: z.null(),
  }),
  exportRows: resource('system', 'menu', '菜单').exportRows({
    input: { name: SearchFilter.optional() },
  }),
  /** Moves `id` below `parentId`, before the sibling at `index`, and renumbers the siblings. Cycles are refused. */
  move: endpoint({
    method: 'POST',
    path: '/v1/menu/move',
    title: '移动菜单',
    permission: 'system:menu:edit',
    owner: 'platform',
    changesRights: true,
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  }),
}
