import type { Endpoint } from '@iot/shared/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import type { Db } from '../db/db'
import type { Context } from '../http/context'
import {
  getSettledOutcome,
  parseDraft,
  readRows,
  type ImportRow,
  type RowOutcome,
} from './importRows'
import type { ImportJob, PortionResult, RecordChange } from './importJob'
import { omitTable, serveImport, serveTemplate, type ImportInput } from './serveImport'
import type { SheetColumn } from './cellConversion'

/** Rows are stored in batches of this size, each in its own transaction. */
const bulkRowsPerTransaction = 500

type BulkImportConfig<S extends z.ZodObject> = {
  entity: string
  schema: S
  sheet: SheetColumn[]
  most: number
  /** This endpoint updates a row; it is undefined if existing rows may not be updated. */
  update?: Endpoint
  /** This endpoint removes rows by their `ids`; it undoes the import. */
  removal: Endpoint
}
export type ImportLine<S extends z.ZodObject> = ImportRow & { draft: z.output<S> }

/**
 * Creates the handler for large imports whose rows are stored in batches. `prepareImport` reads once what all rows
 * need and returns a function that stores the rows whose fields are valid. The one-time secrets of created rows become a file
 * of the task under `head`.
 */
export function createBulkImportHandler<S extends z.ZodObject, I extends ImportInput>(
  app: FastifyInstance,
  endpoint: Endpoint,
  { entity, schema, sheet, most: maxRows, update, removal }: BulkImportConfig<S>,
  prepareImport: (
    input: I,
    context: Context,
  ) => Promise<{
    head?: string[]
    /** `importedCount` rows were imported before these. */
    importLines: (
      lines: ImportLine<S>[],
      recordChange: RecordChange,
      tx: Db,
      importedCount: number,
    ) => Promise<PortionResult>
    onStored?: (ids: string[]) => Promise<void>
  }>,
) {
  serveTemplate(app, endpoint, entity, sheet)

  return serveImport(
    app,
    endpoint,
    update,
    async (input: I & { table: TableCell[][] }, context): Promise<ImportJob> => {
      const { head, importLines, onStored } = await prepareImport(input, context)
      const parsedSheet = readRows(sheet, input.table, maxRows)
      async function importAll(
        rows: ImportRow[],
        recordChange: RecordChange,
        tx: Db,
        importedCount: number,
      ) {
        const drafts = rows.map(({ cells }) =>
          parseDraft(schema, sheet, parsedSheet.readDraft(cells)),
        )
        const validRows = rows.flatMap((row, rowIndex) => {
          const { draft } = drafts[rowIndex]!
          return draft && !getSettledOutcome(row) ? [{ ...row, draft }] : []
        })
        const { outcomes, ...otherResults } = await importLines(
          validRows,
          recordChange,
          tx,
          importedCount,
        )
        const byLine = new Map(validRows.map(({ line }, i) => [line, outcomes[i]!]))
        const getOutcome = (row: ImportRow, rowIndex: number): RowOutcome =>
          getSettledOutcome(row) ??
          byLine.get(row.line) ?? { action: 'refuse', note: drafts[rowIndex]!.wrong ?? '' }
        return { ...otherResults, outcomes: rows.map(getOutcome) }
      }
      return {
        app,
        endpoint,
        context,
        entity,
        sheet,
        parsedSheet,
        onStored,
        table: input.table,
        portion: bulkRowsPerTransaction,
        importRows: importAll,
        secrets: head && { name: '密钥', head },
        constantInput: omitTable(input),
        undoCalls: { removal, update },
      }
    },
  )
}
