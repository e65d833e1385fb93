import * as z from '../zod'
import { row, nameField, codeField, Description, Id, revision, ById } from '../fields.schema'
import { grantableDeviceRights } from '../device/devicePermissions'
import { rowKeys } from '../fields'

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
export const RoleDraft = Role.omit({
  ...rowKeys,
  builtin: true,
  everything: true,
  userCount: true,
})
export type RoleDraft = z.infer<typeof RoleDraft>
export const RoleChange = RoleDraft.omit({ code: true }).extend(revision)

/** One right of the platform with the roles that grant it. */
export const RightGrant = z.object({
  permission: z.string(),
  name: z.string().meta({ title: '权限' }),
  /** Where the right is used: the path of its page in the menu. */
  place: z.string().meta({ title: '位置' }),
  roleIds: z.array(Id),
})
export type RightGrant = z.infer<typeof RightGrant>

export const roleSchemas = {
  list: { input: z.object({}), output: z.array(Role) },
  create: { input: RoleDraft, output: Role },
  update: { input: RoleChange, output: Role },
  remove: { input: ById, output: z.null() },
  rights: { input: z.object({}), output: z.array(RightGrant) },
  grantable: {
    input: z.object({}),
    output: z.array(
      z.object({
        id: Id,
        parentId: Id.nullable(),
        type: z.enum(['folder', 'page', 'button']),
        name: z.string(),
      }),
    ),
  },
}
