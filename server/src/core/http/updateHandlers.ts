import { pickInputFields, type CallSchemas } from '@iot/shared/contract/endpoint'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { createConflictRefusal, requireRow } from '../refusal'
import type { ChangeDescriber } from './actionLog'
import type { Context, WriteCallback } from './context'
import type { NamedRow } from './applyPerRow'
import { assertPicturesExist } from './pictures'
import { assertUnique } from './uniqueness'

/**
 * Builds the input of an update from the stored row and the fields of an imported line; fields that the file lacks
 * keep their values.
 */
export function buildChangeFromLine<I extends z.ZodObject>(
  { input }: CallSchemas<I>,
  previousRow: { id: string; version: number },
  line: object,
): z.output<I> {
  const lineValues = Object.fromEntries(
    Object.entries(line).filter(([, value]) => value !== undefined),
  )
  const { id, version } = previousRow
  return pickInputFields(input, { ...previousRow, ...lineValues, id, version }) as z.output<I>
}

type WriteSchemas<D, C> = {
  create: CallSchemas<z.ZodObject & z.ZodType<D>>
  update: CallSchemas<z.ZodType<C>>
}
type UpdateQueries<D, C, R> = {
  get: (id: string) => Promise<R | undefined>
  insert: (draft: D, username: string) => Promise<R>
  update: (change: C, username: string) => Promise<R | undefined>
}
type UpdateOptions<D, C, R, Q, A> = {
  /** The Chinese name of the kind of row appears in messages and in the audit log. */
  title: string
  table: Parameters<typeof assertUnique>[1]
  createQueries: (db: Db) => Q & UpdateQueries<D, C, R>
  about: ChangeDescriber<R>
  /** Refuses values that the contract cannot check; `previousRow` is the stored row of an update. */
  check?: (draft: D | C, rows: Q, before: R | undefined, tx: Db) => unknown
  /** Builds the answer from the row, which may hold more than the table. */
  answer: (row: R, rows: Q, tx: Db) => A | Promise<A>
}

/**
 * Creates the handlers for creating and updating configuration rows: unique fields are checked, an optimistic-lock
 * conflict answers the current row, and the audit log gets an entry. An import uses `insert` and `change` for each of
 * its rows.
 * @example
 * const options = { title: '品牌', table, createQueries: brandQueries, about, answer: (row) => row }
 * serve(app, brandApi, brandSchemas, { ...createUpdateHandlers(brandSchemas, options), page: … })
 */
export function createUpdateHandlers<
  D extends object,
  C extends { id: string },
  R extends NamedRow,
  Q,
  A,
>(
  { create }: WriteSchemas<D, C>,
  {
    title,
    table,
    createQueries,
    about: describeChange,
    check,
    answer,
  }: UpdateOptions<D, C, R, Q, A>,
) {
  const insert =
    (draft: D, username: string): WriteCallback<typeof createQueries, A> =>
    async (rows, recordChange, tx) => {
      await assertPicturesExist(tx, draft)
      await check?.(draft, rows, undefined, tx)
      await assertUnique(tx, table, create.input, draft)
      const row = await rows.insert(draft, username)
      recordChange(await describeChange(row, { after: row }, tx))
      return answer(row, rows, tx)
    }
  const change =
    (requestedChange: C, username: string): WriteCallback<typeof createQueries, A> =>
    async (rows, recordChange, tx) => {
      const previousRow = requireRow(await rows.get(requestedChange.id), title)
      await assertPicturesExist(tx, requestedChange, previousRow)
      await check?.(requestedChange, rows, previousRow, tx)
      await assertUnique(tx, table, create.input, requestedChange)
      const row = await rows.update(requestedChange, username)
      if (!row) {
        const currentRow = requireRow(await rows.get(requestedChange.id), title)
        throw createConflictRefusal(await answer(currentRow, rows, tx))
      }
      recordChange(await describeChange(row, { before: previousRow, after: row }, tx))
      return answer(row, rows, tx)
    }
  return {
    insert,
    change,
    create: (draft: D, context: Context) =>
      context.write(createQueries, insert(draft, context.user.username)),
    update: (requestedChange: C, context: Context) =>
      context.write(createQueries, change(requestedChange, context.user.username)),
  }
}
