import Papa from 'papaparse'

export type SheetColumn<T> = {
  name: keyof T & string
  title: string
  /** As the file shows it; the value itself where left out. */
  text?: (value: never) => string
  /** What a cell means; the text itself where left out. */
  value?: (text: string) => unknown
  /** In the template. */
  example: string
}
export type SheetKind = 'xlsx' | 'csv'

const isFormula = /^[=+\-@\t\r]/

/** A spreadsheet runs a text that begins like a formula; an apostrophe in front makes it a text. */
export const neutral = (text: string) => (isFormula.test(text) ? `'${text}` : text)
const natural = (cell: string) => {
  const text = cell.trim()
  return text.startsWith("'") && isFormula.test(text.slice(1)) ? text.slice(1) : text
}

export const tableOf = <T extends object>(columns: SheetColumn<T>[], rows: T[]): string[][] => [
  columns.map(({ title }) => title),
  ...rows.map((row) =>
    columns.map(({ name, text }) => (text ? text(row[name] as never) : String(row[name] ?? ''))),
  ),
]

/** Titles the file lacks, and its rows with the number a spreadsheet gives them. Rows without any text are left out. */
export function rowsOf<T extends object>(
  columns: SheetColumn<T>[],
  [head = [], ...body]: string[][],
) {
  const places = new Map(head.map((title, i) => [natural(title), i]))
  const missing = columns.filter(({ title }) => !places.has(title)).map(({ title }) => title)
  const rows = body.flatMap((cells, i) => {
    if (cells.every((cell) => cell.trim() === '')) return []
    const draft = Object.fromEntries(
      columns.map(({ name, title, value }) => {
        const text = natural(cells[places.get(title) ?? -1] ?? '')
        return [name, value ? value(text) : text]
      }),
    )
    return [{ line: i + 2, cells, draft }]
  })
  return { missing, rows }
}

/** Reads the first sheet of an .xlsx, or a .csv in UTF-8 or as Excel in Chinese writes it. */
export async function readTable(file: File): Promise<string[][]> {
  if (/\.xlsx$/i.test(file.name)) {
    const { readSheet } = await import('read-excel-file/browser')
    return (await readSheet(file)).map((row) =>
      row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))),
    )
  }
  const bytes = await file.arrayBuffer()
  return Papa.parse<string[]>(decoded(bytes), { skipEmptyLines: false }).data
}

function decoded(bytes: ArrayBuffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

export async function saveTable(name: string, kind: SheetKind, table: string[][]) {
  const safe = table.map((row) => row.map(neutral))
  if (kind === 'csv') return save(`${name}.csv`, csvOf(safe))
  const { default: write } = await import('write-excel-file/browser')
  const cells = safe.map((row, i) =>
    row.map((value) => ({ value, type: String, ...(i === 0 && { fontWeight: 'bold' as const }) })),
  )
  const columns = safe[0]?.map((title, i) => ({
    width: Math.min(
      40,
      Math.max(12, title.length * 2, ...safe.slice(1, 50).map((row) => row[i]?.length ?? 0)),
    ),
  }))
  save(`${name}.xlsx`, await write(cells, { columns, stickyRowsCount: 1 }).toBlob())
}

// Excel takes a file without the mark for GBK.
export const csvOf = (table: string[][]) =>
  new Blob(['\ufeff', Papa.unparse(table)], { type: 'text/csv;charset=utf-8' })

function save(name: string, content: Blob) {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
