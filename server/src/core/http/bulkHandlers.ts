import type { Status } from '@iot/shared/contract/fields.schema'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/db'
import { requireRow, createMissingRefusal, createRefusal } from '../refusal'
import type { ChangeDescriber } from './actionLog'
import type { Context } from './context'
import { getIds, applyPerRow, type NamedRow } from './applyPerRow'

type RemoveQueries<R> = {
  get: (id: string) => Promise<R | undefined>
  many: (ids: string[]) => Promise<R[]>
  remove: (ids: string[]) => PromiseLike<unknown>
}
type StatusQueries<R> = RemoveQueries<R> & {
  setAll: (ids: string[], change: { status: Status }, username: string) => PromiseLike<unknown>
}
type RemoveOptions<R, Q = RemoveQueries<R>> = {
  /** Other modules register references to the resource under this name. */
  name: string
  title: string
  createQueries: (db: Db) => Q
  about: ChangeDescriber<R>
  /** Returns a reason that forbids the removal of a row, independent of references. */
  unless?: (row: R) => string | false
  /** Rows that the caller may not see are treated as if they did not exist. */
  sees?: (context: Context, row: R) => boolean
}
type App = Pick<FastifyInstance, 'references'>

/**
 * Creates the handlers that remove one or many rows; a row that is referenced stays, and the answer says by how many.
 * @example
 * const options = { name: 'deviceGroup', title: '设备组', createQueries: deviceGroupQueries, about }
 * serve(app, deviceGroupApi, deviceGroupSchemas, { ...createRemoveHandlers(app, options), page: … })
 */
export const createRemoveHandlers = <R extends NamedRow>(
  { references }: App,
  {
    name,
    title,
    createQueries,
    about: describeChange,
    unless: getForbiddenReason,
    sees: isVisible = () => true,
  }: RemoveOptions<R>,
) => ({
  remove: ({ id }: { id: string }, context: Context) =>
    context.write(createQueries, async (rows, recordChange, tx) => {
      const row = requireRow(await rows.get(id), title)
      if (!isVisible(context, row)) throw createMissingRefusal(title)
      const reason = getForbiddenReason?.(row)
      if (reason) throw createRefusal(reason)
      await references.assertNotReferenced(tx, name, id, `${title}“${row.name}”`, context)
      await rows.remove([id])
      recordChange(await describeChange(row, { before: row }, tx))
      return null
    }),
  removeMany: ({ ids }: { ids: string[] }, context: Context) =>
    context.write(createQueries, async (rows, recordChange, tx) => {
      const usageReasons = await references.findUsageReasons(tx, name, ids, context)
      const getRefusalReason = (row: R) => getForbiddenReason?.(row) || usageReasons.get(row.id)
      return applyPerRow(
        ids,
        (await rows.many(ids)).filter((row) => isVisible(context, row)),
        getRefusalReason,
        async (removableRows) => {
          await rows.remove(getIds(removableRows))
          for (const row of removableRows)
            recordChange(await describeChange(row, { before: row }, tx))
        },
      )
    }),
})

/**
 * Adds the handler for enabling and disabling configuration rows to those of `createRemoveHandlers`.
 * @example
 * const options = { name: 'brand', title: '品牌', createQueries: brandQueries, about }
 * serve(app, brandApi, brandSchemas, { ...createBulkHandlers(app, options), page: … })
 */
export const createBulkHandlers = <R extends NamedRow & { status: Status }>(
  app: App,
  {
    isKeptInUse,
    ...options
  }: RemoveOptions<R, StatusQueries<R>> & {
    /** True if a referenced row must not be disabled either. */
    isKeptInUse?: boolean
  },
) => ({
  ...createRemoveHandlers(app, options),
  setStatus: ({ ids, status }: { ids: string[]; status: Status }, context: Context) =>
    context.write(options.createQueries, async (rows, recordChange, tx) => {
      const usageReasons =
        isKeptInUse && status === 'disabled'
          ? await app.references.findUsageReasons(tx, options.name, ids, context, '禁用')
          : undefined
      const getRefusalReason = ({ id }: R) => usageReasons?.get(id)
      return applyPerRow(
        ids,
        (await rows.many(ids)).filter((row) => options.sees?.(context, row) ?? true),
        getRefusalReason,
        async (acceptedRows) => {
          const changedRows = acceptedRows.filter((row) => row.status !== status)
          await rows.setAll(getIds(changedRows), { status }, context.user.username)
          for (const row of changedRows)
            recordChange(await options.about(row, { before: row, after: { ...row, status } }, tx))
          return new Set(getIds(changedRows))
        },
      )
    }),
})
