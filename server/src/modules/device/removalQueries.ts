import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { deviceCredential } from '../../tables/device'
import { deviceMessage } from '../../tables/deviceRecords'
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
})
