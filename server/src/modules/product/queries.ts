import type { productSchemas } from '@iot/shared/contract/product/product.schema'
import { and, arrayContains, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { actionLog } from '../../tables/actionLog'
import { brand } from '../../tables/brand'
import { categoryVersion, productCategory } from '../../tables/category'
import { communicationProtocol } from '../../tables/communicationProtocol'
import { controlType } from '../../tables/controlType'
import { device, product as table } from '../../tables/device'
import { manufacturer } from '../../tables/manufacturer'
import { productType } from '../../tables/productType'
import { productCredential, registrationRule } from '../../tables/registration'
import { getControlTypes } from '../controlType/policy'

type PageInput = z.output<typeof productSchemas.page.input>
export type ProductRow = typeof table.$inferSelect

const maxChanges = 200
const indexById = <T extends { id: string }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]))
const getDistinctIds = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

type VersionedProductQueries = ReturnType<typeof versionedQueries<typeof table>>

export const productQueries = (db: Db) => {
  const rows = versionedQueries(db, table)

  return {
    ...rows,
    ...listQueries(db, rows),
    ...referenceQueries(db),
    ...nameQueries(db),
    ...usageQueries(db),
    ...historyQueries(db),
    /** Removes products with their registration secrets. */
    async removeAll(list: ProductRow[]) {
      const productKeys = list.map(({ productKey }) => productKey)
      await db.delete(productCredential).where(inArray(productCredential.productKey, productKeys))
      await rows.remove(list.map(({ id }) => id))
    },
  }
}

const listQueries = (db: Db, rows: VersionedProductQueries) => {
  /** Adds the names of referenced rows and the number of devices. */
  async function addNames(list: ProductRow[]) {
    const manufacturerIds = getDistinctIds(list.map((row) => row.manufacturerId))
    const categoryIds = getDistinctIds(list.map((row) => row.categoryId))
    const ids = list.map(({ id }) => id)
    const manufacturers = indexById(
      await db
        .select({ id: manufacturer.id, name: manufacturer.name })
        .from(manufacturer)
        .where(inArray(manufacturer.id, manufacturerIds)),
    )
    const categories = indexById(
      await db
        .select({ id: productCategory.id, name: productCategory.name })
        .from(productCategory)
        .where(inArray(productCategory.id, categoryIds)),
    )
    const brands = indexById(
      await db
        .select({ id: brand.id, name: brand.name })
        .from(brand)
        .where(inArray(brand.id, getDistinctIds(list.map((row) => row.brandId)))),
    )
    const deviceCounts = indexById(
      await db
        .select({ id: device.productId, count: sql<number>`count(*)`.mapWith(Number) })
        .from(device)
        .where(inArray(device.productId, ids))
        .groupBy(device.productId),
    )
    return list.map((row) => ({
      ...row,
      manufacturerName: manufacturers.get(row.manufacturerId ?? '')?.name ?? '',
      brandName: brands.get(row.brandId ?? '')?.name ?? '',
      categoryName: categories.get(row.categoryId ?? '')?.name ?? '',
      deviceCount: deviceCounts.get(row.id)?.count ?? 0,
    }))
  }

  return {
    addNames,
    async page({ name, categoryId, manufacturerId, node, status, ...otherFilters }: PageInput) {
      const { controlType: controlFilter, protocol, ...page } = otherFilters
      const { list, ...count } = await rows.list(
        and(
          name
            ? or(
                contains(table.name, name),
                contains(table.modelNo, name),
                contains(table.productKey, name),
              )
            : undefined,
          whereEquals(table.categoryId, categoryId),
          whereEquals(table.manufacturerId, manufacturerId),
          whereEquals(table.node, node),
          whereEquals(table.status, status),
          controlFilter ? arrayContains(table.controlTypes, [controlFilter]) : undefined,
          whereEquals(table.protocol, protocol),
        ),
        page,
      )
      return { list: await addNames(list), ...count }
    },
    listOptions: () =>
      db
        .select({
          id: table.id,
          name: table.name,
          modelNo: table.modelNo,
          node: table.node,
          productKey: table.productKey,
          status: table.status,
          authType: table.authType,
        })
        .from(table)
        .orderBy(table.name, table.id),
  }
}

/** Queries for the rows that a product refers to, or that refer to it. */
const referenceQueries = (db: Db) => ({
  findManufacturer: async (id: string) =>
    (await db.select().from(manufacturer).where(eq(manufacturer.id, id)))[0],
  findTypes: (codes: string[]) =>
    db
      .select({ code: productType.code, name: productType.name, status: productType.status })
      .from(productType)
      .where(inArray(productType.code, codes)),
  findProtocol: async (code: string) =>
    (await db.select().from(communicationProtocol).where(eq(communicationProtocol.code, code)))[0],
  findControls: (codes: string[]) => getControlTypes(db, codes),
  hasRegistrationRule: async (id: string) =>
    (await db.$count(registrationRule, eq(registrationRule.productId, id))) > 0,
  findBrand: async (id: string) => (await db.select().from(brand).where(eq(brand.id, id)))[0],
  findCategory: async (id: string) =>
    (await db.select().from(productCategory).where(eq(productCategory.id, id)))[0],
  async findVersion(categoryId: string | null, number: number | 'newest') {
    if (categoryId === null || number === 0) return undefined
    const [row] = await db
      .select({ number: categoryVersion.number, model: categoryVersion.model })
      .from(categoryVersion)
      .where(
        and(
          eq(categoryVersion.categoryId, categoryId),
          number === 'newest' ? undefined : eq(categoryVersion.number, number),
        ),
      )
      .orderBy(desc(categoryVersion.number))
      .limit(1)
    return row
  },
})

