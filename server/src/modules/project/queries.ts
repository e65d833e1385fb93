import type {
  ProjectDraft,
  managedProjectSchemas,
} from '@iot/shared/contract/project/managedProject.schema'
import { and, count, eq, inArray, like, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { buildUpdateColumns, contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { formatRegion } from '../region/policy'
import { calendar } from '../../tables/calendar'
import { device } from '../../tables/device'
import { project as table, projectNumber } from '../../tables/project'
import { projectSnapshot, snapshotSchedule } from '../../tables/snapshot'
import { space } from '../../tables/space'
import { user } from '../../tables/user'
import { findExampleSite } from '../exampleData/policy'
import { engineeringId } from '../mapEngineering/policy'

type PageInput = z.output<typeof managedProjectSchemas.page.input>
type Scope = 'all' | number[]
export type ProjectRow = typeof table.$inferSelect

const isInScope = (scope: Scope) => (scope === 'all' ? undefined : inArray(table.projectId, scope))

export const projectQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    async page({ name, groupName, type, areaCode, status, ...page }: PageInput, scope: Scope) {
      const { list, ...rest } = await rows.list(
        and(
          isInScope(scope),
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          whereEquals(table.groupName, groupName),
          whereEquals(table.type, type),
          whereEquals(table.status, status),
          // A province or city code also matches the regions below it.
          areaCode && /^\d+$/.test(areaCode) ? like(table.areaCode, `${areaCode}%`) : undefined,
        ),
        page,
        'sort',
      )
      return { list: await this.addCounts(list), ...rest }
    },
    /** Adds region and calendar in words and the number of spaces and devices. */
    async addCounts(list: ProjectRow[]) {
      const ids = list.map(({ projectId }) => projectId)
      const countByProject = async (sourceTable: typeof space | typeof device) =>
        new Map(
          (
            await db
              .select({ projectId: sourceTable.projectId, count: count() })
              .from(sourceTable)
              .where(inArray(sourceTable.projectId, ids))
              .groupBy(sourceTable.projectId)
          ).map((item) => [item.projectId, item.count]),
        )
      const [spaces, devices] = [await countByProject(space), await countByProject(device)]
      const calendars = await db
        .select({ id: calendar.id, name: calendar.name })
        .from(calendar)
        .where(
          inArray(
            calendar.id,
            list.flatMap(({ calendarId }) => calendarId ?? []),
          ),
        )
      return list.map((row) => ({
        ...row,
        areaName: row.areaCode && formatRegion(row.areaCode),
        calendarName: calendars.find(({ id }) => id === row.calendarId)?.name ?? '',
        spaceCount: spaces.get(row.projectId) ?? 0,
        deviceCount: devices.get(row.projectId) ?? 0,
      }))
    },
    async insert(draft: ProjectDraft, actor: string) {
      const numbering = { projectId: await this.allocateNumber(), engineeringId }
      return rows.insert({ ...draft, ...numbering, status: 'preparing' }, actor)
    },
    find: async (projectId: number) =>
      (await db.select().from(table).where(eq(table.projectId, projectId)))[0],
    /** Returns whether no project exists or has ever existed. */
    isNew: async () =>
      (await db.$count(table)) === 0 &&
      (await db.$count(projectNumber)) === 0 &&
      !(await findExampleSite(db)),
    /** Returns the number for a new project, which no project has or had. */
    async allocateNumber() {
      const highestNumber = sql`(select coalesce(max(${table.projectId}), 0) from ${table})`
      const [row] = await db
        .insert(projectNumber)
        .values({ id: 1, value: sql`${highestNumber} + 1` })
        .onConflictDoUpdate({
          target: projectNumber.id,
          set: { value: sql`greatest(${projectNumber.value}, ${highestNumber}) + 1` },
        })
        .returning()
      return row!.value
    },
    /** A user who sees only assigned projects also sees a project that they create. */
    assignToUser: (userId: string, projectId: number, username: string) =>
      db
        .update(user)
        .set({
          projectIds: sql`array_append(${user.projectIds}, ${projectId})`,
          ...buildUpdateColumns(user, username),
        })
        .where(eq(user.id, userId)),
    async removeSnapshots(projectId: number) {
      await db.delete(projectSnapshot).where(eq(projectSnapshot.projectId, projectId))
      await db.delete(snapshotSchedule).where(eq(snapshotSchedule.projectId, projectId))
    },
    /** Returns whether the project may use the calendar; a new project has no calendars of its own. */
    hasCalendar: async (id: string, projectId?: number) =>
      (await db.$count(
        calendar,
        and(eq(calendar.id, id), inArray(calendar.projectId, [0, projectId ?? 0])),
      )) > 0,
    /** The database calculates days, so it must know the time zone too. */
    async knowsTimeZone(name: string) {
      const { rows } = await db.execute(sql`select 1 from pg_timezone_names where name = ${name}`)
      return rows.length > 0
    },
    findUsingCalendars: (ids: string[]) =>
      db
        .select({
          to: sql<string>`${table.calendarId}`,
          entity: sql<string>`'项目'`,
          id: table.id,
          name: table.name,
          projectId: table.projectId,
        })
        .from(table)
        .where(inArray(table.calendarId, ids))
        .orderBy(table.projectId),
  }
}
