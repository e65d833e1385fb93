import { desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { treeRows } from '../../core/db/treeRows'
import { versioned } from '../../core/db/versioned'
import { categoryVersion, productCategory as table } from '../../tables/category'
import { product } from '../../tables/device'

export type CategoryRow = typeof table.$inferSelect

const lengthOf = (list: string) =>
  sql<number>`coalesce(jsonb_array_length(${table.model} -> ${sql.raw(`'${list}'`)}), 0)`
const functionCount = sql<number>`${lengthOf('properties')} + ${lengthOf('services')} + ${lengthOf('events')}`

export const categoryQueries = (db: Db) => ({
  ...versioned(db, table),
  ...treeRows(db, table),
  /** Lists categories without their models, which are a hundred times larger than the other columns. */
  async listed() {
    const { model: _, ...columns } = getTableColumns(table)
    const rows = await db
      .select({ ...columns, functionCount: functionCount.mapWith(Number) })
      .from(table)
      .orderBy(table.sort, table.id)
    const counts = await this.productCounts()
    return rows.map((row) => ({ ...row, productCount: counts.get(row.id) ?? 0 }))
  },
  async productCounts() {
    const rows = await db
      .select({ id: product.categoryId, count: sql<number>`count(*)`.mapWith(Number) })
      .from(product)
      .groupBy(product.categoryId)
    return new Map(rows.map(({ id, count }) => [id, count]))
  },
  withIcons: (ids: string[]) =>
    db
      .select({ to: table.icon, entity: sql<string>`'品类'`, id: table.id, name: table.name })
      .from(table)
      .where(inArray(table.icon, ids))
      .orderBy(table.id),
  productCount: (id: string) => db.$count(product, eq(product.categoryId, id)),
  versions: (id: string) =>
    db
      .select()
      .from(categoryVersion)
      .where(eq(categoryVersion.categoryId, id))
      .orderBy(desc(categoryVersion.number)),
  async lastVersion(id: string) {
    const [row] = await db
      .select()
      .from(categoryVersion)
      .where(eq(categoryVersion.categoryId, id))
      .orderBy(desc(categoryVersion.number))
      .limit(1)
    return row
  },
  addVersion: (
    row: Omit<typeof categoryVersion.$inferInsert, 'createBy' | 'updateBy'>,
    by: string,
  ) => db.insert(categoryVersion).values({ ...row, createBy: by, updateBy: by }),
  async remove(ids: string[]) {
    await db.delete(categoryVersion).where(inArray(categoryVersion.categoryId, ids))
    await db.delete(table).where(inArray(table.id, ids))
  },
})
