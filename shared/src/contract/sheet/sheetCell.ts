import type { TableCell } from './sheetCell.schema'

/** A column accepts values of one of these types. */
export type ColumnKind = 'text' | 'number' | 'date' | 'boolean'

export const formatCell = (cell: TableCell = '') => (typeof cell === 'string' ? cell : cell.shown)

type CellResult = { text: string; wrong?: undefined } | { text?: undefined; wrong: string }
const textFormatHint = '请把单元格格式设为“文本”后重新填写'
const rejectCell = (reason: string): CellResult => ({ wrong: reason })

// Spreadsheets save error values in .csv files too.
const errorValuePattern =
  /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!)$/i
const isScientific = (text: string) => /^[+-]?\d(\.\d+)?E\+\d{2,3}$/i.test(text)
/** WPS saves a picture in a cell as this formula. */
const cellPicturePattern = /^=(_xlfn\.)?DISPIMG\(/i
const maxDigits = 15

/**
 * Reads the text of a cell for a column, or returns why it is refused. The displayed text counts: a value that the
 * spreadsheet has altered (1-2 turned into a date, lost digits of a long number) is refused and never guessed.
 */
export function readCell(cell: TableCell | undefined, column: ColumnKind): CellResult {
  if (cell === undefined) return { text: '' }
  if (typeof cell === 'string') return readText(cell, column)
  const { kind, shown: displayedText, value = '' } = cell
  switch (kind) {
    case 'error':
      return rejectCell(`单元格是错误值“${displayedText}”`)
    case 'noResult':
      return rejectCell('公式没有计算结果，请在表格软件里打开并保存，或粘贴为数值')
    case 'merged':
      return rejectCell(`在合并单元格（${displayedText}）里，请取消合并后逐格填写`)
    case 'boolean':
      return { text: column === 'boolean' ? (value === 'true' ? '是' : '否') : displayedText }
    case 'percent':
      return column === 'number'
        ? rejectCell(`是百分数“${displayedText}”，请填写不带 % 的数字`)
        : { text: displayedText }
    case 'date':
      return readDate(displayedText, value, column)
    case 'number':
      return readNumber(displayedText, value, column)
  }
}

function readText(text: string, column: ColumnKind): CellResult {
  const trimmed = text.trim()
  if (errorValuePattern.test(trimmed)) return rejectCell(`单元格是错误值“${trimmed}”`)
  if (cellPicturePattern.test(trimmed)) return rejectCell('是单元格图片，导入不支持图片')
  if (/^#{3,}$/.test(trimmed))
    return rejectCell(`是“${trimmed}”：列太窄，内容没有保存，请加宽列后重新另存`)
  if (column === 'number' && /^[+-]?[\d.,]+\s*[%％]$/.test(trimmed))
    return rejectCell(`是百分数“${trimmed}”，请填写不带 % 的数字`)
  if (column !== 'number' && isScientific(trimmed))
    return rejectCell(`是科学计数法“${trimmed}”，原来的数字已不完整，${textFormatHint}`)
  return { text }
}

function readDate(displayedText: string, value: string, column: ColumnKind): CellResult {
  if (column === 'date')
    return value
      ? { text: value.replace('T', ' ') }
      : rejectCell(`“${displayedText}”只有时间，请填写日期`)
  if (column === 'text')
    return rejectCell(`被表格软件当成了日期（显示为“${displayedText}”），${textFormatHint}`)
  return rejectCell(
    `是日期（显示为“${displayedText}”），请填写${column === 'number' ? '数字' : '是或否'}`,
  )
}

function readNumber(displayedText: string, value: string, column: ColumnKind): CellResult {
  if (column === 'number') {
    const plainNumber = displayedText.replace(/[,\s¥￥$€£]/g, '')
    return { text: /^-?\d+(\.\d+)?$/.test(plainNumber) ? plainNumber : value }
  }
  if (Math.abs(Number(value)) >= 10 ** maxDigits)
    return rejectCell(`是超过 ${maxDigits} 位的数字，末尾几位已被表格软件改成 0，${textFormatHint}`)
  if (/\dE[+-]?\d/i.test(displayedText))
    return rejectCell(`显示为科学计数法“${displayedText}”，${textFormatHint}`)
  return { text: displayedText }
}
