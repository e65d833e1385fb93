import {
  DeviceGroupDraft,
  DeviceGroupLine,
  deviceGroupApi,
  groupKindText,
  wordsOfTag,
  type DeviceGroupChange,
  type GroupKind,
  type GroupRule,
  type GroupTag,
} from '@iot/shared/contract/deviceGroup'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { wrongFields } from '../../core/refusal'
import { findRow } from '../../core/db/versioned'
import { changeOf } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { removing } from '../../core/serve/manyRows'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { importer, type ImportInput, type Portion } from '../../core/tasks/import'
import { deviceGroup as table } from '../../tables/deviceGroup'
import { mustSee, mustView } from '../device/policy'
import { deviceGroupQueries, type GroupRow } from './queries'
import { draftOf, knownIn, sheet } from './sheet'

const title = '设备组'
const some = (unit: string) => (ids: unknown) => `${(ids as string[]).length} ${unit}`
const about = changeOf(title, DeviceGroupDraft, {
  kind: (kind) => groupKindText[kind as GroupKind],
  deviceIds: some('台'),
  productIds: some('个'),
  spaceIds: some('处'),
  tags: (tags) => (tags as GroupTag[]).map(wordsOfTag).join('、'),
})
type Queries = ReturnType<typeof deviceGroupQueries>
type Input = ImportInput & { projectId: number }

export function deviceGroupRoutes(app: FastifyInstance) {
  const queries = deviceGroupQueries(app.db)
  app.references.add('product', (db, ids) => deviceGroupQueries(db).ruledBy('productIds', ids))
  app.references.add('space', (db, ids) => deviceGroupQueries(db).ruledBy('spaceIds', ids))

  const mine = async (id: string, context: Context) =>
    mustSee(context, await queries.get(id), title)
  const { insert, change, ...saved } = savedRow(deviceGroupApi, {
    title,
    table,
    queriesOf: deviceGroupQueries,
    about,
    async check(draft, rows, before) {
      const projectId = before?.projectId ?? (draft as DeviceGroupDraft).projectId
      const wrong = await refuseMembers(projectId, draft, rows, before)
      if (Object.keys(wrong).length > 0) throw wrongFields(wrong)
    },
    answer: async (row, rows) => (await rows.answered([row]))[0]!,
  })

  const exportLines = exporter(app, deviceGroupApi.exportRows, {
    entity: title,
    sheet,
    page: (query: Parameters<typeof queries.lines>[0]) => queries.lines(query),
  })
  const importLines = importer(app, deviceGroupApi.importRows, {
    entity: title,
    schema: DeviceGroupLine,
    sheet,
    queriesOf: deviceGroupQueries,
    hold: (rows, { input: { projectId } }: Portion<typeof DeviceGroupLine, Input>) =>
      knownIn(projectId, rows),
    create:
      (line, by, _, { projectId }: Input, known) =>
      async (rows, note, tx) => {
        const draft = await draftOf(line, projectId, known, rows)
        return insert({ ...draft, ...onlyMeant(draft), projectId }, by)(rows, note, tx)
      },
    existing: {
      endpoint: deviceGroupApi.update,
      key: ({ name }) => name,
      find: ({ name }, { tx, input: { projectId } }) => findRow(tx, table, { projectId, name }),
      change:
        (before, line, { held, input: { projectId }, context }) =>
        async (rows, note, tx) => {
          const draft = await draftOf(line as DeviceGroupLine, projectId, held, rows)
          const wanted = changeFrom(deviceGroupApi.update, before, {
            ...draft,
            ...onlyMeant(draft),
          })
          // Names are unique within a project, so the uniqueness check needs the project id.
          const wantedInProject = { ...wanted, projectId }
          return change(wantedInProject, context.user.username)(rows, note, tx)
        },
    },
  })

  const { remove, removeMany } = removing(app, {
    name: 'deviceGroup',
    title,
    queriesOf: deviceGroupQueries,
    about,
    sees: ({ seesProject }, { projectId }) => seesProject(projectId),
  })

  serve(app, deviceGroupApi, {
    remove(asked, context) {
      mustView(context)
      return remove(asked, context)
    },
    removeMany(asked, context) {
      mustView(context)
      return removeMany(asked, context)
    },
    exportRows(asked, context) {
      mustView(context, asked.projectId)
      return exportLines(asked, context)
    },
    importRows(input, context) {
      mustView(context, input.projectId)
      return importLines(input, context)
    },
    async page(query, context) {
      mustView(context, query.projectId)
      return queries.page(query)
    },
    async create(draft, context) {
      mustView(context, draft.projectId)
      return saved.create({ ...draft, ...onlyMeant(draft) }, context)
    },
    async update(change, context) {
      const { projectId } = await mine(change.id, context)
      // Names are unique within a project, so the uniqueness check needs the project id.
      const within = { ...change, ...onlyMeant(change), projectId }
      return saved.update(within, context)
    },
    async preview({ projectId, ...rule }, context) {
      mustView(context, projectId)
      const wrong = await refuseRule(projectId, rule, queries)
      if (Object.keys(wrong).length > 0) throw wrongFields(wrong)
      return queries.preview(projectId, { kind: 'rule', deviceIds: [], ...rule })
    },
    async tags({ projectId }, context) {
      mustView(context, projectId)
      return queries.tags(projectId)
    },
    async list({ projectId }, context) {
      mustView(context, projectId)
      return queries.options(projectId)
    },
    async lights({ id }, context) {
      const row = await mine(id, context)
      await app.devices.states.flush()
      return queries.lights(row)
    },
    async members({ id, ...page }, context) {
      const row = await mine(id, context)
      await app.devices.states.flush()
      return queries.members(row, page)
    },
  })
}

/** Clears the fields of the other kind of group, because the form does not show them. */
const onlyMeant = ({ kind, deviceIds, productIds, spaceIds, tags }: DeviceGroupChange) =>
  kind === 'hand'
    ? { deviceIds: [...new Set(deviceIds)], productIds: [], spaceIds: [], tags: [] }
    : { deviceIds: [], productIds, spaceIds, tags }

/** Returns error messages by field for rule entries that do not exist. */
async function refuseRule(
  projectId: number,
  { productIds, spaceIds }: GroupRule,
  rows: Queries,
): Promise<Record<string, string>> {
  const products = productIds.length > 0 ? await rows.products() : undefined
  const tree = treeOf(spaceIds.length > 0 ? await rows.spaces(projectId) : [])
  return {
    ...(!productIds.every((id) => products?.has(id)) && {
      productIds: '所选产品不存在或已被删除',
    }),
    ...(!spaceIds.every((id) => tree.get(id)) && { spaceIds: '所选位置不存在或已被删除' }),
  }
}

async function refuseMembers(
  projectId: number,
  draft: DeviceGroupChange,
  rows: Queries,
  before?: GroupRow,
): Promise<Record<string, string>> {
  const { kind, deviceIds, productIds, spaceIds, tags } = draft
  if (kind === 'rule')
    return productIds.length + spaceIds.length + tags.length === 0
      ? { productIds: '产品、位置、标签至少选一项' }
      : refuseRule(projectId, draft, rows)
  if (deviceIds.length === 0) return { deviceIds: '请选择设备' }
  const here = await rows.known(projectId, deviceIds)
  // A device that was deleted while the form was open is not reported as an error of its user.
  const strange = deviceIds.filter((id) => !here.has(id) && !before?.deviceIds.includes(id))
  return strange.length > 0 ? { deviceIds: '所选设备不存在或已被删除' } : {}
}
