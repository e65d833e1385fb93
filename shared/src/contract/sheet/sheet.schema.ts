import * as z from '../zod'
import { createTypedCellSchema } from './sheetCell.schema'
import { Id, SortOrder } from '../fields.schema'
import { maxImportRows } from './sheet'
import { TimeZone } from '../timeZone.schema'

export const SheetFormat = z.enum(['xlsx', 'csv'])
export type SheetFormat = z.infer<typeof SheetFormat>

/** The user chooses if a row whose key already exists is refused or updated. */
export const ExistingRows = z.enum(['refuse', 'update'])
export type ExistingRows = z.infer<typeof ExistingRows>

/**
 * Table of a file as read by the browser, titles first: the response is a preview and nothing is stored. A second call
 * with the preview task as `confirm` and without a table stores it.
 */
export const importTableInput = (maxRows: number, maxCellChars = 2000) =>
  z.object({
    table: z
      .array(
        z
          .array(
            z.union([
              z.string().max(maxCellChars, `单元格最多 ${maxCellChars} 个字`),
              createTypedCellSchema(maxCellChars),
            ]),
          )
          .max(100, '一行最多 100 列')
          .meta({ isSequence: true }),
      )
      .max(maxRows + 1, `一次最多 ${maxRows} 行，请分成几个文件`)
      .meta({ isSequence: true })
      .optional(),
    existing: ExistingRows.optional(),
    confirm: Id.optional(),
  })
export const ImportTable = importTableInput(maxImportRows)

/** Export options besides the filters of the list. */
export const exportOptions = {
  sort: SortOrder.optional(),
  format: SheetFormat.default('xlsx'),
  /** Time zone of the times in the file; that of the project or the platform if omitted. */
  timeZone: TimeZone.optional(),
}

/** A row that was not imported, with its line number in the file. */
export const ImportFailure = z.object({
  line: z.number().int(),
  name: z.string(),
  reason: z.string(),
})
export type ImportFailure = z.infer<typeof ImportFailure>

export const PlannedAction = z.enum(['create', 'update', 'same', 'refuse'])
export type PlannedAction = z.infer<typeof PlannedAction>

/** A row as parsed; a refused row shows its original cells. */
export const PreviewRow = z.object({
  line: z.number().int(),
  action: PlannedAction,
  cells: z.array(z.string()),
  /** Reason for the refusal, or the changes of an update. */
  note: z.string(),
})
export type PreviewRow = z.infer<typeof PreviewRow>

/** Preview of an import; nothing is stored yet. */
export const ImportPreview = z.object({
  titles: z.array(z.string()),
  /** These are the first rows of the file. */
  rows: z.array(PreviewRow),
  /** The import ignores the columns with these titles. */
  unknown: z.array(z.string()),
})
export type ImportPreview = z.infer<typeof ImportPreview>
