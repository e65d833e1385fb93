import { askedBy, type Endpoint } from '@iot/shared/contract/endpoint'
import type { z } from 'zod'
import type { Db } from '../db/db'
import { changedSince, found } from '../refusal'
import type { About } from './actionLog'
import type { Context, Writing } from './context'
import type { Named } from './perRow'
import { mustHavePictures } from './pictures'
import { mustBeFree } from './unique'

/**
 * Builds the input of an update from the stored row and the fields of an imported line; fields that the file lacks
 * keep their values.
 */
export function changeFrom<E extends Endpoint<z.ZodObject>>(
  { input }: E,
  before: { id: string; version: number },
  line: object,
): z.output<E['input']> {
  const given = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined))
  const { id, version } = before
  return askedBy(input, { ...before, ...given, id, version }) as z.output<E['input']>
}

type Writes<D, C> = {
  create: Endpoint<z.ZodObject & z.ZodType<D>>
  update: Endpoint<z.ZodType<C>>
}
type Queries<D, C, R> = {
  get: (id: string) => Promise<R | undefined>
  insert: (draft: D, by: string) => Promise<R>
  update: (change: C, by: string) => Promise<R | undefined>
}
type Options<D, C, R, Q, A> = {
  /** The Chinese name of the kind of row appears in messages and in the audit log. */
  title: string
  table: Parameters<typeof mustBeFree>[1]
  queriesOf: (db: Db) => Q & Queries<D, C, R>
  about: About<R>
  /** Refuses values that the contract cannot check; `before` is the stored row of an update. */
  check?: (draft: D | C, rows: Q, before: R | undefined, tx: Db) => unknown
  /** Builds the answer from the row, which may hold more than the table. */
  answer: (row: R, rows: Q, tx: Db) => A | Promise<A>
}

/**
 * Creates the handlers for creating and updating configuration rows: unique fields are checked, an optimistic-lock
 * conflict answers the current row, and the audit log gets an entry. An import uses `insert` and `change` for each of
 * its rows.
 * @example
 * const options = { title: '品牌', table, queriesOf: brandQueries, about, answer: (row) => row }
 * serve(app, brandApi, { ...savedRow(brandApi, options), page: … })
 */
export function savedRow<D extends object, C extends { id: string }, R extends Named, Q, A>(
  api: Writes<D, C>,
  { title, table, queriesOf, about, check, answer }: Options<D, C, R, Q, A>,
) {
  const insert =
    (draft: D, by: string): Writing<typeof queriesOf, A> =>
    async (rows, note, tx) => {
      await mustHavePictures(tx, draft)
      await check?.(draft, rows, undefined, tx)
      await mustBeFree(tx, table, api.create.input, draft)
      const row = await rows.insert(draft, by)
      note(await about(row, { after: row }, tx))
      return answer(row, rows, tx)
    }
  const change =
    (wanted: C, by: string): Writing<typeof queriesOf, A> =>
    async (rows, note, tx) => {
      const before = found(await rows.get(wanted.id), title)
      await mustHavePictures(tx, wanted, before)
      await check?.(wanted, rows, before, tx)
      await mustBeFree(tx, table, api.create.input, wanted)
      const row = await rows.update(wanted, by)
      if (!row) {
        const current = found(await rows.get(wanted.id), title)
        throw changedSince(await answer(current, rows, tx))
      }
      note(await about(row, { before, after: row }, tx))
      return answer(row, rows, tx)
    }
  return {
    insert,
    change,
    create: (draft: D, context: Context) =>
      context.write(queriesOf, insert(draft, context.user.username)),
    update: (wanted: C, context: Context) =>
      context.write(queriesOf, change(wanted, context.user.username)),
  }
}
