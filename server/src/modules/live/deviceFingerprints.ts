import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device } from '../../tables/device'

/**
 * Returns a fingerprint of the stored devices of each project. It changes when a device is registered, edited, moved or
 * deleted by any process or user, but not when a device reports.
 */
export async function readDeviceFingerprints(
  db: Db,
  projectIds: number[],
): Promise<Map<number, string>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .select({
      projectId: device.projectId,
      fingerprint: sql<string>`concat_ws(' ', count(*), sum(${device.version}), max(${device.updateTime}))`,
    })
    .from(device)
    .where(inArray(device.projectId, projectIds))
    .groupBy(device.projectId)
  const fingerprints = new Map(rows.map(({ projectId, fingerprint }) => [projectId, fingerprint]))
  return new Map(projectIds.map((id) => [id, fingerprints.get(id) ?? '']))
}
