import type { PlannedAction } from '@iot/shared/contract/sheet/sheet.schema'
import { formatCell } from '@iot/shared/contract/sheet/sheetCell'
import type { TableCell } from '@iot/shared/contract/sheet/sheetCell.schema'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import type { z } from 'zod'
import { createRefusal } from '../refusal'
import { diffFields, type Change } from '../http/actionLog'
import { collectFieldErrors, withStrictTexts } from '../http/inputParser'
import { toRefusal } from '../http/errors'
import { isOutage } from '../db/outage'
import type { SheetColumn } from './cellConversion'
import { readSheet, getTitles } from './sheet'

/** The previewed outcome of a row. The row is stored exactly like this or refused. */
export type RowPlan = { action: PlannedAction; id?: string; version?: number; note: string }
export type ImportRow = { line: number; cells: TableCell[]; plan?: RowPlan }
/** The outcome of a row in a preview or an import; `note` holds the reason of a refusal or the field diff. */
export type RowOutcome = { action: PlannedAction; id?: string; version?: number; note: string }

export type ReadSheet = ReturnType<typeof readRows>

export function readRows(sheet: SheetColumn[], table: TableCell[][], maxRows: number) {
  const parsedSheet = readSheet(sheet, table)
  const { missing: missingTitles, repeated: repeatedTitles, rows } = parsedSheet
  if (missingTitles.length > 0)
    throw createRefusal(`缺少列：${missingTitles.join('、')}。请下载模板对照表头`)
  if (repeatedTitles.length > 0)
    throw createRefusal(`表头有重复的列：${repeatedTitles.join('、')}，请删去多余的列`)
  if (rows.length === 0) throw createRefusal('文件里没有数据行')
  if (rows.length > maxRows)
    throw createRefusal(`共 ${rows.length} 行，一次最多 ${maxRows} 行，请分成几个文件`)
  return { ...parsedSheet, rows: rows as ImportRow[] }
}

export const sortRows = (rows: ImportRow[], getPosition: (row: ImportRow) => number) =>
  rows
    .map((row) => ({ row, place: getPosition(row) }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row)

/** Builds the message for a wrong cell that the contract has no text for. */
const createCellMessage =
  (sheet: SheetColumn[]) =>
  ({ path: [name, , itemField] = [] }: z.core.$ZodRawIssue) => {
    const column = sheet.find((candidate) => candidate.name === name)
    const { of: allowedTexts } =
      column?.inside?.find((innerColumn) => innerColumn.name === itemField) ?? column ?? {}
    const quotedTexts = allowedTexts?.map((word) => `“${word}”`)
    return quotedTexts
      ? `只能是${quotedTexts.slice(0, -1).join('、')}或${quotedTexts.at(-1)}`
      : '内容不正确'
  }

export type DraftResult<S extends z.ZodObject> =
  | { draft: z.output<S>; wrong?: undefined }
  | { draft?: undefined; wrong: string }

/**
 * Returns the fields of a row, or all errors: first those of cells that could not be read, then those of the schema.
 */
export function parseDraft<S extends z.ZodObject>(
  schema: S,
  sheet: SheetColumn[],
  {
    given: cellValues,
    wrong: cellErrors,
  }: Pick<ReturnType<ReadSheet['readDraft']>, 'given' | 'wrong'>,
  fixedFields: object = {},
): DraftResult<S> {
  const { success, data, error } = withStrictTexts(schema).safeParse(
    { ...fixedFields, ...cellValues },
    { error: createCellMessage(sheet) },
  )
  const titles = Object.fromEntries(sheet.map(({ name, title }) => [name, title]))
  const messages = [
    ...Object.entries(cellErrors).map(
      ([name, reason]) => `${titles[name]}${/^[“\w]/.test(reason) ? '：' : ''}${reason}`,
    ),
    ...Object.entries(success ? {} : collectFieldErrors(error)).flatMap(([path, message]) =>
      path.split('.')[0]! in cellErrors ? [] : [prefixTitle(describeField(schema, path), message)],
    ),
  ]
  if (messages.length === 0 && success) return { draft: data }
  return { wrong: messages.join('；') }
}

/**
 * Returns the name of a wrong field; for an item inside a cell with several rows it names the item, such as 参数模板第 2
 * 项的默认值.
 */
function describeField(schema: z.ZodObject, path: string) {
  const [name = '', itemIndex, itemField] = path.split('.')
  const title = getFieldTitle(schema, name)
  if (itemIndex === undefined) return title
  const { element } = schema.shape[name] as unknown as { element: z.ZodObject }
  return `${title}第 ${Number(itemIndex) + 1} 项${itemField ? `的${getFieldTitle(element, itemField)}` : ''}`
}

/** Most messages of the contract already name their field. */
const prefixTitle = (title: string, message: string) =>
  message.includes(title) ? message : `${title}：${message}`

export function getRefusalReason(error: unknown) {
  const refusal = isOutage(error) ? undefined : toRefusal(error)
  if (!refusal) throw error
  const { fields } = (refusal.data ?? {}) as { fields?: Record<string, string> }
  return Object.values(fields ?? {}).join('；') || refusal.message
}

type StoredRevision = { id: string; version: number }

/** Returns the outcome of an update; it is `same` if no visible field differs. */
export function getUpdateOutcome(previousRow: StoredRevision, changes: Change[]): RowOutcome {
  const fieldChanges = changes
    .flatMap(diffFields)
    .map((change) => `${change.title}：${change.before || '空'} → ${change.after || '空'}`)
  return {
    action: fieldChanges.length > 0 ? 'update' : 'same',
    id: previousRow.id,
    version: previousRow.version,
    note: fieldChanges.join('；'),
  }
}

/**
 * Refuses to update a row that was changed or removed since the preview. The id is compared too, because a row that was
 * removed and created again may have the same version.
 * @throws Refusal in that case
 */
export function assertUnchangedSincePreview({ plan }: ImportRow, row: StoredRevision | undefined) {
  if (plan && (row?.id !== plan.id || row?.version !== plan.version))
    throw createRefusal('预览以后被人修改或删除了，请重新导入')
}

/** Detects rows with the same key in one file; after one is imported, later ones are refused. */
export function createDuplicateCheck() {
  const lines = new Map<string, number>()
  return {
    /** @throws Refusal if another line with this key was imported */
    assertNew(key: string, line: number) {
      const earlier = lines.get(key)
      if (earlier !== undefined && earlier !== line) throw createRefusal(`与第 ${earlier} 行重复`)
    },
    add: (key: string, line: number) => void lines.set(key, line),
  }
}

/** Returns the cells of a row as the import understood them, by converting them to values and back to text. */
export function formatParsedCells(
  sheet: SheetColumn[],
  { cells }: ImportRow,
  parsedSheet: ReadSheet,
  isRefused: boolean,
  titles: string[],
) {
  if (isRefused) {
    const columnByTitle = new Map(titles.map((title, i) => [title, i]))
    return getTitles(sheet).map((title) => formatCell(cells[columnByTitle.get(title) ?? -1]))
  }
  const { given: cellValues } = parsedSheet.readDraft(cells)
  return sheet.map(({ name, text }) => {
    const value = cellValues[name]
    return value === undefined || value === null ? '' : text(value as never, platformTimeZone)
  })
}

/** Rows that the preview refused or found unchanged are not tried again. */
export const getSettledOutcome = ({ plan }: ImportRow): RowOutcome | undefined =>
  plan?.action === 'refuse' || plan?.action === 'same' ? plan : undefined
