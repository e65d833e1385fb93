import * as z from '../zod'
import { allProjectsLabel, userTitles } from './user'
import {
  row,
  Email,
  Id,
  Expiry,
  Time,
  revision,
  SearchFilter,
  pageQuery,
  pageResult,
  ById,
  NewExpiry,
  RowIds,
  RowResults,
} from '../fields.schema'
import { oneLinePattern, rowKeys } from '../fields'
import { normalizePhone } from '../text'
import { ExpiryDay } from '../expiryDay.schema'
import { SessionRow } from './auth.schema'
import { RightGrant, Role } from './role.schema'
import { resourceSchemas } from '../resource.schema'

export const UserState = z
  .enum(['normal', 'disabled', 'locked', 'expired'])
  .meta({ title: userTitles.state })
const chooseProjectsMessage = `请选择项目，或选“${allProjectsLabel}”`

const ProjectNumbers = z.array(z.number().int()).max(1000, '项目最多 1000 个')

export const User = z.object({
  ...row,
  username: z
    .string()
    .trim()
    .min(1, '请输入账号')
    .regex(/^[A-Za-z][\w.-]{3,31}$/, '账号以字母开头，4–32 位字母、数字、点、下划线或短横线')
    .max(32)
    .meta({ title: userTitles.username }),
  name: z
    .string()
    .trim()
    .min(1, '请输入姓名')
    .max(32, '姓名最多 32 个字')
    .regex(oneLinePattern, '姓名不能含换行和不可见的控制字符')
    .meta({ title: userTitles.name }),
  phone: z
    .string()
    .max(40, '手机号最多 40 个字')
    .overwrite(normalizePhone)
    .regex(/^(1[3-9]\d{9})?$/, '请输入 11 位手机号')
    .meta({ title: userTitles.phone }),
  email: Email,
  roleIds: z
    .array(Id)
    .min(1, '请至少选择一个角色')
    .max(100, '角色最多 100 个')
    .meta({ title: userTitles.roleIds }),
  roleNames: z.array(z.string()),
  /** All projects including future ones, or the listed ones. Users of older versions may have none. */
  projectIds: z.union([z.literal('all'), ProjectNumbers]).meta({ title: userTitles.projectIds }),
  expireTime: Expiry,
  state: UserState,
  builtin: z.boolean().meta({ title: '内置' }),
  lastLoginTime: Time.nullable().meta({ title: userTitles.lastLoginTime }),
  secondFactor: z.boolean().meta({ title: userTitles.secondFactor }),
})
export type User = z.infer<typeof User>
export const UserDraft = User.omit({
  ...rowKeys,
  roleNames: true,
  state: true,
  builtin: true,
  lastLoginTime: true,
  secondFactor: true,
}).extend({
  projectIds: z
    .union([z.literal('all'), ProjectNumbers], chooseProjectsMessage)
    .refine((projectIds) => projectIds.length > 0, chooseProjectsMessage)
    .meta({ title: '项目' }),
})
export type UserDraft = z.infer<typeof UserDraft>
export const UserChange = UserDraft.omit({ username: true }).extend(revision)

/** A user as a row of a file; roles and projects are written by their names, separated by 、. */
export const UserFileRow = UserDraft.pick({
  username: true,
  name: true,
  phone: true,
  email: true,
}).extend({
  roleNames: z.string().trim().min(1, '请填写角色').max(500).meta({ title: '角色' }),
  projectNames: z
    .string()
    .trim()
    .min(1, `请填写项目；不限项目写“${allProjectsLabel}”`)
    .max(2000, '项目最多 2000 个字')
    .meta({ title: '项目' }),
  expireTime: ExpiryDay.meta({ title: userTitles.expireTime }),
})
export type UserFileRow = z.infer<typeof UserFileRow>

const filters = {
  username: SearchFilter.optional(),
  name: SearchFilter.optional(),
  phone: SearchFilter.optional(),
  roleId: SearchFilter.optional(),
  state: UserState.optional(),
  /** Lists users who may use this right now; disabled and expired accounts may not. */
  permission: SearchFilter.optional(),
}

/** A change of many users adds, removes or replaces the chosen roles or projects, or keeps those of each user. */
export const AssignmentChange = z.enum(['keep', 'add', 'remove', 'replace'])
export type AssignmentChange = z.infer<typeof AssignmentChange>
/** Users keep what is not changed; the chosen values are then ignored and may be empty. */
export const UserAssignment = z.object({
  roleChange: AssignmentChange.meta({ title: '角色' }),
  roleIds: z.array(Id).max(100, '角色最多 100 个').meta({ title: '选择角色' }),
  projectChange: AssignmentChange.meta({ title: '项目' }),
  projectIds: z.union([z.literal('all'), ProjectNumbers]).meta({ title: '选择项目' }),
})
export type UserAssignment = z.infer<typeof UserAssignment>

const generatedPassword = z.object({ id: Id, password: z.string() })

export const userSchemas = {
  page: { input: pageQuery(filters), output: pageResult(User) },
  get: { input: ById, output: User },
  create: { input: UserDraft.extend({ expireTime: NewExpiry }), output: generatedPassword },
  update: { input: UserChange, output: User },
  remove: { input: ById, output: z.null() },
  removeMany: resourceSchemas.removeMany(),
  assign: { input: RowIds.extend(UserAssignment.shape), output: RowResults },
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: resourceSchemas.importRows(),
  setEnabled: { input: RowIds.extend({ enabled: z.boolean() }), output: RowResults },
  unlock: { input: ById, output: z.null() },
  resetPassword: { input: ById, output: generatedPassword },
  resetSecondFactor: { input: ById, output: z.null() },
  rights: {
    input: ById,
    output: z.object({
      /** All roles, so that a missing right can name the roles that would grant it. */
      roles: z.array(Role.pick({ id: true, name: true, dataScope: true })),
      projectScope: User.shape.projectIds,
      rights: z.array(RightGrant),
    }),
  },
  sessions: { input: ById, output: z.array(SessionRow) },
  kick: { input: ById, output: z.object({ revoked: z.number().int() }) },
}
