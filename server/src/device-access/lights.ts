import type { SpaceLights } from '@iot/shared/contract/device'
import { lightSwitch, lightType } from '@iot/shared/contract/light'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { device, product } from '../tables/device'

/** A space as devices name it: the innermost one, else the floor, else none. */
export const spaceOf = ({ spaceId, floorId }: { spaceId: string | null; floorId: string | null }) =>
  spaceId ?? floorId ?? ''
const space = sql<string>`coalesce(${device.spaceId}::text, ${device.floorId}::text, '')`

/** What an action for lights reaches, whatever else has a switch. */
export const isLight = eq(product.productType, lightType)

/**
 * How the lights of a project stand, space by space; `lookOf` says the same of one.
 * @param among of these spaces only, on these floors; or of those only that meet a condition
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
        // By its index; those of no floor are few.
        floorIds && !floorIds.includes('') ? inArray(device.floorId, floorIds) : undefined,
        spaceIds && inArray(space, spaceIds),
        means,
      ),
    )
    .groupBy(space)
}
const counted = (what: SQL) => sql<number>`count(*) filter (where ${what})`.mapWith(Number)
