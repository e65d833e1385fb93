import type { UserDraft } from '@iot/shared/contract/access/user.schema'
import type { Context } from '../../core/http/context'
import type { Db } from '../../core/db/db'
import { getGrantRefusal, getUserChangeRefusal } from '../auth/policy/grants'
import { createRefusal, createFieldRefusal } from '../../core/refusal'
import { combineRights, readRoleRights, type RoleRights } from '../auth/policy/rights'
import { userQueries, type UserRow } from './queries'

type Assignment = Pick<UserDraft, 'roleIds' | 'projectIds'>

/** Existing projects, and those of the requested roles that exist. */
export type Assignables = { projectIds: ReadonlySet<number>; roleRights: RoleRights }

/** Reads what checks of assignments need; many users with these roles can be checked without further queries. */
export async function readAssignables(tx: Db, roleIds: string[]): Promise<Assignables> {
  const projects = await userQueries(tx).projects()
  return {
    projectIds: new Set(projects.map(({ id }) => id)),
    roleRights: await readRoleRights(tx, [...new Set(roleIds)]),
  }
}

export function assertRolesExist(
  { roleRights: { roles } }: Assignables,
  roleIds: UserDraft['roleIds'],
) {
  const existingIds = new Set(roles.map(({ id }) => id))
  if (!roleIds.every((id) => existingIds.has(id)))
    throw createFieldRefusal('roleIds', '所选角色不存在或已被删除')
}

/** @param isVisible a project that the user cannot see is reported as unknown */
export function assertProjectsExist(
  { projectIds: existingIds }: Assignables,
  projectIds: UserDraft['projectIds'],
  isVisible: Context['seesProject'] = () => true,
) {
  if (projectIds === 'all') return
  if (!projectIds.every((id) => existingIds.has(id) && isVisible(id)))
    throw createFieldRefusal('projectIds', '所选项目不存在')
}

/** Asserts that roles and projects exist and do not exceed those of the user who assigns them. */
export function assertCanAssign(
  context: Context,
  assignables: Assignables,
  { roleIds, projectIds }: Assignment,
  previous?: Assignment,
) {
  assertRolesExist(assignables, roleIds)
  assertProjectsExist(assignables, projectIds)
  const isUnchanged =
    previous &&
    [...previous.roleIds].sort().join() === [...roleIds].sort().join() &&
    String(previous.projectIds) === String(projectIds)
  const reason =
    !isUnchanged &&
    getGrantRefusal(context, combineRights(assignables.roleRights, roleIds, projectIds))
  if (reason)
    throw createFieldRefusal(
      reason.includes('项目') ? 'projectIds' : 'roleIds',
      `不能授予超出自己的权限：${reason}`,
    )
  const { roles } = assignables.roleRights
  assertScopesAgree(
    roles.filter(({ id }) => roleIds.includes(id)),
    projectIds,
  )
}

type RoleScope = { everything: boolean; dataScope: 'all' | 'assigned' }

/** Asserts that roles and projects agree, so that neither silently overrides the other. */
function assertScopesAgree(roles: RoleScope[], projectIds: UserDraft['projectIds']) {
  if (projectIds !== 'all' && roles.some(({ everything }) => everything))
    throw createFieldRefusal('projectIds', '平台管理员总是管理全部项目，请选“全部项目”')
  if (projectIds === 'all' && roles.every(({ dataScope }) => dataScope === 'assigned'))
    throw createFieldRefusal('projectIds', '所选角色只能看分配的项目，请指定项目')
}

export async function assertPhoneIsFree(tx: Db, phone: string) {
  if (await userQueries(tx).isPhoneTaken(phone))
    throw createFieldRefusal('phone', '手机号已被其他用户使用')
}

/** Returns why the user may not change this account, or undefined if they may. */
export async function refuseChange(tx: Db, context: Context, row: UserRow) {
  return (await getUserChangeRefusal(tx, context, row)) ? '不能管理权限比自己多的用户' : undefined
}

export async function assertCanManage(tx: Db, context: Context, row: UserRow) {
  const reason = await refuseChange(tx, context, row)
  if (reason) throw createRefusal(reason)
}

/** Asserts, after the change and within its transaction, that an administrator remains. */
export async function assertAdministratorRemains(tx: Db) {
  if ((await userQueries(tx).administrators()).length === 0)
    throw createRefusal('这是最后一个可用的平台管理员，不能停用、删除、设为过期或移出该角色')
}
