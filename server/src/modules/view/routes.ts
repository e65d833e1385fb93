import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import { platformOnlyReason, validateOwnership } from '@iot/shared/contract/access/ownership'
import { createGrowingTree, createTree, type Tree } from '@iot/shared/contract/tree'
import { ViewCards, ViewDraft, viewSchemas } from '@iot/shared/contract/project/view.schema'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { getCardTitle } from '@iot/shared/contract/project/viewCard'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { validateViewParent, viewSearchFields } from '@iot/shared/contract/project/viewTree'
import type { FastifyInstance } from 'fastify'
import type { PageQuery } from '../../core/db/page'
import { findRow } from '../../core/db/versionedQueries'
import {
  createConflictRefusal,
  requireRow,
  createMissingRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { assertOwnsProjects } from '../../core/http/ownership'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/http/updateHandlers'
import type { Context } from '../../core/http/context'
import { serve, type Handlers } from '../../core/http/serve'
import { createTreeRemoveHandlers } from '../../core/http/treeRemoveHandlers'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { findParentId, getDepthOrder, createTreeLines } from '../../core/tasks/treeSheet'
import { view as table } from '../../tables/view'
import { resolveIcon, withIconCodes } from '../icon/policy'
import { findProject } from '../project/policy'
import { assertCardsOfProject, assertCardsFit } from './policy'
import { viewQueries, type ViewRow } from './queries'
import {
  resolveNames,
  exportColumns,
  loadNameLookup,
  toSheetRows,
  sheetColumns,
  ViewLine,
} from './sheet'

const title = '视图'
type ViewQueries = ReturnType<typeof viewQueries>
const describeView = createChangeDescriber(title, ViewDraft, {
  status: (status) => statusText[status as Status],
})
const describeCards = createChangeDescriber(title, ViewCards.pick({ cards: true }), {
  cards: (cards) => (cards as ViewCard[]).map(formatCard).join('；'),
})

const createRowHandlers = () =>
  createUpdateHandlers(viewSchemas, {
    title,
    table,
    createQueries: viewQueries,
    about: describeView,
    async check({ parentId, roleIds = [] }, rows, previousView) {
      assertPlacement(createTree(await rows.lockAll()), parentId ?? null, previousView?.id)
      const existingRoleIds = new Set(await rows.roles(roleIds))
      if (roleIds.some((id) => !existingRoleIds.has(id)))
        throw createFieldRefusal('roleIds', '所选角色不存在或已被删除')
    },
    async answer(row, rows) {
      if (row.isDefault) await rows.clearOtherDefaults(row.id, row.updateBy)
      return row
    },
  })
type RowHandlers = ReturnType<typeof createRowHandlers>

/** Projects already assigned to a view may stay, even if they were deleted. */
async function assertProjectsVisible(
  rows: ViewQueries,
  ids: number[],
  context: Context,
  previousView?: ViewRow,
) {
  if (context.projectScope !== 'all' && ids.length === 0)
    throw createFieldRefusal('projectIds', `所有项目的视图${platformOnlyReason}，请选择项目`)
  const added = ids.filter((id) => !previousView?.projectIds.includes(id))
  const existingProjectIds = new Set(await rows.projects(added))
  if (!added.every((id) => existingProjectIds.has(id) && context.seesProject(id)))
    throw createFieldRefusal('projectIds', '所选项目不存在或已被删除')
}

/** The default view applies to all projects, so only a user who sees all of them may change it. */
function assertMayChangeDefault(
  isDefault: boolean,
  { projectScope }: Context,
  previousView?: ViewRow,
) {
  if (projectScope !== 'all' && isDefault !== (previousView?.isDefault ?? false))
    throw createFieldRefusal('isDefault', `默认视图${platformOnlyReason}`)
}

/** Lists the views that the user sees in a project. */
async function listVisibleViews(
  queries: ViewQueries,
  projectId: number,
  { roles, seesProject }: Context,
) {
  if (!seesProject(projectId)) return []
  const ownRoleIds = new Set(roles.map(({ id }) => id))
  const isShown = ({ roleIds, projectIds, visible, status }: ViewRow) =>
    visible &&
    status === 'enabled' &&
    (roleIds.length === 0 || roleIds.some((id) => ownRoleIds.has(id))) &&
    (projectIds.length === 0 || projectIds.includes(projectId))
  // A view below a hidden view is hidden too.
  return createTree((await queries.all()).filter(isShown)).ordered()
}

/** Creates the handlers for the cards that a view shows in one project. */
const createCardHandlers = (
  queries: ViewQueries,
): Pick<Handlers<typeof viewSchemas>, 'mine' | 'cards' | 'arrange'> => ({
  mine: async ({ projectId }, context) =>
    (await listVisibleViews(queries, projectId, context)).map((row) => ({
      ...row,
      cardCount: row.cards.filter(isInProject(projectId)).length,
      isOwn: !validateOwnership(context.projectScope, row.projectIds),
    })),
  async cards({ id, projectId }, context) {
    if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
    const row = (await listVisibleViews(queries, projectId, context)).find((view) => view.id === id)
    return withProjectCards(requireRow(row, title), projectId)
  },
  arrange: ({ id, version, projectId, cards }, context) =>
    context.write(viewQueries, async (rows, recordChange, tx) => {
      if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
      await findProject(tx, projectId)
      const previousView = requireRow(await rows.get(id), title)
      assertOwnsProjects(context, previousView.projectIds, `视图“${previousView.name}”`)
      if (previousView.version !== version)
        throw createConflictRefusal(withProjectCards(previousView, projectId))
      const currentCards = previousView.cards.filter(isInProject(projectId))
      assertCardsFit(cards)
      await assertCardsOfProject(rows, {
        cards,
        storedCards: currentCards,
        projectId,
        row: previousView,
      })
      const otherCards = previousView.cards.filter((card) => !isInProject(projectId)(card))
      const viewUpdate = { id, version, cards: [...otherCards, ...cards] }
      const row = await rows.update(viewUpdate, context.user.username)
      if (!row)
        throw createConflictRefusal(
          withProjectCards(requireRow(await rows.get(id), title), projectId),
        )
      recordChange(describeCards(row, { before: { cards: currentCards }, after: { cards } }))
      return withProjectCards(row, projectId)
    }),
})

const createExport =
  (app: FastifyInstance, queries: ViewQueries): Handlers<typeof viewSchemas>['exportRows'] =>
  (input, context) =>
    createExportHandler(app, viewApi.exportRows, {
      entity: title,
      sheet: exportColumns,
      async page(query: PageQuery & { name?: string }) {
        const { list, total } = createTreeLines(await queries.all(), viewSearchFields, query)
        const lines = toSheetRows(list, await loadNameLookup(queries), context)
        return { list: await withIconCodes(app.db, lines), total }
      },
    })(input, context)

/** Creates the import of view lines; a line whose path exists changes that view, any other creates one. */
const createImport = (
  app: FastifyInstance,
  { insert, change }: Pick<RowHandlers, 'insert' | 'change'>,
) =>
  createImportHandler(app, viewApi.importRows, {
    entity: title,
    removal: viewApi.removeMany,
    schema: ViewLine,
    sheet: sheetColumns,
    createQueries: viewQueries,
    order: getDepthOrder,
    preload: async (rows) => ({
      ...createGrowingTree(await rows.lockAll()),
      ...(await loadNameLookup(rows)),
    }),
    create:
      (
        { parent, roleNames, projectNames, ...line },
        actorName,
        context,
        _,
        { tree, add, ...lookup },
      ) =>
      async (rows, recordChange, tx) => {
        const parentId = findParentId(tree, parent, title)
        const { sort = tree.children(parentId).length + 1 } = line
        const icon = await resolveIcon(tx, line.icon)
        const assignment = resolveNames({ roleNames, projectNames }, lookup, context)
        const draft = { ...line, ...assignment, parentId, sort, icon }
        if (context.projectScope !== 'all' && assignment.projectIds.length === 0)
          throw createFieldRefusal(
            'projectNames',
            `所有项目的视图${platformOnlyReason}，请填写可见项目`,
          )
        assertMayChangeDefault(draft.isDefault, context)
        add(await insert(draft, actorName)(rows, recordChange, tx))
      },
    existing: {
      endpoint: viewApi.update,
      key: ({ path }) => path,
      find: ({ path }, { tx }) => findRow(tx, table, { path }),
      change:
        (
          previousView,
          { parent, roleNames, projectNames, icon, ...line },
          { preloaded: lookup, context },
        ) =>
        async (rows, recordChange, tx) => {
          const assignment = resolveNames(
            { roleNames: roleNames ?? [], projectNames: projectNames ?? [] },
            lookup,
            context,
          )
          const viewChange = buildChangeFromLine(viewSchemas.update, previousView, {
            ...line,
            ...(parent !== undefined && { parentId: findParentId(lookup.tree, parent, title) }),
            ...(roleNames && { roleIds: assignment.roleIds }),
            ...(projectNames && { projectIds: assignment.projectIds }),
            ...(icon !== undefined && { icon: await resolveIcon(tx, icon) }),
          })
          assertOwnsProjects(context, previousView.projectIds, `视图“${previousView.name}”`)
          assertMayChangeDefault(viewChange.isDefault, context, previousView)
          await assertProjectsVisible(rows, viewChange.projectIds, context, previousView)
          return change(viewChange, context.user.username)(rows, recordChange, tx)
        },
    },
  })

export function viewRoutes(app: FastifyInstance) {
  const queries = viewQueries(app.db)
  app.uniques.add('view', table, ViewDraft, viewApi.list)
  app.references.add('icon', (db, ids) => viewQueries(db).withIcons(ids))

  const { insert, change, ...viewHandlers } = createRowHandlers()

  serve(app, viewApi, viewSchemas, {
    list: async () => createTree(await queries.all()).ordered(),
    ...createCardHandlers(queries),
    async create(draft, context) {
      await assertProjectsVisible(queries, draft.projectIds, context)
      assertMayChangeDefault(draft.isDefault, context)
      return viewHandlers.create(draft, context)
    },
    async update(change, context) {
      const previousView = requireRow(await queries.get(change.id), title)
      assertOwnsProjects(context, previousView.projectIds, `视图“${previousView.name}”`)
      assertMayChangeDefault(change.isDefault, context, previousView)
      await assertProjectsVisible(queries, change.projectIds, context, previousView)
      return viewHandlers.update(change, context)
    },
    ...createTreeRemoveHandlers(app, {
      name: 'view',
      title,
      createQueries: viewQueries,
      about: () => describeView,
      refuse: ({ projectScope }, { projectIds }: ViewRow) =>
        validateOwnership(projectScope, projectIds),
    }),
    exportRows: createExport(app, queries),
    importRows: createImport(app, { insert, change }),
    move: ({ id, parentId, index }, context) =>
      context.write(viewQueries, async (rows, recordChange) => {
        const tree = createTree(await rows.lockAll())
        const row = requireRow(tree.get(id), title)
        assertOwnsProjects(context, row.projectIds, `视图“${row.name}”`)
        for (const sibling of tree.children(parentId))
          // The siblings are renumbered, so the user must be able to edit them too.
          assertOwnsProjects(context, sibling.projectIds, `同级的视图“${sibling.name}”`)
        assertPlacement(tree, parentId, id)
        const sort = await rows.moveRow(tree, id, { parentId, index }, context.user.username)
        recordChange(describeView(row, { before: row, after: { ...row, parentId, sort } }))
        return null
      }),
  })
}

function assertPlacement(tree: Tree<ViewRow>, parentId: string | null, id?: string) {
  const reason = validateViewParent(tree, parentId, id)
  if (reason) throw createFieldRefusal('parentId', reason)
}

const isInProject =
  (projectId: number) =>
  ({ projectId: cardProjectId }: ViewCard) =>
    cardProjectId === null || cardProjectId === projectId
const withProjectCards = (row: ViewRow, projectId: number) => ({
  ...row,
  cards: row.cards.filter(isInProject(projectId)),
})
const formatCard = (card: ViewCard) =>
  `${getCardTitle(card)}（第 ${card.x + 1} 列第 ${card.y + 1} 行，${card.w}×${card.h}）`
