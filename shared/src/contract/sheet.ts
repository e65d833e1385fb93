import { z } from 'zod'
import { Id, Order } from './fields'
import { typedCell } from './sheetCell'
import { TimeZone } from './timeZone'

export const SheetFormat = z.enum(['xlsx', 'csv'])
export type SheetFormat = z.infer<typeof SheetFormat>

export const importMax = 5000
/** Rows of one file. A workbook is put together in memory, a .csv row by row. */
export const exportMax: Record<SheetFormat, number> = { xlsx: 20_000, csv: 100_000 }
/** Bytes: room for `importMax` rows that are full. */
export const importBody = 16 * 1024 * 1024

/** What happens to a row whose key is there already. */
export const ExistingRows = z.enum(['refuse', 'update'])
export type ExistingRows = z.infer<typeof ExistingRows>

/**
 * A file as the browser read it, row by row, the titles first: the answer is a preview, nothing is stored. Then, with the
 * task of the preview as `confirm` and no table, what was previewed is stored.
 */
export const importTable = (most: number, cell = 2000) =>
  z.object({
    table: z
      .array(
        z
          .array(z.union([z.string().max(cell, `单元格最多 ${cell} 个字`), typedCell(cell)]))
          .max(100, '一行最多 100 列'),
      )
      .max(most + 1, `一次最多 ${most} 行，请分成几个文件`)
      .optional(),
    existing: ExistingRows.optional(),
    confirm: Id.optional(),
  })
export const ImportTable = importTable(importMax)

/** What an export is asked for beside the filters of its list. */
export const exportAs = {
  sort: Order.optional(),
  format: SheetFormat.default('xlsx'),
  /** Zone of the times in the file; defaults to that of the project, else of the platform. */
  timeZone: TimeZone.optional(),
}

/** A row that was not imported, by its number in the file. */
export const ImportFailure = z.object({
  line: z.number().int(),
  name: z.string(),
  reason: z.string(),
})
export type ImportFailure = z.infer<typeof ImportFailure>

export const PlannedAction = z.enum(['create', 'update', 'same', 'refuse'])
export type PlannedAction = z.infer<typeof PlannedAction>
export const plannedText: Record<PlannedAction, string> = {
  create: '新增',
  update: '更新',
  same: '未变',
  refuse: '拒绝',
}

/** A row as it was understood; of a refused one the cells as they are shown. */
export const PreviewRow = z.object({
  line: z.number().int(),
  action: PlannedAction,
  cells: z.array(z.string()),
  /** Why it is refused, or what an update changes. */
  note: z.string(),
})
export type PreviewRow = z.infer<typeof PreviewRow>

/** What an import would do. Nothing is stored yet. */
export const ImportPreview = z.object({
  titles: z.array(z.string()),
  /** The first rows of the file. */
  rows: z.array(PreviewRow),
  /** Columns that nothing is taken from. */
  unknown: z.array(z.string()),
})
export type ImportPreview = z.infer<typeof ImportPreview>
