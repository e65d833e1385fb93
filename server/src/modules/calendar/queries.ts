import {
  getWeekDayType,
  listDatesInYear,
  isDayOff,
  type SpecialDay,
} from '@iot/shared/contract/project/calendarDay'
import type {
  Calendar,
  CalendarDay,
  CalendarDraft,
  calendarSchemas,
} from '@iot/shared/contract/project/calendar.schema'
import { createTree } from '@iot/shared/contract/tree'
import { and, between, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { nameAuthors } from '../../core/db/personNames'
import { buildUpdateColumns } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { calendar, calendarDay } from '../../tables/calendar'
import { project } from '../../tables/project'

type DateRange = { from: string; to: string }
type CalendarRow = typeof calendar.$inferSelect
type CalendarInsert = Parameters<ReturnType<typeof versionedQueries<typeof calendar>>['insert']>[0]

/** The project id of a shared calendar is null in the contract and 0 in the table. */
const toContractRow = <R extends Pick<CalendarRow, 'projectId'>>(row: R) => ({
  ...row,
  projectId: row.projectId || null,
})
export const toTableRow = <D extends { projectId: number | null }>(draft: D) => ({
  ...draft,
  projectId: draft.projectId ?? 0,
})
const whereVisibleIn = (scope: 'all' | number[]) =>
  scope === 'all' ? undefined : inArray(calendar.projectId, [0, ...scope])

const calendarRowQueries = (db: Db) => {
  const rows = versionedQueries(db, calendar)
  return {
    remove: rows.remove,
    get: async (id: string) => {
      const row = await rows.get(id)
      return row && toContractRow(row)
    },
    insert: async (
      draft: Omit<CalendarInsert, 'projectId'> & { projectId: number | null },
      actor: string,
    ) => toContractRow(await rows.insert(toTableRow(draft), actor)),
    /** The project of a calendar cannot change. */
    update: async (
      { projectId: _, ...change }: CalendarDraft & { id: string; version: number },
      actor: string,
    ) => {
      const row = await rows.update(change, actor)
      return row && toContractRow(row)
    },
    async page(
      { projectId, ...query }: z.output<typeof calendarSchemas.page.input>,
      scope: 'all' | number[],
    ) {
      const projectFilter =
        projectId === undefined ? undefined : eq(calendar.projectId, projectId ?? 0)
      const { list, ...count } = await rows.list(
        and(whereVisibleIn(scope), projectFilter),
        query,
        'createTime',
      )
      return { ...count, list: list.map(toContractRow) }
    },
    listVisible: async (scope: 'all' | number[]) =>
      (
        await db
          .select()
          .from(calendar)
          .where(whereVisibleIn(scope))
          .orderBy(calendar.createTime, calendar.id)
      ).map(toContractRow),
    listAll: async () =>
      (await db.select().from(calendar).orderBy(calendar.createTime, calendar.id)).map(
        toContractRow,
      ),
    listChildCalendars: async (ids: string[]) => {
      const childRows = await db
        .select({
          to: sql<string>`${calendar.parentId}`,
          id: calendar.id,
          name: calendar.name,
          entity: sql<string>`'日历'`,
          projectId: calendar.projectId,
        })
        .from(calendar)
        .where(inArray(calendar.parentId, ids))
        .orderBy(calendar.id)
      return childRows.map(({ projectId, ...row }) => ({
        ...row,
        projectId: projectId || undefined,
      }))
    },
    lock: async (id: string) =>
      (await db.select().from(calendar).where(eq(calendar.id, id)).for('update')).map(
        toContractRow,
      )[0],
    projectExists: async (projectId: number) =>
      (await db.$count(project, eq(project.projectId, projectId))) > 0,
  }
}

/** Reads and writes the days of calendars; days that a calendar does not set come from its ancestors or the weekday. */
const calendarDayQueries = (
  db: Db,
  { listAll }: Pick<ReturnType<typeof calendarRowQueries>, 'listAll'>,
) => {
  const findDays = (ids: string[], { from, to }: DateRange) =>
    db
      .select()
      .from(calendarDay)
      .where(and(inArray(calendarDay.calendarId, ids), between(calendarDay.date, from, to)))
  const whereDates = (id: string, dates: string[]) =>
    and(eq(calendarDay.calendarId, id), inArray(calendarDay.date, dates))
  return {
    findOwnDays: (id: string, days: DateRange) => findDays([id], days),
    /**
     * Returns each date of a year. Days of the calendar itself take precedence over those of its ancestors, and those
     * over
     * the weekday.
     */
    async listYear(calendar: Calendar, year: number): Promise<CalendarDay[]> {
      // The list is ordered from the calendar up to its root.
      const ancestry = createTree(await listAll())
        .path(calendar.id)
        .reverse()
      const ids = ancestry.map(({ id }) => id)
      const specialDays = await findDays(ids, { from: `${year}-01-01`, to: `${year}-12-31` })
      const byDate = new Map<string, (typeof specialDays)[number]>()
      for (const day of specialDays.sort(
        (a, b) => ids.indexOf(b.calendarId) - ids.indexOf(a.calendarId),
      ))
        byDate.set(day.date, day)
      const nameById = new Map(ancestry.map(({ id, name }) => [id, name]))
      return listDatesInYear(year).map((date) => {
        const day = byDate.get(date)
        const type = getWeekDayType(date, calendar)
        if (!day)
          return {
            date,
            type,
            name: '',
            isOff: isDayOff(type),
            source: 'week' as const,
            inheritedFrom: null,
            version: 0,
            updateBy: '',
            updateTime: '',
          }
        const isOwn = day.calendarId === calendar.id
        return {
          ...day,
          inheritedFrom: isOwn ? null : nameById.get(day.calendarId)!,
          version: isOwn ? day.version : 0,
        }
      })
    },
    async setDays(calendarId: string, days: SpecialDay[], actor: string) {
      if (days.length === 0) return
      const values = days.map((day) => ({ ...day, calendarId, createBy: actor, updateBy: actor }))
      const excludedColumn = (name: string) => sql.raw(`excluded."${name}"`)
      await db
        .insert(calendarDay)
        .values(values)
        .onConflictDoUpdate({
          target: [calendarDay.calendarId, calendarDay.date],
          set: {
            type: excludedColumn('type'),
            name: excludedColumn('name'),
            source: excludedColumn('source'),
            isOff: excludedColumn('is_off'),
            ...buildUpdateColumns(calendarDay, actor),
          },
        })
    },
    nameAuthors: <R extends { updateBy: string }>(days: R[]) => nameAuthors(db, days, 'updateBy'),
    findDaysByDate: (id: string, dates: string[]) =>
      db.select().from(calendarDay).where(whereDates(id, dates)),
    clearDays: (id: string, dates: string[]) =>
      db.delete(calendarDay).where(whereDates(id, dates)).returning(),
  }
}

export const calendarQueries = (db: Db) => {
  const rows = calendarRowQueries(db)
  return { ...rows, ...calendarDayQueries(db, rows) }
}
