import type { managedDeviceSchemas } from '@iot/shared/contract/device/managedDevice.schema'
import { createTree } from '@iot/shared/contract/tree'
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { nameAuthors } from '../../core/db/personNames'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { liveColumns } from '../../device-access/ingest/deviceStates'
import { device as table, product } from '../../tables/device'
import { productType } from '../../tables/productType'
import { space } from '../../tables/space'
import { getGroupScope } from '../deviceGroup/policy'
import { identityQueries, registrationQueries } from './identityQueries'
import { moveQueries, type Placement, type VersionedDeviceQueries } from './moveQueries'
import { floorQueries } from './floorQueries'
import { removalQueries } from './removalQueries'

type PageInput = z.output<typeof managedDeviceSchemas.page.input>
export type DeviceRow = typeof table.$inferSelect
const emptyList = [] as never[]

export const managedDeviceQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  const places = placeQueries(db)

  return {
    ...rows,
    ...places,
    ...listQueries(db, rows, places.spaces),
    ...productQueries(db),
    ...identityQueries(db),
    ...registrationQueries(db),
    ...moveQueries(db, rows),
    ...floorQueries(db),
    ...removalQueries(db, rows),
    /** Returns the changed devices as pages receive them. */
    setDisabled: (ids: string[], isDisabled: boolean, actor: string) =>
      db
        .update(table)
        .set({
          state: isDisabled
            ? 'disabled'
            : sql`case when ${table.onlineTime} is null then 'inactive' else 'offline' end`,
          ...(isDisabled && { via: null }),
          revision: sql`${table.revision} + 1`,
          version: sql`${table.version} + 1`,
          updateBy: actor,
          updateTime: new Date().toISOString(),
        })
        .where(inArray(table.id, ids))
        .returning(liveColumns),
  }
}

const placeQueries = (db: Db) => {
  const spaces = (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId, type: space.type, name: space.name })
      .from(space)
      .where(eq(space.projectId, projectId))
      .orderBy(asc(space.sort), asc(space.id))
  return {
    spaces,
    /** Returns a place with the floor that contains it; undefined if the project has no space with that id. */
    async findPlacement(projectId: number, spaceId: string | null): Promise<Placement | undefined> {
      if (spaceId === null) return { projectId, spaceId, floorId: null }
      const path = createTree(await spaces(projectId)).path(spaceId)
      if (path.length === 0) return undefined
      return { projectId, spaceId, floorId: path.find(({ type }) => type === 'floor')?.id ?? null }
    },
  }
}

const listQueries = (
  db: Db,
  rows: VersionedDeviceQueries,
  listSpaces: ReturnType<typeof placeQueries>['spaces'],
) => {
  /** Adds the names of product, place and gateway. */
  async function addNames(list: DeviceRow[]) {
    const projectIds = [...new Set(list.map(({ projectId }) => projectId))]
    const trees = new Map(
      await Promise.all(
        projectIds.map(async (id) => [id, createTree(await listSpaces(id))] as const),
      ),
    )
    const products = await db
      .select({
        id: product.id,
        name: product.name,
        key: product.productKey,
        node: product.node,
        type: product.productType,
      })
      .from(product)
      .where(inArray(product.id, [...new Set(list.map(({ productId }) => productId))]))
    const gatewayIds = [...new Set(list.flatMap(({ gatewayId }) => gatewayId ?? emptyList))]
    const gateways = await db
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(inArray(table.id, gatewayIds))
    const namedRows = await nameAuthors(db, list, 'createBy')
    return namedRows.map((row) => {
      const productRow = products.find(({ id }) => id === row.productId)!
      const path = trees.get(row.projectId)!.path(row.spaceId)
      return {
        ...row,
        productName: productRow.name,
        productKey: productRow.key,
        productType: productRow.type,
        node: productRow.node,
        place: path.map((ancestor) => ancestor.name).join(' / '),
        gatewayName: gateways.find(({ id }) => id === row.gatewayId)?.name ?? '',
      }
    })
  }

  return {
    addNames,
    async page({
      projectId,
      name,
      productId,
      spaceId,
      groupId,
      gatewayId,
      state,
      ...page
    }: PageInput) {
      const spaceIdsWithin = spaceId && [...createTree(await listSpaces(projectId)).within(spaceId)]
      const group = groupId ? await getGroupScope(db, projectId, groupId) : undefined
      const { list, ...count } = await rows.list(
        and(
          eq(table.projectId, projectId),
          name ? or(contains(table.name, name), contains(table.deviceName, name)) : undefined,
          whereEquals(table.productId, productId),
          whereEquals(table.gatewayId, gatewayId),
          whereEquals(table.state, state),
          spaceIdsWithin ? inArray(table.spaceId, spaceIdsWithin) : undefined,
          group?.isMember,
        ),
        page,
      )
      return { list: await addNames(list), ...count }
    },
  }
}

const productQueries = (db: Db) => ({
  listProducts: () =>
    db
      .select({
        id: product.id,
        name: product.name,
        productKey: product.productKey,
        status: product.status,
      })
      .from(product),
  findProduct: async (id: string) => (await db.select().from(product).where(eq(product.id, id)))[0],
  findProductsWithType: (productIds: string[]) =>
    db
      .select({
        id: product.id,
        name: product.name,
        productType: product.productType,
        typeName: sql<string>`coalesce(${productType.name}, ${product.productType})`,
        model: product.model,
      })
      .from(product)
      .leftJoin(productType, eq(productType.code, product.productType))
      .where(inArray(product.id, productIds)),
})
