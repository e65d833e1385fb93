import type { PerRow } from '@iot/shared/contract/fields'

export type Named = { id: string; name: string }

/** What happened to each of the rows asked for; `refusal` gives the reason where nothing was done. */
export function perRow<R extends Named>(
  ids: string[],
  rows: R[],
  refusal: (row: R) => string | false | undefined,
): PerRow {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].map((id) => {
    const row = byId.get(id)
    const reason = row ? refusal(row) || undefined : '已被删除'
    return { id, name: row?.name ?? '', ok: !reason, reason }
  })
}
