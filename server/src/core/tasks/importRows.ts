import type { PlannedAction } from '@iot/shared/contract/sheet'
import { describeCell, type TableCell } from '@iot/shared/contract/sheetCell'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { titleOf } from '@iot/shared/contract/titleOf'
import type { z } from 'zod'
import { refused } from '../refusal'
import { differences, type Change } from '../serve/actionLog'
import { fieldsOf, withStrictTexts } from '../serve/input'
import { asRefusal } from '../serve/errors'
import { isOutage } from '../db/outage'
import { readSheet, titlesOf, type SheetColumn } from './sheet'

/** The previewed outcome of a row. The row is stored exactly like this or refused. */
export type Plan = { action: PlannedAction; version?: number; note: string }
export type Row = { line: number; cells: TableCell[]; plan?: Plan }
/** The outcome of a row in a preview or an import; `note` holds the reason of a refusal or the field diff. */
export type Outcome = { action: PlannedAction; version?: number; note: string }

export type ReadSheet = ReturnType<typeof readRows>

export function readRows(sheet: SheetColumn[], table: TableCell[][], most: number) {
  const read = readSheet(sheet, table)
  const { missing, repeated, rows } = read
  if (missing.length > 0) throw refused(`缺少列：${missing.join('、')}。请下载模板对照表头`)
  if (repeated.length > 0) throw refused(`表头有重复的列：${repeated.join('、')}，请删去多余的列`)
  if (rows.length === 0) throw refused('文件里没有数据行')
  if (rows.length > most) throw refused(`共 ${rows.length} 行，一次最多 ${most} 行，请分成几个文件`)
  return { ...read, rows: rows as Row[] }
}

export const inOrder = (rows: Row[], place: (row: Row) => number) =>
  rows
    .map((row) => ({ row, place: place(row) }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row)

/** Builds the message for a wrong cell that the contract has no text for. */
const cellSentence =
  (sheet: SheetColumn[]) =>
  ({ path: [name, , inner] = [] }: z.core.$ZodRawIssue) => {
    const column = sheet.find((one) => one.name === name)
    const { of } = column?.inside?.find((one) => one.name === inner) ?? column ?? {}
    const words = of?.map((word) => `“${word}”`)
    return words ? `只能是${words.slice(0, -1).join('、')}或${words.at(-1)}` : '内容不正确'
  }

export type Drafted<S extends z.ZodObject> =
  { draft: z.output<S>; wrong?: undefined } | { draft?: undefined; wrong: string }

/**
 * Returns the fields of a row, or all errors: first those of cells that could not be read, then those of the schema.
 */
export function draftRow<S extends z.ZodObject>(
  schema: S,
  sheet: SheetColumn[],
  { given, wrong: cells }: Pick<ReturnType<ReadSheet['draftOf']>, 'given' | 'wrong'>,
  rest: object = {},
): Drafted<S> {
  const { success, data, error } = withStrictTexts(schema).safeParse(
    { ...rest, ...given },
    { error: cellSentence(sheet) },
  )
  const titles = Object.fromEntries(sheet.map(({ name, title }) => [name, title]))
  const sentences = [
    ...Object.entries(cells).map(
      ([name, reason]) => `${titles[name]}${/^[“\w]/.test(reason) ? '：' : ''}${reason}`,
    ),
    ...Object.entries(success ? {} : fieldsOf(error)).flatMap(([path, message]) =>
      path.split('.')[0]! in cells ? [] : [withTitle(placeIn(schema, path), message)],
    ),
  ]
  if (sentences.length === 0 && success) return { draft: data }
  return { wrong: sentences.join('；') }
}

/**
 * Returns the name of a wrong field; for an item inside a cell with several rows it names the item, such as 参数模板第 2
 * 项的默认值.
 */
function placeIn(schema: z.ZodObject, path: string) {
  const [name = '', at, inner] = path.split('.')
  const title = titleOf(schema, name)
  if (at === undefined) return title
  const { element } = schema.shape[name] as unknown as { element: z.ZodObject }
  return `${title}第 ${Number(at) + 1} 项${inner ? `的${titleOf(element, inner)}` : ''}`
}

/** Most messages of the contract already name their field. */
const withTitle = (title: string, message: string) =>
  message.includes(title) ? message : `${title}：${message}`

export function reasonOf(error: unknown) {
  const refusal = isOutage(error) ? undefined : asRefusal(error)
  if (!refusal) throw error
  const { fields } = (refusal.data ?? {}) as { fields?: Record<string, string> }
  return Object.values(fields ?? {}).join('；') || refusal.message
}

/** Returns the outcome of an update; it is `same` if no visible field differs. */
export function outcomeOfUpdate(before: { version: number }, changes: Change[]): Outcome {
  const words = changes
    .flatMap(differences)
    .map((one) => `${one.title}：${one.before || '空'} → ${one.after || '空'}`)
  return {
    action: words.length > 0 ? 'update' : 'same',
    version: before.version,
    note: words.join('；'),
  }
}

/**
 * Refuses to update a row that was changed or removed since the preview.
 * @throws Refusal in that case
 */
export function assertAsPreviewed({ plan }: Row, row: { version: number } | undefined) {
  if (plan && row?.version !== plan.version) throw refused('预览以后被人修改或删除了，请重新导入')
}

/** Detects rows with the same key in one file; after one is imported, later ones are refused. */
export function createLineIndex() {
  const lines = new Map<string, number>()
  return {
    /** @throws Refusal if another line with this key was imported */
    assertNew(key: string, line: number) {
      const earlier = lines.get(key)
      if (earlier !== undefined && earlier !== line) throw refused(`与第 ${earlier} 行重复`)
    },
    add: (key: string, line: number) => void lines.set(key, line),
  }
}

/** Returns the cells of a row as the import understood them, by converting them to values and back to text. */
export function understoodCells(
  sheet: SheetColumn[],
  { cells }: Row,
  read: ReadSheet,
  isRefused: boolean,
  titles: string[],
) {
  if (isRefused) {
    const places = new Map(titles.map((title, i) => [title, i]))
    return titlesOf(sheet).map((title) => describeCell(cells[places.get(title) ?? -1]))
  }
  const { given } = read.draftOf(cells)
  return sheet.map(({ name, text }) => {
    const value = given[name]
    return value === undefined || value === null ? '' : text(value as never, platformTimeZone)
  })
}
