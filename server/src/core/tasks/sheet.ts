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

/** How a value stands in a file. Without `value` a cell means its text. */
export type Words = {
  text?: (value: never, timeZone: string) => string
  value?: (text: string) => unknown
  /** Which cells of a spreadsheet it takes, and how it is written into one. */
  kind?: ColumnKind
  /** In the template. */
  example?: string
  /** A file may lack it, as those of an older template do. */
  optional?: boolean
  /** All there are, to be named where a cell holds another. */
  of?: string[]
  /** Of a cell that holds rows: their columns. */
  inside?: SheetColumn[]
}
type Told = 'of' | 'inside'
export type SheetColumn = { name: string; title: string } & Required<Omit<Words, Told>> &
  Pick<Words, Told>

/** The words of a closed set of values, both ways; what is none of them is left for the contract to refuse. */
export const wordsOf = (texts: Record<string, string>): Words => ({
  text: (value: string) => texts[value] ?? value,
  value: (text) => Object.keys(texts).find((value) => texts[value] === text) ?? text,
  of: Object.values(texts),
})

/** Of a field that is yes or no, where a word of its own says more. */
export const eitherOf = (yes: string, no: string): Words => ({
  text: (value: boolean) => (value ? yes : no),
  value: (text) => (text === yes ? true : text === no ? false : text),
  of: [yes, no],
})

/** What divides several values in a cell, and what joins them. */
type Division = { separators: string; joint: string }
const usualDivision: Division = { separators: '、,，;；\n', joint: '、' }
/** Where names hold commas. */
export const semicolons: Division = { separators: ';；\n', joint: '；' }

/** Several texts in one cell: one that holds a separator or begins with a quote stands in quotes, as in a .csv. */
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

/** The texts again. A blank divides nothing: names hold blanks. */
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

/** Several values in one cell. The words of a closed set have no blanks, so that blanks may divide them. */
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

/** Rows in one cell, a line each, their fields in the order of `sheet` with | between. */
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
    // What cannot be divided, or has more than there are columns, is left whole for the contract to refuse.
    const isMore = (cells: string[]) => cells.slice(sheet.length).some((text) => text.trim())
    if (errors.length > 0 || data.some(isMore)) return cell
    return data.map((cells) =>
      Object.fromEntries(sheet.map(({ name, value }, i) => [name, value((cells[i] ?? '').trim())])),
    )
  },
})

/** The code of an area; what names none, several or more than one is left for the contract to refuse. */
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
  // What is neither is refused: a lamp whose cell says √ must not come in unprotected.
  boolean: { ...yesOrNo, value: (text) => yesOrNo.value!(text || '否'), kind: 'boolean' },
}

type Inside = z.ZodType & { unwrap?: () => Inside; _zod: { parent?: Inside } }
/** What a field is, also behind a title of its own and where it may be left out. */
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
 * The columns of a file, for export, import and template alike: titles and words from the contract, each field with its
 * example, or with words of its own.
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

/** A time of which the day counts, by the clock of the platform, as `ExpiryDay` reads it. */
export const dayWords: Words = {
  kind: 'date',
  text: (time: string | null) => (time ? toZonedDate(time, platformTimeZone) : ''),
}

const isFormula = /^'*[=+\-@＝＋－＠\t\r\n]/
/**
 * A spreadsheet runs a text that begins like a formula; an apostrophe in front makes it a text. One that has apostrophes there
 * already gets one more, so that reading takes exactly one away.
 */
const neutral = (text: string) => (isFormula.test(text) ? `'${text}` : text)
const natural = (cell: string) => {
  const text = cell.trim()
  return text.startsWith("'") && isFormula.test(text.slice(1)) ? text.slice(1) : text
}

/** A number, a time as 2026-01-31 or 2026-01-31 20:05:06, or a text. */
export type ExportCell = string | number | { time: string }

export const titlesOf = (sheet: SheetColumn[]) => sheet.map(({ title }) => title)
const textsOf = (sheet: SheetColumn[], row: object, timeZone: string): string[] =>
  sheet.map(({ name, text }) => text((row as Record<string, never>)[name]!, timeZone))
/** A row of a file, numbers and times as such. */
export const cellsOf = (sheet: SheetColumn[], row: object, timeZone: string): ExportCell[] =>
  textsOf(sheet, row, timeZone).map((text, i) => typedCellOf(text, sheet[i]!.kind))

// A spreadsheet keeps 15 digits; a number with more stays a text.
const isNumber = /^-?(?=(?:\.?\d){1,15}$)(?:0|[1-9]\d*)(?:\.\d+)?$/
const isTime = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/
/** A text that is written as a value of its column. */
export function typedCellOf(text: string, kind: ColumnKind): ExportCell {
  if (kind === 'number' && isNumber.test(text)) return Number(text)
  if (kind === 'date' && isTime.test(text)) return { time: text }
  return text
}
const writtenText = (cell: ExportCell) =>
  typeof cell === 'string' ? neutral(cell) : typeof cell === 'number' ? String(cell) : cell.time

type CellReasons = Record<string, string>

/** Titles the file lacks or has twice, and its rows with the number a spreadsheet gives them. Rows without any text are left out. */
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
    /** Columns of the file that nothing is taken from. */
    unknown: titles.flatMap((title, i) => {
      if (sheet.some((column) => column.title === title)) return []
      return title === '' && body.every((cells) => isEmpty(cells[i]))
        ? []
        : [title || `第 ${i + 1} 列（没有表头）`]
    }),
    /** Fields that the file says nothing of. */
    absent: sheet.filter((column) => !has(column)).map(({ name }) => name),
    rows,
    /** What the first column calls a row. */
    nameOf: (cells: TableCell[]) => natural(describeCell(cellOf(cells, sheet[0]!))),
    /** The fields of a row, and by field why a cell cannot be taken. */
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
// Excel takes a file without the mark for GBK.
const mark = '\ufeff'
export const csv = (table: ExportCell[][]) => mark + linesOf(table)
/** The same, portion by portion. */
export async function* csvOf(portions: AsyncIterable<ExportCell[][]>) {
  yield mark
  for await (const rows of portions) yield linesOf(rows)
}

/** A workbook of one sheet. Putting 10,000 rows together takes a second or more, so it has a thread of its own. */
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
