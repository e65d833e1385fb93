import { describeOverride, createOverrideFinder } from '@iot/shared/contract/control/manualOverride'
import { createTree } from '@iot/shared/contract/tree'
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { manualOverride as table } from '../../tables/control'
import { selectPersonName } from '../../tables/personName'
import { project } from '../../tables/project'
import { controlQueries } from './queries'

/** The database clock decides, because the clocks of cluster members may differ. */
const isOpen = and(isNull(table.endTime), gt(table.until, sql`now()`))

export const overrideQueries = (db: Db) => ({
  /** The time lies ahead, and at most this many days. */
  isWithin: async (until: string, days: number) =>
    (
      await db.execute<{ fits: boolean }>(
        sql`select ${until}::timestamptz > now() and ${until}::timestamptz <= now() + make_interval(days => ${days}) as fits`,
      )
    ).rows[0]!.fits,
  insert: async (row: typeof table.$inferInsert) =>
    (await db.insert(table).values(row).returning({ id: table.id }))[0]!.id,
  find: async (id: string) => (await db.select().from(table).where(eq(table.id, id)))[0],
  /** Ends an open override; of two concurrent calls only one returns true. */
  async end(id: string, endBy: string) {
    const endedRows = await db
      .update(table)
      .set({ endBy, endTime: sql`now()` })
      .where(and(eq(table.id, id), isOpen))
      .returning({ id: table.id })
    return endedRows.length > 0
  },
  findOpen: (projectId: number) =>
    db
      .select({
        id: table.id,
        projectId: table.projectId,
        spaceId: table.spaceId,
        deviceIds: table.deviceIds,
        until: table.until,
        reason: table.reason,
        createBy: table.createBy,
        createByName: selectPersonName(table.createBy),
        createTime: table.createTime,
        timeZone: project.timeZone,
      })
      .from(table)
      .innerJoin(project, eq(project.projectId, table.projectId))
      .where(and(eq(table.projectId, projectId), isOpen))
      .orderBy(asc(table.until), asc(table.id)),
})
type OverrideRow = Awaited<ReturnType<ReturnType<typeof overrideQueries>['findOpen']>>[number]

/** An open override with the spaces below its space, and its description as the reason why a device is skipped. */
export type OpenOverride = OverrideRow & { spaceIds: string[]; text: string }

/** Reads the open overrides of a project. A project has few, so they are kept in no cache that could be out of date. */
export async function readOverrides(db: Db, projectId: number) {
  const rows = await overrideQueries(db).findOpen(projectId)
  const tree = createTree(
    rows.some(({ spaceId }) => spaceId) ? await controlQueries(db).spaces(projectId) : [],
  )
  const overrides: OpenOverride[] = rows.map((row) => ({
    ...row,
    spaceIds: row.spaceId ? [...tree.within(row.spaceId)] : [],
    text: describeOverride(row, Date.now(), row.timeZone),
  }))
  const heldSpaceIds = new Set(overrides.flatMap(({ spaceIds }) => spaceIds))
  return {
    overrides,
    tree,
    find: createOverrideFinder(overrides),
    deviceIds: [...new Set(overrides.flatMap(({ deviceIds }) => deviceIds))],
    holdsSpace: (spaceId: string | null) => spaceId !== null && heldSpaceIds.has(spaceId),
  }
}
export type Overrides = Awaited<ReturnType<typeof readOverrides>>
