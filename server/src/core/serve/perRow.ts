import type { PerRow } from '@iot/shared/contract/fields'

export type Named = { id: string; name: string }

export const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/**
 * Handles many rows in one call. `apply` gets the rows that `refusal` does not reject; the result tells for each
 * requested row if it was changed or why not. If `apply` returns a set of ids, these are the rows that actually
 * changed.
 * @example
 * const refusal = (row) => row.builtin && '内置角色不能删除'
 * perRow(ids, await rows.many(ids), refusal, (free) => rows.remove(idsOf(free)))
 */
export async function perRow<R extends Named>(
  ids: string[],
  rows: R[],
  refusal: (row: R) => string | false | undefined,
  apply: (rows: R[]) => unknown,
): Promise<PerRow> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const answers = [...new Set(ids)].map((id) => {
    const row = byId.get(id)
    const reason = row ? refusal(row) || undefined : '已被删除'
    return { id, name: row?.name ?? '', ok: !reason, reason }
  })
  const free = answers.filter(({ ok }) => ok).map(({ id }) => byId.get(id)!)
  const changed = free.length > 0 ? await apply(free) : undefined
  if (!(changed instanceof Set)) return answers
  return answers.map((row) => ({ ...row, changed: changed.has(row.id) }))
}
