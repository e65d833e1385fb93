import { maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import {
  MaintenanceWindowDraft,
  maintenanceWindowSchemas,
  maxRecurrenceDays,
  maxWindowDays,
  type MaintenanceWindowRow,
} from '@iot/shared/contract/alarm/incident.schema'
import { dayMs } from '@iot/shared/contract/duration'
import { findWindowEnd, hasOccurrence } from '@iot/shared/contract/alarm/maintenanceWindow'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { nameAuthors } from '../../core/db/personNames'
import { whereEquals } from '../../core/db/rows'
import { findTimeZone } from '../../core/db/timeZone'
import { versionedQueries } from '../../core/db/versionedQueries'
import {
  createConflictRefusal,
  createFieldRefusal,
  createMissingRefusal,
  requireRow,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { alarmState, maintenanceWindow as table } from '../../tables/alarm'
import { project } from '../../tables/project'
import { space } from '../../tables/space'
import { assertCanView, assertProjectExists } from '../device/policy/scope'

const title = '维护窗口'
type WindowRow = typeof table.$inferSelect

const windowQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    db,
    async page(
      { projectId, status, ...query }: z.output<typeof maintenanceWindowSchemas.page.input>,
      scope: 'all' | number[],
    ) {
      const filter = and(
        scope === 'all' ? undefined : inArray(table.projectId, scope),
        whereEquals(table.projectId, projectId),
        status === 'current'
          ? sql`${table.endTime} > now()`
          : status === 'ended'
            ? sql`${table.endTime} <= now()`
            : undefined,
      )
      const { list, ...count } = await rows.list(filter, query, '-startTime')
      return { ...count, list: await this.addNames(list) }
    },
    async addNames(list: WindowRow[]): Promise<MaintenanceWindowRow[]> {
      if (list.length === 0) return []
      const projectIds = [...new Set(list.map(({ projectId }) => projectId))]
      const projects = await db
        .select({ id: project.projectId, name: project.name })
        .from(project)
        .where(inArray(project.projectId, projectIds))
      const spaces = await db
        .select({ id: space.id, parentId: space.parentId, name: space.name })
        .from(space)
        .where(inArray(space.projectId, projectIds))
      const heldCounts = await db
        .select({ windowId: alarmState.windowId, count: sql<number>`count(*)::int` })
        .from(alarmState)
        .where(
          inArray(
            alarmState.windowId,
            list.map(({ id }) => id),
          ),
        )
        .groupBy(alarmState.windowId)
      const tree = createTree(spaces)
      return (await nameAuthors(db, list, 'createBy')).map((row) => ({
        ...row,
        projectName: projects.find(({ id }) => id === row.projectId)?.name ?? '',
        place: row.spaceId ? formatTreePath(tree, row.spaceId) : '整个项目',
        heldCount: heldCounts.find(({ windowId }) => windowId === row.id)?.count ?? 0,
      }))
    },
    async listCurrent(projectId: number) {
      const rows = await db
        .select()
        .from(table)
        .where(
          and(
            eq(table.projectId, projectId),
            sql`${table.startTime} <= now() and ${table.endTime} > now()`,
          ),
        )
      const [timeZone, nowMs] = [await findTimeZone(db, projectId), Date.now()]
      const ends = new Map(rows.map((row) => [row.id, findWindowEnd(row, nowMs, timeZone)]))
      const list = await this.addNames(rows.filter(({ id }) => ends.get(id) !== undefined))
      return list
        .map((row) => ({ ...row, until: new Date(ends.get(row.id)!).toISOString() }))
        .sort((a, b) => a.until.localeCompare(b.until) || a.id.localeCompare(b.id))
    },
    projectExists: async (projectId: number) =>
      (await db.$count(project, eq(project.projectId, projectId))) > 0,
    spaceExists: async (projectId: number, id: string) =>
      (await db.$count(space, and(eq(space.projectId, projectId), eq(space.id, id)))) > 0,
    listUsingSpaces: (ids: string[]) =>
      db
        .select({
          to: sql<string>`${table.spaceId}`,
          id: table.id,
          name: table.name,
          entity: sql<string>`'维护窗口'`,
          projectId: table.projectId,
        })
        .from(table)
        .where(and(inArray(table.spaceId, ids), sql`${table.endTime} > now()`))
        .orderBy(table.id),
  }
}
type WindowQueries = ReturnType<typeof windowQueries>
const toAuditEntry = createChangeDescriber(title, MaintenanceWindowDraft)

