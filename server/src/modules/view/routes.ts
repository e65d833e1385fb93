import { statusText, type Status } from '@iot/shared/contract/fields'
import { treeOf, type Tree } from '@iot/shared/contract/tree'
import { viewApi, ViewCards, ViewDraft } from '@iot/shared/contract/view'
import { cardTitle, type ViewCard } from '@iot/shared/contract/viewCard'
import { refuseViewPlace } from '@iot/shared/contract/viewPlace'
import type { FastifyInstance } from 'fastify'
import { changedSince, found, missing, referenced, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { savedRow } from '../../core/serve/savedRow'
import type { Context } from '../../core/serve/context'
import { serve } from '../../core/serve/serve'
import { view as table } from '../../tables/view'
import { projectOf } from '../project/policy'
import { mustBeOfProject, mustFitTogether } from './policy'
import { viewQueries, type ViewRow } from './queries'

const title = '视图'
const about = changeOf(title, ViewDraft, { status: (status) => statusText[status as Status] })
const aboutCards = changeOf(title, ViewCards.pick({ cards: true }), {
  cards: (cards) => (cards as ViewCard[]).map(cardLine).join('；'),
})

export function viewRoutes(app: FastifyInstance) {
  const queries = viewQueries(app.db)
  app.uniques.add('view', table, ViewDraft, viewApi.list)
  app.references.add('icon', (db, ids) => viewQueries(db).withIcons(ids))

  const saved = savedRow(viewApi, {
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

  /** Those a view has already stay, also where they are not the caller’s. */
  async function mustSeeProjects(ids: number[], context: Context, before?: ViewRow) {
    const added = ids.filter((id) => !before?.projectIds.includes(id))
    const known = new Set(await queries.projects(added))
    if (!added.every((id) => known.has(id) && context.seesProject(id)))
      throw wrongField('projectIds', '所选项目不存在或已被删除')
  }

  /** What the caller is shown in a project. */
  async function mine(projectId: number, { roles, seesProject }: Context) {
    if (!seesProject(projectId)) return []
    const held = new Set(roles.map(({ id }) => id))
    const isMine = ({ roleIds, projectIds, visible, status }: ViewRow) =>
      visible &&
      status === 'enabled' &&
      (roleIds.length === 0 || roleIds.some((id) => held.has(id))) &&
      (projectIds.length === 0 || projectIds.includes(projectId))
    // What stands below a view that is not shown is not shown either.
    return treeOf((await queries.all()).filter(isMine)).ordered()
  }

  serve(app, viewApi, {
    list: async () => treeOf(await queries.all()).ordered(),
    mine: async ({ projectId }, context) =>
      (await mine(projectId, context)).map((row) => ({
        ...row,
        cardCount: row.cards.filter(isIn(projectId)).length,
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
      return saved.create(draft, context)
    },
    async update(change, context) {
      const before = found(await queries.get(change.id), title)
      await mustSeeProjects(change.projectIds, context, before)
      return saved.update(change, context)
    },
    remove: ({ id }, context) =>
      context.write(viewQueries, async (rows, note) => {
        const tree = treeOf(await rows.held())
        const row = found(tree.get(id), title)
        const below = tree.children(id)
        if (below.length > 0)
          throw referenced(
            `视图“${row.name}”`,
            below.map((child) => ({ entity: title, id: child.id, name: child.name })),
          )
        await rows.remove([id])
        note(about(row, { before: row }))
        return null
      }),
    move: ({ id, parentId, index }, context) =>
      context.write(viewQueries, async (rows, note) => {
        const tree = treeOf(await rows.held())
        const row = found(tree.get(id), title)
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
/** As a line of the action log says it. */
const cardLine = (card: ViewCard) =>
  `${cardTitle(card)}（第 ${card.x + 1} 列第 ${card.y + 1} 行，${card.w}×${card.h}）`
