import {
  permissionCodesByDeviceRight,
  formatDeviceRights,
} from '@iot/shared/contract/device/devicePermissions'
import { dataScopeText } from '@iot/shared/contract/access/role'
import { Role, RoleDraft, roleSchemas } from '@iot/shared/contract/access/role.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Change } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import type { Db } from '../../core/db/db'
import {
  createConflictRefusal,
  createMissingRefusal,
  createOwnershipRefusal,
  createReferencedRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { assertUnique } from '../../core/http/uniqueness'
import { role as table } from '../../tables/role'
import { getGrantRefusal } from '../auth/policy/grants'
import { listRightGrants } from '../auth/policy/rightGrants'
import { getRightsForRoles } from '../auth/policy/rights'
import { roleQueries } from './queries'

const entity = '角色'
type Grant = { menuIds: string[]; deviceRights: Role['deviceRights']; dataScope: Role['dataScope'] }

export function roleRoutes(app: FastifyInstance) {
  const queries = roleQueries(app.db)
  app.uniques.add('role', table, Role, roleApi.list)

  serve(app, roleApi, roleSchemas, {
    list: () => queries.list(),
    rights: () => listRightGrants(app.db),
    grantable: async (_, { permissions, menuIds }) =>
      (await queries.menus()).filter(({ id }) => permissions.has('*') || menuIds.has(id)),

    create: (draft, context) =>
      context.write(roleQueries, async (queries, recordAudit, tx) => {
        await assertUnique(tx, table, Role, draft)
        assertMenusExist(await queries.menus(), draft.menuIds)
        assertHoldsGrant(context, draft)
        const { id } = await queries.insert(draft, context.user.username)
        await queries.setMenus(id, draft.menuIds)
        const row = (await queries.get(id))!
        recordAudit(await describeChange(tx, row, { after: row }))
        return row
      }),

    async update(draft, context) {
      const row = await context.write(roleQueries, async (queries, recordAudit, tx) => {
        const previousRole = await queries.get(draft.id)
        if (!previousRole) throw createMissingRefusal(entity)
        await assertUnique(tx, table, Role, draft)
        await assertCanManage(tx, context, previousRole, '修改')
        if (!previousRole.everything) assertMenusExist(await queries.menus(), draft.menuIds)
        // The administrator role always holds every permission; only its name and description can be edited.
        const { menuIds, deviceRights, dataScope } = previousRole.everything ? previousRole : draft
        assertHoldsGrant(context, { menuIds, deviceRights, dataScope })
        const row = await queries.update(
          { ...draft, deviceRights, dataScope },
          context.user.username,
        )
        if (!row) throw createConflictRefusal(await queries.get(draft.id))
        const usersWithoutProjects = await queries.countUsersWithoutProjects()
        if (
          dataScope === 'assigned' &&
          previousRole.dataScope === 'all' &&
          usersWithoutProjects > 0
        )
          throw createFieldRefusal(
            'dataScope',
            `有 ${usersWithoutProjects} 个用户选了“全部项目”，改后看不到任何项目；请先为他们指定项目`,
          )
        if (!previousRole.everything) await queries.setMenus(row.id, menuIds)
        const changedRole = (await queries.get(row.id))!
        recordAudit(
          await describeChange(tx, changedRole, { before: previousRole, after: changedRole }),
        )
        return changedRole
      })
      return row
    },

    remove: ({ id }, context) =>
      context.write(roleQueries, async (queries, recordAudit, tx) => {
        const row = await queries.get(id)
        if (!row) throw createMissingRefusal(entity)
        if (row.builtin) throw createRefusal('内置角色不能删除')
        await assertCanManage(tx, context, row, '删除')
        const users = await queries.findUsers(id)
        if (users.length) throw createReferencedRefusal(`角色“${row.name}”`, users)
        if (await queries.requiresSecondFactor(id))
          throw createRefusal(`平台设置要求角色“${row.name}”使用两步验证，请先在那里移除它`)
        await queries.remove(id)
        recordAudit(await describeChange(tx, row, { before: row }))
        return null
      }),
  })
}

const sharedRoleReason = '也用于不属于您的项目的用户，只有数据范围为“全部项目”的用户可以更改'

/** Asserts that the role holds no more than the user; otherwise the user may neither edit nor revoke it. */
async function assertCanManage(
  tx: Db,
  context: Context,
  { id, name, builtin }: Pick<Role, 'id' | 'name' | 'builtin'>,
  verb: string,
) {
  const { projectScope } = context
  // A role is one row for all its users, in any project.
  const isShared =
    projectScope !== 'all' &&
    (builtin || (await roleQueries(tx).isUsedInOtherProjects(id, projectScope)))
  if (isShared) throw createOwnershipRefusal(`角色“${name}”`, sharedRoleReason)
  if (getGrantRefusal(context, await getRightsForRoles(tx, [id], 'all')))
    throw createRefusal(`不能${verb}权限比自己多的角色`)
}

function assertMenusExist(menus: { id: string }[], menuIds: string[]) {
  const existingIds = new Set(menus.map(({ id }) => id))
  if (!menuIds.every((id) => existingIds.has(id)))
    throw createFieldRefusal('menuIds', '所选菜单或按钮不存在或已被删除，请重新选择')
}

/** Asserts that a user grants only permissions that they hold. */
function assertHoldsGrant({ permissions, menuIds, projectScope, can }: Context, draft: Grant) {
  if (permissions.has('*')) return
  const newMenuIds = draft.menuIds.filter((id) => !menuIds.has(id))
  if (newMenuIds.length)
    throw createFieldRefusal('menuIds', `不能授予自己没有的菜单与按钮（${newMenuIds.length} 项）`)
  const missingRights = draft.deviceRights.filter(
    (deviceRight) => !permissionCodesByDeviceRight[deviceRight].every(can),
  )
  if (missingRights.length)
    throw createFieldRefusal(
      'deviceRights',
      `不能授予自己没有的设备权限：${formatDeviceRights(missingRights)}`,
    )
  if (draft.dataScope === 'all' && projectScope !== 'all')
    throw createFieldRefusal('dataScope', '不能授予全部项目')
}

async function describeChange(
  tx: Db,
  row: { id: string; name: string },
  states: { before?: object; after?: object },
): Promise<Change> {
  const menus = await roleQueries(tx).menus()
  const tree = createTree(menus)
  const menuNames = new Map(
    menus.map(({ id, parentId, name }) => {
      const isAmbiguous = menus.some((other) => other.id !== id && other.name === name)
      const parent = isAmbiguous ? tree.path(parentId).at(-1) : undefined
      return [id, parent ? `${parent.name} / ${name}` : name]
    }),
  )
  const valueTexts: Change['show'] = {
    menuIds: (ids) => (ids as string[]).map((id) => menuNames.get(id) ?? id).sort(),
    deviceRights: (rights) =>
      (rights as Role['deviceRights']).map((deviceRight) => formatDeviceRights([deviceRight])),
    dataScope: (scope) => dataScopeText[scope as Role['dataScope']],
  }
  return { entity, id: row.id, name: row.name, schema: RoleDraft, show: valueTexts, ...states }
}
