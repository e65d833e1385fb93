import * as z from '../zod'
import { row, Id, Name, Sort, Status, revision, ById, SearchFilter } from '../fields.schema'
import { rowKeys } from '../fields'
import { MenuNode } from './menuNode.schema'
import { resourceSchemas } from '../resource.schema'

export const MenuType = z.enum(['folder', 'page', 'button']).meta({ title: '类型' })

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

export const menuSchemas = {
  list: { input: z.object({}), output: z.array(Menu) },
  preview: { input: z.object({ roleId: Id }), output: z.array(MenuNode) },
  create: { input: MenuDraft, output: Menu },
  update: { input: MenuDraft.extend(revision), output: Menu },
  remove: { input: ById, output: z.null() },
  exportRows: resourceSchemas.exportRows({
    input: { name: SearchFilter.optional() },
  }),
  move: {
    input: z.object({ id: Id, parentId: Id.nullable(), index: z.number().int().min(0) }),
    output: z.null(),
  },
}
