import type { PerRow } from '@iot/shared/contract/fields'

export type Named = { id: string; name: string }

export const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/**
 * Many rows at once: `apply` gets those that nothing speaks against; answers what happened to each row asked for, with
 * the reason where nothing was done. An `apply` that answers a set of ids says which rows were not so before.
 * @example perRow(ids, await rows.many(ids), (row) => row.builtin && '内置角色不能删除', (free) => rows.remove(free.map(({ id }) => id)))
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
