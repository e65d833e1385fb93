import type { SheetFormat, PlannedAction } from './sheet.schema'

export const maxImportRows = 5000
/** Maximum rows of an exported file. A workbook is built in memory, a .csv is streamed row by row. */
export const exportMax: Record<SheetFormat, number> = { xlsx: 20_000, csv: 100_000 }
/** The body may have this many bytes, enough for `maxImportRows` full rows. */
export const maxImportBodyBytes = 16 * 1024 * 1024
export const plannedActionText: Record<PlannedAction, string> = {
  create: '新增',
  update: '更新',
  same: '未变',
  refuse: '拒绝',
}
