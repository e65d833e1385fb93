import { projectApi } from '@iot/shared/contract/project/project.api'
import { projectSchemas } from '@iot/shared/contract/project/project.schema'
import { spaceSchemas } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { spaceSearchFields, spaceTypeText } from '@iot/shared/contract/project/spaceTree'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import type { PageQuery } from '../../core/db/page'
import { createConflictRefusal, requireRow } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { createTreeRemoveHandlers } from '../../core/http/treeRemoveHandlers'
import { createExportHandler } from '../../core/tasks/export'
import { createTreeLines } from '../../core/tasks/treeSheet'
import { findProject } from '../project/policy'
import {
  assertNameIsFree,
  assertProjectVisible,
  entity,
  getVisibleSpace,
  toAuditEntry,
  toAuditFields,
  writeNewSpace,
  type SpaceQueries,
} from './actions'
import { copyFloor } from './copyFloor'
import { serveFloorPlans, setPlan } from './floorPlanRoutes'
import { importSpaces } from './importSpaces'
import { moveHandlers } from './moveSpaces'
import { getPlanUrl } from './policy'
import { spaceQueries, type SpaceRow } from './queries'
import { exportColumns } from './sheet'

export function spaceRoutes(app: FastifyInstance) {
  const queries = spaceQueries(app.db)
  const { spaces } = projectApi

  const exportLines = createExportHandler(app, spaceApi.exportRows, {
    entity,
    sheet: exportColumns,
    page: async ({ projectId, ...treeQuery }: PageQuery & { projectId: number; name?: string }) =>
      createTreeLines(await listSpaces(projectId, queries), spaceSearchFields, treeQuery),
  })
  const importLines = importSpaces(app)

  serve(
    app,
    { spaces },
    { spaces: projectSchemas.spaces },
    {
      async spaces({ projectId }, context) {
        assertProjectVisible(projectId, context)
        const rows = await queries.treeInProject(projectId).all()
        return rows.map((row) => ({ ...row, plan: getPlanUrl(row) }))
      },
    },
  )

  serve(app, spaceApi, spaceSchemas, {
    async list({ projectId }, context) {
      assertProjectVisible(projectId, context)
      return createTree(await listSpaces(projectId, queries)).ordered()
    },
    async get({ id }, context) {
      const row = await getVisibleSpace(id, context, queries)
      const { projectId, parentId } = row
      const [tree, counts, projectRow] = await Promise.all([
        queries.treeInProject(projectId).all().then(createTree),
        queries.countDevicesBySpace(projectId),
        queries.findProject(projectId),
      ])
      return {
        ...row,
        plan: getPlanUrl(row),
        deviceCount: counts.get(id) ?? 0,
        projectRow: requireRow(projectRow, '项目').id,
        projectName: projectRow!.name,
        place: formatTreePath(tree, parentId),
      }
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
        const previousSpace = requireRow(tree.get(id), entity)
        assertNameIsFree(tree, previousSpace.parentId, name, id)
        const row = await rows.update({ id, version, name }, context.user.username)
        if (!row) throw createConflictRefusal(previousSpace)
        recordAudit(
          toAuditEntry(row, {
            before: toAuditFields(tree, previousSpace),
            after: toAuditFields(tree, row),
          }),
        )
        return row
      }),
    ...moveHandlers,
    setPlan,
    copy: copyFloor,
    async remove(removeInput, context) {
      const { projectId } = await getVisibleSpace(removeInput.id, context, queries)
      return createRemoveHandlers(app, projectId).remove(removeInput, context)
    },
    async removeMany({ projectId, ids }, context) {
      assertProjectVisible(projectId, context)
      return createRemoveHandlers(app, projectId).removeMany({ ids }, context)
    },
  })

  serveFloorPlans(app)
}

async function listSpaces(projectId: number, queries: SpaceQueries) {
  const counts = await queries.countDevicesBySpace(projectId)
  return (await queries.treeInProject(projectId).all()).map((row) => ({
    ...row,
    plan: getPlanUrl(row),
    deviceCount: counts.get(row.id) ?? 0,
  }))
}

const createRemoveHandlers = (app: FastifyInstance, projectId: number) =>
  createTreeRemoveHandlers<SpaceRow>(app, {
    name: 'space',
    title: entity,
    called: ({ type }) => spaceTypeText[type],
    createQueries(tx: Db) {
      const rows = spaceQueries(tx)
      return { ...rows, ...rows.treeInProject(projectId) }
    },
    about:
      (tree) =>
      (row, { before }) =>
        toAuditEntry(row, { before: toAuditFields(tree, before) }),
  })
