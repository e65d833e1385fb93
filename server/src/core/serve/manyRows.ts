import type { Status } from '@iot/shared/contract/fields'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/db'
import { found, missing, refused } from '../refusal'
import type { About } from './actionLog'
import type { Context } from './context'
import { idsOf, perRow, type Named } from './perRow'

type Queries<R> = {
  get: (id: string) => Promise<R | undefined>
  many: (ids: string[]) => Promise<R[]>
  remove: (ids: string[]) => PromiseLike<unknown>
}
type Switching<R> = Queries<R> & {
  setAll: (ids: string[], change: { status: Status }, by: string) => PromiseLike<unknown>
}
type Options<R, Q = Queries<R>> = {
  /** Other modules register references to the resource under this name. */
  name: string
  title: string
  queriesOf: (db: Db) => Q
  about: About<R>
  /** Returns a reason that forbids the removal of a row, independent of references. */
  unless?: (row: R) => string | false
  /** Rows that the caller may not see are treated as if they did not exist. */
  sees?: (context: Context, row: R) => boolean
}
type App = Pick<FastifyInstance, 'references'>

/**
 * Creates the handlers that remove one or many rows; a row that is referenced stays, and the answer says by how many.
 * @example
 * const options = { name: 'deviceGroup', title: '设备组', queriesOf: deviceGroupQueries, about }
 * serve(app, deviceGroupApi, { ...removing(app, options), page: … })
 */
export const removing = <R extends Named>(
  { references }: App,
  { name, title, queriesOf, about, unless, sees = () => true }: Options<R>,
) => ({
  remove: ({ id }: { id: string }, context: Context) =>
    context.write(queriesOf, async (rows, note, tx) => {
      const row = found(await rows.get(id), title)
      if (!sees(context, row)) throw missing(title)
      const why = unless?.(row)
      if (why) throw refused(why)
      await references.mustBeFree(tx, name, id, `${title}“${row.name}”`, context)
      await rows.remove([id])
      note(await about(row, { before: row }, tx))
      return null
    }),
  removeMany: ({ ids }: { ids: string[] }, context: Context) =>
    context.write(queriesOf, async (rows, note, tx) => {
      const used = await references.inUse(tx, name, ids, context)
      const refusal = (row: R) => unless?.(row) || used.get(row.id)
      return perRow(
        ids,
        (await rows.many(ids)).filter((row) => sees(context, row)),
        refusal,
        async (free) => {
          await rows.remove(idsOf(free))
          for (const row of free) note(await about(row, { before: row }, tx))
        },
      )
    }),
})

/**
 * Adds the handler for enabling and disabling configuration rows to those of `removing`.
 * @example
 * const options = { name: 'brand', title: '品牌', queriesOf: brandQueries, about }
 * serve(app, brandApi, { ...manyRows(app, options), page: … })
 */
export const manyRows = <R extends Named & { status: Status }>(
  app: App,
  {
    isKeptInUse,
    ...options
  }: Options<R, Switching<R>> & {
    /** True if a referenced row must not be disabled either. */
    isKeptInUse?: boolean
  },
) => ({
  ...removing(app, options),
  setStatus: ({ ids, status }: { ids: string[]; status: Status }, context: Context) =>
    context.write(options.queriesOf, async (rows, note, tx) => {
      const used =
        isKeptInUse && status === 'disabled'
          ? await app.references.inUse(tx, options.name, ids, context, '禁用')
          : undefined
      const refusal = ({ id }: R) => used?.get(id)
      return perRow(
        ids,
        (await rows.many(ids)).filter((row) => options.sees?.(context, row) ?? true),
        refusal,
        async (all) => {
          const differ = all.filter((row) => row.status !== status)
          await rows.setAll(idsOf(differ), { status }, context.user.username)
          for (const row of differ)
            note(await options.about(row, { before: row, after: { ...row, status } }, tx))
          return new Set(idsOf(differ))
        },
      )
    }),
})
