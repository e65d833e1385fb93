import type { DevicePlace } from '@iot/shared/contract/device/managedDevice.schema'
import { and, asc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device as table } from '../../tables/device'
import { project } from '../../tables/project'
import { space } from '../../tables/space'

const floorDeviceColumns = {
  id: table.id,
  name: table.name,
  deviceName: table.deviceName,
  productId: table.productId,
  spaceId: table.spaceId,
  floorId: table.floorId,
  x: table.x,
  y: table.y,
  state: table.state,
  protected: table.protected,
}

export const floorQueries = (db: Db) => ({
  /** Rows are locked in id order, so that two users who arrange the same floor cannot cause a deadlock. */
  lockDevices: (ids: string[]) =>
    db.select().from(table).where(inArray(table.id, ids)).orderBy(asc(table.id)).for('update'),
  /** Places devices on a floor plan; a device without a floor is also assigned to this floor. */
  async placeOnFloor(floorId: string, places: DevicePlace[], actor: string) {
    const placesTable = sql`jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as given(id uuid, x float8, y float8, "spaceId" uuid)`
    await db.execute(sql`
        update ${table} set x = given.x, y = given.y, floor_id = ${floorId}::uuid,
          space_id = coalesce(given."spaceId", case when floor_id is null then ${floorId}::uuid else space_id end),
          version = version + 1, update_by = ${actor}, update_time = now()
        from ${placesTable} where ${table.id} = given.id`)
  },
  /** Returns a floor, with the row id of its project for links to it. */
  findFloor: async (id: string) =>
    (
      await db
        .select({ ...getTableColumns(space), projectRow: project.id })
        .from(space)
        .leftJoin(project, eq(project.projectId, space.projectId))
        .where(and(eq(space.id, id), eq(space.type, 'floor')))
    )[0],
  findOnFloor: (projectId: number, floorId: string) =>
    db
      .select(floorDeviceColumns)
      .from(table)
      .where(and(eq(table.projectId, projectId), eq(table.floorId, floorId))),
  /**
   * Lists devices without a floor that are in no space or in one of these: the first `maxRows` of them, and the total.
   */
  async findWithoutFloor(projectId: number, ancestorIds: string[], maxRows: number) {
    const where = and(
      eq(table.projectId, projectId),
      isNull(table.floorId),
      or(isNull(table.spaceId), inArray(table.spaceId, ancestorIds)),
    )
    const [list, total] = await Promise.all([
      db
        .select(floorDeviceColumns)
        .from(table)
        .where(where)
        .orderBy(asc(table.name), asc(table.id))
        .limit(maxRows),
      db.$count(table, where),
    ])
    return { list, total }
  },
})
