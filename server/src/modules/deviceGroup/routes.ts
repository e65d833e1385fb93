import { groupKindText, formatTag } from '@iot/shared/contract/device/deviceGroup'
import {
  DeviceGroupDraft,
  DeviceGroupFileRow,
  type DeviceGroupChange,
  type GroupKind,
  type GroupRule,
  type GroupTag,
  deviceGroupSchemas,
} from '@iot/shared/contract/device/deviceGroup.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { createFieldsRefusal } from '../../core/refusal'
import { findRow } from '../../core/db/versionedQueries'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { createRemoveHandlers } from '../../core/http/bulkHandlers'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler, type ImportPortion } from '../../core/tasks/import'
import type { ImportInput } from '../../core/tasks/serveImport'
import { deviceGroup as table } from '../../tables/deviceGroup'
import { assertVisible, assertCanView } from '../device/policy/scope'
import { deviceGroupQueries, type GroupRow } from './queries'
import { resolveDraft, readFileContext, sheet } from './sheet'

const title = '设备组'
const countWithUnit = (unit: string) => (ids: unknown) => `${(ids as string[]).length} ${unit}`
const toAuditEntry = createChangeDescriber(title, DeviceGroupDraft, {
  kind: (kind) => groupKindText[kind as GroupKind],
  deviceIds: countWithUnit('台'),
  productIds: countWithUnit('个'),
  spaceIds: countWithUnit('处'),
  tags: (tags) => (tags as GroupTag[]).map(formatTag).join('、'),
})
type GroupQueries = ReturnType<typeof deviceGroupQueries>
type GroupImportInput = ImportInput & { projectId: number }

const createRowHandlers = () =>
  createUpdateHandlers(deviceGroupSchemas, {
    title,
    table,
    createQueries: deviceGroupQueries,
    about: toAuditEntry,
    async check(draft, rows, previousGroup) {
      const projectId = previousGroup?.projectId ?? (draft as DeviceGroupDraft).projectId
      const fieldErrors = await getMemberErrors(projectId, draft, rows, previousGroup)
      if (Object.keys(fieldErrors).length > 0) throw createFieldsRefusal(fieldErrors)
    },
    answer: async (row, rows) => (await rows.withMemberCounts([row]))[0]!,
  })
type RowHandlers = ReturnType<typeof createRowHandlers>

const createExport = (app: FastifyInstance, queries: GroupQueries) =>
  createExportHandler(app, deviceGroupApi.exportRows, {
    entity: title,
    sheet,
    page: (query: Parameters<typeof queries.listExportLines>[0]) => queries.listExportLines(query),
  })

/** Creates the import of group lines; a line whose name exists in the project changes that group. */
const createImport = (
  app: FastifyInstance,
  { insert, change }: Pick<RowHandlers, 'insert' | 'change'>,
) =>
  createImportHandler(app, deviceGroupApi.importRows, {
    entity: title,
    removal: deviceGroupApi.removeMany,
    schema: DeviceGroupFileRow,
    sheet,
    createQueries: deviceGroupQueries,
    preload: (
      rows,
      { input: { projectId } }: ImportPortion<typeof DeviceGroupFileRow, GroupImportInput>,
    ) => readFileContext(projectId, rows),
    create:
      (line, actor, _, { projectId }: GroupImportInput, fileContext) =>
      async (rows, recordAudit, tx) => {
        const draft = await resolveDraft(line, projectId, fileContext, rows)
        return insert({ ...draft, ...clearOtherKind(draft), projectId }, actor)(
          rows,
          recordAudit,
          tx,
        )
      },
    existing: {
      endpoint: deviceGroupApi.update,
      key: ({ name }) => name,
      find: ({ name }, { tx, input: { projectId } }) => findRow(tx, table, { projectId, name }),
      change:
        (previousGroup, line, { preloaded: fileContext, input: { projectId }, context }) =>
        async (rows, recordAudit, tx) => {
          const draft = await resolveDraft(line as DeviceGroupFileRow, projectId, fileContext, rows)
          const groupUpdate = buildChangeFromLine(deviceGroupSchemas.update, previousGroup, {
            ...draft,
            ...clearOtherKind(draft),
          })
          // Names are unique within a project, so the uniqueness check needs the project id.
          const updateInProject = { ...groupUpdate, projectId }
          return change(updateInProject, context.user.username)(rows, recordAudit, tx)
        },
    },
  })

