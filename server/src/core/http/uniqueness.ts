import type { Permission } from '@iot/shared/contract/endpoint'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { createFieldsRefusal } from '../refusal'

type VersionedTable = PgTable & { id: PgColumn; version: PgColumn }
type FieldValues = Record<string, unknown>

/** Returns the sets of fields that must be unique together, read from the columns and constraints of the table. */
function listUniqueSets(table: PgTable): string[][] {
  const { columns, uniqueConstraints } = getTableConfig(table)
  // The columns of a constraint are copies of the table's columns, so they are matched by name.
  const fields = new Map(
    Object.entries(getTableColumns(table)).map(([field, { name }]) => [name, field]),
  )
  const toFieldNames = (keyColumns: { name: string }[]) =>
    keyColumns.map(({ name }) => fields.get(name)!)
  return [
    ...columns.filter(({ isUnique }) => isUnique).map((column) => toFieldNames([column])),
    ...uniqueConstraints.map((constraint) => toFieldNames(constraint.columns)),
  ]
}

const formatTakenMessage = (schema: z.ZodObject, field: string, value: unknown) =>
  `${getFieldTitle(schema, field)}“${String(value)}”已存在`

/**
 * Returns an error per field for values that another row already has; the error of a set is attached to its last
 * field.
 */
async function findTakenFields(
  tx: Db,
  table: VersionedTable,
  schema: z.ZodObject,
  draft: FieldValues,
) {
  // A field that cannot be changed is not part of an update.
  const sets = listUniqueSets(table).filter((fieldSet) =>
    fieldSet.every((name) => draft[name] !== undefined),
  )
  const columns = getTableColumns(table)
  const existsConditions = sets.map((fieldSet) => {
    const equalities = fieldSet.map((name) => eq(columns[name]!, draft[name]))
    const isOtherRow = draft.id === undefined ? undefined : ne(table.id, draft.id)
    return sql`exists (select 1 from ${table} where ${and(...equalities, isOtherRow)})`
  })
  if (existsConditions.length === 0) return {}
  const { rows } = await tx.execute<{ held: boolean[] }>(
    sql`select array[${sql.join(existsConditions, sql`, `)}] as held`,
  )
  const conflictingFields = sets
    .filter((_, index) => rows[0]!.held[index])
    .map((fieldSet) => fieldSet.at(-1)!)
  return Object.fromEntries(
    conflictingFields.map((field) => [field, formatTakenMessage(schema, field, draft[field])]),
  )
}

/**
 * Runs the uniqueness check for a draft, or for an update if it has an id.
 * @throws Refusal with a message at each field that another row already uses
 * @example await assertUnique(tx, brand, Brand, draft)
 */
export async function assertUnique(
  tx: Db,
  table: VersionedTable,
  schema: z.ZodObject,
  draft: object,
) {
  const fieldErrors = await findTakenFields(tx, table, schema, draft as FieldValues)
  if (Object.keys(fieldErrors).length) throw createFieldsRefusal(fieldErrors)
}

type UniqueResource = { table: VersionedTable; schema: z.ZodObject; permission: Permission }

/** Registry of the tables whose unique fields a form may check while the user types. */
export function createUniquenessRegistry() {
  const resources = new Map<string, UniqueResource>()
  return {
    /** The permission to see the list also allows the uniqueness check. */
    add: (
      name: string,
      table: VersionedTable,
      schema: z.ZodObject,
      { permission }: { permission: Permission },
    ) => void resources.set(name, { table, schema, permission }),
    find: (name: string) => resources.get(name),
    /** Returns the error of this value, or null. `values` holds the fields it is unique within and the row's own id. */
    async findConflict(
      db: Db,
      { table, schema }: UniqueResource,
      field: string,
      values: FieldValues,
    ) {
      const fieldErrors = await findTakenFields(db, table, schema, values)
      return Object.hasOwn(fieldErrors, field) ? fieldErrors[field]! : null
    },
  }
}
export type UniquenessRegistry = ReturnType<typeof createUniquenessRegistry>
