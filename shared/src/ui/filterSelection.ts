import { call, CallError } from '../client/call'
import type { Endpoint } from '../contract/endpoint'
import { maxBulkRows, maxSelectedRows } from '../contract/fields'
import type { RowResults } from '../contract/fields.schema'
import type { FilterSelection } from '../session/selected'

/** The part of a list, as returned by `usePage`, that selecting all rows of its filter needs. */
export type FilteredList = {
  refresh: () => void
  endpoint: Endpoint
  /** Filters, sort and constant input of the list. */
  input: object
  rows: { id: string }[]
  total: number
  /** The list continues after `total` rows. */
  hasMore: boolean
}

type ListedRow = { id: string; name?: string; title?: string; version?: number }

/** The largest page that a list answers. */
const maxPageSize = 999

/** Reads all rows of a filter that the user may see; rows added while it reads may be missing. */
export async function readFilterSelection(
  endpoint: Endpoint,
  input: object,
): Promise<FilterSelection> {
  const rows: Record<string, FilterSelection['rows'][string]> = {}
  for (let pageNo = 1, total = 1; (pageNo - 1) * maxPageSize < total; pageNo++) {
    const page = (await call(endpoint, { ...input, pageNo, pageSize: maxPageSize })) as {
      list: ListedRow[]
      total: number
    }
    total = Math.min(page.total, maxSelectedRows)
    for (const { id, name, title, version } of page.list)
      rows[id] = { name: name ?? title ?? '', version }
  }
  return {
    endpoint,
    input,
    rows: Object.fromEntries(Object.entries(rows).slice(0, maxSelectedRows)),
  }
}

/**
 * Reads the filter again and returns a result for each selected row that has left it or was changed since it was
 * selected; such rows must not be changed unseen.
 */
export async function findOutdatedRows(
  selection: FilterSelection | undefined,
  ids: string[],
): Promise<RowResults> {
  const checkedIds = ids.filter((id) => selection?.rows[id])
  if (!selection || checkedIds.length === 0) return []
  const { rows: currentRows } = await readFilterSelection(selection.endpoint, selection.input)
  return checkedIds.flatMap((id) => {
    const { name, version } = selection.rows[id]!
    const current = currentRows[id]
    if (current?.version === version && current) return []
    const reason = current ? '选择后被修改，请核对后再操作' : '已不符合选择时的筛选条件'
    return [{ id, name: current?.name ?? name, ok: false, reason }]
  })
}

/**
 * Sends ids in portions that one call accepts. If a later portion fails, the rows that were not handled are reported as
 * failed, so that the results of earlier portions are not lost.
 */
export async function sendInPortions(
  ids: string[],
  send: (ids: string[]) => Promise<RowResults>,
): Promise<RowResults> {
  const results: RowResults = []
  for (let offset = 0; offset < ids.length; offset += maxBulkRows) {
    try {
      results.push(...(await send(ids.slice(offset, offset + maxBulkRows))))
    } catch (error) {
      if (offset === 0 || !(error instanceof CallError)) throw error
      const reason = `没有执行：${error.message}`
      return [...results, ...ids.slice(offset).map((id) => ({ id, name: '', ok: false, reason }))]
    }
  }
  return results
}
