import { deviceCodes, deviceRightTitles } from '@iot/shared/contract/homeRights'
import { dataScopeText, Role, roleApi, RoleDraft } from '@iot/shared/contract/role'
import type { FastifyInstance } from 'fastify'
import type { Change } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import type { Db } from '../../core/db/db'
import {
  changedSince,
  missing,
  notTheirs,
  referenced,
  refused,
  wrongField,
} from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { mustBeFree } from '../../core/serve/unique'
import { role as table } from '../../tables/role'
import { exceeds } from '../auth/policy/grants'
import { rightsOfRoles } from '../auth/policy/rights'
import { roleQueries } from './queries'

const entity = '角色'
type Grant = { menuIds: string[]; deviceRights: Role['deviceRights']; dataScope: Role['dataScope'] }

export function roleRoutes(app: FastifyInstance) {
  const queries = roleQueries(app.db)
  app.uniques.add('role', table, Role, roleApi.list)

  serve(app, roleApi, {
    list: () => queries.list(),
    grantable: async (_, { permissions, menuIds }) =>
      (await queries.menus()).filter(({ id }) => permissions.has('*') || menuIds.has(id)),

    create: (draft, context) =>
      context.write(roleQueries, async (queries, note, tx) => {
        await mustBeFree(tx, table, Role, draft)
        mustExist(await queries.menus(), draft.menuIds)
        mustHold(context, draft)
        const { id } = await queries.insert(draft, context.user.username)
        await queries.setMenus(id, draft.menuIds)
        const row = (await queries.get(id))!
        note(await change(tx, row, { after: row }))
        return row
      }),

    async update(draft, context) {
      const row = await context.write(roleQueries, async (queries, note, tx) => {
        const before = await queries.get(draft.id)
        if (!before) throw missing(entity)
        await mustBeFree(tx, table, Role, draft)
        await mustManage(tx, context, before, '修改')
        if (!before.everything) mustExist(await queries.menus(), draft.menuIds)
        // The administrator role always holds every permission; only its name and description can be edited.
        const { menuIds, deviceRights, dataScope } = before.everything ? before : draft
        mustHold(context, { menuIds, deviceRights, dataScope })
        const row = await queries.update(
          { ...draft, deviceRights, dataScope },
          context.user.username,
        )
        if (!row) throw changedSince(await queries.get(draft.id))
        const stranded = await queries.countStranded()
        if (dataScope === 'assigned' && before.dataScope === 'all' && stranded > 0)
          throw wrongField(
            'dataScope',
            `有 ${stranded} 个用户选了“全部项目”，改后看不到任何项目；请先为他们指定项目`,
          )
        if (!before.everything) await queries.setMenus(row.id, menuIds)
        const after = (await queries.get(row.id))!
        note(await change(tx, after, { before, after }))
        return after
      })
      return row
    },

    remove: ({ id }, context) =>
      context.write(roleQueries, async (queries, note, tx) => {
        const row = await queries.get(id)
        if (!row) throw missing(entity)
        if (row.builtin) throw refused('内置角色不能删除')
        await mustManage(tx, context, row, '删除')
        const users = await queries.users(id)
        if (users.length) throw referenced(`角色“${row.name}”`, users)
        await queries.remove(id)
        note(await change(tx, row, { before: row }))
        return null
      }),
  })
}

const sharedRole = '也用于不属于您的项目的用户，只有数据范围为“全部项目”的用户可以更改'

/** Asserts that the role holds no more than the user; otherwise the user may neither edit nor revoke it. */
async function mustManage(
  tx: Db,
  context: Context,
  { id, name, builtin }: Pick<Role, 'id' | 'name' | 'builtin'>,
  verb: string,
) {
  const { projectScope } = context
  // A role is one row for all its users, in any project.
  const isShared =
    projectScope !== 'all' && (builtin || (await roleQueries(tx).isHeldElsewhere(id, projectScope)))
  if (isShared) throw notTheirs(`角色“${name}”`, sharedRole)
  if (exceeds(context, await rightsOfRoles(tx, [id], 'all')))
    throw refused(`不能${verb}权限比自己多的角色`)
}

function mustExist(menus: { id: string }[], menuIds: string[]) {
  const known = new Set(menus.map(({ id }) => id))
  if (!menuIds.every((id) => known.has(id)))
    throw wrongField('menuIds', '所选菜单或按钮不存在或已被删除，请重新选择')
}

/** Asserts that a user grants only permissions that they hold. */
function mustHold({ permissions, menuIds, projectScope, can }: Context, draft: Grant) {
  if (permissions.has('*')) return
  const added = draft.menuIds.filter((id) => !menuIds.has(id))
  if (added.length)
    throw wrongField('menuIds', `不能授予自己没有的菜单与按钮（${added.length} 项）`)
  const rights = draft.deviceRights.filter((right) => !deviceCodes[right].every(can))
  if (rights.length)
    throw wrongField('deviceRights', `不能授予自己没有的设备权限：${deviceRightTitles(rights)}`)
  if (draft.dataScope === 'all' && projectScope !== 'all')
    throw wrongField('dataScope', '不能授予全部项目')
}

async function change(
  tx: Db,
  row: { id: string; name: string },
  sides: { before?: object; after?: object },
): Promise<Change> {
  const names = new Map((await roleQueries(tx).menus()).map((menu) => [menu.id, menu.name]))
  const show: Change['show'] = {
    menuIds: (ids) =>
      (ids as string[])
        .map((id) => names.get(id) ?? id)
        .sort()
        .join('、'),
    deviceRights: (rights) => deviceRightTitles(rights as Role['deviceRights']),
    dataScope: (scope) => dataScopeText[scope as Role['dataScope']],
  }
  return { entity, id: row.id, name: row.name, schema: RoleDraft, show, ...sides }
}