/** Queries that resolve the names of a file. */
const nameQueries = (db: Db) => ({
  /** Returns codes for names or codes of a file; an unknown text is returned unchanged. */
  async resolveCodes(protocol: string, controls: string[]) {
    const protocols = await db
      .select({ code: communicationProtocol.code, name: communicationProtocol.name })
      .from(communicationProtocol)
      .where(eq(communicationProtocol.name, protocol))
    const types = await db
      .select({ code: controlType.code, name: controlType.name })
      .from(controlType)
      .where(inArray(controlType.name, controls))
    return {
      protocol: protocols[0]?.code ?? protocol,
      controlTypes: controls.map((text) => types.find(({ name }) => name === text)?.code ?? text),
    }
  },
  /** Returns ids for names of a file; a category is given by its code, because category names are not unique. */
  async resolveIds({
    manufacturerName,
    brandName,
    categoryName,
  }: {
    manufacturerName: string
    brandName: string
    categoryName: string
  }) {
    const [manufacturerRow] = await db
      .select({ id: manufacturer.id })
      .from(manufacturer)
      .where(eq(manufacturer.name, manufacturerName))
    const [brandRow] = manufacturerRow
      ? await db
          .select({ id: brand.id })
          .from(brand)
          .where(and(eq(brand.name, brandName), eq(brand.manufacturerId, manufacturerRow.id)))
      : []
    const categories = await db
      .select({ id: productCategory.id, code: productCategory.code })
      .from(productCategory)
      .where(or(eq(productCategory.name, categoryName), eq(productCategory.code, categoryName)))
      .orderBy(sql`${productCategory.code} <> ${categoryName}`)
      .limit(2)
    const isAmbiguous = categories.length > 1 && categories[0]!.code !== categoryName
    const categoryId = isAmbiguous ? undefined : categories[0]?.id
    return {
      manufacturerId: manufacturerRow?.id,
      brandId: brandRow?.id,
      categoryId,
      isTwice: isAmbiguous,
    }
  },
})

/** Queries for the products that use a row of another module. */
const usageQueries = (db: Db) => {
  const listReferences = (column: PgColumn, ids: string[]) =>
    db
      .select({
        to: sql<string>`${column}`,
        id: table.id,
        name: table.name,
        entity: sql<string>`'产品'`,
      })
      .from(table)
      .where(inArray(column, ids))
      .orderBy(table.id)

  return {
    findUsingManufacturers: (ids: string[]) => listReferences(table.manufacturerId, ids),
    findUsingBrands: (ids: string[]) => listReferences(table.brandId, ids),
    findUsingCategories: (ids: string[]) => listReferences(table.categoryId, ids),
  }
}

/** Maximum device names in one line of a check. */
const maxNamesInCheck = 3

const historyQueries = (db: Db) => ({
  /** Returns values that devices of the product posted in vain, the most frequent first. */
  async findDroppedValues(productId: string, scope: 'all' | number[]) {
    const { rows } = await db.execute<{
      identifier: string
      reason: string
      deviceCount: number
      devices: string[]
      lastTime: string
    }>(sql`
      select entry.key as identifier, entry.value ->> 'reason' as reason,
        count(*)::int as "deviceCount", max(entry.value ->> 'time') as "lastTime",
        (array_agg(${device.name} order by entry.value ->> 'time' desc))[1:${sql.raw(String(maxNamesInCheck))}] as devices
      from ${device}, jsonb_each(${device.dropped}) as entry
      where ${device.productId} = ${productId} and ${scope === 'all' ? sql`true` : inArray(device.projectId, scope)}
      group by 1, 2
      order by 3 desc, 1
      limit 50`)
    return rows
  },
  /** Returns the time of the newest report of each property over the devices of the product. */
  async findReportTimes(productId: string, scope: 'all' | number[]) {
    const isOfProduct = and(
      eq(device.productId, productId),
      scope === 'all' ? undefined : inArray(device.projectId, scope),
    )
    const { rows } = await db.execute<{ identifier: string; lastMs: number }>(sql`
      select entry.key as identifier, max(entry.value::text::float8) as "lastMs"
      from ${device}, jsonb_each(${device.reportedAt}) as entry
      where ${isOfProduct}
      group by 1`)
    return {
      lastMsByIdentifier: new Map(
        rows.map(({ identifier, lastMs }) => [identifier, Number(lastMs)]),
      ),
      deviceCount: await db.$count(device, isOfProduct),
      reportingCount: await db.$count(device, and(isOfProduct, isNotNull(device.reportedTime))),
    }
  },
  /** Returns the device of the product that reported last, among the projects that the user can see. */
  async findLastReporting(productId: string, scope: 'all' | number[]) {
    const [row] = await db
      .select({ name: device.name, deviceName: device.deviceName, time: device.reportedTime })
      .from(device)
      .where(
        and(
          eq(device.productId, productId),
          isNotNull(device.reportedTime),
          scope === 'all' ? undefined : inArray(device.projectId, scope),
        ),
      )
      .orderBy(desc(device.reportedTime))
      .limit(1)
    return row?.time ? { ...row, time: row.time } : null
  },
  listChanges: (id: string) =>
    db
      .select()
      .from(actionLog)
      .where(and(eq(actionLog.entity, '产品'), eq(actionLog.entityId, id)))
      .orderBy(desc(actionLog.time), desc(actionLog.id))
      .limit(maxChanges),
})
