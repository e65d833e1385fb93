import { statusText, type Status } from '@iot/shared/contract/fields'
import {
  previewDays,
  SceneDraft,
  sceneApi,
  sceneOrderText,
  type SceneButton,
  type Trigger,
} from '@iot/shared/contract/scene'
import { dayModeText, type DayMode } from '@iot/shared/contract/scene'
import { formatDayTypes, describeTrigger, describeTriggers } from '@iot/shared/contract/sceneText'
import { canUseCalendar } from '@iot/shared/contract/calendar'
import type { DayType } from '@iot/shared/contract/calendarDay'
import { toZonedDate } from '@iot/shared/contract/timeZone'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { createMissingRefusal, createFieldRefusal, createFieldsRefusal } from '../../core/refusal'
import { createChangeDescriber } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { createBulkHandlers } from '../../core/serve/bulkHandlers'
import { createUpdateHandlers } from '../../core/serve/updateHandlers'
import { serve } from '../../core/serve/serve'
import { scene as table } from '../../tables/scene'
import { isPublished } from '../calendar/policy'
import { assertVisible, assertCanView } from '../device/policy'
import { findProject, getProjectRefusal } from '../project/policy'
import { createCalendarLookup } from './calendarLookup'
import { captureActions } from './capture'
import { openConditionMonitor } from './conditionMonitor'
import { dueTimes, type DueMoment } from './dueTimes'
import { getCalendarEffects } from './calendarEffects'
import {
  readConditionDevices,
  selectDevicesInScope,
  readFacts,
  findDeadCondition,
  refuseActions,
  refuseTiming,
} from './policy'
import { sceneQueries, type SceneRow, type SceneWithActions } from './queries'
import { openSceneScheduler } from './scheduler'

