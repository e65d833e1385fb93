import { z } from 'zod'
import { Order } from './fields'
import { projectTimeZone } from './timeZone'

export const SheetFormat = z.enum(['xlsx', 'csv'])
export type SheetFormat = z.infer<typeof SheetFormat>

export const importMax = 5000
/** Rows of one file. A workbook is put together in memory, a .csv row by row. */
export const exportMax: Record<SheetFormat, number> = { xlsx: 20_000, csv: 100_000 }
/** Bytes: room for `importMax` rows that are full. */
export const importBody = 16 * 1024 * 1024

/** A file as the browser read it, row by row, the titles first. */
export const importTable = (most: number, cell = 2000) =>
  z.object({
    table: z
      .array(z.array(z.string().max(cell, `单元格最多 ${cell} 个字`)).max(100, '一行最多 100 列'))
      .max(most + 1, `一次最多 ${most} 行，请分成几个文件`),
  })
export const ImportTable = importTable(importMax)

/** What an export is asked for beside the filters of its list. */
export const exportAs = {
  sort: Order.optional(),
  format: SheetFormat.default('xlsx'),
  /** Of who will read it; times stand in it as that person sees them on the page. */
  timeZone: z.string().max(64).default(projectTimeZone),
}

/** A row that was not imported, by its number in the file. */
export const ImportFailure = z.object({
  line: z.number().int(),
  name: z.string(),
  reason: z.string(),
})
export type ImportFailure = z.infer<typeof ImportFailure>
