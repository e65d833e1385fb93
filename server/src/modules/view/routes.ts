import { statusText, type Status } from '@iot/shared/contract/fields'
import { platformOnly, refuseOwner } from '@iot/shared/contract/ownership'
import { growingTree, treeOf, type Tree } from '@iot/shared/contract/tree'
import { viewApi, ViewCards, ViewDraft } from '@iot/shared/contract/view'
import { cardTitle, type ViewCard } from '@iot/shared/contract/viewCard'
import { refuseViewPlace, viewSearched } from '@iot/shared/contract/viewPlace'
import type { FastifyInstance } from 'fastify'
import type { Slice } from '../../core/db/page'
import { findRow } from '../../core/db/versioned'
import { changedSince, found, missing, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { mustOwn } from '../../core/serve/ownership'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import type { Context } from '../../core/serve/context'
import { serve } from '../../core/serve/serve'
import { treeRemoving } from '../../core/serve/treeRemoving'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { parentIn, parentsFirst, treeLines } from '../../core/tasks/treeSheet'
import { view as table } from '../../tables/view'
import { iconFrom, withIconCodes } from '../icon/policy'
import { projectOf } from '../project/policy'
import { mustBeOfProject, mustFitTogether } from './policy'
import { viewQueries, type ViewRow } from './queries'
import { chosenOf, exported, knownIn, linesOf, sheet, ViewLine } from './sheet'

const title = '视图'
const about = changeOf(title, ViewDraft, { status: (status) => statusText[status as Status] })
const aboutCards = changeOf(title, ViewCards.pick({ cards: true }), {
  cards: (cards) => (cards as ViewCard[]).map(cardLine).join('；'),
})

export function viewRoutes(app: FastifyInstance) {
  const queries = viewQueries(app.db)
  app.uniques.add('view', table, ViewDraft, viewApi.list)
  app.references.add('icon', (db, ids) => viewQueries(db).withIcons(ids))

  const { insert, change, ...saved } = savedRow(viewApi, {
    title,
    table,
    queriesOf: viewQueries,
    about,
    async check({ parentId, roleIds = [] }, rows, before) {
      mustFit(treeOf(await rows.held()), parentId ?? null, before?.id)
      const known = new Set(await rows.roles(roleIds))
      if (roleIds.some((id) => !known.has(id)))
        throw wrongField('roleIds', '所选角色不存在或已被删除')
    },
    async answer(row, rows) {
      if (row.isDefault) await rows.onlyDefault(row.id, row.updateBy)
      return row
    },
  })

  /** Projects already assigned to a view may stay, even if they were deleted. */
  async function mustSeeProjects(
    ids: number[],
    context: Context,
    before?: ViewRow,
    rows = queries,
  ) {
    if (context.projectScope !== 'all' && ids.length === 0)
      throw wrongField('projectIds', `所有项目的视图${platformOnly}，请选择项目`)
    const added = ids.filter((id) => !before?.projectIds.includes(id))
    const known = new Set(await rows.projects(added))
    if (!added.every((id) => known.has(id) && context.seesProject(id)))
      throw wrongField('projectIds', '所选项目不存在或已被删除')
  }

  /** The default view applies to all projects, so only a user who sees all of them may change it. */
  function mustLeaveDefault(isDefault: boolean, { projectScope }: Context, before?: ViewRow) {
    if (projectScope !== 'all' && isDefault !== (before?.isDefault ?? false))
      throw wrongField('isDefault', `默认视图${platformOnly}`)
  }

  /** Lists the views that the user sees in a project. */
  async function mine(projectId: number, { roles, seesProject }: Context) {
    if (!seesProject(projectId)) return []
    const held = new Set(roles.map(({ id }) => id))
    const isMine = ({ roleIds, projectIds, visible, status }: ViewRow) =>
      visible &&
      status === 'enabled' &&
      (roleIds.length === 0 || roleIds.some((id) => held.has(id))) &&
      (projectIds.length === 0 || projectIds.includes(projectId))
    // A view below a hidden view is hidden too.
    return treeOf((await queries.all()).filter(isMine)).ordered()
  }

  serve(app, viewApi, {
    list: async () => treeOf(await queries.all()).ordered(),
    mine: async ({ projectId }, context) =>
      (await mine(projectId, context)).map((row) => ({
        ...row,
        cardCount: row.cards.filter(isIn(projectId)).length,
        isOwn: !refuseOwner(context.projectScope, row.projectIds),
      })),
    async cards({ id, projectId }, context) {
      if (!context.seesProject(projectId)) throw missing('项目')
      const row = (await mine(projectId, context)).find((one) => one.id === id)
      return inProject(found(row, title), projectId)
    },
    arrange: ({ id, version, projectId, cards }, context) =>
      context.write(viewQueries, async (rows, note, tx) => {
        if (!context.seesProject(projectId)) throw missing('项目')
        await projectOf(tx, projectId)
        const before = found(await rows.get(id), title)
        mustOwn(context, before.projectIds, `视图“${before.name}”`)
        if (before.version !== version) throw changedSince(inProject(before, projectId))
        const here = before.cards.filter(isIn(projectId))
        mustFitTogether(cards)
        await mustBeOfProject(rows, { cards, known: here, projectId, row: before })
        const elsewhere = before.cards.filter((card) => !isIn(projectId)(card))
        const kept = { id, version, cards: [...elsewhere, ...cards] }
        const row = await rows.update(kept, context.user.username)
        if (!row) throw changedSince(inProject(found(await rows.get(id), title), projectId))
        note(aboutCards(row, { before: { cards: here }, after: { cards } }))
        return inProject(row, projectId)
      }),
    async create(draft, context) {
      await mustSeeProjects(draft.projectIds, context)
      mustLeaveDefault(draft.isDefault, context)
      return saved.create(draft, context)
    },
    async update(change, context) {
      const before = found(await queries.get(change.id), title)
      mustOwn(context, before.projectIds, `视图“${before.name}”`)
      mustLeaveDefault(change.isDefault, context, before)
      await mustSeeProjects(change.projectIds, context, before)
      return saved.update(change, context)
    },
    ...treeRemoving(app, {
      name: 'view',
      title,
      queriesOf: viewQueries,
      about: () => about,
      refuse: ({ projectScope }, { projectIds }: ViewRow) => refuseOwner(projectScope, projectIds),
    }),
    exportRows: (asked, context) =>
      exporter(app, viewApi.exportRows, {
        entity: title,
        sheet: exported,
        async page(query: Slice & { name?: string }) {
          const { list, total } = treeLines(await queries.all(), viewSearched, query)
          const lines = linesOf(list, await knownIn(queries), context)
          return { list: await withIconCodes(app.db, lines), total }
        },
      })(asked, context),
    importRows: importer(app, viewApi.importRows, {
      entity: title,
      schema: ViewLine,
      sheet,
      queriesOf: viewQueries,
      order: parentsFirst,
      hold: async (rows) => ({ ...growingTree(await rows.held()), ...(await knownIn(rows)) }),
      create:
        ({ parent, roleNames, projectNames, ...line }, by, context, _, { tree, add, ...known }) =>
        async (rows, note, tx) => {
          const parentId = parentIn(tree, parent, title)
          const { sort = tree.children(parentId).length + 1 } = line
          const icon = await iconFrom(tx, line.icon)
          const chosen = chosenOf({ roleNames, projectNames }, known, context)
          const draft = { ...line, ...chosen, parentId, sort, icon }
          if (context.projectScope !== 'all' && chosen.projectIds.length === 0)
            throw wrongField('projectNames', `所有项目的视图${platformOnly}，请填写可见项目`)
          mustLeaveDefault(draft.isDefault, context)
          add(await insert(draft, by)(rows, note, tx))
        },
      existing: {
        endpoint: viewApi.update,
        key: ({ path }) => path,
        find: ({ path }, { tx }) => findRow(tx, table, { path }),
        change:
          (before, { parent, roleNames, projectNames, icon, ...line }, { held, context }) =>
          async (rows, note, tx) => {
            const chosen = chosenOf(
              { roleNames: roleNames ?? [], projectNames: projectNames ?? [] },
              held,
              context,
            )
            const wanted = changeFrom(viewApi.update, before, {
              ...line,
              ...(parent !== undefined && { parentId: parentIn(held.tree, parent, title) }),
              ...(roleNames && { roleIds: chosen.roleIds }),
              ...(projectNames && { projectIds: chosen.projectIds }),
              ...(icon !== undefined && { icon: await iconFrom(tx, icon) }),
            })
            mustOwn(context, before.projectIds, `视图“${before.name}”`)
            mustLeaveDefault(wanted.isDefault, context, before)
            await mustSeeProjects(wanted.projectIds, context, before, rows)
            return change(wanted, context.user.username)(rows, note, tx)
          },
      },
    }),
    move: ({ id, parentId, index }, context) =>
      context.write(viewQueries, async (rows, note) => {
        const tree = treeOf(await rows.held())
        const row = found(tree.get(id), title)
        mustOwn(context, row.projectIds, `视图“${row.name}”`)
        for (const one of tree.children(parentId))
          // The siblings are renumbered, so the user must be able to edit them too.
          mustOwn(context, one.projectIds, `同级的视图“${one.name}”`)
        mustFit(tree, parentId, id)
        const sort = await rows.place(tree, id, { parentId, index }, context.user.username)
        note(about(row, { before: row, after: { ...row, parentId, sort } }))
        return null
      }),
  })
}

function mustFit(tree: Tree<ViewRow>, parentId: string | null, id?: string) {
  const why = refuseViewPlace(tree, parentId, id)
  if (why) throw wrongField('parentId', why)
}

const isIn =
  (projectId: number) =>
  ({ projectId: only }: ViewCard) =>
    only === null || only === projectId
const inProject = (row: ViewRow, projectId: number) => ({
  ...row,
  cards: row.cards.filter(isIn(projectId)),
})
/** Returns a card as text for the audit log. */
const cardLine = (card: ViewCard) =>
  `${cardTitle(card)}（第 ${card.x + 1} 列第 ${card.y + 1} 行，${card.w}×${card.h}）`
