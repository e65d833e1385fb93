import type { TableCell } from '../contract/sheet/sheetCell.schema'
import { assertReadable } from './sheetFile/fileKind'

export type TableContent = {
  table: TableCell[][]
  /** Notices for the user before the import, such as hidden rows. */
  notices: string[]
}

/**
 * Reads the first visible sheet of an .xlsx, or a .csv; the content decides, not the file name.
 * @throws UnreadableFile with the kind of the file and a remedy
 */
export async function readTable(file: File): Promise<TableContent> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (assertReadable(bytes, file.name) === 'zip')
    return (await import('./sheetFile/readWorkbook')).readWorkbook(bytes)
  return { table: (await import('./sheetFile/readCsv')).readCsv(bytes), notices: [] }
}

/** @deprecated Use {@link TableContent}; kept for remotes that were built before. */
export type ReadTable = TableContent
