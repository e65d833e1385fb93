import type { SpaceLights } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier, lightProductType } from '@iot/shared/contract/control/light'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { device, product } from '../tables/device'

/** Returns the space by which devices are counted: the innermost one, else the floor, else an empty string. */
export const getLightSpaceId = ({
  spaceId,
  floorId,
}: {
  spaceId: string | null
  floorId: string | null
}) => spaceId ?? floorId ?? ''
const spaceIdSql = sql<string>`coalesce(${device.spaceId}::text, ${device.floorId}::text, '')`

/** Bulk actions on lights reach this product type only, although other devices have switches too. */
export const isLight = eq(product.productType, lightProductType)

/**
 * Counts the lights of a project by space and state; `lookOf` applies the same rules to one light.
 * @param among limits the count to these spaces on these floors, or to devices that meet a condition
 */
export async function countLights(
  db: Db,
  projectId: number,
  {
    spaceIds,
    floorIds,
    condition,
  }: { spaceIds?: string[]; floorIds?: string[]; condition?: SQL } = {},
): Promise<SpaceLights[]> {
  const online = sql`${device.state} = 'online'`
  const inactive = sql`${device.state} = 'inactive'`
  const value = sql`${device.reported} ->> ${lightSwitchIdentifier}`
  const isKnown = sql`(${online} and ${value} is not null and not ${device.stale} ? ${lightSwitchIdentifier})`
  return db
    .select({
      spaceId: spaceIdSql,
      on: countWhere(sql`${isKnown} and ${value} = '1'`),
      off: countWhere(sql`${isKnown} and ${value} <> '1'`),
      offline: countWhere(sql`not ${online} and not ${inactive}`),
      inactive: countWhere(inactive),
      unknown: countWhere(sql`${online} and not ${isKnown}`),
      protected: countWhere(sql`${device.protected}`),
      reachable: countWhere(sql`${online} and not ${device.protected}`),
    })
    .from(device)
    .innerJoin(product, eq(product.id, device.productId))
    .where(
      and(
        eq(device.projectId, projectId),
        isLight,
        // The floor filter uses an index; the few devices without a floor need no filter.
        floorIds && !floorIds.includes('') ? inArray(device.floorId, floorIds) : undefined,
        spaceIds && inArray(spaceIdSql, spaceIds),
        condition,
      ),
    )
    .groupBy(spaceIdSql)
}
const countWhere = (condition: SQL) =>
  sql<number>`count(*) filter (where ${condition})`.mapWith(Number)
