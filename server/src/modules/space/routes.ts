import { projectApi } from '@iot/shared/contract/project'
import { ManagedSpace, spaceApi } from '@iot/shared/contract/space'
import {
  validateSpaceParent,
  spaceSearchFields,
  spaceTypeText,
  type SpaceType,
} from '@iot/shared/contract/spaceTree'
import {
  createGrowingTree,
  formatTreePath,
  findRowsByPath,
  createTree,
  type Tree,
} from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import type { PageQuery } from '../../core/db/page'
import {
  createConflictRefusal,
  requireRow,
  createMissingRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/serve/actionLog'
import type { Context, WriteCallback } from '../../core/serve/context'
import { getIds, applyPerRow } from '../../core/serve/applyPerRow'
import { serve } from '../../core/serve/serve'
import { createTreeRemoveHandlers } from '../../core/serve/treeRemoveHandlers'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler, type ImportInput, type ImportPortion } from '../../core/tasks/import'
import { findParentId, getDepthOrder, createTreeLines } from '../../core/tasks/treeSheet'
import { findProject } from '../project/policy'
import { snapshotBefore } from '../snapshot/policy'
import { parseFloorPlan } from './floorPlan'
import { getPlanUrl } from './policy'
import { spaceQueries, type SpaceRow } from './queries'
import { exportColumns, sheet, SpaceLine } from './sheet'

const entity = '空间'
const toAuditEntry = createChangeDescriber(
  entity,
  ManagedSpace.pick({ name: true, type: true, plan: true, metres: true }).extend({
    place: ManagedSpace.shape.parentId,
  }),
  { type: (type) => spaceTypeText[type as SpaceType] },
)

