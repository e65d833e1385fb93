import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device } from '../../tables/device'
import { space } from '../../tables/space'
import { project } from '../../tables/project'

export const projectQueries = (db: Db) => ({
  inScope: (scope: 'all' | number[], engineeringId: number) =>
    db
      .select()
      .from(project)
      .where(
        and(
          eq(project.engineeringId, engineeringId),
          scope === 'all' ? undefined : inArray(project.id, scope),
        ),
      )
      .orderBy(asc(project.sort), asc(project.id)),
  find: async (id: number) => (await db.select().from(project).where(eq(project.id, id)))[0],
  spaces: (projectId: number) =>
    db
      .select()
      .from(space)
      .where(eq(space.projectId, projectId))
      .orderBy(asc(space.sort), asc(space.id)),
  deviceCounts: (projectId: number) =>
    db
      .select({ spaceId: device.spaceId, count: count() })
      .from(device)
      .where(eq(device.projectId, projectId))
      .groupBy(device.spaceId),
})
