const atLeastOne = (text: string | undefined, otherwise: number) =>
  Math.max(1, Math.trunc(Number(text)) || otherwise)

/** What an address says about the list it shows; `tab` is of the screen around it. */
export function pageInput(params: URLSearchParams) {
  const { tab: _tab, anchor, pageNo, pageSize, sort, ...filters } = Object.fromEntries(params)
  return {
    filters,
    sort,
    /** What the list is asked for, whichever page is shown. */
    input: { ...filters, ...(sort && { sort }) },
    /** Of a log: the row from which the page is reached. */
    anchor,
    pageNo: atLeastOne(pageNo, 1),
    pageSize: Math.min(atLeastOne(pageSize, 20), 100),
  }
}
