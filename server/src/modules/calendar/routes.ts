import {
  Calendar,
  calendarApi,
  CalendarDraft,
  holidayApi,
  isCalendarFor,
  type ImportChange,
} from '@iot/shared/contract/calendar'
import {
  datesBetween,
  dayTypeText,
  isOffBy,
  weekendModeText,
  type SpecialDay,
  type WeekendMode,
} from '@iot/shared/contract/calendarDay'
import { platformOnly } from '@iot/shared/contract/ownership'
import { refuseParent, treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { changedSince, found, missing, refused, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { mustOwn } from '../../core/serve/ownership'
import { serve } from '../../core/serve/serve'
import { mustBeFree } from '../../core/serve/unique'
import { calendar as table } from '../../tables/calendar'
import { around, importChanges } from './importYear'
import { publishedBetween, isPublished } from './published'
import { calendarQueries, toStored } from './queries'

const levels = 5
const title = '日历'
type Day = Pick<SpecialDay, 'date' | 'type' | 'name'>
const textOf = ({ date, type, name }: Day) => [date, dayTypeText[type], name].join(' ').trim()
const Days = z.object({ days: z.array(z.string()).meta({ title: '日期设置' }) })
const aboutDays = changeOf('节假日', Days)
/** Returns the audit log entries for a change of many days, oldest day first. */
const days = (list: Day[]) => ({
  days: list.sort((one, other) => (one.date < other.date ? -1 : 1)).map(textOf),
})

function mustBeAsSeen(
  days: (Day & { version: number; updateBy: string })[],
  seen: Record<string, number>,
) {
  const changed = days.find(({ date, version }) => (seen[date] ?? 0) !== version)
  if (changed) throw refused(`${textOf(changed)}刚由 ${changed.updateBy} 设置，请看过再改`)
}

/** A calendar of a project that the user cannot see is reported as "not found". */
function mustSee(row: Calendar | undefined, { seesProject }: Context) {
  if (row?.projectId && !seesProject(row.projectId)) throw missing(title)
  return found(row, title)
}

function mustChange(row: Calendar | undefined, context: Context) {
  const { name, projectId } = mustSee(row, context)
  mustOwn(context, projectId === null ? [] : [projectId], `日历“${name}”`)
  return row!
}

async function mustChooseProject(
  rows: ReturnType<typeof calendarQueries>,
  { projectId }: CalendarDraft,
  { projectScope, seesProject }: Context,
) {
  if (projectId === null && projectScope !== 'all')
    throw wrongField('projectId', `全部项目共用的日历${platformOnly}，请选择项目`)
  if (projectId !== null && !(seesProject(projectId) && (await rows.projectExists(projectId))))
    throw wrongField('projectId', '所选项目不存在')
}

export function calendarRoutes(app: FastifyInstance) {
  const queries = calendarQueries(app.db)
  app.uniques.add('calendar', table, Calendar, calendarApi.page)
  app.references.add('calendar', (db, ids) => calendarQueries(db).ofParents(ids))

  type Rows = ReturnType<typeof calendarQueries>
  /** Asserts that the new parent causes no cycle, and adds the parent's name for the audit log. */
  async function placed(
    rows: Rows,
    { parentId, projectId }: Pick<Calendar, 'parentId' | 'projectId'>,
    id?: string,
  ) {
    const all = (await rows.all()).filter((one) => isCalendarFor(projectId, one))
    const why = refuseParent(treeOf(all), parentId, id, levels)
    if (why) throw wrongField('parentId', why)
    const names = new Map(all.map((one) => [one.id, one.name]))
    return changeOf(title, CalendarDraft, {
      weekendMode: (mode) => weekendModeText[mode as WeekendMode],
      parentId: (above) => names.get(above as string) ?? '',
    })
  }

  serve(app, calendarApi, {
    page: (query, { projectScope }) => queries.page(query, projectScope),
    list: (_, { projectScope }) => queries.seen(projectScope),
    create: (draft, context) =>
      context.write(calendarQueries, async (rows, note, tx) => {
        await mustChooseProject(rows, draft, context)
        const about = await placed(rows, draft)
        await mustBeFree(tx, table, Calendar, toStored(draft))
        const row = await rows.insert(draft, context.user.username)
        note(about(row, { after: row }))
        return row
      }),
    update: (change, context) =>
      context.write(calendarQueries, async (rows, note, tx) => {
        const before = mustChange(await rows.get(change.id), context)
        if (change.projectId !== before.projectId)
          throw wrongField('projectId', '所属项目创建后不能修改')
        if (change.code !== before.code) throw wrongField('code', '日历编码创建后不能修改')
        const about = await placed(rows, change, change.id)
        await mustBeFree(tx, table, Calendar, toStored(change))
        const after = await rows.update(change, context.user.username)
        if (!after) throw changedSince(found(await rows.get(change.id), title))
        note(about(after, { before, after }))
        return after
      }),
    remove: ({ id }, context) =>
      context.write(calendarQueries, async (rows, note, tx) => {
        const row = mustChange(await rows.get(id), context)
        if (row.builtin) throw refused('内置日历不能删除')
        await app.references.mustBeFree(tx, 'calendar', id, `日历“${row.name}”`, context)
        await rows.remove([id])
        note(changeOf(title, CalendarDraft)(row, { before: row }))
        return null
      }),
  })

  const preview = async (rows: Rows, id: string, year: number): Promise<ImportChange[]> =>
    importChanges(await rows.ownDays(id, around(year)), year)

  serve(app, holidayApi, {
    async year({ id, year }, context) {
      const list = await queries.year(mustSee(await queries.get(id), context), year)
      const known = new Map(list.map((day) => [day.date, day]))
      const published = publishedBetween(`${year}-01-01`, `${year}-12-31`)
      return {
        published: isPublished(year),
        missing: published.filter(({ date }) => known.get(date)?.source === 'week').length,
        days: list,
      }
    },
    set: ({ id, from, to, type, name, isOff, seen }, context) =>
      context.write(calendarQueries, async (rows, note) => {
        // The lock serialises two users who set days of the same calendar.
        const calendar = mustChange(await rows.lock(id), context)
        const before = await rows.ownDays(id, { from, to })
        mustBeAsSeen(before, seen)
        const after = datesBetween(from, to).map((date) => ({
          date,
          type,
          name,
          isOff: isOffBy(type, isOff),
          source: 'manual' as const,
        }))
        await rows.setDays(id, after, context.user.username)
        note(aboutDays(calendar, { before: days(before), after: days(after) }))
        return null
      }),
    clear: ({ id, seen }, context) =>
      context.write(calendarQueries, async (rows, note) => {
        const calendar = mustChange(await rows.lock(id), context)
        const dates = Object.keys(seen)
        mustBeAsSeen(await rows.theseDays(id, dates), seen)
        const gone = await rows.clearDays(id, dates)
        if (gone.length > 0) note(aboutDays(calendar, { before: days(gone) }))
        return null
      }),
    preview: async ({ id, year }, context) => {
      mustSee(await queries.get(id), context)
      return preview(queries, id, year)
    },
    importYear: ({ id, year }, context) =>
      context.write(calendarQueries, async (rows, note) => {
        if (!isPublished(year)) throw refused(`${year} 年的放假安排尚未发布`)
        const calendar = mustChange(await rows.lock(id), context)
        const all = await preview(rows, id, year)
        const changes = all.filter(({ isKept }) => !isKept)
        const wanted = new Set(changes.filter(({ after }) => after).map(({ date }) => date))
        const { from, to } = around(year)
        const gone = changes.filter(({ after }) => !after).map(({ date }) => date)
        const set = publishedBetween(from, to).filter(({ date }) => wanted.has(date))
        await rows.setDays(id, set, context.user.username)
        await rows.clearDays(id, gone)
        const before = changes.flatMap(({ date, before }) => (before ? [{ date, ...before }] : []))
        note(aboutDays(calendar, { before: days(before), after: days([...set]) }))
        return { changed: changes.length, kept: all.length - changes.length }
      }),
  })
}
