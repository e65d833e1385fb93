import { canUseCalendar } from '@iot/shared/contract/project/calendar'
import {
  Calendar,
  CalendarDraft,
  type ImportChange,
  calendarSchemas,
  holidaySchemas,
} from '@iot/shared/contract/project/calendar.schema'
import { calendarApi, holidayApi } from '@iot/shared/contract/project/calendar.api'
import {
  datesBetween,
  dayTypeText,
  isDayOff,
  weekendModeText,
  type SpecialDay,
  type WeekendMode,
} from '@iot/shared/contract/project/calendarDay'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'
import { refuseParent, createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  createConflictRefusal,
  requireRow,
  createMissingRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber, type Change } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { assertOwnsProjects } from '../../core/http/ownership'
import { serve } from '../../core/http/serve'
import { assertUnique } from '../../core/http/uniqueness'
import { calendar as table } from '../../tables/calendar'
import { getFileChanges, getNoticeRange, getImportChanges, toSpecialDays } from './importYear'
import { getPublishedDays, isPublished } from './publishedHolidays'
import { calendarQueries, toTableRow } from './queries'

const maxDepth = 5
const title = '日历'
type Rows = ReturnType<typeof calendarQueries>
type Day = Pick<SpecialDay, 'date' | 'type' | 'name'>
const formatDay = ({ date, type, name }: Day) => [date, dayTypeText[type], name].join(' ').trim()
const Days = z.object({ days: z.array(z.string()).meta({ title: '日期设置' }) })
const toDaysAuditEntry = createChangeDescriber('节假日', Days)
/** Returns the audit log entries for a change of many days, oldest day first. */
const toAuditValues = (list: Day[]) => ({
  days: list.sort((a, b) => (a.date < b.date ? -1 : 1)).map(formatDay),
})

async function assertDaysUnchanged(
  { nameAuthors }: Pick<Rows, 'nameAuthors'>,
  days: (Day & { version: number; updateBy: string })[],
  seenVersions: Record<string, number>,
) {
  const changedDay = days.find(({ date, version }) => (seenVersions[date] ?? 0) !== version)
  if (!changedDay) return
  const [day] = await nameAuthors([changedDay])
  throw createRefusal(`${formatDay(changedDay)}刚由 ${day!.updateBy} 设置，请看过再改`)
}

/** A calendar of a project that the user cannot see is reported as "not found". */
function assertVisible(row: Calendar | undefined, { seesProject }: Context) {
  if (row?.projectId && !seesProject(row.projectId)) throw createMissingRefusal(title)
  return requireRow(row, title)
}

function assertCanChange(row: Calendar | undefined, context: Context) {
  const { name, projectId } = assertVisible(row, context)
  assertOwnsProjects(context, projectId === null ? [] : [projectId], `日历“${name}”`)
  return row!
}

async function assertProjectIsAllowed(
  queries: Rows,
  { projectId }: CalendarDraft,
  { projectScope, seesProject }: Context,
) {
  if (projectId === null && projectScope !== 'all')
    throw createFieldRefusal('projectId', `全部项目共用的日历${platformOnlyReason}，请选择项目`)
  if (projectId !== null && !(seesProject(projectId) && (await queries.projectExists(projectId))))
    throw createFieldRefusal('projectId', '所选项目不存在')
}

/** Asserts that the new parent causes no cycle, and adds the parent's name for the audit log. */
async function checkParent(
  rows: Rows,
  { parentId, projectId }: Pick<Calendar, 'parentId' | 'projectId'>,
  id?: string,
) {
  const candidates = (await rows.listAll()).filter((candidate) =>
    canUseCalendar(projectId, candidate),
  )
  const refusalReason = refuseParent(createTree(candidates), parentId, id, maxDepth)
  if (refusalReason) throw createFieldRefusal('parentId', refusalReason)
  const nameById = new Map(candidates.map((candidate) => [candidate.id, candidate.name]))
  return createChangeDescriber(title, CalendarDraft, {
    weekendMode: (mode) => weekendModeText[mode as WeekendMode],
    parentId: (parentId) => nameById.get(parentId as string) ?? '',
  })
}

