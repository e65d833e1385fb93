import type { ColumnKind } from '@iot/shared/contract/sheet/sheetCell'
import Papa from 'papaparse'
import { createRefusal } from '../refusal'
import { ThreadLimitError, runThread } from '../workerThread'

/** Spreadsheets skip blanks in front of a formula and read its sign in any width. */
const formulaPattern = /^'*(?:\s*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/
/**
 * Prefixes a text that a spreadsheet would run as a formula with an apostrophe. A text that already begins with
 * apostrophes gets one more, so that reading removes exactly one.
 */
const escapeFormula = (text: string) => (formulaPattern.test(text) ? `'${text}` : text)
export const unescapeFormula = (cell: string) => {
  const text = cell.trim()
  return text.startsWith("'") && formulaPattern.test(text.slice(1)) ? text.slice(1) : text
}

/** A cell is a number, a time as 2026-01-31 or 2026-01-31 20:05:06, or a text. */
export type ExportCell = string | number | { time: string }

// A spreadsheet stores 15 significant digits, so longer numbers stay text.
const numberPattern = /^-?(?=(?:\.?\d){1,15}$)(?:0|[1-9]\d*)(?:\.\d+)?$/
const timePattern = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/
/** Returns the text as a number or time if its column has that kind and the format matches. */
export function toTypedCell(text: string, kind: ColumnKind): ExportCell {
  if (kind === 'number' && numberPattern.test(text)) return Number(text)
  if (kind === 'date' && timePattern.test(text)) return { time: text }
  return text
}
const toCsvText = (cell: ExportCell) =>
  typeof cell === 'string'
    ? escapeFormula(cell)
    : typeof cell === 'number'
      ? String(cell)
      : cell.time

const toCsvLines = (rows: ExportCell[][]) =>
  rows.length > 0 ? `${Papa.unparse(rows.map((row) => row.map(toCsvText)))}\r\n` : ''
// Excel reads a CSV file without a byte order mark as GBK.
const byteOrderMark = '\ufeff'
export const toCsv = (table: ExportCell[][]) => byteOrderMark + toCsvLines(table)
/** Yields the same CSV text portion by portion. */
export async function* streamCsv(portions: AsyncIterable<ExportCell[][]>) {
  yield byteOrderMark
  for await (const rows of portions) yield toCsvLines(rows)
}

/** A cell of a workbook holds this many characters; programs cut a longer one or call the file damaged. */
const maxWorkbookCellChars = 32_767
/** Characters that XML cannot hold are written as _x0001_, so a text of this form is escaped itself. */
const escapeForWorkbook = (text: string) =>
  text
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(
      /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )

function toWorkbookText(cell: string) {
  const text = escapeForWorkbook(escapeFormula(cell))
  if (text.length > maxWorkbookCellChars)
    throw createRefusal(`有单元格超过 ${maxWorkbookCellChars} 个字，.xlsx 放不下，请导出 .csv`)
  return text
}

/** Ten thousand rows take a second or two; a slow machine may need ten times as long. */
const workbookTimeoutMs = 60_000

/** Builds a workbook with one sheet. It runs in a worker thread, because 10,000 rows take a second or more. */
export async function createWorkbook(table: ExportCell[][]): Promise<Buffer> {
  const input = table.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? toWorkbookText(cell) : cell)),
  )
  try {
    return Buffer.from(
      await runThread<Uint8Array>(new URL('./workbook.worker.mjs', import.meta.url), {
        input,
        timeoutMs: workbookTimeoutMs,
        memoryMb: 1024,
      }),
    )
  } catch (error) {
    if (error instanceof ThreadLimitError)
      throw createRefusal('.xlsx 文件太大，没有生成，请导出 .csv，或缩小范围')
    throw error
  }
}
