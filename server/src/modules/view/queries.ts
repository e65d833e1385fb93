import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { buildUpdateColumns } from '../../core/db/rows'
import { treeQueries } from '../../core/db/treeQueries'
import { versionedQueries } from '../../core/db/versionedQueries'
import { deviceGroup } from '../../tables/deviceGroup'
import { project } from '../../tables/project'
import { role } from '../../tables/role'
import { scene } from '../../tables/scene'
import { space } from '../../tables/space'
import { view as table } from '../../tables/view'
import { listProjectNames } from '../project/policy'

export type ViewRow = typeof table.$inferSelect

export const viewQueries = (db: Db) => ({
  ...versionedQueries(db, table),
  ...treeQueries(db, table),
  /** Removes the default flag of all other views, because there is at most one default. */
  clearOtherDefaults: (id: string, actorName: string) =>
    db
      .update(table)
      .set({ isDefault: false, ...buildUpdateColumns(table, actorName) })
      .where(and(eq(table.isDefault, true), ne(table.id, id))),
  withIcons: (ids: string[]) =>
    db
      .select({ to: table.icon, entity: sql<string>`'视图'`, id: table.id, name: table.name })
      .from(table)
      .where(inArray(table.icon, ids))
      .orderBy(table.id),
  spaces: (projectId: number, ids: string[]) =>
    db
      .select({ id: space.id, type: space.type })
      .from(space)
      .where(and(eq(space.projectId, projectId), inArray(space.id, ids))),
  scenes: (projectId: number, ids: string[]) =>
    db
      .select({ id: scene.id })
      .from(scene)
      .where(and(eq(scene.projectId, projectId), inArray(scene.id, ids))),
  groups: (projectId: number, ids: string[]) =>
    db
      .select({ id: deviceGroup.id })
      .from(deviceGroup)
      .where(and(eq(deviceGroup.projectId, projectId), inArray(deviceGroup.id, ids))),
  roleNames: () => db.select({ id: role.id, name: role.name }).from(role),
  projectNames: () => listProjectNames(db),
  projects: async (ids: number[]) =>
    (
      await db
        .select({ id: project.projectId })
        .from(project)
        .where(inArray(project.projectId, ids))
    ).map(({ id }) => id),
  roles: async (ids: string[]) =>
    ids.length === 0
      ? []
      : (await db.select({ id: role.id }).from(role).where(inArray(role.id, ids))).map(
          ({ id }) => id,
        ),
})
