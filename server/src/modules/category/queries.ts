import { desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { nameAuthors } from '../../core/db/personNames'
import { treeQueries } from '../../core/db/treeQueries'
import { versionedQueries } from '../../core/db/versionedQueries'
import { categoryVersion, productCategory as table } from '../../tables/category'
import { product } from '../../tables/device'

export type CategoryRow = typeof table.$inferSelect

const jsonLengthSql = (list: string) =>
  sql<number>`coalesce(jsonb_array_length(${table.model} -> ${sql.raw(`'${list}'`)}), 0)`
const functionCountSql = sql<number>`${jsonLengthSql('properties')} + ${jsonLengthSql('services')} + ${jsonLengthSql('events')}`

export const categoryQueries = (db: Db) => ({
  ...versionedQueries(db, table),
  ...treeQueries(db, table),
  /** Lists categories without their models, which are a hundred times larger than the other columns. */
  async listWithCounts() {
    const { model: _, ...columns } = getTableColumns(table)
    const rows = await db
      .select({ ...columns, functionCount: functionCountSql.mapWith(Number) })
      .from(table)
      .orderBy(table.sort, table.id)
    const counts = await this.countProductsByCategory()
    return rows.map((row) => ({ ...row, productCount: counts.get(row.id) ?? 0 }))
  },
  async countProductsByCategory() {
    const rows = await db
      .select({ id: product.categoryId, count: sql<number>`count(*)`.mapWith(Number) })
      .from(product)
      .groupBy(product.categoryId)
    return new Map(rows.map(({ id, count }) => [id, count]))
  },
  listCategoriesUsingIcons: (ids: string[]) =>
    db
      .select({ to: table.icon, entity: sql<string>`'品类'`, id: table.id, name: table.name })
      .from(table)
      .where(inArray(table.icon, ids))
      .orderBy(table.id),
  countProducts: (id: string) => db.$count(product, eq(product.categoryId, id)),
  async listVersions(id: string) {
    const rows = await db
      .select()
      .from(categoryVersion)
      .where(eq(categoryVersion.categoryId, id))
      .orderBy(desc(categoryVersion.number))
    return nameAuthors(db, rows, 'createBy')
  },
  async findLatestVersion(id: string) {
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
    actor: string,
  ) => db.insert(categoryVersion).values({ ...row, createBy: actor, updateBy: actor }),
  async remove(ids: string[]) {
    await db.delete(categoryVersion).where(inArray(categoryVersion.categoryId, ids))
    await db.delete(table).where(inArray(table.id, ids))
  },
})
