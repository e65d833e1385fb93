import { statusText, type Status } from '@iot/shared/contract/fields'
import { menuApi, MenuDraft, menuTypeText } from '@iot/shared/contract/menu'
import { menuSearched } from '@iot/shared/contract/menuPlace'
import { treeOf, type Tree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Slice } from '../../core/db/page'
import type { Change } from '../../core/serve/actionLog'
import { changedSince, found, missing, referenced, refused, wrongField } from '../../core/refusal'
import { mustHavePictures } from '../../core/serve/pictures'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { treeLines } from '../../core/tasks/treeSheet'
import { rightsOfRoles } from '../auth/policy/rights'
import { sideMenu } from '../auth/policy/sideMenu'
import { withIconCodes } from '../icon/policy'
import { mustBeOnlyPath, mustBeWhole, mustFit, mustHold, mustKeep, mustShowMenus } from './policy'
import { menuQueries, type MenuRow } from './queries'
import { sheet } from './sheet'

const entity = '菜单'

export function menuRoutes(app: FastifyInstance) {
  const queries = menuQueries(app.db)
  app.references.add('icon', (db, ids) => menuQueries(db).withIcons(ids))

  serve(app, menuApi, {
    list: async () => treeOf(await queries.all()).ordered(),

    exportRows: exporter(app, menuApi.exportRows, {
      entity,
      sheet,
      async page(query: Slice & { name?: string }) {
        const { list, total } = treeLines(await queries.all(), menuSearched, query)
        return { list: await withIconCodes(app.db, list), total }
      },
    }),

    async preview({ roleId }) {
      found(await queries.role(roleId), '角色')
      return sideMenu(app.db, await rightsOfRoles(app.db, [roleId], 'all'))
    },

    async create(draft, context) {
      const row = await context.write(menuQueries, async (queries, note, tx) => {
        const tree = treeOf(await queries.held())
        mustFit(tree, draft)
        mustBeWhole(draft)
        mustBeOnlyPath(tree, draft)
        await mustHavePictures(tx, draft)
        mustHold(context, draft.permission)
        if (await queries.routeNameTaken(draft.routeName))
          throw wrongField('routeName', `路由名“${draft.routeName}”已存在`)
        const row = await queries.insert({ ...draft, builtin: false }, context.user.username)
        note(change(tree, row, { after: row }))
        return row
      })
      return row
    },

    async update(draft, context) {
      const row = await context.write(menuQueries, async (queries, note, tx) => {
        const tree = treeOf(await queries.held())
        const before = tree.get(draft.id)
        if (!before) throw missing(entity)
        mustKeep(before, draft)
        mustFit(tree, draft, draft.id)
        mustBeWhole(draft)
        mustBeOnlyPath(tree, draft, before)
        await mustHavePictures(tx, draft, before)
        // A menu that is enabled grants its code to all its roles again, so the code counts as new.
        const isGiven = before.status === 'enabled' || draft.status === 'disabled'
        mustHold(context, draft.permission, isGiven ? before.permission : '')
        if (await queries.routeNameTaken(draft.routeName, draft.id))
          throw wrongField('routeName', `路由名“${draft.routeName}”已存在`)
        const row = await queries.update(draft, context.user.username)
        if (!row) throw changedSince(await queries.get(draft.id))
        mustShowMenus(await queries.all())
        note(change(tree, row, { before, after: row }))
        return row
      })
      return row
    },

    async remove({ id }, context) {
      await context.write(menuQueries, async (queries, note) => {
        const tree = treeOf(await queries.held())
        const row = tree.get(id)
        if (!row) throw missing(entity)
        if (row.builtin) throw refused('内置菜单不能删除')
        const children = tree
          .children(id)
          .map((child) => ({ entity: menuTypeText[child.type], id: child.id, name: child.name }))
        const references = [...children, ...(await queries.rolesHolding(id))]
        if (references.length) throw referenced(`菜单“${row.name}”`, references)
        await queries.remove([id])
        note(change(tree, row, { before: row }))
      })
      return null
    },

    async move({ id, parentId, index }, context) {
      await context.write(menuQueries, async (queries, note) => {
        const tree = treeOf(await queries.held())
        const row = tree.get(id)
        if (!row) throw missing(entity)
        mustFit(tree, { type: row.type, parentId }, id)
        const sort = await queries.place(tree, id, { parentId, index }, context.user.username)
        mustShowMenus(await queries.all())
        note(change(tree, row, { before: row, after: { ...row, parentId, sort } }))
      })
      return null
    },
  })
}

function change(
  tree: Tree<MenuRow>,
  row: MenuRow,
  sides: { before?: object; after?: object },
): Change {
  const show: Change['show'] = {
    parentId: (id) => tree.get(id as string | null)?.name ?? '',
    type: (type) => menuTypeText[type as MenuRow['type']],
    status: (status) => statusText[status as Status],
  }
  return { entity, id: row.id, name: row.name, schema: MenuDraft, show, ...sides }
}
