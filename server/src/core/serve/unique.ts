import type { Permission } from '@iot/shared/contract/endpoint'
import { titleOf } from '@iot/shared/contract/titleOf'
import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { wrongFields } from '../refusal'

type Versioned = PgTable & { id: PgColumn; version: PgColumn }
type Values = Record<string, unknown>

/** Returns the sets of fields that must be unique together, read from the columns and constraints of the table. */
function uniqueSets(table: PgTable): string[][] {
  const { columns, uniqueConstraints } = getTableConfig(table)
  // The columns of a constraint are copies of the table's columns, so they are matched by name.
  const fields = new Map(
    Object.entries(getTableColumns(table)).map(([field, { name }]) => [name, field]),
  )
  const named = (of: { name: string }[]) => of.map(({ name }) => fields.get(name)!)
  return [
    ...columns.filter(({ isUnique }) => isUnique).map((column) => named([column])),
    ...uniqueConstraints.map((constraint) => named(constraint.columns)),
  ]
}

const sentence = (schema: z.ZodObject, field: string, value: unknown) =>
  `${titleOf(schema, field)}“${String(value)}”已存在`

/**
 * Returns an error per field for values that another row already has; the error of a set is attached to its last
 * field.
 */
async function takenFields(tx: Db, table: Versioned, schema: z.ZodObject, draft: Values) {
  // A field that cannot be changed is not part of an update.
  const sets = uniqueSets(table).filter((set) => set.every((name) => draft[name] !== undefined))
  const columns = getTableColumns(table)
  const held = sets.map((set) => {
    const same = set.map((name) => eq(columns[name]!, draft[name]))
    const other = draft.id === undefined ? undefined : ne(table.id, draft.id)
    return sql`exists (select 1 from ${table} where ${and(...same, other)})`
  })
  if (held.length === 0) return {}
  const { rows } = await tx.execute<{ held: boolean[] }>(
    sql`select array[${sql.join(held, sql`, `)}] as held`,
  )
  const blamed = sets.filter((_, index) => rows[0]!.held[index]).map((set) => set.at(-1)!)
  return Object.fromEntries(blamed.map((field) => [field, sentence(schema, field, draft[field])]))
}

/**
 * Runs the uniqueness check for a draft, or for an update if it has an id.
 * @throws Refusal with a message at each field that another row already uses
 * @example await mustBeFree(tx, brand, Brand, draft)
 */
export async function mustBeFree(tx: Db, table: Versioned, schema: z.ZodObject, draft: object) {
  const wrong = await takenFields(tx, table, schema, draft as Values)
  if (Object.keys(wrong).length) throw wrongFields(wrong)
}

type Resource = { table: Versioned; schema: z.ZodObject; permission: Permission }

/** Registry of the tables whose unique fields a form may check while the user types. */
export function openUniques() {
  const known = new Map<string, Resource>()
  return {
    /** The permission to see the list also allows the uniqueness check. */
    add: (
      name: string,
      table: Versioned,
      schema: z.ZodObject,
      { permission }: { permission: Permission },
    ) => void known.set(name, { table, schema, permission }),
    find: (name: string) => known.get(name),
    /** Returns the error of this value, or null. `values` holds the fields it is unique within and the row's own id. */
    async taken(db: Db, { table, schema }: Resource, field: string, values: Values) {
      const wrong = await takenFields(db, table, schema, values)
      return Object.hasOwn(wrong, field) ? wrong[field]! : null
    },
  }
}
export type Uniques = ReturnType<typeof openUniques>
