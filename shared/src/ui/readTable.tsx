import Papa from 'papaparse'

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
