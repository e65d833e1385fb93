import { statusText, type Status } from '@iot/shared/contract/fields'
import { menuApi, MenuDraft, menuTypeText } from '@iot/shared/contract/menu'
import type { FastifyInstance } from 'fastify'
import type { Change } from '../../core/serve/actionLog'
import { changedSince, missing, referenced, refused, wrongField } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { mustBeWhole, mustFit, mustHold, mustKeep } from './policy'
import { menuQueries, type MenuRow } from './queries'

const entity = '菜单'

export function menuRoutes(app: FastifyInstance) {
  const queries = menuQueries(app.db)

  serve(app, menuApi, {
    list: async () => treeOrder(await queries.all()),

    async create(draft, context) {
      const row = await context.write(menuQueries, async (queries, note) => {
        const rows = await queries.all()
        mustFit(rows, draft)
        mustBeWhole(draft)
        mustHold(context, draft.permission)
        if (await queries.routeNameTaken(draft.routeName))
          throw wrongField('routeName', `路由名“${draft.routeName}”已存在`)
        const row = await queries.insert(draft, context.user.username)
        note(change(rows, row, { after: row }))
        return row
      })
      return row
    },

    async update(draft, context) {
      const row = await context.write(menuQueries, async (queries, note) => {
        const rows = await queries.all()
        const before = rows.find((row) => row.id === draft.id)
        if (!before) throw missing(entity)
        mustKeep(before, draft)
        mustFit(rows, draft, draft.id)
        mustBeWhole(draft)
        mustHold(context, draft.permission, before.permission)
        if (await queries.routeNameTaken(draft.routeName, draft.id))
          throw wrongField('routeName', `路由名“${draft.routeName}”已存在`)
        const row = await queries.update(draft, context.user.username)
        if (!row) throw changedSince(await queries.get(draft.id))
        note(change(rows, row, { before, after: row }))
        return row
      })
      return row
    },

    async remove({ id }, context) {
      await context.write(menuQueries, async (queries, note) => {
        const rows = await queries.all()
        const row = rows.find((row) => row.id === id)
        if (!row) throw missing(entity)
        if (row.builtin) throw refused('内置菜单不能删除')
        const children = rows
          .filter((child) => child.parentId === id)
          .map((child) => ({ entity: menuTypeText[child.type], id: child.id, name: child.name }))
        const references = [...children, ...(await queries.rolesHolding(id))]
        if (references.length) throw referenced(`菜单“${row.name}”`, references)
        await queries.remove(id)
        note(change(rows, row, { before: row }))
      })
      return null
    },

    async move({ id, parentId, index }, context) {
      await context.write(menuQueries, async (queries, note) => {
        const rows = await queries.all()
        const row = rows.find((row) => row.id === id)
        if (!row) throw missing(entity)
        mustFit(rows, { type: row.type, parentId }, id)
        const siblings = rows.filter((other) => other.parentId === parentId && other.id !== id)
        siblings.splice(index, 0, row)
        for (const [at, sibling] of siblings.entries()) {
          if (sibling.sort !== at + 1 || sibling.parentId !== parentId)
            await queries.place(sibling.id, parentId, at + 1, context.user.username)
        }
        note(
          change(rows, row, {
            before: row,
            after: { ...row, parentId, sort: siblings.indexOf(row) + 1 },
          }),
        )
      })
      return null
    },
  })
}

function change(rows: MenuRow[], row: MenuRow, sides: { before?: object; after?: object }): Change {
  const show: Change['show'] = {
    parentId: (id) => rows.find((other) => other.id === id)?.name ?? '',
    type: (type) => menuTypeText[type as MenuRow['type']],
    status: (status) => statusText[status as Status],
  }
  return { entity, id: row.id, name: row.name, schema: MenuDraft, show, ...sides }
}

/** Parents before children, siblings in their order. */
function treeOrder(rows: MenuRow[]): MenuRow[] {
  const children = new Map<string | null, MenuRow[]>()
  for (const row of rows) children.set(row.parentId, [...(children.get(row.parentId) ?? []), row])
  const walk = (parentId: string | null): MenuRow[] =>
    (children.get(parentId) ?? []).flatMap((row) => [row, ...walk(row.id)])
  return walk(null)
}
