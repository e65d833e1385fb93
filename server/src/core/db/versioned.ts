import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db'
import { countOf, pageOf, type Slice } from './page'
import { among, asRead, order, stamp } from './rows'
import { wholeRows } from './whole'

type Versioned = PgTable & { id: PgColumn; version: PgColumn }
type Stamped = 'id' | 'createBy' | 'createTime' | 'updateBy' | 'updateTime' | 'version'
type Draft<T extends Versioned> = Omit<T['$inferInsert'], Stamped>
type Revision = { id: string; version: number }
type Wanted = Slice & { sort?: string }

/**
 * Returns one row whose columns hold these values.
 * @example const row = await findRow(tx, brand, { code })
 */
export async function findRow<T extends Versioned>(
  db: Db,
  table: T,
  values: Partial<T['$inferSelect']>,
): Promise<T['$inferSelect'] | undefined> {
  const columns = getTableColumns(table) as Record<string, PgColumn>
  const any: Versioned = table
  const [row] = await db
    .select()
    .from(any)
    .where(and(...Object.entries(values).map(([name, value]) => eq(columns[name]!, value))))
    .limit(1)
  return row as T['$inferSelect'] | undefined
}

/**
 * Returns the queries that all tables of versioned rows share; a module adds its own.
 * @example export const brandQueries = (db: Db) => ({ ...versioned(db, brand), page: … })
 */
export function versioned<T extends Versioned>(db: Db, table: T) {
  type Row = T['$inferSelect']
  // Drizzle's types cannot follow a table that is a type parameter, so a wider type is used here; `T` checks the
  // shape.
  const any: Versioned = table
  const whole = wholeRows(table)
  const one = async (query: PromiseLike<unknown[]>) => (await query)[0] as Row | undefined

  return {
    get: (id: string) => one(whole.select(db, sql`where ${eq(table.id, id)}`)),
    many: async (ids: string[]) =>
      (await db.select().from(any).where(inArray(table.id, ids))) as Row[],
    insert: async (draft: Draft<T>, by: string) =>
      (await one(whole.add(db, [{ ...draft, createBy: by, updateBy: by }])))!,
    /**
     * Updates a row under the optimistic lock.
     * @returns undefined if the row is gone or its version has changed since it was read
     */
    update: ({ id, version, ...change }: Partial<Draft<T>> & Revision, by: string) =>
      one(
        db
          .update(any)
          .set({ ...change, ...stamp(table, by) })
          .where(asRead(table, { id, version }))
          .returning(),
      ),
    /** Applies the same change to many rows without checking their versions. */
    setAll: (ids: string[], change: Partial<Draft<T>>, by: string) =>
      db
        .update(any)
        .set({ ...change, ...stamp(table, by) })
        .where(inArray(table.id, ids)),
    remove: (ids: string[]) => db.delete(any).where(inArray(table.id, ids)),
    /** Reads one page of a list. Every column is sortable; `sort` has the format of the contract's `pageQuery`. */
    async list(wanted: SQL | undefined, { sort, ids, ...page }: Wanted, fallback = '-createTime') {
      const where = and(wanted, among(table.id, ids))
      const columns = getTableColumns(any) as Record<string, PgColumn> & { id: PgColumn }
      const by = order(columns, sort, fallback)
      const rest = where && sql`where ${where}`
      // A search that finds less than a page needs no count; an unfiltered list is read and counted by one statement.
      let counted: number | undefined
      return pageOf(
        db,
        any,
        where,
        page,
        async ({ limit, offset, upTo }) => {
          const rows = await whole.select(
            db,
            sql`${rest} order by ${sql.join(by, sql`, `)} limit ${limit} offset ${offset}`,
            where ? undefined : sql`, ${countOf(any, where, upTo)} as "#"`,
          )
          if (!where)
            for (const row of rows) {
              counted = row['#'] as number
              delete row['#']
            }
          return rows as Row[]
        },
        () => counted,
      )
    },
  }
}