export function spaceRoutes(app: FastifyInstance) {
  const queries = spaceQueries(app.db)
  const { spaces } = projectApi

  function assertProjectVisible(projectId: number, { seesProject }: Context) {
    if (!seesProject(projectId)) throw createMissingRefusal('项目')
  }
  /**
   * Returns the space.
   * @throws "not found" if it does not exist or the user cannot see its project
   */
  async function getVisibleSpace(
    id: string,
    { seesProject }: Context,
    txQueries = queries,
  ): Promise<SpaceRow> {
    const row = requireRow(await txQueries.get(id), entity)
    if (!seesProject(row.projectId)) throw createMissingRefusal(entity)
    return row
  }
  const findFloorId = (tree: Tree<SpaceRow>, id: string) =>
    tree.path(id).find(({ type }) => type === 'floor')?.id ?? null

  async function listSpaces(projectId: number) {
    const counts = await queries.countDevicesBySpace(projectId)
    return (await queries.treeInProject(projectId).all()).map((row) => ({
      ...row,
      plan: getPlanUrl(row),
      deviceCount: counts.get(row.id) ?? 0,
    }))
  }
  const exportLines = createExportHandler(app, spaceApi.exportRows, {
    entity,
    sheet: exportColumns,
    page: async ({ projectId, ...treeQuery }: PageQuery & { projectId: number; name?: string }) =>
      createTreeLines(await listSpaces(projectId), spaceSearchFields, treeQuery),
  })
  type SpaceImportInput = ImportInput & { projectId: number }
  const importLines = createImportHandler(app, spaceApi.importRows, {
    entity,
    schema: SpaceLine,
    sheet,
    queriesOf: spaceQueries,
    order: getDepthOrder,
    async preload(
      rows,
      {
        drafts,
        importedCount: createdCount,
        by: actor,
        ...portion
      }: ImportPortion<typeof SpaceLine, SpaceImportInput>,
      tx,
    ) {
      const { projectId } = portion.input
      const treeState = createGrowingTree(await rows.treeInProject(projectId).lockAll())
      const isNew = ({ parent, name }: SpaceLine) =>
        findRowsByPath(treeState.tree, parent ? `${parent}/${name}` : name).length === 0
      if (createdCount === 0 && drafts.some(isNew))
        await snapshotBefore(tx, projectId, `导入${entity}`, actor)
      return treeState
    },
    create:
      ({ parent, ...line }, actor, _, { projectId }: SpaceImportInput, { tree, add }) =>
      async (rows, recordAudit, tx) => {
        const draft = { ...line, projectId, parentId: findParentId(tree, parent, entity) }
        add(await writeNewSpace(draft, tree, actor)(rows, recordAudit, tx))
      },
    existing: {
      endpoint: spaceApi.update,
      key: ({ parent, name }) => JSON.stringify([parent, name]),
      find({ parent, name }, { preloaded: { tree } }) {
        const parentId = findParentId(tree, parent, entity)
        return tree.children(parentId).find((row) => row.name === name)
      },
      // A file row for an existing space changes nothing; its type must match.
      change:
        (before, { type }) =>
        async () => {
          if (type !== before.type)
            throw createFieldRefusal(
              'type',
              `已有的“${before.name}”是${spaceTypeText[before.type]}，类型不能修改`,
            )
        },
    },
  })
  const createRemoveHandlers = (projectId: number) =>
    createTreeRemoveHandlers<SpaceRow>(app, {
      name: 'space',
      title: entity,
      called: ({ type }) => spaceTypeText[type],
      queriesOf(tx: Db) {
        const rows = spaceQueries(tx)
        return { ...rows, ...rows.treeInProject(projectId) }
      },
      about:
        (tree) =>
        (row, { before }) =>
          toAuditEntry(row, { before: toAuditFields(tree, before) }),
    })

  serve(
    app,
    { spaces },
    {
      async spaces({ projectId }, context) {
        assertProjectVisible(projectId, context)
        const rows = await queries.treeInProject(projectId).all()
        return rows.map((row) => ({ ...row, plan: getPlanUrl(row) }))
      },
    },
  )

  serve(app, spaceApi, {
    async list({ projectId }, context) {
      assertProjectVisible(projectId, context)
      return createTree(await listSpaces(projectId)).ordered()
    },
    exportRows(exportInput, context) {
      assertProjectVisible(exportInput.projectId, context)
      return exportLines(exportInput, context)
    },
    async importRows(input, context) {
      assertProjectVisible(input.projectId, context)
      await findProject(app.db, input.projectId)
      return importLines(input, context)
    },
    async create({ projectId, ...draft }, context) {
      assertProjectVisible(projectId, context)
      return context.write(spaceQueries, async (rows, recordAudit, tx) => {
        await findProject(tx, projectId)
        const tree = createTree(await rows.treeInProject(projectId).lockAll())
        return writeNewSpace({ ...draft, projectId }, tree, context.user.username)(
          rows,
          recordAudit,
          tx,
        )
      })
    },
    update: ({ id, version, name }, context) =>
      context.write(spaceQueries, async (rows, recordAudit) => {
        const { projectId } = await getVisibleSpace(id, context, rows)
        const tree = createTree(await rows.treeInProject(projectId).lockAll())
        const before = requireRow(tree.get(id), entity)
        assertNameIsFree(tree, before.parentId, name, id)
        const row = await rows.update({ id, version, name }, context.user.username)
        if (!row) throw createConflictRefusal(before)
        recordAudit(
          toAuditEntry(row, {
            before: toAuditFields(tree, before),
            after: toAuditFields(tree, row),
          }),
        )
        return row
      }),
    move: ({ id, parentId, index }, context) =>
      context.write(spaceQueries, async (rows, recordAudit) => {
        const { projectId } = await getVisibleSpace(id, context, rows)
        const { username } = context.user
        const treeQueries = rows.treeInProject(projectId)
        const tree = createTree(await treeQueries.lockAll())
        const before = requireRow(tree.get(id), entity)
        assertPlaceIsAllowed(tree, before, parentId)
        assertNameIsFree(tree, parentId, before.name, id)
        await treeQueries.moveRow(tree, id, { parentId, index }, username)
        const treeAfter = createTree(await treeQueries.all())
        await rows.moveDevicesToFloor(
          projectId,
          [...tree.within(id)],
          findFloorId(treeAfter, id),
          username,
        )
        recordAudit(
          toAuditEntry(before, {
            before: toAuditFields(tree, before),
            after: toAuditFields(treeAfter, treeAfter.get(id)!),
          }),
        )
        return null
      }),
    async moveMany({ projectId, ids, parentId }, context) {
      assertProjectVisible(projectId, context)
      return context.write(spaceQueries, async (rows, recordAudit) => {
        const { username } = context.user
        const treeQueries = rows.treeInProject(projectId)
        const tree = createTree(await treeQueries.lockAll())
        const list = ids.flatMap((id) => tree.get(id) ?? [])
        const names = new Set(tree.children(parentId).map(({ name }) => name))
        const getRefusal = (row: SpaceRow) => {
          const placeRefusal = validateSpaceParent(tree, row, parentId)
          if (placeRefusal) return placeRefusal
          if (row.parentId === parentId) return false
          if (names.has(row.name)) return `那里已有“${row.name}”`
          names.add(row.name)
          return false
        }
        const requestedIds = new Set(ids)
        const movingIds = new Set<string>()
        const refusalById = new Map<string, string | false>()
        for (const row of tree.ordered()) {
          if (!requestedIds.has(row.id)) continue
          // A descendant of another moved space moves with it.
          if (tree.path(row.parentId).some(({ id }) => movingIds.has(id))) continue
          const reason = getRefusal(row)
          refusalById.set(row.id, reason)
          if (!reason) movingIds.add(row.id)
        }
        const refusal = ({ id }: SpaceRow) => refusalById.get(id)
        return applyPerRow(ids, list, refusal, async (all) => {
          const rowsToMove = all.filter(({ id }) => movingIds.has(id))
          await rows.append(projectId, getIds(rowsToMove), parentId, username)
          const treeAfter = createTree(await treeQueries.all())
          for (const { id } of rowsToMove) {
            await rows.moveDevicesToFloor(
              projectId,
              [...treeAfter.within(id)],
              findFloorId(treeAfter, id),
              username,
            )
            const [before, after] = [tree.get(id)!, treeAfter.get(id)!]
            recordAudit(
              toAuditEntry(before, {
                before: toAuditFields(tree, before),
                after: toAuditFields(treeAfter, after),
              }),
            )
          }
        })
      })
    },
    setPlan: ({ id, version, picture, metres }, context) =>
      context.write(spaceQueries, async (rows, recordAudit) => {
        const before = await getVisibleSpace(id, context, rows)
        if (before.type !== 'floor') throw createRefusal('只有楼层有平面图')
        const emptyPlan = { planFile: null, planHash: null, planWidth: null, planHeight: null }
        const plan =
          picture === undefined
            ? {}
            : picture === ''
              ? emptyPlan
              : parseFloorPlan(await rows.findFile(picture.slice(picture.lastIndexOf('/') + 1)))
        const row = await rows.update({ id, version, ...plan, metres }, context.user.username)
        if (!row) throw createConflictRefusal(await getVisibleSpace(id, context, rows))
        const withPlanUrl = (one: SpaceRow) => ({ ...one, plan: getPlanUrl(one) })
        recordAudit(toAuditEntry(row, { before: withPlanUrl(before), after: withPlanUrl(row) }))
        return row
      }),
    copy: ({ id, name }, context) =>
      context.write(spaceQueries, async (rows, recordAudit) => {
        const { projectId } = await getVisibleSpace(id, context, rows)
        const { username } = context.user
        const tree = createTree(await rows.treeInProject(projectId).lockAll())
        const source = requireRow(tree.get(id), entity)
        if (source.type !== 'floor') throw createRefusal('只有楼层可以复制')
        assertNameIsFree(tree, source.parentId, name)
        const ids = new Map([...tree.within(id)].map((one) => [one, uuidv7()]))
        const stamps = { createBy: username, updateBy: username, version: 1 }
        const freshFields = { createTime: undefined, updateTime: undefined, ...stamps }
        const row = await rows.add({ ...source, ...freshFields, id: ids.get(id)!, name }, username)
        const descendants = tree.ordered().filter((one) => one.id !== id && ids.has(one.id))
        if (descendants.length > 0)
          await rows.addAll(
            descendants.map((one) => ({
              ...one,
              ...freshFields,
              id: ids.get(one.id)!,
              parentId: ids.get(one.parentId!)!,
            })),
          )
        recordAudit(toAuditEntry(row, { after: toAuditFields(tree, row) }))
        return row
      }),
    async remove(removeInput, context) {
      const { projectId } = await getVisibleSpace(removeInput.id, context)
      return createRemoveHandlers(projectId).remove(removeInput, context)
    },
    async removeMany({ projectId, ids }, context) {
      assertProjectVisible(projectId, context)
      return createRemoveHandlers(projectId).removeMany({ ids }, context)
    },
  })

  // An `<img>` element sends no authorization header. The hash in the address is known only to users of the project.
  app.get<{ Params: { hash: string } }>(
    '/v1/floor-plan/:hash.svg',
    async ({ params: { hash } }, reply) => {
      const svg = await queries.findPlanSvg(hash)
      if (svg === undefined) return reply.code(404).type('text/plain').send('not found')
      return reply
        .type('image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .header('x-content-type-options', 'nosniff')
        .send(svg)
    },
  )
}

/** Returns the fields of a space for the audit log. */
const toAuditFields = (tree: Tree<SpaceRow>, row: SpaceRow) => ({
  ...row,
  plan: getPlanUrl(row) ? '有' : '',
  place: formatTreePath(tree, row.parentId),
})

const writeNewSpace =
  (
    draft: Pick<SpaceRow, 'projectId' | 'parentId' | 'type' | 'name'>,
    tree: Tree<SpaceRow>,
    actor: string,
  ): WriteCallback<typeof spaceQueries, SpaceRow> =>
  async (rows, recordAudit) => {
    assertPlaceIsAllowed(tree, draft, draft.parentId)
    assertNameIsFree(tree, draft.parentId, draft.name)
    const row = await rows.add(draft, actor)
    recordAudit(toAuditEntry(row, { after: toAuditFields(tree, row) }))
    return row
  }

function assertPlaceIsAllowed(
  tree: Tree<SpaceRow>,
  space: { type: SpaceType; id?: string },
  parentId: string | null,
) {
  const refusalReason = validateSpaceParent(tree, space, parentId)
  if (refusalReason) throw createFieldRefusal('parentId', refusalReason)
}

function assertNameIsFree(
  tree: Tree<SpaceRow>,
  parentId: string | null,
  name: string,
  id?: string,
) {
  if (tree.children(parentId).some((row) => row.name === name && row.id !== id))
    throw createFieldRefusal('name', `那里已有“${name}”`)
}
