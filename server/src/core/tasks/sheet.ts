import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ExpiryDay } from '@iot/shared/contract/expiryDay.schema'
import { statusText } from '@iot/shared/contract/fields'
import { AreaCode, Status, Time } from '@iot/shared/contract/fields.schema'
import { readCell, formatCell, type ColumnKind } from '@iot/shared/contract/sheet/sheetCell'
import { createRefusal } from '../refusal'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import { platformTimeZone, toZonedDate, toZonedText } from '@iot/shared/contract/timeZone'
import { isFiniteDecimal } from '@iot/shared/contract/thingModel/thingNumber'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import Papa from 'papaparse'
import { lookup } from 'region-data'
import { findAbolishedCode } from 'region-data/old-codes'
import { parseAddress } from 'region-data/parse'
import { formatRegionLabel } from 'region-data/tree'
import type { z } from 'zod'

/** Conversion between a value and its text in a file. If `value` is missing, the cell text is the value. */
export type CellConversion = {
  text?: (value: never, timeZone: string) => string
  value?: (text: string) => unknown
  /** The column accepts and writes this kind of spreadsheet cell. */
  kind?: ColumnKind
  /** The import template shows this example. */
  example?: string
  /** The column may be missing from a file, because files made from an older template lack it. */
  optional?: boolean
  /** The message for a wrong cell lists these allowed texts. */
  of?: string[]
  /** One cell may hold several rows; these are their columns. */
  inside?: SheetColumn[]
}
type OptionalConversionKey = 'of' | 'inside'
export type SheetColumn = { name: string; title: string } & Required<
  Omit<CellConversion, OptionalConversionKey>
> &
  Pick<CellConversion, OptionalConversionKey>

/** Creates the conversion for a closed set of values; an unknown text is kept, so that the contract refuses it. */
export const createChoiceConversion = (texts: Record<string, string>): CellConversion => ({
  text: (value: string) => texts[value] ?? value,
  value: (text) => Object.keys(texts).find((value) => texts[value] === text) ?? text,
  of: Object.values(texts),
})

/** Creates the conversion for a boolean field with its own words for true and false. */
export const createBooleanConversion = (trueText: string, falseText: string): CellConversion => ({
  text: (value: boolean) => (value ? trueText : falseText),
  value: (text) => (text === trueText ? true : text === falseText ? false : text),
  of: [trueText, falseText],
})

/** The separators split several values in a cell; `joint` joins them. */
type CellDivision = { separators: string; joint: string }
const defaultDivision: CellDivision = { separators: '、,，;；\n', joint: '、' }
/** Names that may contain commas are divided by semicolons only. */
export const semicolonDivision: CellDivision = { separators: ';；\n', joint: '；' }

/** Joins several texts in one cell. A text that contains a separator or begins with a quote is quoted, as in CSV. */
export const joinCell = (texts: string[], { separators, joint } = defaultDivision) =>
  texts
    .map((text) =>
      text.startsWith('"') ||
      text !== text.trim() ||
      [...separators].some((separator) => text.includes(separator))
        ? `"${text.replaceAll('"', '""')}"`
        : text,
    )
    .join(joint)

/** Splits the texts of a cell. A space is no separator, because names contain spaces. */
export function splitCell(cell: string, { separators } = defaultDivision): string[] {
  const texts: string[] = []
  const itemPattern = new RegExp(
    `\\s*(?:"((?:[^"]|"")*)"\\s*(?=[${separators}]|$)|([^${separators}]*))(?:[${separators}]|$)`,
    'y',
  )
  while (itemPattern.lastIndex < cell.length) {
    const [, quotedText, unquotedText = ''] = itemPattern.exec(cell)!
    const text = quotedText === undefined ? unquotedText.trim() : quotedText.replaceAll('""', '"')
    if (text !== '') texts.push(text)
  }
  return texts
}

/**
 * Creates the conversion for several values in one cell. The texts of a closed set contain no spaces, so spaces may
 * separate them.
 */
export const createListConversion = (
  { text, value, of: allowedTexts }: CellConversion = {},
  division: CellDivision = allowedTexts
    ? { ...defaultDivision, separators: `${defaultDivision.separators} ` }
    : defaultDivision,
): CellConversion => ({
  of: allowedTexts,
  text: (values: never[], timeZone) =>
    joinCell(
      values.map((value) => text?.(value, timeZone) ?? String(value)),
      division,
    ),
  value: (cell) => splitCell(cell, division).map((text) => value?.(text) ?? text),
})

