import type { mapEngineeringApi } from '@iot/shared/contract/mapEngineering'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals, stamp } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { now } from '../../tables/columns'
import { mapEngineering as table } from '../../tables/mapEngineering'
import { project } from '../../tables/project'
import { engineeringId } from './policy'

type Page = z.output<typeof mapEngineeringApi.page.input>
export type MapRow = typeof table.$inferSelect

export const mapQueries = (db: Db) => {
  const rows = versioned(db, table)
  return {
    ...rows,
    page: ({ name, status, ...page }: Page) =>
      rows.list(and(contains(table.name, name), equals(table.status, status)), page),
    named: async (engineeringId: number, name: string) =>
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
    projects: () =>
      db
        .select()
        .from(project)
        .where(eq(project.engineeringId, engineeringId))
        .orderBy(asc(project.sort), asc(project.projectId)),
    /** The lock serialises concurrent publications. */
    hold: () => db.select({ id: table.id }).from(table).for('update'),
    archive: (groups: MapRow['groups'], by: string) =>
      db
        .update(table)
        .set({ status: 'archived', groups, ...stamp(table, by) })
        .where(eq(table.status, 'published')),
    publish: (id: string, version: number, by: string) =>
      rows.update({ id, version, status: 'published', publishTime: now(), publishBy: by }, by),
    async regroup(changed: { projectId: number; groupName: string; sort: number }[], by: string) {
      // Two projects that swap groups would briefly share a name in one group, so each first gets a temporary group.
      for (const { projectId } of changed)
        await db
          .update(project)
          .set({ groupName: sql`'/' || ${project.projectId}` })
          .where(eq(project.projectId, projectId))
      for (const { projectId, ...place } of changed)
        await db
          .update(project)
          .set({ ...place, ...stamp(project, by) })
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
