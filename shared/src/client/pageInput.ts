const parsePositiveInteger = (text: string | undefined, fallback: number) =>
  Math.max(1, Math.trunc(Number(text)) || fallback)

/** Reads the list state from an address; `tab` belongs to the screen around the list and is ignored. */
export function parsePageParams(params: URLSearchParams) {
  const { tab: _tab, anchor, pageNo, pageSize, sort, ...filters } = Object.fromEntries(params)
  return {
    filters,
    sort,
    /** Input of the list call without the page, for exports. */
    input: { ...filters, ...(sort && { sort }) },
    /** Page anchor of a log, from which the page is reached. */
    anchor,
    pageNo: parsePositiveInteger(pageNo, 1),
    pageSize: Math.min(parsePositiveInteger(pageSize, 20), 100),
  }
}

/** @deprecated Use {@link parsePageParams}; kept for remotes that were built before. */
export const pageInput = parsePageParams
