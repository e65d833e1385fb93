import { getScopePlaces } from '@iot/shared/contract/control/sceneScope'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { deviceCredential } from '../../tables/device'
import { deviceMessage } from '../../tables/deviceRecords'
import { scene, sceneAction } from '../../tables/scene'
import type { VersionedDeviceQueries } from './moveQueries'
import type { DeviceRow } from './queries'

export const removalQueries = (db: Db, rows: VersionedDeviceQueries) => ({
  /** Removes devices with their credentials and latest messages; reported history stays for its retention period. */
  async removeAll(list: DeviceRow[]) {
    const ids = list.map(({ id }) => id)
    await db.delete(deviceCredential).where(inArray(deviceCredential.deviceId, ids))
    for (const projectId of new Set(list.map((row) => row.projectId)))
      await db
        .delete(deviceMessage)
        .where(and(eq(deviceMessage.projectId, projectId), inArray(deviceMessage.deviceId, ids)))
    await rows.remove(ids)
  },
  /** Lists scenes whose actions name these devices individually. */
  async findScenesUsing(ids: string[]) {
    const sceneRows = await db
      .selectDistinct({ id: scene.id, name: scene.name, scope: sceneAction.scope })
      .from(sceneAction)
      .innerJoin(
        scene,
        and(eq(scene.projectId, sceneAction.projectId), eq(scene.id, sceneAction.sceneId)),
      )
      .where(
        sql`exists (select 1 from jsonb_array_elements_text(${sceneAction.scope} -> 'deviceIds') as named where named in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
      )
    return sceneRows.flatMap(({ id, name, scope }) =>
      getScopePlaces(scope)
        .deviceIds.filter((to) => ids.includes(to))
        .map((to) => ({ to, id, name, entity: '场景' })),
    )
  },
})
