import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { pageOf } from '../../core/db/page'
import { contains } from '../../core/db/rows'
import { device, product } from '../../tables/device'
import { productType } from '../../tables/productType'
import { space } from '../../tables/space'
import { pinyinPattern } from './pinyin'

export const deviceQueries = (db: Db) => ({
  productTypes: () =>
    db
      .select()
      .from(productType)
      .where(eq(productType.status, 'enabled'))
      .orderBy(asc(productType.sort), asc(productType.id)),
  /** Devices that stand on a floor plan. */
  placed(scope: 'all' | number[], floorId?: string, most?: number) {
    const rows = db
      .select(mapColumns)
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(
        and(
          scope === 'all' ? undefined : inArray(device.projectId, scope),
          floorId ? eq(device.floorId, floorId) : undefined,
          ...isPlaced,
        ),
      )
    return most === undefined ? rows : rows.limit(most)
  },
  spaces: (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId)),
  /** Of those on plans, what is called so or stands in one of these spaces; the former first. */
  async search(projectId: number, text: string, spaceIds: string[], pageSize: number) {
    const pattern = await pinyinPattern(text)
    const named = or(
      contains(device.name, text),
      pattern === undefined ? undefined : sql`${device.name} ~ ${pattern}`,
    )!
    const where = and(
      eq(device.projectId, projectId),
      ...isPlaced,
      or(named, spaceIds.length > 0 ? inArray(device.spaceId, spaceIds) : undefined),
    )
    return pageOf(db, device, where, { pageNo: 1, pageSize }, ({ limit }) =>
      db
        .select(mapColumns)
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .where(where)
        .orderBy(sql`${named} desc`, asc(device.name), asc(device.id))
        .limit(limit),
    )
  },
})

export type Placed = Awaited<ReturnType<ReturnType<typeof deviceQueries>['placed']>>[number]

const isPlaced = [isNotNull(device.x), isNotNull(device.y), isNotNull(device.floorId)]
const mapColumns = {
  id: device.id,
  name: device.name,
  productType: product.productType,
  spaceId: device.spaceId,
  floorId: device.floorId,
  x: device.x,
  y: device.y,
  protected: device.protected,
  state: device.state,
  reported: device.reported,
  reportedTime: device.reportedTime,
  stale: device.stale,
  desired: device.desired,
}
