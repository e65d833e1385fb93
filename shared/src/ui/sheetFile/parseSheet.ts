import type { TableCell } from '../../contract/sheet/sheetCell.schema'
import { UnreadableFile } from './fileKind'
import { parseNumberCell, parseTextCell } from './numberCell'
import { readXml, type Attributes } from './xml'

/** Twice the largest import; the exact limit is checked by the server. */
const maxRows = 20_000
const maxColumns = 1_000

export type Sheet = {
  table: TableCell[][]
  /** Hidden rows are numbered from 1. */
  hiddenRows: number[]
  /** Hidden columns are numbered from 0. */
  hiddenColumns: number[]
  isFiltered: boolean
}
type WorkbookContext = { texts: string[]; formats: string[]; has1904Dates: boolean }

/** Reads the cells of a sheet at their positions; empty cells are ''. */
export function parseSheet(xml: string, workbook: WorkbookContext): Sheet {
  const sheet: Sheet = { table: [], hiddenRows: [], hiddenColumns: [], isFiltered: false }
  const mergedRanges: string[] = []
  let line = 0
  let cell: OpenCell | undefined
  let column = -1
  readXml(xml, {
    open(name, attributes) {
      if (cell) return openInCell(cell, name)
      if (name === 'row') {
        const { r: rowRef, hidden: hiddenAttribute } = attributes()
        line = Number(rowRef ?? line + 1)
        column = -1
        if (isTrue(hiddenAttribute)) sheet.hiddenRows.push(line)
      } else if (name === 'c') {
        const { r: cellRef, s: styleIndex, t: cellType } = attributes()
        column = cellRef ? parseColumn(cellRef) : column + 1
        cell = {
          type: cellType ?? 'n',
          style: Number(styleIndex ?? 0),
          hasFormula: false,
          inside: '',
        }
      } else if (name === 'col') sheet.hiddenColumns.push(...expandHiddenColumns(attributes()))
      else if (name === 'mergeCell') mergedRanges.push(attributes().ref ?? '')
      else if (name === 'autoFilter') sheet.isFiltered = true
    },
    close(name) {
      if (!cell) return
      if (name !== 'c') return closeInCell(cell, name)
      setCell(sheet.table, line, column, readCellValue(cell, workbook))
      cell = undefined
    },
    text(text) {
      if (cell) textInCell(cell, text)
    },
  })
  for (const ref of mergedRanges) markMerged(sheet.table, ref)
  for (let i = 0; i < sheet.table.length; i++) sheet.table[i] ??= []
  return sheet
}

type OpenCell = {
  type: string
  style: number
  hasFormula: boolean
  /** Name of the open element inside the cell, or an empty text. */
  inside: '' | 'v' | 't' | 'rPh'
  value?: string
  text?: string
}

function openInCell(cell: OpenCell, name: string) {
  if (name === 'f') cell.hasFormula = true
  else if (name === 'v') {
    cell.inside = 'v'
    cell.value ??= ''
  } else if (name === 't' && cell.inside !== 'rPh') {
    cell.inside = 't'
    cell.text ??= ''
  } else if (name === 'rPh') cell.inside = 'rPh'
}
function closeInCell(cell: OpenCell, name: string) {
  if (name === cell.inside) cell.inside = ''
}
function textInCell(cell: OpenCell, text: string) {
  if (cell.inside === 'v') cell.value += text
  if (cell.inside === 't') cell.text += text
}

function readCellValue(
  cell: OpenCell,
  { texts, formats, has1904Dates }: WorkbookContext,
): TableCell {
  const { type, value, text, hasFormula } = cell
  const readText = (rawText: string) => parseTextCell(decodePlainText(rawText), formats[cell.style])
  if (type === 'inlineStr') return readText(text ?? '')
  if (value === undefined || (value === '' && type !== 'str'))
    return hasFormula ? { kind: 'noResult', shown: '' } : ''
  if (type === 's') {
    const sharedText = texts[Number(value)]
    if (sharedText === undefined) throw new UnreadableFile('文件已损坏，读不出来')
    return readText(sharedText)
  }
  if (type === 'str') return readText(value)
  if (type === 'e') return { kind: 'error', shown: value }
  if (type === 'b') {
    const isOn = value === '1'
    return { kind: 'boolean', shown: isOn ? 'TRUE' : 'FALSE', value: String(isOn) }
  }
  if (type === 'd')
    return { kind: 'date', shown: value, value: value.replace(/(T00:00:00)?(\.0+)?Z?$/, '') }
  return parseNumberCell(value, formats[cell.style] ?? 'General', has1904Dates)
}

/** Decodes characters that XML cannot contain, such as _x000D_, and normalises line breaks. */
const decodePlainText = (text: string) =>
  text
    .replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')

function setCell(table: TableCell[][], line: number, column: number, value: TableCell) {
  if (value === '' || column >= maxColumns) return
  if (line > maxRows) throw new UnreadableFile(`表格超过 ${maxRows} 行，请分成几个文件`)
  const row = (table[line - 1] ??= [])
  while (row.length < column) row.push('')
  row[column] = value
}

/** Covered cells of a merged range are empty in the file although the user sees a value, so they are marked. */
function markMerged(table: TableCell[][], ref: string) {
  const [from = '', to = from] = ref.split(':')
  const [firstLine, firstColumn, lastLine, lastColumn] = [
    parseLine(from),
    parseColumn(from),
    parseLine(to),
    parseColumn(to),
  ]
  if ((table[firstLine - 1]?.[firstColumn] ?? '') === '') return
  for (let line = firstLine; line <= Math.min(lastLine, table.length); line++)
    for (let column = firstColumn; column <= Math.min(lastColumn, maxColumns - 1); column++)
      if (line !== firstLine || column !== firstColumn)
        setCell(table, line, column, { kind: 'merged', shown: ref })
}

const isTrue = (text?: string) => text === '1' || text === 'true'
const parseLine = (ref: string) => Number(/\d+$/.exec(ref)?.[0] ?? 0)
const parseColumn = (ref: string) =>
  [...(/^\$?([A-Z]+)/i.exec(ref)?.[1] ?? 'A').toUpperCase()].reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  ) - 1

function expandHiddenColumns({ min = '1', max = min, hidden: hiddenAttribute }: Attributes) {
  if (!isTrue(hiddenAttribute)) return []
  const last = Math.min(Number(max), maxColumns)
  return Array.from({ length: Math.max(0, last - Number(min) + 1) }, (_, i) => Number(min) - 1 + i)
}
