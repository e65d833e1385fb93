import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { listConditionDeviceIds } from '@iot/shared/contract/control/sceneText'
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { scene, sceneAction } from '../../tables/scene'

/** Finds the scenes that refer to rows of other modules. */
export const sceneReferenceQueries = (db: Db) => ({
  /** Lists scenes whose actions refer to one of these groups or spaces. */
  async listScenesUsing(key: 'groupId' | 'spaceId', ids: string[]) {
    const rows = await db
      .selectDistinct({ id: scene.id, name: scene.name, scope: sceneAction.scope })
      .from(sceneAction)
      .innerJoin(
        scene,
        and(eq(scene.projectId, sceneAction.projectId), eq(scene.id, sceneAction.sceneId)),
      )
      .where(
        or(
          inArray(sql`${sceneAction.scope} ->> ${key}`, ids),
          sql`exists (select 1 from jsonb_array_elements_text(${sceneAction.scope} -> ${`${key}s`}) as named where named in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
        ),
      )
    const uses = rows.flatMap(({ id, name, scope }) => {
      const { groupIds, spaceIds } = getScopePlaces(scope)
      return (key === 'groupId' ? groupIds : spaceIds)
        .filter((to) => ids.includes(to))
        .map((to) => ({ to, id, name, entity: '场景' }))
    })
    // Several actions of a scene may name the same place.
    return [...new Map(uses.map((use) => [`${use.to} ${use.id}`, use])).values()]
  },
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
