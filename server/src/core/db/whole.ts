import { Column, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { PgColumn, PgTable, PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type { Db } from './db'

type Row = Record<string, unknown>
type Prepared = PreparedQueryConfig & { execute: { rows: Row[] } }
type Fields = [field: string, column: PgColumn][]

const known = new WeakMap<PgTable, ReturnType<typeof describe>>()

function describe(table: PgTable) {
  const columns: Fields = Object.entries(getTableColumns(table))
  const of = getTableName(table)
  const name = ({ name, keyAsName }: PgColumn) => `"${keyAsName ? toSnakeCase(name) : name}"`
  return {
    of,
    columns,
    names: columns.map(([, column]) => name(column)).join(),
    /** Each under the name of its field. */
    read: columns.map(([field, column]) => `"${of}".${name(column)} as "${field}"`).join(),
    /** Those whose value is not what the driver gives. */
    odd: columns.filter(
      ([, { mapFromDriverValue }]) => mapFromDriverValue !== Column.prototype.mapFromDriverValue,
    ),
  }
}

/**
 * Whole rows of a table by statements whose long part is written once. Drizzle writes each column anew with every call,
 * and looks at each value of each row: that was a third of a list's time, and of a write's.
 */
export function wholeRows(table: PgTable) {
  const kept = known.get(table) ?? describe(table)
  known.set(table, kept)
  const { of, columns, names, read, odd } = kept

  function made(rows: Row[]) {
    for (const row of rows)
      for (const [field, column] of odd)
        if (row[field] !== null) row[field] = column.mapFromDriverValue(row[field])
    return rows
  }
  /** Of each value its place, by hand: Drizzle takes longer for the pieces of an insert than the database for the row. */
  function insert(db: Db, values: Row[], returning = '') {
    const params: unknown[] = []
    const lines = values.map((value) => {
      const cells = columns.map(([field, column]) => {
        const cell = value[field] === undefined ? column.defaultFn?.() : value[field]
        if (cell === undefined) return 'default'
        return `$${params.push(cell === null ? null : column.mapToDriverValue(cell))}`
      })
      return `(${cells.join()})`
    })
    const text = `insert into "${of}" (${names}) values ${lines.join()}${returning}`
    return db._.session
      .prepareQuery<Prepared>({ sql: text, params }, undefined, undefined, false)
      .execute()
  }

  return {
    /** `rest`: what follows `from table`; `more`: columns beside those of the table, each after a comma. */
    select: async (db: Db, rest: SQL, more?: SQL) =>
      made((await db.execute<Row>(sql`select ${sql.raw(read)}${more} from ${table} ${rest}`)).rows),
    insert: async (db: Db, values: Row[]) => void (await insert(db, values)),
    /** And gives them back, as the database has them. */
    add: async (db: Db, values: Row[]) =>
      made((await insert(db, values, ` returning ${read}`)).rows),
  }
}
