import { z } from 'zod'
import { endpoint } from './endpoint'
import { ById, codeField, Description, Id, nameField, revision, row, rowKeys } from './fields'
import { grantableDeviceRights } from './devicePermissions'

/** Codes of the built-in roles; `platform-admin` has every permission. */
export type BuiltinRole = 'platform-admin' | 'project-admin' | 'operator' | 'visitor'

export const Role = z.object({
  ...row,
  name: nameField('角色名称'),
  code: codeField('角色编码'),
  description: Description,
  menuIds: z.array(Id).max(5000, '菜单与按钮最多 5000 项').meta({ title: '菜单与按钮' }),
  dataScope: z.enum(['all', 'assigned']).meta({ title: '数据范围' }),
  deviceRights: z
    .array(z.enum(grantableDeviceRights))
    .max(grantableDeviceRights.length)
    .meta({ title: '设备权限' }),
  builtin: z.boolean().meta({ title: '内置' }),
  /** The role has every permission, including future ones; its name and description alone can be edited. */
  everything: z.boolean(),
  userCount: z.number().int().meta({ title: '用户数' }),
})
export type Role = z.infer<typeof Role>
export const dataScopeText: Record<Role['dataScope'], string> = {
  all: '全部项目',
  assigned: '分配给用户的项目',
}
export const RoleDraft = Role.omit({
  ...rowKeys,
  builtin: true,
  everything: true,
  userCount: true,
})
export type RoleDraft = z.infer<typeof RoleDraft>
export const RoleChange = RoleDraft.omit({ code: true }).extend(revision)

export const roleApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/role/list',
    title: '查看角色',
    permission: 'enterprise:role:list',
    input: z.object({}),
    output: z.array(Role),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/role',
    title: '新建角色',
    permission: 'enterprise:role:add',
    input: RoleDraft,
    output: Role,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/role/{id}',
    title: '修改角色',
    permission: 'enterprise:role:edit',
    changesRights: true,
    input: RoleChange,
    output: Role,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v1/role/{id}',
    title: '删除角色',
    permission: 'enterprise:role:remove',
    input: ById,
    output: z.null(),
  }),
  /** Returns the menus and buttons that the caller may grant: a user cannot grant more than they have. */
  grantable: endpoint({
    method: 'GET',
    path: '/v1/role/grantable',
    title: '可授予的权限',
    permission: 'enterprise:role:list',
    input: z.object({}),
    output: z.array(
      z.object({
        id: Id,
        parentId: Id.nullable(),
        type: z.enum(['folder', 'page', 'button']),
        name: z.string(),
      }),
    ),
  }),
}
