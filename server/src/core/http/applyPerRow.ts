import type { RowResults } from '@iot/shared/contract/fields.schema'
import type { Db } from '../db/db'
import { Refusal } from '../refusal'

export type NamedRow = { id: string; name: string }

export const getIds = (rows: { id: string }[]) => rows.map(({ id }) => id)

/**
 * Handles many rows in one call. `apply` gets the rows that `getRefusalReason` does not reject; the result tells for each
 * requested row if it was changed or why not. If `apply` returns a set of ids, these are the rows that actually
 * changed.
 * @example
 * const getRefusalReason = (row) => row.builtin && '内置角色不能删除'
 * applyPerRow(ids, await rows.many(ids), getRefusalReason, (accepted) => rows.remove(getIds(accepted)))
 */
export async function applyPerRow<R extends NamedRow>(
  ids: string[],
  rows: R[],
  getRefusalReason: (row: R) => string | false | undefined,
  apply: (rows: R[]) => unknown,
): Promise<RowResults> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const results = [...new Set(ids)].map((id) => {
    const row = byId.get(id)
    const reason = row ? getRefusalReason(row) || undefined : '已被删除'
    return { id, name: row?.name ?? '', ok: !reason, reason }
  })
  const acceptedRows = results.filter(({ ok }) => ok).map(({ id }) => byId.get(id)!)
  const changedIds = acceptedRows.length > 0 ? await apply(acceptedRows) : undefined
  if (!(changedIds instanceof Set)) return results
  return results.map((row) => ({ ...row, changed: changedIds.has(row.id) }))
}

/**
 * Changes many rows in one call, each in a savepoint of its own: a refused row keeps its state and is answered with the
 * reason, the others are changed. Suits changes that are checked only after they are written.
 */
export async function applyInSavepoints<R extends NamedRow>(
  tx: Db,
  ids: string[],
  rows: R[],
  change: (row: R, savepoint: Db) => Promise<unknown>,
): Promise<RowResults> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const results: RowResults = []
  for (const id of new Set(ids)) {
    const row = byId.get(id)
    const reason = row
      ? await findRefusal(() => tx.transaction((sp) => change(row, sp as Db)))
      : '已被删除'
    results.push({ id, name: row?.name ?? '', ok: !reason, reason })
  }
  return results
}

async function findRefusal(change: () => Promise<unknown>) {
  try {
    await change()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
