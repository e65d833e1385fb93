import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import { menuTypeText } from '@iot/shared/contract/access/menu'
import { MenuDraft, menuSchemas } from '@iot/shared/contract/access/menu.schema'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { menuSearchFields } from '@iot/shared/contract/access/menuTree'
import { createTree, type Tree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { PageQuery } from '../../core/db/page'
import type { Change } from '../../core/http/actionLog'
import {
  createConflictRefusal,
  requireRow,
  createMissingRefusal,
  createReferencedRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { assertPicturesExist } from '../../core/http/pictures'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createTreeLines } from '../../core/tasks/treeSheet'
import { getRightsForRoles } from '../auth/policy/rights'
import { buildSideMenu } from '../auth/policy/sideMenu'
import { withIconCodes } from '../icon/policy'
import {
  assertPathIsFree,
  assertRequiredFields,
  assertPlacementAllowed,
  assertHoldsPermission,
  assertFixedFieldsUnchanged,
  assertMenuScreenVisible,
} from './policy'
import { menuQueries, type MenuRow } from './queries'
import { sheet } from './sheet'

const entity = '菜单'

export function menuRoutes(app: FastifyInstance) {
  const queries = menuQueries(app.db)
  app.references.add('icon', (db, ids) => menuQueries(db).findUsingIcons(ids))

  serve(app, menuApi, menuSchemas, {
    list: async () => createTree(await queries.all()).ordered(),

    exportRows: createExportHandler(app, menuApi.exportRows, {
      entity,
      sheet,
      async page(query: PageQuery & { name?: string }) {
        const { list, total } = createTreeLines(await queries.all(), menuSearchFields, query)
        return { list: await withIconCodes(app.db, list), total }
      },
    }),

    async preview({ roleId }) {
      requireRow(await queries.findRole(roleId), '角色')
      return buildSideMenu(app.db, await getRightsForRoles(app.db, [roleId], 'all'))
    },

    async create(draft, context) {
      const row = await context.write(menuQueries, async (queries, recordAudit, tx) => {
        const tree = createTree(await queries.lockAll())
        assertPlacementAllowed(tree, draft)
        assertRequiredFields(draft)
        assertPathIsFree(tree, draft)
        await assertPicturesExist(tx, draft)
        assertHoldsPermission(context, draft.permission)
        if (await queries.isRouteNameTaken(draft.routeName))
          throw createFieldRefusal('routeName', `路由名“${draft.routeName}”已存在`)
        const row = await queries.insert({ ...draft, builtin: false }, context.user.username)
        recordAudit(toAuditEntry(tree, row, { after: row }))
        return row
      })
      return row
    },

    async update(draft, context) {
      const row = await context.write(menuQueries, async (queries, recordAudit, tx) => {
        const tree = createTree(await queries.lockAll())
        const previousMenu = tree.get(draft.id)
        if (!previousMenu) throw createMissingRefusal(entity)
        assertFixedFieldsUnchanged(previousMenu, draft)
        assertPlacementAllowed(tree, draft, draft.id)
        assertRequiredFields(draft)
        assertPathIsFree(tree, draft, previousMenu)
        await assertPicturesExist(tx, draft, previousMenu)
        // A menu that is enabled grants its code to all its roles again, so the code counts as new.
        const isAlreadyGranted = previousMenu.status === 'enabled' || draft.status === 'disabled'
        assertHoldsPermission(
          context,
          draft.permission,
          isAlreadyGranted ? previousMenu.permission : '',
        )
        if (await queries.isRouteNameTaken(draft.routeName, draft.id))
          throw createFieldRefusal('routeName', `路由名“${draft.routeName}”已存在`)
        const row = await queries.update(draft, context.user.username)
        if (!row) throw createConflictRefusal(await queries.get(draft.id))
        assertMenuScreenVisible(await queries.all())
        recordAudit(toAuditEntry(tree, row, { before: previousMenu, after: row }))
        return row
      })
      return row
    },

    async remove({ id }, context) {
      await context.write(menuQueries, async (queries, recordAudit) => {
        const tree = createTree(await queries.lockAll())
        const row = tree.get(id)
        if (!row) throw createMissingRefusal(entity)
        if (row.builtin) throw createRefusal('内置菜单不能删除')
        const children = tree
          .children(id)
          .map((child) => ({ entity: menuTypeText[child.type], id: child.id, name: child.name }))
        const references = [...children, ...(await queries.findRolesHolding(id))]
        if (references.length) throw createReferencedRefusal(`菜单“${row.name}”`, references)
        await queries.remove([id])
        recordAudit(toAuditEntry(tree, row, { before: row }))
      })
      return null
    },

    async move({ id, parentId, index }, context) {
      await context.write(menuQueries, async (queries, recordAudit) => {
        const tree = createTree(await queries.lockAll())
        const row = tree.get(id)
        if (!row) throw createMissingRefusal(entity)
        assertPlacementAllowed(tree, { type: row.type, parentId }, id)
        const sort = await queries.moveRow(tree, id, { parentId, index }, context.user.username)
        assertMenuScreenVisible(await queries.all())
        recordAudit(toAuditEntry(tree, row, { before: row, after: { ...row, parentId, sort } }))
      })
      return null
    },
  })
}

function toAuditEntry(
  tree: Tree<MenuRow>,
  row: MenuRow,
  states: { before?: object; after?: object },
): Change {
  const valueTexts: Change['show'] = {
    parentId: (id) => tree.get(id as string | null)?.name ?? '',
    type: (type) => menuTypeText[type as MenuRow['type']],
    status: (status) => statusText[status as Status],
  }
  return { entity, id: row.id, name: row.name, schema: MenuDraft, show: valueTexts, ...states }
}
