import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ExpiryDay } from '@iot/shared/contract/expiryDay'
import { AreaCode, Status, statusText, Time } from '@iot/shared/contract/fields'
import {
  readCell,
  describeCell,
  type ColumnKind,
  type TableCell,
} from '@iot/shared/contract/sheetCell'
import { platformTimeZone, toZonedDate, toZonedText } from '@iot/shared/contract/timeZone'
import { titleOf } from '@iot/shared/contract/titleOf'
import Papa from 'papaparse'
import { lookup } from 'region-data'
import { abolished } from 'region-data/old-codes'
import { parseAddress } from 'region-data/parse'
import { labelOf } from 'region-data/tree'
import type { z } from 'zod'

/** Conversion between a value and its text in a file. If `value` is missing, the cell text is the value. */
export type Words = {
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
type Told = 'of' | 'inside'
export type SheetColumn = { name: string; title: string } & Required<Omit<Words, Told>> &
  Pick<Words, Told>

/** Creates the conversion for a closed set of values; an unknown text is kept, so that the contract refuses it. */
export const wordsOf = (texts: Record<string, string>): Words => ({
  text: (value: string) => texts[value] ?? value,
  value: (text) => Object.keys(texts).find((value) => texts[value] === text) ?? text,
  of: Object.values(texts),
})

/** Creates the conversion for a boolean field with its own words for true and false. */
export const eitherOf = (yes: string, no: string): Words => ({
  text: (value: boolean) => (value ? yes : no),
  value: (text) => (text === yes ? true : text === no ? false : text),
  of: [yes, no],
})

/** The separators split several values in a cell; `joint` joins them. */
type Division = { separators: string; joint: string }
const usualDivision: Division = { separators: '、,，;；\n', joint: '、' }
/** Names that may contain commas are divided by semicolons only. */
export const semicolons: Division = { separators: ';；\n', joint: '；' }

/** Joins several texts in one cell. A text that contains a separator or begins with a quote is quoted, as in CSV. */
export const joinCell = (texts: string[], { separators, joint } = usualDivision) =>
  texts
    .map((text) =>
      text.startsWith('"') ||
      text !== text.trim() ||
      [...separators].some((one) => text.includes(one))
        ? `"${text.replaceAll('"', '""')}"`
        : text,
    )
    .join(joint)

/** Splits the texts of a cell. A space is no separator, because names contain spaces. */
export function splitCell(cell: string, { separators } = usualDivision): string[] {
  const texts: string[] = []
  const one = new RegExp(
    `\\s*(?:"((?:[^"]|"")*)"\\s*(?=[${separators}]|$)|([^${separators}]*))(?:[${separators}]|$)`,
    'y',
  )
  while (one.lastIndex < cell.length) {
    const [, quoted, plain = ''] = one.exec(cell)!
    const text = quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')
    if (text !== '') texts.push(text)
  }
  return texts
}

/**
 * Creates the conversion for several values in one cell. The texts of a closed set contain no spaces, so spaces may
 * separate them.
 */
export const severalOf = (
  { text, value, of }: Words = {},
  division: Division = of
    ? { ...usualDivision, separators: `${usualDivision.separators} ` }
    : usualDivision,
): Words => ({
  of,
  text: (values: never[], timeZone) =>
    joinCell(
      values.map((one) => text?.(one, timeZone) ?? String(one)),
      division,
    ),
  value: (cell) => splitCell(cell, division).map((one) => value?.(one) ?? one),
})

/**
 * Creates the conversion for several rows in one cell: one per line, with the fields in the order of `sheet`
 * separated by |.
 */
export const rowsIn = (sheet: SheetColumn[]): Words => ({
  inside: sheet,
  text: (rows: object[], timeZone) =>
    Papa.unparse(
      rows.map((row) => textsOf(sheet, row, timeZone)),
      { delimiter: '|', newline: '\n' },
    ),
  value(cell) {
    const { data, errors } = Papa.parse<string[]>(cell, {
      delimiter: '|',
      skipEmptyLines: 'greedy',
    })
    // A text that cannot be split, or has more fields than columns, is kept whole, so that the contract refuses it.
    const isMore = (cells: string[]) => cells.slice(sheet.length).some((text) => text.trim())
    if (errors.length > 0 || data.some(isMore)) return cell
    return data.map((cells) =>
      Object.fromEntries(sheet.map(({ name, value }, i) => [name, value((cells[i] ?? '').trim())])),
    )
  },
})

/** Returns the code of a region; a text that names none or several is kept, so that the contract refuses it. */
function readArea(text: string): string {
  if (lookup(text, 'area') || abolished(text)) return text
  const { code, rest } = parseAddress(text)
  return code && (code.length < 6 || rest === '') ? code : text
}

const status = wordsOf(statusText)
const known = new Map<unknown, Words>([
  [Status, { ...status, value: (text) => status.value!(text || statusText.enabled) }],
  [
    AreaCode,
    {
      text: (code: string) => labelOf(code) || code,
      value: readArea,
    },
  ],
  [Time, { text: timeIn, kind: 'date' }],
  [ExpiryDay, { kind: 'date' }],
])
const yesOrNo = eitherOf('是', '否')
const byType: Record<string, Words> = {
  number: { value: (text) => (text === '' ? undefined : Number(text)), kind: 'number' },
  // An unknown text is refused, because a lamp whose cell says √ must not be imported as unprotected.
  boolean: { ...yesOrNo, value: (text) => yesOrNo.value!(text || '否'), kind: 'boolean' },
}

type Inside = z.ZodType & { unwrap?: () => Inside; _zod: { parent?: Inside } }
/** Finds the conversion of a field by its type, also if the type has its own title or is optional. */
function wordsFor(type: Inside | undefined): Words {
  if (!type) return {}
  const own = known.get(type) ?? byType[type._zod.def.type]
  if (own) return own
  const inside = wordsFor(type._zod.parent ?? type.unwrap?.())
  const { value } = inside
  if (type._zod.def.type !== 'nullable' || !value) return inside
  return { ...inside, value: (text) => (text === '' ? null : value(text)) }
}

/**
 * Builds the columns for export, import and template: titles and conversions come from the contract, and each field
 * gets an example or its own conversion.
 * @example const sheet = sheetOf(BrandDraft, { name: '海康威视', sort: '1', status: '启用' })
 */
export function sheetOf<S extends z.ZodObject>(
  schema: S,
  fields: { [K in keyof S['shape'] & string]?: string | Words },
): SheetColumn[] {
  return Object.entries(fields).map(([name, given]) => ({
    name,
    title: titleOf(schema, name),
    text: (value: unknown) => String(value ?? ''),
    value: (text) => text,
    example: '',
    optional: false,
    kind: 'text',
    ...wordsFor(schema.shape[name] as unknown as Inside),
    ...(typeof given === 'string' ? { example: given } : given),
  }))
}

function timeIn(value: string | null, timeZone: string) {
  return value ? toZonedText(value, timeZone) : ''
}

/** Conversion for a time of which only the day matters, in the platform's time zone, as `ExpiryDay` reads it. */
export const dayWords: Words = {
  kind: 'date',
  text: (time: string | null) => (time ? toZonedDate(time, platformTimeZone) : ''),
}

const isFormula = /^'*[=+\-@＝＋－＠\t\r\n]/
/**
 * Prefixes a text that a spreadsheet would run as a formula with an apostrophe. A text that already begins with
 * apostrophes gets one more, so that reading removes exactly one.
 */
const neutral = (text: string) => (isFormula.test(text) ? `'${text}` : text)
const natural = (cell: string) => {
  const text = cell.trim()
  return text.startsWith("'") && isFormula.test(text.slice(1)) ? text.slice(1) : text
}

/** A cell is a number, a time as 2026-01-31 or 2026-01-31 20:05:06, or a text. */
export type ExportCell = string | number | { time: string }

export const titlesOf = (sheet: SheetColumn[]) => sheet.map(({ title }) => title)
const textsOf = (sheet: SheetColumn[], row: object, timeZone: string): string[] =>
  sheet.map(({ name, text }) => text((row as Record<string, never>)[name]!, timeZone))
/** Converts a row to cells; numbers and times keep their type. */
export const cellsOf = (sheet: SheetColumn[], row: object, timeZone: string): ExportCell[] =>
  textsOf(sheet, row, timeZone).map((text, i) => typedCellOf(text, sheet[i]!.kind))

// A spreadsheet stores 15 significant digits, so longer numbers stay text.
const isNumber = /^-?(?=(?:\.?\d){1,15}$)(?:0|[1-9]\d*)(?:\.\d+)?$/
const isTime = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/
/** Returns the text as a number or time if its column has that kind and the format matches. */
export function typedCellOf(text: string, kind: ColumnKind): ExportCell {
  if (kind === 'number' && isNumber.test(text)) return Number(text)
  if (kind === 'date' && isTime.test(text)) return { time: text }
  return text
}
const writtenText = (cell: ExportCell) =>
  typeof cell === 'string' ? neutral(cell) : typeof cell === 'number' ? String(cell) : cell.time

type CellReasons = Record<string, string>

/**
 * Reads a table: missing and repeated titles, and its rows with their line numbers in the spreadsheet. Rows without
 * any text are left out.
 */
export function readSheet(sheet: SheetColumn[], [head = [], ...body]: TableCell[][]) {
  const titles = head.map((cell) => natural(describeCell(cell)))
  const places = new Map(titles.map((title, i) => [title, i]))
  const has = ({ title }: SheetColumn) => places.has(title)
  const missing = titlesOf(sheet.filter((column) => !column.optional && !has(column)))
  const isEmpty = (cell: TableCell | undefined) =>
    describeCell(cell).trim() === '' && typeof cell !== 'object'
  const rows = body.flatMap((cells, i) => (cells.every(isEmpty) ? [] : [{ line: i + 2, cells }]))
  const cellOf = (cells: TableCell[], { title }: SheetColumn) => cells[places.get(title) ?? -1]
  return {
    missing,
    repeated: titlesOf(sheet).filter(
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
    absent: sheet.filter((column) => !has(column)).map(({ name }) => name),
    rows,
    /** Returns the text of the first column, which names the row. */
    nameOf: (cells: TableCell[]) => natural(describeCell(cellOf(cells, sheet[0]!))),
    /** Returns the fields of a row, and the reason for each cell that cannot be read. */
    draftOf(cells: TableCell[]) {
      const given: Record<string, unknown> = {}
      const wrong: CellReasons = {}
      for (const column of sheet) {
        const read = readCell(cellOf(cells, column), column.kind)
        if (read.wrong !== undefined) wrong[column.name] = read.wrong
        given[column.name] = column.value(natural(read.text ?? ''))
      }
      return { given, wrong }
    },
  }
}

const linesOf = (rows: ExportCell[][]) =>
  rows.length > 0 ? `${Papa.unparse(rows.map((row) => row.map(writtenText)))}\r\n` : ''
// Excel reads a CSV file without a byte order mark as GBK.
const mark = '\ufeff'
export const csv = (table: ExportCell[][]) => mark + linesOf(table)
/** Yields the same CSV text portion by portion. */
export async function* csvOf(portions: AsyncIterable<ExportCell[][]>) {
  yield mark
  for await (const rows of portions) yield linesOf(rows)
}

/** Builds a workbook with one sheet. It runs in a worker thread, because 10,000 rows take a second or more. */
export async function workbook(table: ExportCell[][]): Promise<Buffer> {
  const worker = new Worker(new URL('./workbook.worker.mjs', import.meta.url), {
    workerData: table.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? neutral(cell) : cell)),
    ),
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  const [content] = (await once(worker, 'message')) as [Uint8Array]
  return Buffer.from(content)
}