export function deviceGroupRoutes(app: FastifyInstance) {
  const queries = deviceGroupQueries(app.db)
  app.references.add('product', (db, ids) =>
    deviceGroupQueries(db).listGroupsReferringTo('productIds', ids),
  )
  app.references.add('space', (db, ids) =>
    deviceGroupQueries(db).listGroupsReferringTo('spaceIds', ids),
  )

  const getVisibleGroup = async (id: string, context: Context) =>
    assertVisible(context, await queries.get(id), title)
  const { insert, change, ...rowHandlers } = createRowHandlers()
  const exportLines = createExport(app, queries)
  const importLines = createImport(app, { insert, change })
  const { remove, removeMany } = createRemoveHandlers(app, {
    name: 'deviceGroup',
    title,
    createQueries: deviceGroupQueries,
    about: toAuditEntry,
    sees: ({ seesProject }, { projectId }) => seesProject(projectId),
  })

  serve(app, deviceGroupApi, deviceGroupSchemas, {
    remove(params, context) {
      assertCanView(context)
      return remove(params, context)
    },
    removeMany(params, context) {
      assertCanView(context)
      return removeMany(params, context)
    },
    exportRows(params, context) {
      assertCanView(context, params.projectId)
      return exportLines(params, context)
    },
    importRows(input, context) {
      assertCanView(context, input.projectId)
      return importLines(input, context)
    },
    async page(query, context) {
      assertCanView(context, query.projectId)
      return queries.page(query)
    },
    async create(draft, context) {
      assertCanView(context, draft.projectId)
      return rowHandlers.create({ ...draft, ...clearOtherKind(draft) }, context)
    },
    async update(change, context) {
      const { projectId } = await getVisibleGroup(change.id, context)
      // Names are unique within a project, so the uniqueness check needs the project id.
      const changeInProject = { ...change, ...clearOtherKind(change), projectId }
      return rowHandlers.update(changeInProject, context)
    },
    async preview({ projectId, ...rule }, context) {
      assertCanView(context, projectId)
      const fieldErrors = await getRuleErrors(projectId, rule, queries)
      if (Object.keys(fieldErrors).length > 0) throw createFieldsRefusal(fieldErrors)
      return queries.preview(projectId, { kind: 'rule', deviceIds: [], ...rule })
    },
    async tags({ projectId }, context) {
      assertCanView(context, projectId)
      return queries.listTags(projectId)
    },
    async list({ projectId }, context) {
      assertCanView(context, projectId)
      return queries.listOptions(projectId)
    },
    async lights({ id }, context) {
      const row = await getVisibleGroup(id, context)
      await app.devices.states.flush()
      return queries.countGroupLights(row)
    },
    async members({ id, ...page }, context) {
      const row = await getVisibleGroup(id, context)
      await app.devices.states.flush()
      return queries.listMembers(row, page)
    },
  })
}

/** Clears the fields of the other kind of group, because the form does not show them. */
const clearOtherKind = ({ kind, deviceIds, productIds, spaceIds, tags }: DeviceGroupChange) =>
  kind === 'hand'
    ? { deviceIds, productIds: [], spaceIds: [], tags: [] }
    : { deviceIds: [], productIds, spaceIds, tags }

/** Returns error messages by field for rule entries that do not exist. */
async function getRuleErrors(
  projectId: number,
  { productIds, spaceIds }: GroupRule,
  txQueries: GroupQueries,
): Promise<Record<string, string>> {
  const products = productIds.length > 0 ? await txQueries.products() : undefined
  const tree = createTree(spaceIds.length > 0 ? await txQueries.spaces(projectId) : [])
  return {
    ...(!productIds.every((id) => products?.has(id)) && {
      productIds: '所选产品不存在或已被删除',
    }),
    ...(!spaceIds.every((id) => tree.get(id)) && { spaceIds: '所选位置不存在或已被删除' }),
  }
}

async function getMemberErrors(
  projectId: number,
  draft: DeviceGroupChange,
  txQueries: GroupQueries,
  previousGroup?: GroupRow,
): Promise<Record<string, string>> {
  const { kind, deviceIds, productIds, spaceIds, tags } = draft
  if (kind === 'rule')
    return productIds.length + spaceIds.length + tags.length === 0
      ? { productIds: '产品、位置、标签至少选一项' }
      : getRuleErrors(projectId, draft, txQueries)
  if (deviceIds.length === 0) return { deviceIds: '请选择设备' }
  const existingIds = await txQueries.known(projectId, deviceIds)
  // A device that was deleted while the form was open is not reported as an error of its user.
  const foreignIds = deviceIds.filter(
    (id) => !existingIds.has(id) && !previousGroup?.deviceIds.includes(id),
  )
  return foreignIds.length > 0 ? { deviceIds: '所选设备不存在或已被删除' } : {}
}
