import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { versionedQueries } from '../../core/db/versionedQueries'
import { device as table, deviceCredential } from '../../tables/device'
import { deviceFirmware, deviceShadow, deviceTag, edgeHost } from '../../tables/deviceRecords'
import type { DeviceRow } from './queries'

export type Placement = { projectId: number; spaceId: string | null; floorId: string | null }

/** Tables of data that a device reported once; their rows move with the device to another project. */
const deviceDataTables = [deviceTag, deviceFirmware, deviceShadow, edgeHost]

export type VersionedDeviceQueries = ReturnType<typeof versionedQueries<typeof table>>

export const moveQueries = (db: Db, rows: VersionedDeviceQueries) => ({
  /**
   * Moves devices to a place of another project. The project id is part of a referenced key, so a new row replaces
   * the old one.
   */
  async moveToProject(
    { projectId, spaceId, floorId }: Placement,
    list: DeviceRow[],
    actor: string,
  ) {
    const ids = list.map(({ id }) => id)
    const updateFields = { updateBy: actor, updateTime: new Date().toISOString() }
    await db.insert(table).values(
      list.map((row) => ({
        ...row,
        ...updateFields,
        projectId,
        spaceId,
        floorId,
        x: null,
        y: null,
        gatewayId: null,
        via: null,
        desired: {},
        wishes: {},
        version: row.version + 1,
        ...(row.state === 'online' && { state: 'offline' as const }),
      })),
    )
    for (const dataTable of [...deviceDataTables, deviceCredential])
      await db.update(dataTable).set({ projectId }).where(inArray(dataTable.deviceId, ids))
    await db
      .delete(table)
      .where(and(eq(table.projectId, list[0]!.projectId), inArray(table.id, ids)))
  },
  /**
   * Moves devices within their project; a position is cleared when the floor changes, because it belongs to one plan.
   */
  async moveWithinProject({ spaceId, floorId }: Placement, list: DeviceRow[], actor: string) {
    const staysOnFloor = (row: DeviceRow) => row.floorId === floorId
    const getIds = (devices: DeviceRow[]) => devices.map(({ id }) => id)
    await rows.setAll(getIds(list.filter(staysOnFloor)), { spaceId }, actor)
    const leavingIds = getIds(list.filter((row) => !staysOnFloor(row)))
    await rows.setAll(leavingIds, { spaceId, floorId, x: null, y: null }, actor)
  },
})
