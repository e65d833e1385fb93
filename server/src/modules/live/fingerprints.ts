import { and, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { delayedControl, manualOverride } from '../../tables/control'
import { device } from '../../tables/device'

/** Reads a text for each project, which changes with the rows of the project. */
export type ReadFingerprints = (db: Db, projectIds: number[]) => Promise<Map<number, string>>

type FingerprintRow = { projectId: number; fingerprint: string }
const toFingerprints = (projectIds: number[], ...lists: FingerprintRow[][]) => {
  const fingerprints = new Map(projectIds.map((id) => [id, '']))
  for (const { projectId, fingerprint } of lists.flat())
    fingerprints.set(projectId, `${fingerprints.get(projectId)} ${fingerprint}`)
  return fingerprints
}

/**
 * Returns a fingerprint of the stored devices of each project. It changes when a device is registered, edited, moved or
 * deleted by any process or user, but not when a device reports.
 */
export const readDeviceFingerprints: ReadFingerprints = async (db, projectIds) => {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .select({
      projectId: device.projectId,
      fingerprint: sql<string>`concat_ws(' ', count(*), sum(${device.version}), max(${device.updateTime}))`,
    })
    .from(device)
    .where(inArray(device.projectId, projectIds))
    .groupBy(device.projectId)
  return toFingerprints(projectIds, rows)
}

/**
 * Returns a fingerprint of the manual overrides and delayed commands that home lists. It changes when one is created,
 * ends, expires or is carried out.
 */
export const readControlListFingerprints: ReadFingerprints = async (db, projectIds) => {
  if (projectIds.length === 0) return new Map()
  const overrides = await db
    .select({
      projectId: manualOverride.projectId,
      fingerprint: sql<string>`string_agg(${manualOverride.id}::text, ' ' order by ${manualOverride.id})`,
    })
    .from(manualOverride)
    .where(
      and(
        inArray(manualOverride.projectId, projectIds),
        isNull(manualOverride.endTime),
        gt(manualOverride.until, sql`now()`),
      ),
    )
    .groupBy(manualOverride.projectId)
  const delayedControls = await db
    .select({
      projectId: delayedControl.projectId,
      fingerprint: sql<string>`string_agg(${delayedControl.id}::text || ${delayedControl.status}, ' ' order by ${delayedControl.id})`,
    })
    .from(delayedControl)
    .where(
      and(
        inArray(delayedControl.projectId, projectIds),
        // Home lists what was not carried out for a day; a command ends soon after its time at the latest.
        gt(delayedControl.dueTime, sql`now() - interval '25 hours'`),
      ),
    )
    .groupBy(delayedControl.projectId)
  return toFingerprints(projectIds, overrides, delayedControls)
}
