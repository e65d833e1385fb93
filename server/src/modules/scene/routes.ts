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
import { wordsOfDayTypes, wordsOfTrigger, wordsOfTriggers } from '@iot/shared/contract/sceneText'
import { isCalendarFor } from '@iot/shared/contract/calendar'
import type { DayType } from '@iot/shared/contract/calendarDay'
import { toZonedDate } from '@iot/shared/contract/timeZone'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import { missing, wrongField, wrongFields } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { manyRows } from '../../core/serve/manyRows'
import { savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { scene as table } from '../../tables/scene'
import { isPublished } from '../calendar/policy'
import { mustSee, mustView } from '../device/policy'
import { projectOf, refusedByProject } from '../project/policy'
import { openAlmanac } from './almanac'
import { capture } from './capture'
import { openConditions } from './conditions'
import { dueTimes, type Moment } from './dueTimes'
import { calendarEffects } from './effects'
import {
  askedDevices,
  devicesIn,
  factsOf,
  findDeadCondition,
  refuseActions,
  refuseTiming,
} from './policy'
import { sceneQueries, type SceneRow, type WholeScene } from './queries'
import { openScheduler } from './scheduler'

const title = '场景'
const day = 86_400_000
const mostPreviewed = 500
type Sides = { before?: Pick<SceneRow, 'triggers'>; after?: Pick<SceneRow, 'triggers'> }
async function about(row: SceneRow, sides: Sides, tx: Db) {
  const { before, after } = sides
  const asked = await askedDevices(
    tx,
    [row.projectId],
    [...(before?.triggers ?? []), ...(after?.triggers ?? [])],
  )
  return changeOf(title, SceneDraft, {
    status: (status) => statusText[status as Status],
    order: (order) => sceneOrderText[order as keyof typeof sceneOrderText],
    dayMode: (mode) => dayModeText[mode as DayMode],
    dayTypes: (types) => wordsOfDayTypes(types as DayType[]),
    triggers: (triggers) => wordsOfTriggers(triggers as Trigger[], asked),
  })(row, sides)
}

export function sceneRoutes(app: FastifyInstance) {
  const queries = sceneQueries(app.db)
  const conditions = openConditions(app)
  const scheduler = openScheduler(app)
  app.addHook('onReady', async () => {
    scheduler.begin()
    await conditions.reload()
  })
  app.addHook('onClose', async () => {
    await scheduler.close()
    await conditions.close()
  })
  app.references.add('icon', (db, ids) => sceneQueries(db).withIcons(ids))
  app.references.add('calendar', (db, ids) => sceneQueries(db).ofCalendars(ids))
  app.references.add('deviceGroup', (db, ids) => sceneQueries(db).meaning('groupId', ids))
  app.references.add('space', (db, ids) => sceneQueries(db).meaning('spaceId', ids))
  app.references.add('device', (db, ids) => sceneQueries(db).askingDevices(ids))

  const mine = async (id: string, context: Context) =>
    mustSee(context, await queries.get(id), title)

  const saved = savedRow(sceneApi, {
    title,
    table,
    queriesOf: sceneQueries,
    about,
    async check(draft, rows, before, tx) {
      const projectId = before?.projectId ?? (draft as { projectId: number }).projectId
      if (await rows.nameTaken(projectId, draft.name, before?.id))
        throw wrongField('name', `场景名称“${draft.name}”已存在`)
      const { site, wrong } = await standing(tx, draft, projectId)
      const scopes = draft.actions.map(({ scope }) => scope)
      const facts = await factsOf(rows, projectId, site.position, scopes)
      const fields = { ...wrong, ...refuseActions(draft, facts), ...refuseTiming(draft, facts) }
      if (Object.keys(fields).length > 0) throw wrongFields(fields)
      // Progress that was made towards the old conditions does not count for the new ones.
      if (before) await rows.forgetConditions(before)
    },
    answer: (row: WholeScene) => row,
  })
  /** Returns the site of the project, and an error message if the calendar does not exist for it. */
  async function standing(
    db: Db,
    { calendarId }: { calendarId: string | null },
    projectId: number,
  ) {
    const almanac = openAlmanac(db, Date.now(), Date.now())
    const row = await almanac.calendarRow({ calendarId, projectId })
    const wrong: Record<string, string> =
      calendarId && !(row?.id === calendarId && isCalendarFor(projectId, row))
        ? { calendarId: '所选日历不存在或已被删除' }
        : {}
    return { site: await almanac.site({ calendarId, projectId }), wrong }
  }
  const many = manyRows<WholeScene | (SceneRow & { actions?: undefined })>(app, {
    name: 'scene',
    title,
    about,
    queriesOf: sceneQueries,
  })
  const afterwards = async <T>(work: Promise<T>) => {
    const answer = await work
    await conditions.reload()
    return answer
  }

  async function countDevices(projectId: number, sceneIds: string[]) {
    const [actions, spaces, devices] = await Promise.all([
      queries.actions(projectId, sceneIds),
      queries.spaces(projectId),
      queries.devices(projectId),
    ])
    const groups = await queries.groups(
      projectId,
      actions.map(({ scope }) => scope),
    )
    const tree = treeOf(spaces)
    const touches = ({ scope, productType }: (typeof actions)[number]) => {
      const inside = scope.kind === 'space' ? tree.within(scope.spaceId) : undefined
      const named =
        scope.kind === 'devices'
          ? new Set(scope.deviceIds)
          : scope.kind === 'group'
            ? (groups.get(scope.groupId) ?? new Set<string>())
            : undefined
      return devices.filter(
        (one) =>
          one.productType === productType &&
          (inside?.has(one.spaceId ?? '') ?? true) &&
          (named?.has(one.id) ?? true),
      )
    }
    return new Map(
      sceneIds.map((id) => [
        id,
        new Set(
          actions
            .filter(({ sceneId }) => sceneId === id)
            .flatMap((action) => touches(action).map((one) => one.id)),
        ).size,
      ]),
    )
  }

  /** Returns the last run of each scene with the number of devices that failed. */
  async function lastRunsOf(ids: string[]) {
    const runs = ids.length > 0 ? await queries.lastRuns(ids) : []
    const tasks = await app.control.tasksOf(runs.flatMap(({ taskIds }) => taskIds))
    return new Map<string, SceneButton['lastRun']>(
      runs.map(({ sceneId, cause, status, reason, createTime, dueTime, taskIds }) => [
        sceneId,
        {
          cause,
          status,
          reason,
          time: dueTime ?? createTime,
          failed: taskIds.reduce((sum, id) => sum + failedOf(tasks.get(id)?.counts), 0),
        },
      ]),
    )
  }

  serve(app, sceneApi, {
    async page({ projectId, pageNo, pageSize }, context) {
      mustView(context, projectId)
      const scope = projectId === undefined ? context.projectScope : [projectId]
      const { list, ...rest } = await queries.page(scope, { pageNo, pageSize })
      const counts = new Map<string, number>()
      for (const project of new Set(list.map((one) => one.projectId))) {
        const ids = list.filter((one) => one.projectId === project).map((one) => one.id)
        for (const [id, count] of await countDevices(project, ids)) counts.set(id, count)
      }
      const last = await lastRunsOf(list.map(({ id }) => id))
      const silent = list.filter(({ silenceMinutes }) => silenceMinutes > 0)
      const lastTimes = await queries.lastTimes(silent.map(({ id }) => id))
      const from = Date.now()
      const to = from + previewDays * day
      const almanac = openAlmanac(app.db, from, to)
      const held = new Map<number, string>()
      for (const id of new Set(list.map((one) => one.projectId)))
        held.set(id, (await refusedByProject(app.db, id, 'schedule')) ?? '')
      const nextOf = async (scene: SceneRow) => {
        if (scene.status === 'disabled' || !isTimed(scene) || held.get(scene.projectId)) return null
        const due = dueTimes(
          scene,
          await almanac.calendar(scene),
          await almanac.site(scene),
          from,
          to,
          lastTimes.get(scene.id),
        )
        for (const { runs, at, reason } of due)
          if (runs) return { time: new Date(at).toISOString(), reason }
        return null
      }
      const withoutSun = async (scene: SceneRow) =>
        scene.triggers.some((one) => one.kind === 'sun' && !one.position) &&
        !(await almanac.site(scene)).position
          ? '项目没有设置经纬度，日出日落不触发'
          : ''
      const asked = await askedDevices(
        app.db,
        list.map(({ projectId }) => projectId),
        list.flatMap(({ triggers }) => triggers),
      )
      const buttons: SceneButton[] = []
      for (const scene of list)
        buttons.push({
          ...scene,
          deviceCount: counts.get(scene.id) ?? 0,
          triggerTexts: scene.triggers.map((one) => wordsOfTrigger(one, asked)),
          isTimed: isTimed(scene),
          held: held.get(scene.projectId) || (await withoutSun(scene)),
          deadCondition: await findDeadCondition(app.db, scene.projectId, scene.triggers),
          lastRun: last.get(scene.id) ?? null,
          nextRun: await nextOf(scene),
        })
      return { ...rest, list: buttons }
    },
    get: ({ id }, context) => mine(id, context),
    async create(draft, context) {
      mustView(context, draft.projectId)
      if (!(await queries.project(draft.projectId))) throw missing('项目')
      return afterwards(saved.create(draft, context))
    },
    async update(change, context) {
      await mine(change.id, context)
      return afterwards(saved.update(change, context))
    },
    async setStatus(asked, context) {
      const rows = await queries.many(asked.ids)
      if (rows.some(({ projectId }) => !context.seesProject(projectId))) throw missing(title)
      for (const row of rows) await queries.forgetConditions(row)
      return afterwards(many.setStatus(asked, context))
    },
    async remove({ id }, context) {
      await mine(id, context)
      return afterwards(many.remove({ id }, context))
    },

    async types({ projectId }, context) {
      mustView(context, projectId)
      const { devices, models, types } = await factsOf(queries, projectId, null)
      const codes = [...new Set(devices.map(({ productType }) => productType))]
      return codes.flatMap((code) => {
        const products = new Set(
          devices.flatMap((one) => (one.productType === code ? one.productId : [])),
        )
        const known = [...products].flatMap((id) => models.get(id)!.properties)
        const properties = [...new Map(known.map((one) => [one.identifier, one])).values()]
        const name = types.get(code) ?? code
        return properties.length > 0 ? { code, name, properties } : []
      })
    },
    async devices({ projectId, ids, text = '', productType }, context) {
      mustView(context, projectId)
      const wanted = ids && new Set(ids)
      const found = (await queries.able(projectId)).filter(
        (one) =>
          (wanted ? wanted.has(one.id) : one.name.includes(text.trim())) &&
          (productType ?? one.productType) === one.productType,
      )
      return wanted ? found : found.slice(0, 50)
    },
    async capture({ projectId, scope, productType }, context) {
      mustView(context, projectId)
      const facts = await factsOf(queries, projectId, null, [scope])
      const devices = devicesIn(facts, scope, productType)
      if (!devices) throw wrongField('scope', '所选范围或设备不存在或已被删除')
      await app.devices.states.flush()
      const ids = devices.map(({ id }) => id)
      const live = new Map(
        (ids.length > 0 ? await queries.live(projectId, ids) : []).map((one) => [one.id, one]),
      )
      return capture(
        devices.map((device) => ({
          ...device,
          ...live.get(device.id)!,
          model: facts.models.get(device.productId)!,
        })),
        scope,
        productType,
      )
    },
    async preview({ projectId, id, ...timing }, context) {
      mustView(context, projectId)
      if (id) await mine(id, context)
      await projectOf(app.db, projectId)
      const { site, wrong } = await standing(app.db, timing, projectId)
      const timers = timing.triggers.map((trigger) =>
        // Conditions depend on future device reports, so they cannot be previewed.
        trigger.kind === 'condition' ? { ...trigger, conditions: [] } : trigger,
      )
      const nothing = {
        devices: [],
        spaces: [],
        models: new Map(),
        types: new Map(),
        groups: new Map(),
        position: site.position,
      }
      const fields = { ...wrong, ...refuseTiming({ ...timing, triggers: timers }, nothing) }
      if (Object.keys(fields).length > 0) throw wrongFields(fields)
      const from = Date.now()
      const to = from + previewDays * day
      const almanac = openAlmanac(app.db, from, to)
      const calendar = await almanac.calendar({ ...timing, projectId })
      const list: Moment[] = []
      const last = id ? (await queries.lastTimes([id])).get(id) : undefined
      for (const due of dueTimes(timing, calendar, site, from, to, last))
        if (list.push(due) > mostPreviewed) break
      const years = [
        ...new Set([from, to].map((at) => Number(toZonedDate(at, site.timeZone).slice(0, 4)))),
      ]
      return {
        list: list.slice(0, mostPreviewed),
        held: (await refusedByProject(app.db, projectId, 'schedule')) ?? '',
        more: list.length > mostPreviewed,
        unpublished: years.filter((year) => timing.dayMode !== 'ignore' && !isPublished(year)),
      }
    },
    async runs({ id, pageNo, pageSize }, context) {
      const { projectId } = await mine(id, context)
      const { list, ...rest } = await queries.runs(projectId, id, { pageNo, pageSize })
      const tasks = await app.control.tasksOf(list.flatMap(({ taskIds }) => taskIds))
      return {
        ...rest,
        list: list.map((run) => ({
          ...run,
          tasks: run.taskIds.flatMap((taskId) => tasks.get(taskId) ?? []),
        })),
      }
    },
    effects: ({ id }, { projectScope }) =>
      calendarEffects(app.db, id, projectScope, Date.now(), Date.now() + previewDays * day),
  })
}

const failedOf = (counts: Record<string, number> = {}) =>
  (counts.failed ?? 0) + (counts.timeout ?? 0) + (counts.unknown ?? 0)

const isTimed = ({ triggers }: Pick<SceneRow, 'triggers'>) =>
  triggers.some(({ kind }) => kind !== 'condition')
