import type { mapEngineeringSchemas } from '@iot/shared/contract/project/mapEngineering.schema'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals, buildUpdateColumns } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { now } from '../../tables/columns'
import { mapEngineering as table } from '../../tables/mapEngineering'
import { project } from '../../tables/project'
import { engineeringId } from './policy'

type PageInput = z.output<typeof mapEngineeringSchemas.page.input>
export type MapVersionRow = typeof table.$inferSelect

export const mapQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    page: ({ name, status, ...page }: PageInput) =>
      rows.list(and(contains(table.name, name), whereEquals(table.status, status)), page),
    findByName: async (engineeringId: number, name: string) =>
      (
        await db
          .select()
          .from(table)
          .where(
            and(
              eq(table.engineeringId, engineeringId),
              eq(table.name, name),
              ne(table.status, 'draft'),
            ),
          )
      )[0],
    listProjects: () =>
      db
        .select()
        .from(project)
        .where(eq(project.engineeringId, engineeringId))
        .orderBy(asc(project.sort), asc(project.projectId)),
    /** The lock serialises concurrent publications. */
    lockVersions: () => db.select({ id: table.id }).from(table).for('update'),
    archivePublished: (groups: MapVersionRow['groups'], actor: string) =>
      db
        .update(table)
        .set({ status: 'archived', groups, ...buildUpdateColumns(table, actor) })
        .where(eq(table.status, 'published')),
    publish: (id: string, version: number, actor: string) =>
      rows.update(
        { id, version, status: 'published', publishTime: now(), publishBy: actor },
        actor,
      ),
    async regroup(
      placements: { projectId: number; groupName: string; sort: number }[],
      actor: string,
    ) {
      // Two projects that swap groups would briefly share a name in one group, so each first gets a temporary group.
      for (const { projectId } of placements)
        await db
          .update(project)
          .set({ groupName: sql`'/' || ${project.projectId}` })
          .where(eq(project.projectId, projectId))
      for (const { projectId, ...place } of placements)
        await db
          .update(project)
          .set({ ...place, ...buildUpdateColumns(project, actor) })
          .where(eq(project.projectId, projectId))
    },
  }
}

/** Creates the first version from the groups that projects store. */
export async function seedMapEngineering(db: Db) {
  if ((await db.$count(table)) > 0) return
  await db.insert(table).values({
    engineeringId,
    name: 'V1.0',
    description: '',
    status: 'published',
    groups: [],
    publishTime: now(),
    publishBy: '系统',
    createBy: '系统',
    updateBy: '系统',
  })
}
