import { defaultShiftStarts } from '@iot/shared/contract/control/handover'
import type { CarriedOver } from '@iot/shared/contract/control/handover.schema'
import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { alarmIncident } from '../../tables/alarm'
import { shiftHandover as table, shiftSetting } from '../../tables/handover'
import { selectPersonName } from '../../tables/personName'
import { project } from '../../tables/project'
import { usualOrder } from '../alarm/policy'

const maxListedHandovers = 10
const maxListedProblems = 50

export const handoverQueries = (db: Db) => ({
  findStarts: async (projectId: number) =>
    (await db.select().from(shiftSetting).where(eq(shiftSetting.projectId, projectId)))[0]
      ?.starts ?? defaultShiftStarts,
  setStarts: (projectId: number, starts: string[]) =>
    db
      .insert(shiftSetting)
      .values({ projectId, starts })
      .onConflictDoUpdate({ target: shiftSetting.projectId, set: { starts } }),
  async list(projectId: number) {
    // The join lets the subqueries tell the columns of this table from those of the accounts.
    const rows = await db
      .select({
        row: table,
        givenByName: selectPersonName(table.givenBy),
        takenByName: selectPersonName(table.takenBy),
      })
      .from(table)
      .innerJoin(project, eq(project.projectId, table.projectId))
      .where(eq(table.projectId, projectId))
      .orderBy(sql`${table.takenTime} is null desc`, desc(table.givenTime))
      .limit(maxListedHandovers)
    return rows.map(({ row: { carriedOver, ...row }, ...names }) => ({
      ...row,
      ...names,
      ...carriedOver,
    }))
  },
  /** Locks the hand-over that waits for its confirmation. */
  lockWaiting: async (projectId: number) =>
    (
      await db
        .select()
        .from(table)
        .where(and(eq(table.projectId, projectId), isNull(table.takenTime)))
        .for('update')
    )[0],
  find: async (projectId: number, id: string) =>
    (
      await db
        .select()
        .from(table)
        .where(and(eq(table.projectId, projectId), eq(table.id, id)))
    )[0],
  personName: async (username: string) =>
    (
      await db.execute<{ name: string }>(
        sql`select ${selectPersonName(sql`${username}::text`)} as name`,
      )
    ).rows[0]!.name,
  /** @returns false if somebody else hands over at the same moment */
  async insert(row: typeof table.$inferInsert) {
    const rows = await db
      .insert(table)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: table.id })
    return rows[0]?.id
  },
  replace: (id: string, change: Partial<typeof table.$inferInsert>) =>
    db.update(table).set(change).where(eq(table.id, id)),
  take: (id: string, takenBy: string) =>
    db
      .update(table)
      .set({ takenBy, takenTime: sql`now()` })
      .where(eq(table.id, id)),
  /** Reads the open alarms in the order of their list. */
  async listProblems(projectId: number): Promise<Omit<CarriedOver, 'overrides'>> {
    const isOpen = and(eq(alarmIncident.projectId, projectId), ne(alarmIncident.status, 'resolved'))
    const problems = await db
      .select({
        title: alarmIncident.title,
        place: alarmIncident.subjectName,
        since: alarmIncident.openedTime,
      })
      .from(alarmIncident)
      .where(isOpen)
      .orderBy(...usualOrder)
      .limit(maxListedProblems)
    return { problems, problemCount: await db.$count(alarmIncident, isOpen) }
  },
})
