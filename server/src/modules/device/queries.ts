import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device, product } from '../../tables/device'
import { productType } from '../../tables/productType'

export const deviceQueries = (db: Db) => ({
  productTypes: () =>
    db
      .select()
      .from(productType)
      .where(eq(productType.status, 'enabled'))
      .orderBy(asc(productType.sort), asc(productType.id)),
  /** Devices that stand on a floor plan. */
  placed: (scope: 'all' | number[], floorId?: string) =>
    db
      .select({
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
      })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(
        and(
          scope === 'all' ? undefined : inArray(device.projectId, scope),
          floorId ? eq(device.floorId, floorId) : undefined,
          isNotNull(device.x),
          isNotNull(device.y),
          isNotNull(device.floorId),
        ),
      ),
})