const title = '场景'
const dayMs = 86_400_000
const maxPreviewed = 500
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
  app.references.add('icon', (db, ids) => sceneQueries(db).listScenesUsingIcons(ids))
  app.references.add('calendar', (db, ids) => sceneQueries(db).listScenesUsingCalendars(ids))
  app.references.add('deviceGroup', (db, ids) => sceneQueries(db).listScenesUsing('groupId', ids))
  app.references.add('space', (db, ids) => sceneQueries(db).listScenesUsing('spaceId', ids))
  app.references.add('device', (db, ids) => sceneQueries(db).listScenesAskingDevices(ids))

  const getVisibleScene = async (id: string, context: Context) =>
    assertVisible(context, await queries.get(id), title)

  const rowHandlers = createUpdateHandlers(sceneApi, {
    title,
    table,
    queriesOf: sceneQueries,
    about: toAuditEntry,
    async check(draft, rows, before, tx) {
      const projectId = before?.projectId ?? (draft as { projectId: number }).projectId
      if (await rows.isNameTaken(projectId, draft.name, before?.id))
        throw createFieldRefusal('name', `场景名称“${draft.name}”已存在`)
      const { site, wrong: calendarErrors } = await checkCalendar(tx, draft, projectId)
      const scopes = draft.actions.map(({ scope }) => scope)
      const facts = await readFacts(rows, projectId, site.position, scopes)
      const fields = {
        ...calendarErrors,
        ...refuseActions(draft, facts),
        ...refuseTiming(draft, facts),
      }
      if (Object.keys(fields).length > 0) throw createFieldsRefusal(fields)
      // Progress that was made towards the old conditions does not count for the new ones.
      if (before) await rows.forgetConditions(before)
    },
    answer: (row: SceneWithActions) => row,
  })
  /** Returns the site of the project, and an error message if the calendar does not exist for it. */
  async function checkCalendar(
    db: Db,
    { calendarId }: { calendarId: string | null },
    projectId: number,
  ) {
    const calendarLookup = createCalendarLookup(db, Date.now(), Date.now())
    const row = await calendarLookup.calendarRow({ calendarId, projectId })
    const errors: Record<string, string> =
      calendarId && !(row?.id === calendarId && canUseCalendar(projectId, row))
        ? { calendarId: '所选日历不存在或已被删除' }
        : {}
    return { site: await calendarLookup.site({ calendarId, projectId }), wrong: errors }
  }
  const bulkHandlers = createBulkHandlers<SceneWithActions | (SceneRow & { actions?: undefined })>(
    app,
    {
      name: 'scene',
      title,
      about: toAuditEntry,
      queriesOf: sceneQueries,
    },
  )
  const reloadAfter = async <T>(pendingWrite: Promise<T>) => {
    const answer = await pendingWrite
    await conditions.reload()
    return answer
  }

  async function countDevices(projectId: number, sceneIds: string[]) {
    const [actions, spaces, devices] = await Promise.all([
      queries.listActions(projectId, sceneIds),
      queries.listSpaces(projectId),
      queries.listControllableDevices(projectId),
    ])
    const groups = await queries.listGroupMembers(
      projectId,
      actions.map(({ scope }) => scope),
    )
    const tree = createTree(spaces)
    const selectDevices = ({ scope, productType }: (typeof actions)[number]) => {
      const spaceIdsWithin = scope.kind === 'space' ? tree.within(scope.spaceId) : undefined
      const listedIds =
        scope.kind === 'devices'
          ? new Set(scope.deviceIds)
          : scope.kind === 'group'
            ? (groups.get(scope.groupId) ?? new Set<string>())
            : undefined
      return devices.filter(
        (one) =>
          one.productType === productType &&
          (spaceIdsWithin?.has(one.spaceId ?? '') ?? true) &&
          (listedIds?.has(one.id) ?? true),
      )
    }
    return new Map(
      sceneIds.map((id) => [
        id,
        new Set(
          actions
            .filter(({ sceneId }) => sceneId === id)
            .flatMap((action) => selectDevices(action).map((one) => one.id)),
        ).size,
      ]),
    )
  }

  /** Returns the last run of each scene with the number of devices that failed. */
  async function getLastRuns(ids: string[]) {
    const runs = ids.length > 0 ? await queries.listLastRuns(ids) : []
    const tasks = await app.control.findTasks(runs.flatMap(({ taskIds }) => taskIds))
    return new Map<string, SceneButton['lastRun']>(
      runs.map(({ sceneId, cause, status, reason, createTime, dueTime, taskIds }) => [
        sceneId,
        {
          cause,
          status,
          reason,
          time: dueTime ?? createTime,
          failed: taskIds.reduce((sum, id) => sum + countFailed(tasks.get(id)?.counts), 0),
        },
      ]),
    )
  }

  serve(app, sceneApi, {
    async page({ projectId, pageNo, pageSize }, context) {
      assertCanView(context, projectId)
      const scope = projectId === undefined ? context.projectScope : [projectId]
      const { list, ...rest } = await queries.page(scope, { pageNo, pageSize })
      const counts = new Map<string, number>()
      for (const project of new Set(list.map((one) => one.projectId))) {
        const ids = list.filter((one) => one.projectId === project).map((one) => one.id)
        for (const [id, count] of await countDevices(project, ids)) counts.set(id, count)
      }
      const lastRunByScene = await getLastRuns(list.map(({ id }) => id))
      const scenesWithSilence = list.filter(({ silenceMinutes }) => silenceMinutes > 0)
      const lastTimes = await queries.getLastRunTimes(scenesWithSilence.map(({ id }) => id))
      const from = Date.now()
      const to = from + previewDays * dayMs
      const calendarLookup = createCalendarLookup(app.db, from, to)
      const holdReasons = new Map<number, string>()
      for (const id of new Set(list.map((one) => one.projectId)))
        holdReasons.set(id, (await getProjectRefusal(app.db, id, 'schedule')) ?? '')
      const getNextRun = async (scene: SceneRow) => {
        if (scene.status === 'disabled' || !isTimed(scene) || holdReasons.get(scene.projectId))
          return null
        const dueMoments = dueTimes(
          scene,
          await calendarLookup.calendar(scene),
          await calendarLookup.site(scene),
          from,
          to,
          lastTimes.get(scene.id),
        )
        for (const { runs, at, reason } of dueMoments)
          if (runs) return { time: new Date(at).toISOString(), reason }
        return null
      }
      const getSunWarning = async (scene: SceneRow) =>
        scene.triggers.some((one) => one.kind === 'sun' && !one.position) &&
        !(await calendarLookup.site(scene)).position
          ? '项目没有设置经纬度，日出日落不触发'
          : ''
      const conditionDevices = await readConditionDevices(
        app.db,
        list.map(({ projectId }) => projectId),
        list.flatMap(({ triggers }) => triggers),
      )
      const buttons: SceneButton[] = []
      for (const scene of list)
        buttons.push({
          ...scene,
          deviceCount: counts.get(scene.id) ?? 0,
          triggerTexts: scene.triggers.map((one) => describeTrigger(one, conditionDevices)),
          isTimed: isTimed(scene),
          held: holdReasons.get(scene.projectId) || (await getSunWarning(scene)),
          deadCondition: await findDeadCondition(app.db, scene.projectId, scene.triggers),
          lastRun: lastRunByScene.get(scene.id) ?? null,
          nextRun: await getNextRun(scene),
        })
      return { ...rest, list: buttons }
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

    async types({ projectId }, context) {
      assertCanView(context, projectId)
      const { devices, models, types } = await readFacts(queries, projectId, null)
      const codes = [...new Set(devices.map(({ productType }) => productType))]
      return codes.flatMap((code) => {
        const products = new Set(
          devices.flatMap((one) => (one.productType === code ? one.productId : [])),
        )
        const allProperties = [...products].flatMap((id) => models.get(id)!.properties)
        const properties = [...new Map(allProperties.map((one) => [one.identifier, one])).values()]
        const name = types.get(code) ?? code
        return properties.length > 0 ? { code, name, properties } : []
      })
    },
    async devices({ projectId, ids, text = '', productType }, context) {
      assertCanView(context, projectId)
      const requestedIds = ids && new Set(ids)
      const matchingDevices = (await queries.listActionDevices(projectId)).filter(
        (one) =>
          (requestedIds ? requestedIds.has(one.id) : one.name.includes(text.trim())) &&
          (productType ?? one.productType) === one.productType,
      )
      return requestedIds ? matchingDevices : matchingDevices.slice(0, 50)
    },
    async capture({ projectId, scope, productType }, context) {
      assertCanView(context, projectId)
      const facts = await readFacts(queries, projectId, null, [scope])
      const devices = selectDevicesInScope(facts, scope, productType)
      if (!devices) throw createFieldRefusal('scope', '所选范围或设备不存在或已被删除')
      await app.devices.states.flush()
      const ids = devices.map(({ id }) => id)
      const liveById = new Map(
        (ids.length > 0 ? await queries.readLiveValues(projectId, ids) : []).map((one) => [
          one.id,
          one,
        ]),
      )
      return captureActions(
        devices.map((device) => ({
          ...device,
          ...liveById.get(device.id)!,
          model: facts.models.get(device.productId)!,
        })),
        scope,
        productType,
      )
    },
    async preview({ projectId, id, ...timing }, context) {
      assertCanView(context, projectId)
      if (id) await getVisibleScene(id, context)
      await findProject(app.db, projectId)
      const { site, wrong: calendarErrors } = await checkCalendar(app.db, timing, projectId)
      const timers = timing.triggers.map((trigger) =>
        // Conditions depend on future device reports, so they cannot be previewed.
        trigger.kind === 'condition' ? { ...trigger, conditions: [] } : trigger,
      )
      const emptyFacts = {
        devices: [],
        spaces: [],
        models: new Map(),
        types: new Map(),
        groups: new Map(),
        position: site.position,
      }
      const fields = {
        ...calendarErrors,
        ...refuseTiming({ ...timing, triggers: timers }, emptyFacts),
      }
      if (Object.keys(fields).length > 0) throw createFieldsRefusal(fields)
      const from = Date.now()
      const to = from + previewDays * dayMs
      const calendarLookup = createCalendarLookup(app.db, from, to)
      const calendar = await calendarLookup.calendar({ ...timing, projectId })
      const list: DueMoment[] = []
      const lastRunTime = id ? (await queries.getLastRunTimes([id])).get(id) : undefined
      for (const due of dueTimes(timing, calendar, site, from, to, lastRunTime))
        if (list.push(due) > maxPreviewed) break
      const years = [
        ...new Set(
          [from, to].map((timeMs) => Number(toZonedDate(timeMs, site.timeZone).slice(0, 4))),
        ),
      ]
      return {
        list: list.slice(0, maxPreviewed),
        held: (await getProjectRefusal(app.db, projectId, 'schedule')) ?? '',
        more: list.length > maxPreviewed,
        unpublished: years.filter((year) => timing.dayMode !== 'ignore' && !isPublished(year)),
      }
    },
    async runs({ id, pageNo, pageSize }, context) {
      const { projectId } = await getVisibleScene(id, context)
      const { list, ...rest } = await queries.listRuns(projectId, id, { pageNo, pageSize })
      const tasks = await app.control.findTasks(list.flatMap(({ taskIds }) => taskIds))
      return {
        ...rest,
        list: list.map((run) => ({
          ...run,
          tasks: run.taskIds.flatMap((taskId) => tasks.get(taskId) ?? []),
        })),
      }
    },
    effects: ({ id }, { projectScope }) =>
      getCalendarEffects(app.db, id, projectScope, Date.now(), Date.now() + previewDays * dayMs),
  })
}

const countFailed = (counts: Record<string, number> = {}) =>
  (counts.failed ?? 0) + (counts.timeout ?? 0) + (counts.unknown ?? 0)

const isTimed = ({ triggers }: Pick<SceneRow, 'triggers'>) =>
  triggers.some(({ kind }) => kind !== 'condition')
