import { randomBytes } from 'node:crypto'
import { count, eq, gte } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device, product } from '../../tables/device'
import { ingestPartition, ingestProduct } from '../../tables/ingest'

export type ProductSize = { productKey: string; devices: number }

/**
 * Assigns new products to the partitions with the fewest devices, the largest products first. Present assignments stay,
 * because a product that moves has two subscribers for a moment; those of removed partitions are given out again.
 */
export function assignProducts(
  products: ProductSize[],
  storedAssignments: ReadonlyMap<string, number>,
  partitionCount: number,
) {
  const devicesByPartition = Array.from({ length: partitionCount }, () => 0)
  const isKept = ({ productKey }: ProductSize) =>
    (storedAssignments.get(productKey) ?? Infinity) < partitionCount
  const assignments = new Map<string, number>()
  const assign = ({ productKey, devices }: ProductSize, partition: number) => {
    assignments.set(productKey, partition)
    devicesByPartition[partition]! += devices
  }
  for (const one of products.filter(isKept)) assign(one, storedAssignments.get(one.productKey)!)
  const newProducts = products
    .filter((one) => !isKept(one))
    .toSorted(
      (one, other) => other.devices - one.devices || (one.productKey < other.productKey ? -1 : 1),
    )
  for (const one of newProducts)
    assign(one, devicesByPartition.indexOf(Math.min(...devicesByPartition)))
  return assignments
}

export const partitionQueries = (db: Db) => {
  const listAssignments = async () =>
    new Map((await db.select().from(ingestProduct)).map((row) => [row.productKey, row.partition]))
  return {
    listAssignments,
    /** Returns the client id of a partition; the first caller of an installation creates it. */
    async findClientId(partition: number) {
      const clientId = `platform-ingest-${partition}-${randomBytes(6).toString('hex')}`
      await db.insert(ingestPartition).values({ number: partition, clientId }).onConflictDoNothing()
      const [row] = await db
        .select()
        .from(ingestPartition)
        .where(eq(ingestPartition.number, partition))
      return row!.clientId
    },
    /** Returns the client ids of partitions beyond the present number; the broker may still keep their sessions. */
    listSurplus: (partitionCount: number) =>
      db.select().from(ingestPartition).where(gte(ingestPartition.number, partitionCount)),
    removePartition: (partition: number) =>
      db.delete(ingestPartition).where(eq(ingestPartition.number, partition)),
    /** Assigns products without a partition and returns all assignments; of concurrent callers the first decides. */
    async assignProducts(partitionCount: number) {
      const storedAssignments = await listAssignments()
      const keys = await db.select({ productKey: product.productKey }).from(product)
      const isAssigned = ({ productKey }: { productKey: string }) =>
        (storedAssignments.get(productKey) ?? Infinity) < partitionCount
      if (keys.every(isAssigned)) return storedAssignments
      const products = await db
        .select({ productKey: product.productKey, devices: count(device.id) })
        .from(product)
        .leftJoin(device, eq(device.productId, product.id))
        .groupBy(product.productKey)
      const assignments = assignProducts(products, storedAssignments, partitionCount)
      const isStored = ([productKey]: [string, number]) => storedAssignments.has(productKey)
      const changedAssignments = [...assignments].filter(
        ([key, partition]) => storedAssignments.get(key) !== partition,
      )
      for (const [productKey, partition] of changedAssignments.filter(isStored))
        await db
          .update(ingestProduct)
          .set({ partition })
          .where(eq(ingestProduct.productKey, productKey))
      const added = changedAssignments.filter((one) => !isStored(one))
      if (added.length === 0) return changedAssignments.length > 0 ? listAssignments() : assignments
      await db
        .insert(ingestProduct)
        .values(added.map(([productKey, partition]) => ({ productKey, partition })))
        .onConflictDoNothing()
      return listAssignments()
    },
  }
}
