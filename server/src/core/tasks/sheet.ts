import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AreaCode, Status, statusText, Time } from '@iot/shared/contract/fields'
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

/** Several values in one cell. */
export const severalOf = ({ text, value, of }: Words = {}): Words => ({
  of,
  text: (values: never[], timeZone) =>
    values.map((one) => text?.(one, timeZone) ?? String(one)).join('、'),
  value: (cell) =>
    cell
      .split(/[、,，;；\s]+/)
      .filter(Boolean)
      .map((one) => value?.(one) ?? one),
})

/** Rows in one cell, a line each, their fields in the order of `sheet` with | between. */
export const rowsIn = (sheet: SheetColumn[]): Words => ({
  inside: sheet,
  text: (rows: object[], timeZone) =>
    Papa.unparse(
      rows.map((row) => cellsOf(sheet, row, timeZone)),
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
  [Time, { text: timeIn }],
])
const yesOrNo = eitherOf('是', '否')
const byType: Record<string, Words> = {
  number: { value: (text) => (text === '' ? undefined : Number(text)) },
  // What is neither is refused: a lamp whose cell says √ must not come in unprotected.
  boolean: { ...yesOrNo, value: (text) => yesOrNo.value!(text || '否') },
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
    ...wordsFor(schema.shape[name] as unknown as Inside),
    ...(typeof given === 'string' ? { example: given } : given),
  }))
}

function timeIn(value: string | null, timeZone: string) {
  if (!value) return ''
  // In Swedish a time is written year first, as here.
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  }).format(new Date(value))
}

/** A time of which the day counts. */
export const dayWords: Words = {
  text: (time: string | null, timeZone) => timeIn(time, timeZone).slice(0, 10),
}

const isFormula = /^[=+\-@\t\r]/
/** A spreadsheet runs a text that begins like a formula; an apostrophe in front makes it a text. */
const neutral = (text: string) => (isFormula.test(text) ? `'${text}` : text)
const natural = (cell: string) => {
  const text = cell.trim()
  return text.startsWith("'") && isFormula.test(text.slice(1)) ? text.slice(1) : text
}

export const titlesOf = (sheet: SheetColumn[]) => sheet.map(({ title }) => title)
export const cellsOf = (sheet: SheetColumn[], row: object, timeZone: string): string[] =>
  sheet.map(({ name, text }) => text((row as Record<string, never>)[name]!, timeZone))

/** Titles the file lacks, and its rows with the number a spreadsheet gives them. Rows without any text are left out. */
export function readSheet(sheet: SheetColumn[], [head = [], ...body]: string[][]) {
  const places = new Map(head.map((title, i) => [natural(title), i]))
  const needed = titlesOf(sheet.filter(({ optional }) => !optional))
  const missing = needed.filter((title) => !places.has(title))
  const rows = body.flatMap((cells, i) =>
    cells.every((cell) => cell.trim() === '') ? [] : [{ line: i + 2, cells }],
  )
  const textOf = (cells: string[], title: string) => natural(cells[places.get(title) ?? -1] ?? '')
  return {
    missing,
    rows,
    /** What the first column calls a row. */
    nameOf: (cells: string[]) => textOf(cells, sheet[0]!.title),
    draftOf: (cells: string[]): Record<string, unknown> =>
      Object.fromEntries(
        sheet.map(({ name, title, value }) => [name, value(textOf(cells, title))]),
      ),
  }
}

const linesOf = (rows: string[][]) =>
  rows.length > 0 ? `${Papa.unparse(rows.map((row) => row.map(neutral)))}\r\n` : ''
// Excel takes a file without the mark for GBK.
const mark = '\ufeff'
export const csv = (table: string[][]) => mark + linesOf(table)
/** The same, portion by portion. */
export async function* csvOf(portions: AsyncIterable<string[][]>) {
  yield mark
  for await (const rows of portions) yield linesOf(rows)
}

/** A workbook of one sheet. Putting 10,000 rows together takes a second or more, so it has a thread of its own. */
export async function workbook(table: string[][]): Promise<Buffer> {
  const worker = new Worker(new URL('./workbook.worker.mjs', import.meta.url), {
    workerData: table.map((row) => row.map(neutral)),
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  const [content] = (await once(worker, 'message')) as [Uint8Array]
  return Buffer.from(content)
}
