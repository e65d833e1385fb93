import { listConditionDeviceIds } from '@iot/shared/contract/control/sceneText'
import { inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { scene } from '../../tables/scene'

/** Finds the scenes that refer to rows of other modules. */
export const sceneReferenceQueries = (db: Db) => ({
  listScenesUsingIcons: (ids: string[]) =>
    db
      .select({
        to: scene.icon,
        entity: sql<string>`'场景'`,
        id: scene.id,
        name: scene.name,
        projectId: scene.projectId,
      })
      .from(scene)
      .where(inArray(scene.icon, ids))
      .orderBy(scene.id),
  listScenesUsingCalendars: (ids: string[]) =>
    db
      .select({
        to: sql<string>`${scene.calendarId}`,
        id: scene.id,
        name: scene.name,
        projectId: scene.projectId,
        entity: sql<string>`'场景'`,
      })
      .from(scene)
      .where(inArray(scene.calendarId, ids)),
  /** Lists scenes whose conditions refer to one of these devices. */
  async listScenesAskingDevices(ids: string[]) {
    const rows = await db.select().from(scene).where(ne(scene.triggers, []))
    return rows.flatMap(({ id, name, triggers }) =>
      listConditionDeviceIds(triggers)
        .filter((to) => ids.includes(to))
        .map((to) => ({ to, id, name, entity: '场景条件' })),
    )
  },
})
