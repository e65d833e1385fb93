import type { TableCell } from '../../contract/sheetCell'
import { UnreadableFile } from './fileKind'
import { builtinFormat } from './numberFormats'
import { parseSheet, type Sheet } from './parseSheet'
import { openWorkbook } from './unzip'
import { readXml } from './xml'

type Part = ReturnType<typeof openWorkbook>['readPart']
type Named = { name: string; isHidden: boolean; path: string }

/** Reads the first visible sheet of an .xlsx as displayed, with notices for the user before the import. */
export function readWorkbook(zip: Uint8Array): { table: TableCell[][]; notices: string[] } {
  const { readPart } = openWorkbook(zip)
  const { sheets, has1904Dates, shared, styles } = readOutline(readPart)
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const chosen = visible[0] ?? sheets[0]
  const xml = chosen && readPart(chosen.path)
  if (!chosen || xml === undefined) throw new UnreadableFile('工作簿里没有工作表')
  const sheet = parseSheet(xml, {
    texts: shared ? readTexts(readPart(shared) ?? '') : [],
    formats: styles ? readFormats(readPart(styles) ?? '') : [],
    has1904Dates,
  })
  return {
    table: sheet.table,
    notices: [
      ...(sheets.length > 1 ? [`文件有 ${sheets.length} 张工作表，只读取“${chosen.name}”`] : []),
      ...noticesOf(sheet),
    ],
  }
}

function noticesOf({ hiddenRows, hiddenColumns, isFiltered, table }: Sheet) {
  const rows = hiddenRows.filter((line) => line > 1 && table[line - 1]?.some((cell) => cell !== ''))
  const titles = hiddenColumns
    .filter((column) => table.some((row) => (row[column] ?? '') !== ''))
    .map((column) => `${columnName(column)} 列`)
  return [
    ...(rows.length > 0
      ? [
          `${isFiltered ? '筛选掉或隐藏' : '隐藏'}的 ${rows.length} 行也会导入：第 ${joinRanges(rows)} 行`,
        ]
      : []),
    ...(titles.length > 0 ? [`隐藏的列也会导入：${titles.join('、')}`] : []),
  ]
}

/** Formats line numbers as 3、7–9; a long list is cut off. */
function joinRanges(lines: number[]) {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  const texts = ranges.slice(0, 10).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return texts.join('、') + (ranges.length > 10 ? ' 等' : '')
}

export function columnName(column: number): string {
  const rest = Math.floor(column / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26))
}

/** Finds the parts of the workbook by its relations. */
function readOutline(readPart: Part) {
  const targets = new Map<string, { path: string; type: string }>()
  readXml(readPart('xl/_rels/workbook.xml.rels') ?? '', {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const { Id = '', Target = '', Type = '' } = attributes()
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`
      targets.set(Id, { path, type: Type.slice(Type.lastIndexOf('/') + 1) })
    },
  })
  const sheets: Named[] = []
  let has1904Dates = false
  readXml(readPart('xl/workbook.xml') ?? '', {
    open(name, attributes) {
      if (name === 'workbookPr') has1904Dates = /^(1|true)$/.test(attributes().date1904 ?? '')
      if (name !== 'sheet') return
      const { name: title = '', id = '', state = 'visible' } = attributes()
      const target = targets.get(id)
      // A chart sheet has no cells.
      if (target?.type === 'worksheet')
        sheets.push({ name: title, isHidden: state !== 'visible', path: target.path })
    },
  })
  const find = (wanted: string) => [...targets.values()].find(({ type }) => type === wanted)?.path
  return { sheets, has1904Dates, shared: find('sharedStrings'), styles: find('styles') }
}

/** Reads the shared strings; formatted text is joined without its phonetic guide. */
function readTexts(xml: string) {
  const texts: string[] = []
  let text = ''
  let isText = false
  let isPronunciation = false
  readXml(xml, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isPronunciation = true
      if (name === 't') isText = true
    },
    close(name) {
      if (name === 'si') texts.push(text)
      if (name === 'rPh') isPronunciation = false
      if (name === 't') isText = false
    },
    text(part) {
      if (isText && !isPronunciation) text += part
    },
  })
  return texts
}

/** Returns the number format of each cell style. */
function readFormats(xml: string) {
  const own = new Map<string, string>()
  const formats: string[] = []
  let isCellStyles = false
  readXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') {
        const { numFmtId = '', formatCode = '' } = attributes()
        own.set(numFmtId, formatCode)
      }
      if (name === 'cellXfs') isCellStyles = true
      if (name === 'xf' && isCellStyles) {
        const { numFmtId = '0' } = attributes()
        formats.push(own.get(numFmtId) ?? builtinFormat(Number(numFmtId)))
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellStyles = false
    },
  })
  return formats
}
