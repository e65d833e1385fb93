const atLeastOne = (text: string | undefined, otherwise: number) =>
  Math.max(1, Math.trunc(Number(text)) || otherwise)

/** Reads the list state from an address; `tab` belongs to the screen around the list and is ignored. */
export function pageInput(params: URLSearchParams) {
  const { tab: _tab, anchor, pageNo, pageSize, sort, ...filters } = Object.fromEntries(params)
  return {
    filters,
    sort,
    /** Input of the list call without the page, for exports. */
    input: { ...filters, ...(sort && { sort }) },
    /** Page anchor of a log, from which the page is reached. */
    anchor,
    pageNo: atLeastOne(pageNo, 1),
    pageSize: Math.min(atLeastOne(pageSize, 20), 100),
  }
}