function assertVisible(row: WindowRow | undefined, { seesProject }: Context) {
  if (row && !seesProject(row.projectId)) throw createMissingRefusal(title)
  return requireRow(row, title)
}

async function checkDraft(rows: WindowQueries, draft: MaintenanceWindowDraft, context: Context) {
  const { projectId, spaceId } = draft
  if (!(context.seesProject(projectId) && (await rows.projectExists(projectId))))
    throw createFieldRefusal('projectId', '所选项目不存在')
  if (spaceId && !(await rows.spaceExists(projectId, spaceId)))
    throw createFieldRefusal('spaceId', '所选位置不存在')
  checkTimes(draft, await findTimeZone(rows.db, projectId))
}

function checkTimes(draft: MaintenanceWindowDraft, timeZone: string) {
  const { startTime, endTime, weekdays, fromClock, toClock } = draft
  const lengthMs = Date.parse(endTime) - Date.parse(startTime)
  if (lengthMs <= 0) throw createFieldRefusal('endTime', '结束须晚于开始')
  if (weekdays.length === 0) {
    if (fromClock || toClock) throw createFieldRefusal('weekdays', '填了每次的时间，请选择星期')
    if (lengthMs > maxWindowDays * dayMs)
      throw createFieldRefusal('endTime', `维护窗口最长 ${maxWindowDays} 天`)
    return
  }
  if (!fromClock) throw createFieldRefusal('fromClock', '请输入每次从几点开始')
  if (!toClock) throw createFieldRefusal('toClock', '请输入每次到几点结束')
  if (fromClock === toClock) throw createFieldRefusal('toClock', '结束的时间不能等于开始的时间')
  if (lengthMs > maxRecurrenceDays * dayMs)
    throw createFieldRefusal('endTime', '每周重复的维护窗口最长一年')
  if (!hasOccurrence(draft, timeZone))
    throw createFieldRefusal('weekdays', '从开始到结束没有这几天，窗口不会生效')
}

export function maintenanceWindowRoutes(app: FastifyInstance) {
  const queries = windowQueries(app.db)
  app.references.add('space', (db, ids) => windowQueries(db).listUsingSpaces(ids))
  const answer = async (rows: WindowQueries, row: WindowRow) => (await rows.addNames([row]))[0]!

  serve(app, maintenanceWindowApi, maintenanceWindowSchemas, {
    page: (query, { projectScope }) => queries.page(query, projectScope),
    async current({ projectId }, context) {
      assertCanView(context, projectId)
      await assertProjectExists(app.db, projectId)
      return queries.listCurrent(projectId)
    },
    create: (draft, context) =>
      context.write(windowQueries, async (rows, recordAudit) => {
        await checkDraft(rows, draft, context)
        if (Date.parse(draft.endTime) <= Date.now())
          throw createFieldRefusal('endTime', '结束须在现在之后')
        const row = await rows.insert(draft, context.user.username)
        recordAudit(toAuditEntry(row, { after: row }))
        return answer(rows, row)
      }),
    update: (change, context) =>
      context.write(windowQueries, async (rows, recordAudit) => {
        const previousRow = assertVisible(await rows.get(change.id), context)
        await checkDraft(rows, change, context)
        const row = await rows.update(change, context.user.username)
        if (!row)
          throw createConflictRefusal(
            await answer(rows, requireRow(await rows.get(change.id), title)),
          )
        recordAudit(toAuditEntry(row, { before: previousRow, after: row }))
        return answer(rows, row)
      }),
    remove: ({ id }, context) =>
      context.write(windowQueries, async (rows, recordAudit) => {
        const row = assertVisible(await rows.get(id), context)
        await rows.remove([id])
        recordAudit(toAuditEntry(row, { before: row }))
        return null
      }),
  })
}
