import { and, count, eq, inArray, isNull, max, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { buildUpdateColumns } from '../../core/db/rows'
import { treeQueries } from '../../core/db/treeQueries'
import { versionedQueries } from '../../core/db/versionedQueries'
import { device } from '../../tables/device'
import { project } from '../../tables/project'
import { floorPlan, space } from '../../tables/space'
import { uploadedFile } from '../../tables/upload'

export type SpaceRow = typeof space.$inferSelect
type SpaceInsert = Pick<SpaceRow, 'projectId' | 'parentId' | 'type' | 'name'>

export const spaceQueries = (db: Db) => {
  const rows = versionedQueries(db, space)
  const treeInProject = (projectId: number) =>
    treeQueries(db, space, eq(space.projectId, projectId))
  return {
    ...rows,
    treeInProject,
    findPlanSvg: async (hash: string) =>
      (await db.select({ svg: floorPlan.svg }).from(floorPlan).where(eq(floorPlan.hash, hash)))[0]
        ?.svg,
    findFile: async (id: string) =>
      (await db.select().from(uploadedFile).where(eq(uploadedFile.id, id)))[0],
    findProject: async (projectId: number) =>
      (
        await db
          .select({ id: project.id, name: project.name })
          .from(project)
          .where(eq(project.projectId, projectId))
      )[0],
    countDevicesBySpace: async (projectId: number) =>
      new Map(
        (
          await db
            .select({ spaceId: device.spaceId, count: count() })
            .from(device)
            .where(eq(device.projectId, projectId))
            .groupBy(device.spaceId)
        ).map((item) => [item.spaceId, item.count]),
      ),
    /** Adds a space as the last of its siblings. */
    async add(draft: SpaceInsert & Partial<SpaceRow>, actor: string) {
      const { projectId, parentId } = draft
      const siblingFilter =
        parentId === null ? isNull(space.parentId) : eq(space.parentId, parentId)
      const [lastSibling] = await db
        .select({ sort: max(space.sort) })
        .from(space)
        .where(and(eq(space.projectId, projectId), siblingFilter))
      return rows.insert({ ...draft, sort: (lastSibling?.sort ?? 0) + 1 }, actor)
    },
    /** Moves spaces behind the children of a parent, in the order of the ids. */
    append: (projectId: number, ids: string[], parentId: string | null, actor: string) =>
      db
        .update(space)
        .set({
          parentId,
          sort: sql`(select coalesce(max(other.sort), 0) from ${space} as other where other.project_id = ${projectId}) + array_position(${sql.param(ids)}::uuid[], ${space.id})`,
          ...buildUpdateColumns(space, actor),
        })
        .where(and(eq(space.projectId, projectId), inArray(space.id, ids))),
    addAll: (drafts: (typeof space.$inferInsert)[]) => db.insert(space).values(drafts),
    /**
     * Sets the floor of devices in these spaces and clears their positions, which belong to the plan of the old floor.
     */
    moveDevicesToFloor: (
      projectId: number,
      spaceIds: string[],
      floorId: string | null,
      actor: string,
    ) =>
      db
        .update(device)
        .set({ floorId, x: null, y: null, ...buildUpdateColumns(device, actor) })
        .where(
          and(
            eq(device.projectId, projectId),
            inArray(device.spaceId, spaceIds),
            sql`${device.floorId} is distinct from ${floorId}::uuid`,
          ),
        ),
  }
}
