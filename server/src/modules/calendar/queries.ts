import { byWeek, datesOf, isOffBy, type SpecialDay } from '@iot/shared/contract/calendarDay'
import type {
  Calendar,
  calendarApi,
  CalendarDay,
  CalendarDraft,
} from '@iot/shared/contract/calendar'
import { treeOf } from '@iot/shared/contract/tree'
import { and, between, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { stamp } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { calendar, calendarDay } from '../../tables/calendar'
import { project } from '../../tables/project'

type Days = { from: string; to: string }
type CalendarRow = typeof calendar.$inferSelect
type Draft = Parameters<ReturnType<typeof versioned<typeof calendar>>['insert']>[0]

/** The project id of a shared calendar is null in the contract and 0 in the table. */
const toShown = <R extends Pick<CalendarRow, 'projectId'>>(row: R) => ({
  ...row,
  projectId: row.projectId || null,
})
export const toStored = <D extends { projectId: number | null }>(draft: D) => ({
  ...draft,
  projectId: draft.projectId ?? 0,
})
const seenBy = (scope: 'all' | number[]) =>
  scope === 'all' ? undefined : inArray(calendar.projectId, [0, ...scope])

export const calendarQueries = (db: Db) => {
  const rows = versioned(db, calendar)
  const daysOf = (ids: string[], { from, to }: Days) =>
    db
      .select()
      .from(calendarDay)
      .where(and(inArray(calendarDay.calendarId, ids), between(calendarDay.date, from, to)))
  const these = (id: string, dates: string[]) =>
    and(eq(calendarDay.calendarId, id), inArray(calendarDay.date, dates))
  return {
    remove: rows.remove,
    get: async (id: string) => {
      const row = await rows.get(id)
      return row && toShown(row)
    },
    insert: async (draft: Omit<Draft, 'projectId'> & { projectId: number | null }, by: string) =>
      toShown(await rows.insert(toStored(draft), by)),
    /** The project of a calendar cannot change. */
    update: async (
      { projectId: _, ...change }: CalendarDraft & { id: string; version: number },
      by: string,
    ) => {
      const row = await rows.update(change, by)
      return row && toShown(row)
    },
    async page(
      { projectId, ...query }: z.output<typeof calendarApi.page.input>,
      scope: 'all' | number[],
    ) {
      const wanted = projectId === undefined ? undefined : eq(calendar.projectId, projectId ?? 0)
      const { list, ...count } = await rows.list(and(seenBy(scope), wanted), query, 'createTime')
      return { ...count, list: list.map(toShown) }
    },
    seen: async (scope: 'all' | number[]) =>
      (
        await db
          .select()
          .from(calendar)
          .where(seenBy(scope))
          .orderBy(calendar.createTime, calendar.id)
      ).map(toShown),
    all: async () =>
      (await db.select().from(calendar).orderBy(calendar.createTime, calendar.id)).map(toShown),
    ofParents: async (ids: string[]) => {
      const below = await db
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
      return below.map(({ projectId, ...row }) => ({ ...row, projectId: projectId || undefined }))
    },
    ownDays: (id: string, days: Days) => daysOf([id], days),
    /**
     * Returns each date of a year. Days of the calendar itself take precedence over those of its ancestors, and those
     * over
     * the weekday.
     */
    async year(own: Calendar, year: number): Promise<CalendarDay[]> {
      // The list is ordered from the calendar up to its root.
      const line = treeOf(await this.all())
        .path(own.id)
        .reverse()
      const ids = line.map(({ id }) => id)
      const special = await daysOf(ids, { from: `${year}-01-01`, to: `${year}-12-31` })
      const byDate = new Map<string, (typeof special)[number]>()
      for (const day of special.sort(
        (one, other) => ids.indexOf(other.calendarId) - ids.indexOf(one.calendarId),
      ))
        byDate.set(day.date, day)
      const nameOf = new Map(line.map(({ id, name }) => [id, name]))
      return datesOf(year).map((date) => {
        const day = byDate.get(date)
        const type = byWeek(date, own)
        if (!day)
          return {
            date,
            type,
            name: '',
            isOff: isOffBy(type),
            source: 'week' as const,
            inheritedFrom: null,
            version: 0,
            updateBy: '',
            updateTime: '',
          }
        const isOwn = day.calendarId === own.id
        return {
          ...day,
          inheritedFrom: isOwn ? null : nameOf.get(day.calendarId)!,
          version: isOwn ? day.version : 0,
        }
      })
    },
    async setDays(calendarId: string, days: SpecialDay[], by: string) {
      if (days.length === 0) return
      const values = days.map((day) => ({ ...day, calendarId, createBy: by, updateBy: by }))
      const given = (name: string) => sql.raw(`excluded."${name}"`)
      await db
        .insert(calendarDay)
        .values(values)
        .onConflictDoUpdate({
          target: [calendarDay.calendarId, calendarDay.date],
          set: {
            type: given('type'),
            name: given('name'),
            source: given('source'),
            isOff: given('is_off'),
            ...stamp(calendarDay, by),
          },
        })
    },
    theseDays: (id: string, dates: string[]) =>
      db.select().from(calendarDay).where(these(id, dates)),
    clearDays: (id: string, dates: string[]) =>
      db.delete(calendarDay).where(these(id, dates)).returning(),
    lock: async (id: string) =>
      (await db.select().from(calendar).where(eq(calendar.id, id)).for('update')).map(toShown)[0],
    projectExists: async (projectId: number) =>
      (await db.$count(project, eq(project.projectId, projectId))) > 0,
  }
}