export function calendarRoutes(app: FastifyInstance) {
  const queries = calendarQueries(app.db)
  app.uniques.add('calendar', table, Calendar, calendarApi.page)
  app.references.add('calendar', (db, ids) => calendarQueries(db).listChildCalendars(ids))

  serve(app, calendarApi, calendarSchemas, {
    page: (query, { projectScope }) => queries.page(query, projectScope),
    list: (_, { projectScope }) => queries.listVisible(projectScope),
    create: (draft, context) =>
      context.write(calendarQueries, async (rows, recordAudit, tx) => {
        await assertProjectIsAllowed(rows, draft, context)
        const toAuditEntry = await checkParent(rows, draft)
        await assertUnique(tx, table, Calendar, toTableRow(draft))
        const row = await rows.insert(draft, context.user.username)
        recordAudit(toAuditEntry(row, { after: row }))
        return row
      }),
    update: (change, context) =>
      context.write(calendarQueries, async (rows, recordAudit, tx) => {
        const previousRow = assertCanChange(await rows.get(change.id), context)
        if (change.projectId !== previousRow.projectId)
          throw createFieldRefusal('projectId', '所属项目创建后不能修改')
        if (change.code !== previousRow.code)
          throw createFieldRefusal('code', '日历编码创建后不能修改')
        const toAuditEntry = await checkParent(rows, change, change.id)
        await assertUnique(tx, table, Calendar, toTableRow(change))
        const after = await rows.update(change, context.user.username)
        if (!after) throw createConflictRefusal(requireRow(await rows.get(change.id), title))
        recordAudit(toAuditEntry(after, { before: previousRow, after }))
        return after
      }),
    remove: ({ id }, context) =>
      context.write(calendarQueries, async (rows, recordAudit, tx) => {
        const row = assertCanChange(await rows.get(id), context)
        if (row.builtin) throw createRefusal('内置日历不能删除')
        await app.references.assertNotReferenced(tx, 'calendar', id, `日历“${row.name}”`, context)
        await rows.remove([id])
        recordAudit(createChangeDescriber(title, CalendarDraft)(row, { before: row }))
        return null
      }),
  })
  serveHolidays(app, queries)
}

const previewImport = async (rows: Rows, id: string, year: number): Promise<ImportChange[]> =>
  getImportChanges(await rows.findOwnDays(id, getNoticeRange(year)), year)

const previewFile = async (rows: Rows, id: string, days: SpecialDay[]): Promise<ImportChange[]> => {
  const dates = days.map(({ date }) => date)
  return getFileChanges(await rows.findDaysByDate(id, dates), days)
}

type DaysImport = {
  calendar: Calendar
  changes: ImportChange[]
  newDays: SpecialDay[]
  /** Versions of the days of the preview, by date. */
  seenVersions: Record<string, number>
  actor: string
}

/** Returns the days that somebody changed since the preview, each with the reason why it is not imported. */
async function listChangedDays(
  rows: Rows,
  { calendar, changes, seenVersions }: Pick<DaysImport, 'calendar' | 'changes' | 'seenVersions'>,
) {
  const changedDates = changes.flatMap(({ date, version }) =>
    seenVersions[date] === version ? [] : [date],
  )
  const days = await rows.nameAuthors(await rows.findDaysByDate(calendar.id, changedDates))
  const dayByDate = new Map(days.map((day) => [day.date, day]))
  return changedDates.map((date) => {
    const day = dayByDate.get(date)
    const reason = day
      ? `预览以后由 ${day.updateBy} 设置为${formatDay({ ...day, date: '' })}，请看过再导入`
      : '预览以后被人恢复，请看过再导入'
    return { date, reason }
  })
}

