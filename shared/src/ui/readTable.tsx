import type { TableCell } from '../contract/sheetCell'
import { assertReadable } from './sheetFile/fileKind'

export type ReadTable = {
  table: TableCell[][]
  /** What a person should know of the file before it is stored, such as hidden rows. */
  notices: string[]
}

/**
 * Reads the first visible sheet of an .xlsx, or a .csv, whatever the file is called.
 * @throws UnreadableFile with what the file is and what to do about it
 */
export async function readTable(file: File): Promise<ReadTable> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (assertReadable(bytes, file.name) === 'zip')
    return (await import('./sheetFile/readWorkbook')).readWorkbook(bytes)
  return { table: (await import('./sheetFile/readCsv')).readCsv(bytes), notices: [] }
}
