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

/** A text file says by its first bytes that it is UTF-16, as Excel's “Unicode 文本” does. */
function utf16Of(bytes: ArrayBuffer) {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function decoded(bytes: ArrayBuffer) {
  const utf16 = utf16Of(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}