/**
 * Creates the conversion for several rows in one cell: one per line, with the fields in the order of `sheet`
 * separated by |.
 */
export const createRowsConversion = (sheet: SheetColumn[]): CellConversion => ({
  inside: sheet,
  text: (rows: object[], timeZone) =>
    Papa.unparse(
      rows.map((row) => formatTexts(sheet, row, timeZone)),
      { delimiter: '|', newline: '\n' },
    ),
  value(cell) {
    const { data, errors } = Papa.parse<string[]>(cell, {
      delimiter: '|',
      skipEmptyLines: 'greedy',
    })
    // A text that cannot be split, or has more fields than columns, is kept whole, so that the contract refuses it.
    const hasExtraCells = (cells: string[]) => cells.slice(sheet.length).some((text) => text.trim())
    if (errors.length > 0 || data.some(hasExtraCells)) return cell
    return data.map((cells) =>
      Object.fromEntries(sheet.map(({ name, value }, i) => [name, value((cells[i] ?? '').trim())])),
    )
  },
})

/** Returns the code of a region; a text that names none or several is kept, so that the contract refuses it. */
function readArea(text: string): string {
  if (lookup(text, 'area') || findAbolishedCode(text)) return text
  const { code, rest } = parseAddress(text)
  return code && (code.length < 6 || rest === '') ? code : text
}

const statusConversion = createChoiceConversion(statusText)
const conversionsBySchema = new Map<unknown, CellConversion>([
  [
    Status,
    { ...statusConversion, value: (text) => statusConversion.value!(text || statusText.enabled) },
  ],
  [
    AreaCode,
    {
      text: (code: string) => formatRegionLabel(code) || code,
      value: readArea,
    },
  ],
  [Time, { text: formatTime, kind: 'date' }],
  [ExpiryDay, { kind: 'date' }],
])
/** Reads a decimal number; an empty cell has none. */
function readDecimal(text: string) {
  if (text === '') return undefined
  return isFiniteDecimal(text) ? Number(text) : NaN
}
const yesNoConversion = createBooleanConversion('是', '否')
const conversionsByType: Record<string, CellConversion> = {
  number: { value: readDecimal, kind: 'number' },
  // An unknown text is refused, because a lamp whose cell says √ must not be imported as unprotected.
  boolean: {
    ...yesNoConversion,
    value: (text) => yesNoConversion.value!(text || '否'),
    kind: 'boolean',
  },
}

type FieldType = z.ZodType & { unwrap?: () => FieldType; _zod: { parent?: FieldType } }
/** Finds the conversion of a field by its type, also if the type has its own title or is optional. */
function findConversion(type: FieldType | undefined): CellConversion {
  if (!type) return {}
  const ownConversion = conversionsBySchema.get(type) ?? conversionsByType[type._zod.def.type]
  if (ownConversion) return ownConversion
  const innerConversion = findConversion(type._zod.parent ?? type.unwrap?.())
  const { value } = innerConversion
  if (type._zod.def.type !== 'nullable' || !value) return innerConversion
  return { ...innerConversion, value: (text) => (text === '' ? null : value(text)) }
}

/**
 * Builds the columns for export, import and template: titles and conversions come from the contract, and each field
 * gets an example or its own conversion.
 * @example const sheet = createSheetColumns(BrandDraft, { name: '海康威视', sort: '1', status: '启用' })
 */
export function createSheetColumns<S extends z.ZodObject>(
  schema: S,
  fields: { [K in keyof S['shape'] & string]?: string | CellConversion },
): SheetColumn[] {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    title: getFieldTitle(schema, name),
    text: (value: unknown) => String(value ?? ''),
    value: (text) => text,
    example: '',
    optional: false,
    kind: 'text',
    ...findConversion(schema.shape[name] as unknown as FieldType),
    ...(typeof field === 'string' ? { example: field } : field),
  }))
}

function formatTime(value: string | null, timeZone: string) {
  return value ? toZonedText(value, timeZone) : ''
}

/** Conversion for a time of which only the day matters, in the platform's time zone, as `ExpiryDay` reads it. */
export const dayConversion: CellConversion = {
  kind: 'date',
  // An import also formats cells that are no times, to name them in its refusal.
  text: (time: string | null) =>
    time && !Number.isNaN(Date.parse(time)) ? toZonedDate(time, platformTimeZone) : (time ?? ''),
}

