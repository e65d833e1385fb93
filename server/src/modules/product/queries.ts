import type { productApi } from '@iot/shared/contract/product'
import { and, arrayContains, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { actionLog } from '../../tables/actionLog'
import { brand } from '../../tables/brand'
import { categoryVersion, productCategory } from '../../tables/category'
import { communicationProtocol } from '../../tables/communicationProtocol'
import { controlType } from '../../tables/controlType'
import { device, product as table } from '../../tables/device'
import { manufacturer } from '../../tables/manufacturer'
import { productType } from '../../tables/productType'
import { productCredential, registrationRule } from '../../tables/registration'
import { controlsOf } from '../controlType/policy'

type Page = z.output<typeof productApi.page.input>
export type ProductRow = typeof table.$inferSelect

const changesShown = 200
const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]))
const idsOf = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

export const productQueries = (db: Db) => {
  const rows = versioned(db, table)
  const usedBy = (column: PgColumn, ids: string[]) =>
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
    ...rows,
    async page({ name, categoryId, manufacturerId, node, status, ...asked }: Page) {
      const { controlType: byControl, protocol, ...page } = asked
      const { list, ...count } = await rows.list(
        and(
          name
            ? or(
                contains(table.name, name),
                contains(table.modelNo, name),
                contains(table.productKey, name),
              )
            : undefined,
          equals(table.categoryId, categoryId),
          equals(table.manufacturerId, manufacturerId),
          equals(table.node, node),
          equals(table.status, status),
          byControl ? arrayContains(table.controlTypes, [byControl]) : undefined,
          equals(table.protocol, protocol),
        ),
        page,
      )
      return { list: await this.named(list), ...count }
    },
    /** Removes products with their registration secrets. */
    async removeAll(list: ProductRow[]) {
      const keys = list.map(({ productKey }) => productKey)
      await db.delete(productCredential).where(inArray(productCredential.productKey, keys))
      await rows.remove(list.map(({ id }) => id))
    },
    options: () =>
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
    /** Adds the names of referenced rows and the number of devices. */
    async named(list: ProductRow[]) {
      const makerIds = idsOf(list.map((row) => row.manufacturerId))
      const categoryIds = idsOf(list.map((row) => row.categoryId))
      const ids = list.map(({ id }) => id)
      const makers = byId(
        await db
          .select({ id: manufacturer.id, name: manufacturer.name })
          .from(manufacturer)
          .where(inArray(manufacturer.id, makerIds)),
      )
      const categories = byId(
        await db
          .select({ id: productCategory.id, name: productCategory.name })
          .from(productCategory)
          .where(inArray(productCategory.id, categoryIds)),
      )
      const brands = byId(
        await db
          .select({ id: brand.id, name: brand.name })
          .from(brand)
          .where(inArray(brand.id, idsOf(list.map((row) => row.brandId)))),
      )
      const counts = byId(
        await db
          .select({ id: device.productId, count: sql<number>`count(*)`.mapWith(Number) })
          .from(device)
          .where(inArray(device.productId, ids))
          .groupBy(device.productId),
      )
      return list.map((row) => ({
        ...row,
        manufacturerName: makers.get(row.manufacturerId ?? '')?.name ?? '',
        brandName: brands.get(row.brandId ?? '')?.name ?? '',
        categoryName: categories.get(row.categoryId ?? '')?.name ?? '',
        deviceCount: counts.get(row.id)?.count ?? 0,
      }))
    },
    manufacturer: async (id: string) =>
      (await db.select().from(manufacturer).where(eq(manufacturer.id, id)))[0],
    types: (codes: string[]) =>
      db
        .select({ code: productType.code, name: productType.name, status: productType.status })
        .from(productType)
        .where(inArray(productType.code, codes)),
    protocol: async (code: string) =>
      (
        await db.select().from(communicationProtocol).where(eq(communicationProtocol.code, code))
      )[0],
    controls: (codes: string[]) => controlsOf(db, codes),
    /** Returns codes for names or codes of a file; an unknown text is returned unchanged. */
    async codesByName(protocol: string, controls: string[]) {
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
    registersItself: async (id: string) =>
      (await db.$count(registrationRule, eq(registrationRule.productId, id))) > 0,
    brand: async (id: string) => (await db.select().from(brand).where(eq(brand.id, id)))[0],
    category: async (id: string) =>
      (await db.select().from(productCategory).where(eq(productCategory.id, id)))[0],
    /** Returns ids for names of a file; a category is given by its code, because category names are not unique. */
    async idsByName({ maker, brandOf, kind }: { maker: string; brandOf: string; kind: string }) {
      const [one] = await db
        .select({ id: manufacturer.id })
        .from(manufacturer)
        .where(eq(manufacturer.name, maker))
      const [label] = one
        ? await db
            .select({ id: brand.id })
            .from(brand)
            .where(and(eq(brand.name, brandOf), eq(brand.manufacturerId, one.id)))
        : []
      const kinds = await db
        .select({ id: productCategory.id, code: productCategory.code })
        .from(productCategory)
        .where(or(eq(productCategory.name, kind), eq(productCategory.code, kind)))
        .orderBy(sql`${productCategory.code} <> ${kind}`)
        .limit(2)
      const isTwice = kinds.length > 1 && kinds[0]!.code !== kind
      const categoryId = isTwice ? undefined : kinds[0]?.id
      return { manufacturerId: one?.id, brandId: label?.id, categoryId, isTwice }
    },
    async versionOf(categoryId: string | null, number: number | 'newest') {
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
    ofManufacturers: (ids: string[]) => usedBy(table.manufacturerId, ids),
    ofBrands: (ids: string[]) => usedBy(table.brandId, ids),
    ofCategories: (ids: string[]) => usedBy(table.categoryId, ids),
    /** Returns the device of the product that reported last, among the projects that the user can see. */
    async heard(productId: string, scope: 'all' | number[]) {
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
    changes: (id: string) =>
      db
        .select()
        .from(actionLog)
        .where(and(eq(actionLog.entity, '产品'), eq(actionLog.entityId, id)))
        .orderBy(desc(actionLog.time), desc(actionLog.id))
        .limit(changesShown),
  }
}
