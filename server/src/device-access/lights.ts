import type { SpaceLights } from '@iot/shared/contract/device'
import { lightSwitch, lightType } from '@iot/shared/contract/light'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { device, product } from '../tables/device'

/** Returns the space by which devices are counted: the innermost one, else the floor, else an empty string. */
export const spaceOf = ({ spaceId, floorId }: { spaceId: string | null; floorId: string | null }) =>
  spaceId ?? floorId ?? ''
const space = sql<string>`coalesce(${device.spaceId}::text, ${device.floorId}::text, '')`

/** Bulk actions on lights reach this product type only, although other devices have switches too. */
export const isLight = eq(product.productType, lightType)

/**
 * Counts the lights of a project by space and state; `lookOf` applies the same rules to one light.
 * @param among limits the count to these spaces on these floors, or to devices that meet a condition
 */
export async function countLights(
  db: Db,
  projectId: number,
  { spaceIds, floorIds, means }: { spaceIds?: string[]; floorIds?: string[]; means?: SQL } = {},
): Promise<SpaceLights[]> {
  const online = sql`${device.state} = 'online'`
  const value = sql`${device.reported} ->> ${lightSwitch}`
  const isKnown = sql`(${online} and ${value} is not null and not ${device.stale} ? ${lightSwitch})`
  return db
    .select({
      spaceId: space,
      on: counted(sql`${isKnown} and ${value} = '1'`),
      off: counted(sql`${isKnown} and ${value} <> '1'`),
      offline: counted(sql`not ${online}`),
      unknown: counted(sql`${online} and not ${isKnown}`),
      protected: counted(sql`${device.protected}`),
      reachable: counted(sql`${online} and not ${device.protected}`),
    })
    .from(device)
    .innerJoin(product, eq(product.id, device.productId))
    .where(
      and(
        eq(device.projectId, projectId),
        isLight,
        // The floor filter uses an index; the few devices without a floor need no filter.
        floorIds && !floorIds.includes('') ? inArray(device.floorId, floorIds) : undefined,
        spaceIds && inArray(space, spaceIds),
        means,
      ),
    )
    .groupBy(space)
}
const counted = (what: SQL) => sql<number>`count(*) filter (where ${what})`.mapWith(Number)
