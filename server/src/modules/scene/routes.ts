import { dayMs } from '@iot/shared/contract/duration'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import { previewDays, sceneOrderText } from '@iot/shared/contract/control/scene'
import { SceneDraft, type Trigger, sceneSchemas } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { dayModeText, type DayMode } from '@iot/shared/contract/control/scene'
import { formatDayTypes, describeTriggers } from '@iot/shared/contract/control/sceneText'
import type { DayType } from '@iot/shared/contract/project/calendarDay'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { readPersonNames } from '../../core/db/personNames'
import { createMissingRefusal, createFieldRefusal, createFieldsRefusal } from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { scene as table } from '../../tables/scene'
import { assertVisible, assertCanView } from '../device/policy/scope'
import { createActionHandlers } from './actionHandlers'
import { checkCalendar } from './checkCalendar'
import { openConditionMonitor } from './conditionMonitor'
import { getCalendarEffects } from './calendarEffects'
import {
  listScenesUsing,
  readConditionDevices,
  readSceneFacts,
  refuseActions,
  refuseTiming,
} from './policy'
import { previewRuns } from './previewRuns'
import { sceneQueries, type SceneRow, type SceneWithActions } from './queries'
import { findScenesOfSpace, readSceneButtons } from './sceneButtons'
import { openSceneScheduler } from './scheduler'

const title = '场景'
type AuditSides = { before?: Pick<SceneRow, 'triggers'>; after?: Pick<SceneRow, 'triggers'> }
async function toAuditEntry(row: SceneRow, sides: AuditSides, tx: Db) {
  const { before, after } = sides
  const conditionDevices = await readConditionDevices(
    tx,
    [row.projectId],
    [...(before?.triggers ?? []), ...(after?.triggers ?? [])],
  )
  return createChangeDescriber(title, SceneDraft, {
    status: (status) => statusText[status as Status],
    order: (order) => sceneOrderText[order as keyof typeof sceneOrderText],
    dayMode: (mode) => dayModeText[mode as DayMode],
    dayTypes: (types) => formatDayTypes(types as DayType[]),
    triggers: (triggers) => describeTriggers(triggers as Trigger[], conditionDevices),
  })(row, sides)
}

const createRowHandlers = () =>
  createUpdateHandlers(sceneSchemas, {
    title,
    table,
    createQueries: sceneQueries,
    about: toAuditEntry,
    async check(draft, rows, previousScene, tx) {
      const projectId = previousScene?.projectId ?? (draft as { projectId: number }).projectId
      if (await rows.isNameTaken(projectId, draft.name, previousScene?.id))
        throw createFieldRefusal('name', `场景名称“${draft.name}”已存在`)
      const { site, wrong: calendarErrors } = await checkCalendar(tx, draft, projectId)
      const scopes = draft.actions.map(({ scope }) => scope)
      const facts = await readSceneFacts(rows, projectId, site.position, scopes)
      const fields = {
        ...calendarErrors,
        ...refuseActions(draft, facts),
        ...refuseTiming(draft, facts),
      }
      if (Object.keys(fields).length > 0) throw createFieldsRefusal(fields)
      // Progress that was made towards the old conditions does not count for the new ones.
      if (previousScene) await rows.forgetConditions(previousScene)
    },
    answer: (row: SceneWithActions) => row,
  })

/** Registers where scenes refer to rows of other modules. */
function registerReferences({ references }: FastifyInstance) {
  references.add('icon', (db, ids) => sceneQueries(db).listScenesUsingIcons(ids))
  references.add('calendar', (db, ids) => sceneQueries(db).listScenesUsingCalendars(ids))
  references.add('deviceGroup', (db, ids) => listScenesUsing(db, 'groupId', ids))
  references.add('space', (db, ids) => listScenesUsing(db, 'spaceId', ids))
  references.add('device', (db, ids) => listScenesUsing(db, 'deviceId', ids))
  references.add('device', (db, ids) => sceneQueries(db).listScenesAskingDevices(ids))
}

export function sceneRoutes(app: FastifyInstance) {
  const queries = sceneQueries(app.db)
  const conditions = openConditionMonitor(app)
  const scheduler = openSceneScheduler(app)
  app.addHook('onReady', async () => {
    scheduler.startTicking()
    await conditions.reload()
  })
  app.addHook('onClose', async () => {
    await scheduler.close()
    await conditions.close()
  })
  registerReferences(app)

  const getVisibleScene = async (id: string, context: Context) =>
    assertVisible(context, await queries.get(id), title)
  const rowHandlers = createRowHandlers()
  const bulkHandlers = createBulkHandlers<SceneWithActions | (SceneRow & { actions?: undefined })>(
    app,
    {
      name: 'scene',
      title,
      about: toAuditEntry,
      createQueries: sceneQueries,
    },
  )
  const reloadAfter = async <T>(pendingWrite: Promise<T>) => {
    const answer = await pendingWrite
    await conditions.reload()
    return answer
  }

  serve(app, sceneApi, sceneSchemas, {
    async page({ projectId, spaceId, pageNo, pageSize }, context) {
      assertCanView(context, projectId)
      if (spaceId && projectId === undefined) throw createFieldRefusal('projectId', '请选择项目')
      const ids = spaceId && (await findScenesOfSpace(queries, projectId!, spaceId))
      const scope = projectId === undefined ? context.projectScope : [projectId]
      const { list, ...rest } = await queries.page(scope, { pageNo, pageSize }, ids || undefined)
      return { ...rest, list: await readSceneButtons(app, list) }
    },
    get: ({ id }, context) => getVisibleScene(id, context),
    async create(draft, context) {
      assertCanView(context, draft.projectId)
      if (!(await queries.findProject(draft.projectId))) throw createMissingRefusal('项目')
      return reloadAfter(rowHandlers.create(draft, context))
    },
    async update(change, context) {
      await getVisibleScene(change.id, context)
      return reloadAfter(rowHandlers.update(change, context))
    },
    async setStatus(params, context) {
      const rows = await queries.many(params.ids)
      if (rows.some(({ projectId }) => !context.seesProject(projectId)))
        throw createMissingRefusal(title)
      for (const row of rows) await queries.forgetConditions(row)
      return reloadAfter(bulkHandlers.setStatus(params, context))
    },
    async remove({ id }, context) {
      await getVisibleScene(id, context)
      return reloadAfter(bulkHandlers.remove({ id }, context))
    },
    ...createActionHandlers(app, queries),
    async preview(input, context) {
      assertCanView(context, input.projectId)
      if (input.id) await getVisibleScene(input.id, context)
      return previewRuns(app.db, input)
    },
    async runs({ id, pageNo, pageSize }, context) {
      const { projectId } = await getVisibleScene(id, context)
      const { list, ...rest } = await queries.listRuns(projectId, id, { pageNo, pageSize })
      const tasks = await app.control.findTasks(list.flatMap(({ taskIds }) => taskIds))
      const names = await readPersonNames(app.db, [
        ...new Set(list.flatMap((run) => [run.createBy, run.acknowledgedBy]).filter(Boolean)),
      ])
      return {
        ...rest,
        list: list.map((run) => ({
          ...run,
          createByName: names.get(run.createBy) ?? run.createBy,
          acknowledgedBy: names.get(run.acknowledgedBy) ?? '',
          tasks: run.taskIds.flatMap((taskId) => tasks.get(taskId) ?? []),
        })),
      }
    },
    effects: ({ id }, { projectScope }) =>
      getCalendarEffects(app.db, id, projectScope, Date.now(), Date.now() + previewDays * dayMs),
  })
}
