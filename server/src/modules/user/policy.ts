import type { UserDraft } from '@iot/shared/contract/user'
import type { Context } from '../../core/serve/context'
import type { Db } from '../../core/db/db'
import { exceeds, exceedsUser } from '../auth/policy/grants'
import { refused, wrongField } from '../../core/refusal'
import { rightsOfRoles } from '../auth/policy/rights'
import { userQueries, type UserRow } from './queries'

type Assignment = Pick<UserDraft, 'roleIds' | 'projectIds'>

/** Asserts that roles and projects exist and do not exceed those of the user who assigns them. */
export async function mustAssign(
  tx: Db,
  context: Context,
  { roleIds, projectIds }: Assignment,
  before?: Assignment,
) {
  const queries = userQueries(tx)
  const roles = await queries.roles(roleIds)
  if (roles.length !== new Set(roleIds).size)
    throw wrongField('roleIds', '所选角色不存在或已被删除')
  const known = new Set((await queries.projects()).map(({ id }) => id))
  if (projectIds !== 'all' && !projectIds.every((id) => known.has(id)))
    throw wrongField('projectIds', '所选项目不存在')
  const same =
    before &&
    [...before.roleIds].sort().join() === [...roleIds].sort().join() &&
    String(before.projectIds) === String(projectIds)
  const reason = !same && exceeds(context, await rightsOfRoles(tx, roleIds, projectIds))
  if (reason)
    throw wrongField(
      reason.includes('项目') ? 'projectIds' : 'roleIds',
      `不能授予超出自己的权限：${reason}`,
    )
  mustMeanProjects(roles, projectIds)
}

type Scoped = { everything: boolean; dataScope: 'all' | 'assigned' }

/** Asserts that roles and projects agree, so that neither silently overrides the other. */
function mustMeanProjects(roles: Scoped[], projectIds: UserDraft['projectIds']) {
  if (projectIds !== 'all' && roles.some(({ everything }) => everything))
    throw wrongField('projectIds', '平台管理员总是管理全部项目，请选“全部项目”')
  if (projectIds === 'all' && roles.every(({ dataScope }) => dataScope === 'assigned'))
    throw wrongField('projectIds', '所选角色只能看分配的项目，请指定项目')
}

export async function phoneMustBeFree(tx: Db, phone: string) {
  if (await userQueries(tx).phoneTaken(phone)) throw wrongField('phone', '手机号已被其他用户使用')
}

/** Returns why the user may not change this account, or undefined if they may. */
export async function refuseChange(tx: Db, context: Context, row: UserRow) {
  return (await exceedsUser(tx, context, row)) ? '不能管理权限比自己多的用户' : undefined
}

export async function mustManage(tx: Db, context: Context, row: UserRow) {
  const reason = await refuseChange(tx, context, row)
  if (reason) throw refused(reason)
}

/** Asserts, after the change and within its transaction, that an administrator remains. */
export async function mustLeaveAdministrator(tx: Db) {
  if ((await userQueries(tx).administrators()).length === 0)
    throw refused('这是最后一个可用的平台管理员，不能停用、删除、设为过期或移出该角色')
}
