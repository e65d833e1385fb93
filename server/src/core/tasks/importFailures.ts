import type { ImportFailure } from '@iot/shared/contract/sheet/sheet.schema'
import { formatCell } from '@iot/shared/contract/sheet/sheetCell'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import type { RowOutcome, ReadSheet, ImportRow } from './importRows'
import type { ImportJob } from './importJob'
import { createWorkbook } from './sheetFile'
import type { TaskContext } from './taskRunner'

/** The page shows at most this many failed rows; the file contains all of them. */
const maxShownFailures = 50

export type FailedRow = ImportFailure & { cells: TableCell[] }

export const listFailures = (
  rows: ImportRow[],
  outcomes: RowOutcome[],
  { getRowName }: ReadSheet,
): FailedRow[] =>
  rows
    .flatMap(({ line, cells }, index) => {
      const { action, note: reason } = outcomes[index]!
      return action === 'refuse' ? [{ line, cells, name: getRowName(cells), reason }] : []
    })
    .sort((a, b) => a.line - b.line)

/** Returns the failures that the page shows. */
export const toShownFailures = (failedRows: FailedRow[]): ImportFailure[] =>
  failedRows.slice(0, maxShownFailures).map(({ cells: _, ...failure }) => failure)

/** Keeps a file with all failed rows and their reasons. */
export async function keepFailures(
  { entity, table }: ImportJob,
  taskContext: TaskContext,
  failedRows: FailedRow[],
) {
  const titles = table[0]!.map((cell) => formatCell(cell))
  failedRows.sort((a, b) => a.line - b.line)
  const content = await createWorkbook([
    [...titles, '失败原因'],
    ...failedRows.map(({ cells, reason }) => [
      ...titles.map((_, i) => formatCell(cells[i])),
      reason,
    ]),
  ])
  return taskContext.keep(`${entity}导入失败.xlsx`, content)
}