/** Stores the changes of an import apart from the days that a user set by hand or changed since the preview. */
async function storeImport(
  rows: Rows,
  recordAudit: (change: Change) => void,
  { calendar, changes: allChanges, newDays, seenVersions, actor }: DaysImport,
) {
  const refusedDays = await listChangedDays(rows, { calendar, changes: allChanges, seenVersions })
  const refusedDates = new Set(refusedDays.map(({ date }) => date))
  const previewedChanges = allChanges.filter(({ date }) => !refusedDates.has(date))
  const changes = previewedChanges.filter(({ isKept }) => !isKept)
  const datesToSet = new Set(changes.filter(({ after }) => after).map(({ date }) => date))
  const daysToSet = newDays.filter(({ date }) => datesToSet.has(date))
  const datesToClear = changes.filter(({ after }) => !after).map(({ date }) => date)
  await rows.setDays(calendar.id, daysToSet, actor)
  await rows.clearDays(calendar.id, datesToClear)
  const previousDays = changes.flatMap(({ date, before }) => (before ? [{ date, ...before }] : []))
  recordAudit(
    toDaysAuditEntry(calendar, {
      before: toAuditValues(previousDays),
      after: toAuditValues([...daysToSet]),
    }),
  )
  return {
    changed: changes.length,
    kept: previewedChanges.length - changes.length,
    refused: refusedDays,
  }
}

function serveHolidays(app: FastifyInstance, queries: Rows) {
  serve(app, holidayApi, holidaySchemas, {
    async year({ id, year }, context) {
      const list = await queries.listYear(assertVisible(await queries.get(id), context), year)
      const dayByDate = new Map(list.map((day) => [day.date, day]))
      const publishedDays = getPublishedDays(`${year}-01-01`, `${year}-12-31`)
      return {
        published: isPublished(year),
        missing: publishedDays.filter(({ date }) => dayByDate.get(date)?.source === 'week').length,
        days: await queries.nameAuthors(list),
      }
    },
    set: ({ id, from, to, type, name, isOff, seen: seenVersions }, context) =>
      context.write(calendarQueries, async (rows, recordAudit) => {
        // The lock serialises two users who set days of the same calendar.
        const calendar = assertCanChange(await rows.lock(id), context)
        const previousDays = await rows.findOwnDays(id, { from, to })
        await assertDaysUnchanged(rows, previousDays, seenVersions)
        const nextDays = datesBetween(from, to).map((date) => ({
          date,
          type,
          name,
          isOff: isDayOff(type, isOff),
          source: 'manual' as const,
        }))
        await rows.setDays(id, nextDays, context.user.username)
        recordAudit(
          toDaysAuditEntry(calendar, {
            before: toAuditValues(previousDays),
            after: toAuditValues(nextDays),
          }),
        )
        return null
      }),
    clear: ({ id, seen: seenVersions }, context) =>
      context.write(calendarQueries, async (rows, recordAudit) => {
        const calendar = assertCanChange(await rows.lock(id), context)
        const dates = Object.keys(seenVersions)
        await assertDaysUnchanged(rows, await rows.findDaysByDate(id, dates), seenVersions)
        const clearedDays = await rows.clearDays(id, dates)
        if (clearedDays.length > 0)
          recordAudit(toDaysAuditEntry(calendar, { before: toAuditValues(clearedDays) }))
        return null
      }),
    preview: async ({ id, year }, context) => {
      assertVisible(await queries.get(id), context)
      return previewImport(queries, id, year)
    },
    importYear: ({ id, year, seen: seenVersions }, context) =>
      context.write(calendarQueries, async (rows, recordAudit) => {
        if (!isPublished(year)) throw createRefusal(`本版本没有 ${year} 年的放假安排`)
        const calendar = assertCanChange(await rows.lock(id), context)
        const { from, to } = getNoticeRange(year)
        const changes = await previewImport(rows, id, year)
        return storeImport(rows, recordAudit, {
          calendar,
          changes,
          newDays: getPublishedDays(from, to),
          seenVersions,
          actor: context.user.username,
        })
      }),
    previewFile: async ({ id, days }, context) => {
      assertVisible(await queries.get(id), context)
      return previewFile(queries, id, toSpecialDays(days))
    },
    importFile: ({ id, days, seen: seenVersions }, context) =>
      context.write(calendarQueries, async (rows, recordAudit) => {
        const calendar = assertCanChange(await rows.lock(id), context)
        const newDays = toSpecialDays(days)
        const changes = await previewFile(rows, id, newDays)
        return storeImport(rows, recordAudit, {
          calendar,
          changes,
          newDays,
          seenVersions,
          actor: context.user.username,
        })
      }),
  })
}
