import { ExpiryDay } from '@iot/shared/contract/expiryDay.schema'
import { statusText } from '@iot/shared/contract/fields'
import { AreaCode, Status, Time } from '@iot/shared/contract/fields.schema'
import { readCell, formatCell } from '@iot/shared/contract/sheet/sheetCell'
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
import {
  createBooleanConversion,
  createChoiceConversion,
  type CellConversion,
  type SheetColumn,
} from './cellConversion'
import { toTypedCell, unescapeFormula, type ExportCell } from './sheetFile'

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

export const getTitles = (sheet: SheetColumn[]) => sheet.map(({ title }) => title)
const formatTexts = (sheet: SheetColumn[], row: object, timeZone: string): string[] =>
  sheet.map(({ name, text }) => text((row as Record<string, never>)[name]!, timeZone))
/** Converts a row to cells; numbers and times keep their type. */
export const toExportCells = (sheet: SheetColumn[], row: object, timeZone: string): ExportCell[] =>
  formatTexts(sheet, row, timeZone).map((text, i) => toTypedCell(text, sheet[i]!.kind))

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
