import type { Output } from '@iot/shared/contract/endpoint'
import { User, type userSchemas } from '@iot/shared/contract/access/user.schema'
import type { userApi } from '@iot/shared/contract/access/user.api'
import type { z } from 'zod'
import type { Change } from '../../core/http/actionLog'
import type { Context, WriteCallback } from '../../core/http/context'
import { applyInSavepoints, applyPerRow, getIds } from '../../core/http/applyPerRow'
import { createFieldRefusal, createRefusal } from '../../core/refusal'
import { entity, removeUser, updateUser } from './changes'
import { assertProjectsExist, assertRolesExist, readAssignables, refuseChange } from './policy'
import { userQueries, type UserRow } from './queries'

/** Enables or disables accounts; the last administrator who can sign in stays enabled. */
export const setUsersEnabled =
  (
    ids: string[],
    isEnabled: boolean,
    context: Context,
  ): WriteCallback<typeof userQueries, Output<typeof userApi.setEnabled>> =>
  async (queries, recordChange, tx) => {
    const rows = await queries.many(ids, context)
    const remainingAdminIds = new Set(await queries.administrators())
    const reasons = new Map<string, string>()
    for (const row of rows) {
      const reason = isEnabled ? await refuseChange(tx, context, row) : await refuseDisabling(row)
      if (reason) reasons.set(row.id, reason)
      else if (!isEnabled) remainingAdminIds.delete(row.id)
    }
    async function refuseDisabling(row: UserRow) {
      if (row.id === context.user.id) return '不能禁用自己'
      if (remainingAdminIds.has(row.id) && remainingAdminIds.size === 1)
        return '这是最后一个可用的平台管理员'
      return refuseChange(tx, context, row)
    }
    return applyPerRow(
      ids,
      rows,
      (row) => reasons.get(row.id),
      async (allowedRows) => {
        const rowsToChange = allowedRows.filter((row) => row.disabled === isEnabled)
        await queries.setDisabled(getIds(rowsToChange), !isEnabled, context.user.username)
        // Earlier sessions are ended, so that they do not revive when the account is enabled again.
        await queries.kick(getIds(rowsToChange))
        for (const { id, name, disabled } of rowsToChange) {
          const sides = { before: { state: disabled }, after: { state: !disabled } }
          recordChange({ entity, id, name, schema: User, show: stateFormatter, ...sides })
        }
        return new Set(getIds(rowsToChange))
      },
    )
  }

/** Deletes accounts; each that may not be deleted stays and is answered with its reason. */
export const removeUsers =
  (
    ids: string[],
    context: Context,
  ): WriteCallback<typeof userQueries, Output<typeof userApi.removeMany>> =>
  async (queries, recordChange, tx) =>
    applyInSavepoints(tx, ids, await queries.many(ids, context), ({ id }, savepoint) =>
      removeUser(id, context)(userQueries(savepoint), recordChange, savepoint),
    )

type Assignment = z.output<typeof userSchemas.assign.input>

/** Adds, removes or replaces roles and projects of many accounts by the rules of a single change. */
export const assignUsers =
  (
    { ids, ...assignment }: Assignment,
    context: Context,
  ): WriteCallback<typeof userQueries, Output<typeof userApi.assign>> =>
  async (queries, recordChange, tx) => {
    assertChangesSomething(assignment)
    const rows = await queries.many(ids, context)
    const changedRoleIds = assignment.roleChange === 'keep' ? [] : assignment.roleIds
    const assignables = await readAssignables(tx, [
      ...changedRoleIds,
      ...rows.flatMap(({ roleIds }) => roleIds),
    ])
    // Each user is checked again; what is missing for all is refused once, at its field.
    assertRolesExist(assignables, changedRoleIds)
    if (assignment.projectChange !== 'keep')
      assertProjectsExist(assignables, assignment.projectIds, context.seesProject)
    return applyInSavepoints(tx, ids, rows, (row, savepoint) => {
      const { id, version, name, phone, email, expireTime } = row
      const roleIds = computeRoles(row, assignment)
      const projectIds = computeProjects(row, assignment)
      const draft = { id, version, name, phone, email, expireTime, roleIds, projectIds }
      const update = updateUser(draft, context, assignables)
      return update(userQueries(savepoint), recordChange, savepoint)
    })
  }

function assertChangesSomething({
  roleChange,
  roleIds,
  projectChange,
  projectIds,
}: Omit<Assignment, 'ids'>) {
  if (roleChange === 'keep' && projectChange === 'keep')
    throw createFieldRefusal('roleChange', '请选择要改的角色或项目')
  if (roleChange !== 'keep' && roleIds.length === 0)
    throw createFieldRefusal('roleIds', '请至少选择一个角色')
  if (projectChange !== 'keep' && projectIds.length === 0)
    throw createFieldRefusal('projectIds', '请选择项目')
}

const exclude = <T>(values: T[], excludedValues: T[]) =>
  values.filter((value) => !excludedValues.includes(value))

function computeRoles(row: UserRow, { roleChange, roleIds }: Omit<Assignment, 'ids'>) {
  if (roleChange === 'keep') return row.roleIds
  if (roleChange === 'replace') return roleIds
  if (roleChange === 'add') return [...new Set([...row.roleIds, ...roleIds])]
  const rest = exclude(row.roleIds, roleIds)
  if (rest.length === 0) throw createRefusal('移除后没有角色，用户至少要有一个角色')
  return rest
}

function computeProjects(row: UserRow, { projectChange, projectIds }: Omit<Assignment, 'ids'>) {
  const current = row.projectIds
  if (projectChange === 'keep') return current
  if (projectChange === 'replace') return projectIds
  if (projectChange === 'add')
    return current === 'all' || projectIds === 'all'
      ? ('all' as const)
      : [...new Set([...current, ...projectIds])]
  if (current === 'all') throw createRefusal('管理全部项目，不能移除其中几个，请用“改为”')
  const rest = projectIds === 'all' ? [] : exclude(current, projectIds)
  if (rest.length === 0) throw createRefusal('移除后没有项目，用户至少要有一个项目')
  return rest
}

const stateFormatter: Change['show'] = { state: (disabled) => (disabled ? '禁用' : '启用') }
