import type { TableCell } from '../../contract/sheet/sheetCell.schema'
import { UnreadableFile } from './fileKind'
import { getBuiltinFormat } from './numberFormats'
import { parseSheet, type Sheet } from './parseSheet'
import { openWorkbook } from './unzip'
import { readXml } from './xml'

type ReadPart = ReturnType<typeof openWorkbook>['readPart']
type SheetEntry = { name: string; isHidden: boolean; path: string }

/** Reads the first visible sheet of an .xlsx as displayed, with notices for the user before the import. */
export function readWorkbook(zip: Uint8Array): { table: TableCell[][]; notices: string[] } {
  const { readPart, hasPictures } = openWorkbook(zip)
  const {
    sheets,
    has1904Dates,
    shared: sharedStringsPath,
    styles: stylesPath,
  } = readOutline(readPart)
  const visibleSheets = sheets.filter(({ isHidden }) => !isHidden)
  const chosenSheet = visibleSheets[0] ?? sheets[0]
  const xml = chosenSheet && readPart(chosenSheet.path)
  if (!chosenSheet || xml === undefined) throw new UnreadableFile('工作簿里没有工作表')
  const sheet = parseSheet(xml, {
    texts: sharedStringsPath ? readTexts(readPart(sharedStringsPath) ?? '') : [],
    formats: stylesPath ? readFormats(readPart(stylesPath) ?? '') : [],
    has1904Dates,
  })
  return {
    table: sheet.table,
    notices: [
      ...(sheets.length > 1
        ? [`文件有 ${sheets.length} 张工作表，只读取“${chosenSheet.name}”`]
        : []),
      ...buildNotices(sheet),
      ...(hasPictures ? ['表格里的图片不会导入'] : []),
    ],
  }
}

function buildNotices({ hiddenRows, hiddenColumns, isFiltered, table }: Sheet) {
  const rows = hiddenRows.filter((line) => line > 1 && table[line - 1]?.some((cell) => cell !== ''))
  const titles = hiddenColumns
    .filter((column) => table.some((row) => (row[column] ?? '') !== ''))
    .map((column) => `${formatColumnLetters(column)} 列`)
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

export function formatColumnLetters(column: number): string {
  const rest = Math.floor(column / 26)
  return (rest > 0 ? formatColumnLetters(rest - 1) : '') + String.fromCharCode(65 + (column % 26))
}

/** Finds the parts of the workbook by its relations. */
function readOutline(readPart: ReadPart) {
  const targets = new Map<string, { path: string; type: string }>()
  readXml(readPart('xl/_rels/workbook.xml.rels') ?? '', {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const { Id = '', Target = '', Type = '' } = attributes()
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`
      targets.set(Id, { path, type: Type.slice(Type.lastIndexOf('/') + 1) })
    },
  })
  const sheets: SheetEntry[] = []
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
  const findPathByType = (wantedType: string) =>
    [...targets.values()].find(({ type }) => type === wantedType)?.path
  return {
    sheets,
    has1904Dates,
    shared: findPathByType('sharedStrings'),
    styles: findPathByType('styles'),
  }
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
  const customFormats = new Map<string, string>()
  const formats: string[] = []
  let isCellStyles = false
  readXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') {
        const { numFmtId = '', formatCode = '' } = attributes()
        customFormats.set(numFmtId, formatCode)
      }
      if (name === 'cellXfs') isCellStyles = true
      if (name === 'xf' && isCellStyles) {
        const { numFmtId = '0' } = attributes()
        formats.push(customFormats.get(numFmtId) ?? getBuiltinFormat(Number(numFmtId)))
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellStyles = false
    },
  })
  return formats
}