/** Spreadsheets skip blanks in front of a formula and read its sign in any width. */
const formulaPattern = /^'*(?:\s*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/
/**
 * Prefixes a text that a spreadsheet would run as a formula with an apostrophe. A text that already begins with
 * apostrophes gets one more, so that reading removes exactly one.
 */
const escapeFormula = (text: string) => (formulaPattern.test(text) ? `'${text}` : text)
const unescapeFormula = (cell: string) => {
  const text = cell.trim()
  return text.startsWith("'") && formulaPattern.test(text.slice(1)) ? text.slice(1) : text
}

/** A cell is a number, a time as 2026-01-31 or 2026-01-31 20:05:06, or a text. */
export type ExportCell = string | number | { time: string }

export const getTitles = (sheet: SheetColumn[]) => sheet.map(({ title }) => title)
const formatTexts = (sheet: SheetColumn[], row: object, timeZone: string): string[] =>
  sheet.map(({ name, text }) => text((row as Record<string, never>)[name]!, timeZone))
/** Converts a row to cells; numbers and times keep their type. */
export const toExportCells = (sheet: SheetColumn[], row: object, timeZone: string): ExportCell[] =>
  formatTexts(sheet, row, timeZone).map((text, i) => toTypedCell(text, sheet[i]!.kind))

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

type CellReasons = Record<string, string>

/**
 * Reads a table: missing and repeated titles, and its rows with their line numbers in the spreadsheet. Rows without
 * any text are left out.
 */
export function readSheet(sheet: SheetColumn[], [titleCells = [], ...body]: TableCell[][]) {
  const longestRow = body.reduce((width, { length }) => Math.max(width, length), titleCells.length)
  const titles = Array.from({ length: longestRow }, (_, i) =>
    unescapeFormula(formatCell(titleCells[i])),
  )
  const columnByTitle = new Map(titles.map((title, i) => [title, i]))
  const hasColumn = ({ title }: SheetColumn) => columnByTitle.has(title)
  const missingTitles = getTitles(sheet.filter((column) => !column.optional && !hasColumn(column)))
  const isEmpty = (cell: TableCell | undefined) =>
    formatCell(cell).trim() === '' && typeof cell !== 'object'
  const rows = body.flatMap((cells, i) => (cells.every(isEmpty) ? [] : [{ line: i + 2, cells }]))
  const findCell = (cells: TableCell[], { title }: SheetColumn) =>
    cells[columnByTitle.get(title) ?? -1]
  return {
    missing: missingTitles,
    repeated: getTitles(sheet).filter(
      (title) => titles.indexOf(title) !== titles.lastIndexOf(title),
    ),
    /** These columns of the file match no field and are ignored. */
    unknown: titles.flatMap((title, i) => {
      if (sheet.some((column) => column.title === title)) return []
      return title === '' && body.every((cells) => isEmpty(cells[i]))
        ? []
        : [title || `第 ${i + 1} 列（没有表头）`]
    }),
    /** These fields have no column in the file. */
    absent: sheet.filter((column) => !hasColumn(column)).map(({ name }) => name),
    rows,
    /** Returns the text of the first column, which names the row. */
    getRowName: (cells: TableCell[]) => unescapeFormula(formatCell(findCell(cells, sheet[0]!))),
    /** Returns the fields of a row, and the reason for each cell that cannot be read. */
    readDraft(cells: TableCell[]) {
      const cellValues: Record<string, unknown> = {}
      const cellErrors: CellReasons = {}
      for (const column of sheet) {
        const cellResult = readCell(findCell(cells, column), column.kind)
        if (cellResult.wrong !== undefined) cellErrors[column.name] = cellResult.wrong
        cellValues[column.name] = column.value(unescapeFormula(cellResult.text ?? ''))
      }
      return { given: cellValues, wrong: cellErrors }
    },
  }
}

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

/** Builds a workbook with one sheet. It runs in a worker thread, because 10,000 rows take a second or more. */
export async function createWorkbook(table: ExportCell[][]): Promise<Buffer> {
  const worker = new Worker(new URL('./workbook.worker.mjs', import.meta.url), {
    workerData: table.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? toWorkbookText(cell) : cell)),
    ),
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  const [content] = (await once(worker, 'message')) as [Uint8Array]
  return Buffer.from(content)
}
