import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db'
import { buildCountQuery, readPage, type PageQuery } from './page'
import { whereIdIn, matchesRevision, buildOrderBy, buildUpdateColumns } from './rows'
import { createPreparedRows } from '../shortcuts/preparedRows'

type VersionedTable = PgTable & { id: PgColumn; version: PgColumn }
type StampedColumn = 'id' | 'createBy' | 'createTime' | 'updateBy' | 'updateTime' | 'version'
type Draft<T extends VersionedTable> = Omit<T['$inferInsert'], StampedColumn>
type Revision = { id: string; version: number }
type ListQuery = PageQuery & { sort?: string }

/**
 * Returns one row whose columns hold these values.
 * @example const row = await findRow(tx, brand, { code })
 */
export async function findRow<T extends VersionedTable>(
  db: Db,
  table: T,
  values: Partial<T['$inferSelect']>,
): Promise<T['$inferSelect'] | undefined> {
  const columns = getTableColumns(table) as Record<string, PgColumn>
  const untypedTable: VersionedTable = table
  const [row] = await db
    .select()
    .from(untypedTable)
    .where(and(...Object.entries(values).map(([name, value]) => eq(columns[name]!, value))))
    .limit(1)
  return row as T['$inferSelect'] | undefined
}

/**
 * Returns the queries that all tables of versioned rows share; a module adds its own.
 * @example export const brandQueries = (db: Db) => ({ ...versionedQueries(db, brand), page: … })
 */
export function versionedQueries<T extends VersionedTable>(db: Db, table: T) {
  type Row = T['$inferSelect']
  // Drizzle's types cannot follow a table that is a type parameter, so a wider type is used here; `T` checks the
  // shape.
  const untypedTable: VersionedTable = table
  const preparedRows = createPreparedRows(table)
  const getFirst = async (query: PromiseLike<unknown[]>) => (await query)[0] as Row | undefined

  return {
    get: (id: string) => getFirst(preparedRows.select(db, sql`where ${eq(table.id, id)}`)),
    many: async (ids: string[]) =>
      (await db.select().from(untypedTable).where(inArray(table.id, ids))) as Row[],
    insert: async (draft: Draft<T>, username: string) =>
      (await getFirst(
        preparedRows.add(db, [{ ...draft, createBy: username, updateBy: username }]),
      ))!,
    /**
     * Updates a row under the optimistic lock.
     * @returns undefined if the row is gone or its version has changed since it was read
     */
    update: ({ id, version, ...change }: Partial<Draft<T>> & Revision, username: string) =>
      getFirst(
        db
          .update(untypedTable)
          .set({ ...change, ...buildUpdateColumns(table, username) })
          .where(matchesRevision(table, { id, version }))
          .returning(),
      ),
    /** Applies the same change to many rows without checking their versions. */
    setAll: (ids: string[], change: Partial<Draft<T>>, username: string) =>
      db
        .update(untypedTable)
        .set({ ...change, ...buildUpdateColumns(table, username) })
        .where(inArray(table.id, ids)),
    remove: (ids: string[]) => db.delete(untypedTable).where(inArray(table.id, ids)),
    /** Reads one page of a list. Every column is sortable; `sort` has the format of the contract's `pageQuery`. */
    async list(
      filter: SQL | undefined,
      { sort, ids, ...page }: ListQuery,
      fallback = '-createTime',
    ) {
      const where = and(filter, whereIdIn(table.id, ids))
      const columns = getTableColumns(untypedTable) as Record<string, PgColumn> & { id: PgColumn }
      const orderBy = buildOrderBy(columns, sort, fallback)
      const whereClause = where && sql`where ${where}`
      // A search that finds less than a page needs no count; an unfiltered list is read and counted by one statement.
      let fetchedTotal: number | undefined
      return readPage(
        db,
        untypedTable,
        where,
        page,
        async ({ limit, offset, upTo }) => {
          const rows = await preparedRows.select(
            db,
            sql`${whereClause} order by ${sql.join(orderBy, sql`, `)} limit ${limit} offset ${offset}`,
            where ? undefined : sql`, ${buildCountQuery(untypedTable, where, upTo)} as "#"`,
          )
          if (!where)
            for (const row of rows) {
              fetchedTotal = row['#'] as number
              delete row['#']
            }
          return rows as Row[]
        },
        () => fetchedTotal,
      )
    },
  }
}
