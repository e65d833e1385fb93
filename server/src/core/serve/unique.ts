import type { Permission } from '@iot/shared/contract/endpoint'
import { titleOf } from '@iot/shared/contract/titleOf'
import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { wrongFields } from '../refusal'

type Versioned = PgTable & { id: PgColumn; version: PgColumn }
type Values = Record<string, unknown>

/** The sets of fields that no two rows of a table may share, as its columns and constraints say. */
function uniqueSets(table: PgTable): string[][] {
  const { columns, uniqueConstraints } = getTableConfig(table)
  // Those of a constraint are copies.
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

/** What is wrong with the values that another row holds already, by field; the last field of a set is blamed. */
async function takenFields(tx: Db, table: Versioned, schema: z.ZodObject, draft: Values) {
  // An unchangeable field is not part of a change.
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
 * Refuses a draft, or a change when it has an id, whose unique fields another row holds, with a sentence at each field.
 * @example await mustBeFree(tx, brand, Brand, draft)
 */
export async function mustBeFree(tx: Db, table: Versioned, schema: z.ZodObject, draft: object) {
  const wrong = await takenFields(tx, table, schema, draft as Values)
  if (Object.keys(wrong).length) throw wrongFields(wrong)
}

type Resource = { table: Versioned; schema: z.ZodObject; permission: Permission }

/** Tables whose unique fields may be asked about while somebody types. */
export function openUniques() {
  const known = new Map<string, Resource>()
  return {
    /** Who may see the list may ask. */
    add: (
      name: string,
      table: Versioned,
      schema: z.ZodObject,
      { permission }: { permission: Permission },
    ) => void known.set(name, { table, schema, permission }),
    find: (name: string) => known.get(name),
    /** What is wrong with this value, or null. `values` holds what the field is unique within, and the row's own id. */
    async taken(db: Db, { table, schema }: Resource, field: string, values: Values) {
      const wrong = await takenFields(db, table, schema, values)
      return Object.hasOwn(wrong, field) ? wrong[field]! : null
    },
  }
}
export type Uniques = ReturnType<typeof openUniques>
